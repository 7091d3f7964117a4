/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers, memory, system variables, port space, address checks; and the interpreter's own
 * registers. RPN.md 5, 1.3, C57, C58, C78 to C92, C100, C111 to C114. */
#include "reference.h"

#include <stdlib.h>

/* --- memory --- */

bool ref_byte(const struct ref_world *world, uint64_t address, uint8_t *byte, bool *writable)
{
	for (unsigned i = 0; i < world->ranges; i++) {
		const struct ref_range *range = &world->range[i];

		if (address >= range->address && address - range->address < range->bytes) {
			*byte = range->data[address - range->address];
			*writable = range->writable;
			return true;
		}
	}
	return false;
}

/* Of an access of `bytes` bytes at `address`: is byte i there? Past the end of the address space
 * there is nothing. */
static bool there(const struct ref_machine *m, uint64_t address, unsigned i, uint8_t *byte,
		  bool *writable)
{
	uint64_t at = ref_cut(m->program, address + i);

	return at >= address && ref_byte(m->world, at, byte, writable);
}

bool ref_read(const struct ref_machine *m, uint64_t address, uint8_t *to, unsigned bytes)
{
	bool writable;

	for (unsigned i = 0; i < bytes; i++)
		if (!there(m, address, i, &to[i], &writable))
			return false;
	return true;
}

bool ref_write(struct ref_machine *m, uint64_t address, const uint8_t *from, unsigned bytes)
{
	bool writable;
	uint8_t old;

	for (unsigned i = 0; i < bytes; i++)
		if (!there(m, address, i, &old, &writable) || !writable)
			return false;
	for (unsigned i = 0; i < bytes; i++) {
		for (unsigned k = 0; k < m->world->ranges; k++) {
			struct ref_range *range = &m->world->range[k];

			if (address + i >= range->address &&
			    address + i - range->address < range->bytes)
				range->data[address + i - range->address] = from[i];
		}
	}
	return true;
}

static void push_memory(struct ref_machine *m, unsigned bytes)
{
	uint64_t address = ref_pop(m);
	unsigned word = ref_word_bytes(m->program);
	uint8_t data[8];

	if (!ref_read(m, address, data, bytes)) {
		ref_raise(m, RPN_X_INVALID_ADDR, address, 0); /* C88 */
	} else if (bytes <= word) {
		ref_push(m, ref_get(m->program, data, bytes));
	} else { /* C86: the word at the lower address ends on top */
		ref_push(m, ref_get(m->program, data + word, word));
		ref_push(m, ref_get(m->program, data, word));
	}
}

static void pop_memory(struct ref_machine *m, unsigned bytes)
{
	unsigned word = ref_word_bytes(m->program);
	uint64_t address;
	uint8_t data[8];

	if (bytes <= word) {
		ref_put(m->program, data, ref_pop(m), bytes);
	} else {
		ref_put(m->program, data, ref_pop(m), word);
		ref_put(m->program, data + word, ref_pop(m), word);
	}
	address = ref_pop(m);
	if (!ref_write(m, address, data, bytes))
		ref_raise(m, RPN_X_INVALID_ADDR, address, 0);
}

static void verify(struct ref_machine *m, bool to_write)
{
	bool writable = false;
	uint8_t byte;
	bool readable = ref_byte(m->world, ref_pop(m), &byte, &writable);

	ref_push(m, readable && (writable || !to_write) ? 0 : 1);
}

/* --- registers --- */

static unsigned row(const struct ref_world *world, uint64_t index)
{
	for (unsigned i = 0; i < world->regs; i++)
		if (world->reg[i].index == index)
			return i;
	abort(); /* not a verified program */
}

static void push_register(struct ref_machine *m, uint64_t index)
{
	const struct ref_world *world = m->world;
	unsigned r = row(world, index);

	if (world->reg[r].pops)
		ref_pop(m);
	for (unsigned i = world->reg[r].words; i > 0; i--)
		ref_push(m, world->value[r][i - 1]);
}

static void pop_register(struct ref_machine *m, uint64_t index)
{
	m->world->value[row(m->world, index)][0] = ref_pop(m);
}

/* --- port space of the simulated CPU: cells of 32 bits --- */

static uint32_t low_bits(unsigned bytes)
{
	return bytes == 4 ? 0xffffffffu : (1u << 8 * bytes) - 1;
}

static void push_port(struct ref_machine *m, unsigned bytes)
{
	ref_push(m, m->world->port[ref_pop(m) % REF_PORTS] & low_bits(bytes));
}

static void pop_port(struct ref_machine *m, unsigned bytes)
{
	uint64_t value = ref_pop(m);
	uint32_t *cell = &m->world->port[ref_pop(m) % REF_PORTS];

	*cell = (*cell & ~low_bits(bytes)) | ((uint32_t)value & low_bits(bytes));
}

/* On the simulated CPU selector 0 is bad and the others begin at 0. */
static void segment(struct ref_machine *m)
{
	uint64_t offset = ref_pop(m), selector = ref_pop(m);

	if (selector == 0)
		ref_raise(m, RPN_X_SEG_FAULT, selector, 0);
	else
		ref_push(m, offset);
}

bool ref_data(struct ref_machine *m, uint8_t op, uint64_t operand)
{
	const struct ref_world *world = m->world;

	switch (op) {
	case RPN_PUSH_8:
	case RPN_PUSH_16:
	case RPN_PUSH_W:
		ref_push(m, operand);
		return true;
	case RPN_PUSH_R:
	case RPN_PUSH_U: /* C79: there is no other context */
		push_register(m, operand);
		return true;
	case RPN_POP_R:
	case RPN_POP_U:
		pop_register(m, operand);
		return true;
	case RPN_PUSH_MEM_8:
		push_memory(m, 1);
		return true;
	case RPN_PUSH_MEM_16:
		push_memory(m, 2);
		return true;
	case RPN_PUSH_MEM_32:
		push_memory(m, 4);
		return true;
	case RPN_PUSH_MEM_64:
		push_memory(m, 8);
		return true;
	case RPN_POP_MEM_8:
		pop_memory(m, 1);
		return true;
	case RPN_POP_MEM_16:
		pop_memory(m, 2);
		return true;
	case RPN_POP_MEM_32:
		pop_memory(m, 4);
		return true;
	case RPN_POP_MEM_64:
		pop_memory(m, 8);
		return true;
	case RPN_PUSH_PID: /* C91 */
		ref_push(m, !world->has_hooks ? 0
			    : world->pid != 0 ? world->pid
					      : (uint32_t)world->task);
		return true;
	case RPN_PUSH_PROCID:
		ref_push(m, 0);
		return true;
	case RPN_PUSH_TASK:
		ref_push(m, world->has_hooks ? world->task : 0);
		return true;
	case RPN_PUSH_WPADDR: /* no handler of a watchpoint */
	case RPN_PUSH_WPOLD:
	case RPN_PUSH_WPNEW:
		ref_push(m, 0);
		return true;
	case RPN_PUSH_IO_8:
		push_port(m, 1);
		return true;
	case RPN_PUSH_IO_16:
		push_port(m, 2);
		return true;
	case RPN_PUSH_IO_32:
		push_port(m, 4);
		return true;
	case RPN_POP_IO_8:
		pop_port(m, 1);
		return true;
	case RPN_POP_IO_16:
		pop_port(m, 2);
		return true;
	case RPN_POP_IO_32:
		pop_port(m, 4);
		return true;
	case RPN_VFYR:
		verify(m, false);
		return true;
	case RPN_VFYRW:
		verify(m, true);
		return true;
	case RPN_SEG2LIN:
		segment(m);
		return true;
	default:
		return false;
	}
}

/* --- the interpreter's own registers --- */

/* C58 */
static void pop_pointer(struct ref_machine *m, struct ref_buffer *buffer)
{
	uint64_t value = ref_pop(m);

	if (value > buffer->most)
		ref_raise(m, RPN_X_INVALID_OPERAND, RPN_BAD_POINTER, value);
	else
		buffer->used = (unsigned)value;
}

bool ref_internal(struct ref_machine *m, uint8_t op, uint64_t n)
{
	uint64_t value;

	switch (op) {
	case RPN_PUSH_X: /* C100, C101 */
		ref_push(m, m->last[2]);
		ref_push(m, m->last[1]);
		ref_push(m, m->last[0]);
		return true;
	case RPN_PUSH_STP:
		ref_push(m, m->trace.used);
		return true;
	case RPN_POP_STP:
		pop_pointer(m, &m->trace);
		return true;
	case RPN_PUSH_LP:
		ref_push(m, m->log.used);
		return true;
	case RPN_POP_LP:
		pop_pointer(m, &m->log);
		return true;
	case RPN_PUSH_PLP:
		ref_push(m, m->plp);
		return true;
	case RPN_SAVE_SBP:
		ref_push(m, m->sbp);
		return true;
	case RPN_RESTORE_SBP:
		m->sbp = ref_pop(m); /* as it is: only sbp+n goes round */
		return true;
	case RPN_SAVE_TSP: /* its value before the push */
		ref_push(m, m->tsp);
		return true;
	case RPN_RESTORE_TSP: /* C113 */
		m->tsp = ref_pop(m) % REF_STACK_WORDS;
		return true;
	case RPN_PUSH_SBP:
		n = ref_pop(m);
		/* fall through */
	case RPN_PUSH_SBP_N:
		ref_push(m, *ref_slot(m, m->sbp + n));
		return true;
	case RPN_POP_SBP: /* n value -- */
		value = ref_pop(m);
		n = ref_pop(m);
		*ref_slot(m, m->sbp + n) = value;
		return true;
	case RPN_POP_SBP_N:
		value = ref_pop(m);
		*ref_slot(m, m->sbp + n) = value;
		return true;
	case RPN_COPY_SBP: /* value n -- value */
		n = ref_pop(m);
		/* fall through */
	case RPN_COPY_SBP_N:
		*ref_slot(m, m->sbp + n) = *ref_slot(m, m->tsp);
		return true;
	case RPN_PUSH_TSP: /* tsp after n is popped */
		n = ref_pop(m);
		/* fall through */
	case RPN_PUSH_TSP_N:
		ref_push(m, *ref_slot(m, m->tsp + n));
		return true;
	case RPN_POP_TSP: /* n value --; tsp after both */
		value = ref_pop(m);
		n = ref_pop(m);
		*ref_slot(m, m->tsp + n) = value;
		return true;
	case RPN_POP_TSP_N: /* the target is computed before the pop */
		n += m->tsp;
		value = ref_pop(m);
		*ref_slot(m, n) = value;
		return true;
	case RPN_COPY_TSP: /* value n -- value */
		n = ref_pop(m);
		/* fall through */
	case RPN_COPY_TSP_N:
		*ref_slot(m, m->tsp + n) = *ref_slot(m, m->tsp);
		return true;
	default:
		return false;
	}
}
