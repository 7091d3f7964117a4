/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding, the stack, the budget, exceptions, and the loop over instructions. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	[code] = {text, RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group,                     \
		  RPN_COST_##cost == RPN_COST_MARK},
static const struct ref_op ops[256] = {
#include "rpn_ops.def"
};

const struct ref_op *ref_op(uint8_t code)
{
	return ops[code].text ? &ops[code] : NULL;
}

/* --- words --- */

unsigned ref_word_bytes(const struct ref_program *program)
{
	return program->word_bits / 8;
}

uint64_t ref_cut(const struct ref_program *program, uint64_t value)
{
	return program->word_bits == 64 ? value : value & 0xffffffffu;
}

int64_t ref_signed(const struct ref_program *program, uint64_t word)
{
	if (program->word_bits == 64)
		return (int64_t)word;
	return (int32_t)(uint32_t)word;
}

uint64_t ref_get(const struct ref_program *program, const uint8_t *from, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | from[program->big_endian ? i : bytes - 1 - i];
	return value;
}

void ref_put(const struct ref_program *program, uint8_t *to, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++) {
		to[program->big_endian ? bytes - 1 - i : i] = (uint8_t)value;
		value >>= 8;
	}
}

uint64_t ref_operand(const struct ref_program *program, unsigned at)
{
	enum rpn_operand kind = ops[program->code[at]].operand;
	unsigned bytes = rpn_operand_bytes(kind, ref_word_bytes(program));
	uint64_t value = ref_get(program, program->code + at + 1, bytes);

	if (kind == RPN_ARG_IMM8 && value >= 0x80)
		value -= 0x100;
	if ((kind == RPN_ARG_IMM16 || kind == RPN_ARG_S16) && value >= 0x8000)
		value -= 0x10000;
	return ref_cut(program, value);
}

void ref_unsure(struct ref_buffer *buffer)
{
	memset(buffer->unsure + buffer->used, true, sizeof buffer->unsure - buffer->used);
}

/* --- the circular stack: decisions.txt C01, C02, C111 --- */

uint64_t *ref_slot(struct ref_machine *m, uint64_t number)
{
	return &m->stack[number % REF_STACK_WORDS];
}

void ref_push(struct ref_machine *m, uint64_t value)
{
	m->tsp = (m->tsp + REF_STACK_WORDS - 1) % REF_STACK_WORDS;
	*ref_slot(m, m->tsp) = ref_cut(m->program, value);
}

uint64_t ref_pop(struct ref_machine *m)
{
	uint64_t value = *ref_slot(m, m->tsp);

	m->tsp = (m->tsp + 1) % REF_STACK_WORDS;
	return value;
}

/* --- the ends of a run --- */

void ref_end(struct ref_machine *m, enum rpn_end end)
{
	m->ended = true;
	m->end = end;
}

bool ref_charge(struct ref_machine *m, uint64_t steps)
{
	if (steps > m->program->budget - m->steps) {
		ref_end(m, RPN_END_BUDGET);
		return false;
	}
	m->steps += (uint32_t)steps;
	return true;
}

/* --- exceptions --- */

/* Find a handler, frame by frame (C105). It is good for one exception (language page, rule 3). */
static void dispatch(struct ref_machine *m)
{
	for (;;) {
		struct ref_frame *frame = &m->frame[m->depth];

		if (frame->handler != REF_NO_HANDLER) {
			m->pc = (unsigned)frame->handler;
			frame->handler = REF_NO_HANDLER;
			return;
		}
		if (m->depth == 0) {
			ref_end(m, RPN_END_EXCEPTION);
			return;
		}
		m->sbp = frame->sbp;
		m->depth--;
	}
}

static void set_words(struct ref_machine *m, uint64_t *to, uint64_t code, uint64_t parm1,
		      uint64_t parm2)
{
	to[0] = ref_cut(m->program, code);
	to[1] = ref_cut(m->program, parm1);
	to[2] = ref_cut(m->program, parm2);
}

/* A masked one that is not maskable: the program never sees it (C95, C102), people do. */
static void terminate(struct ref_machine *m, uint64_t code, uint64_t parm1, uint64_t parm2)
{
	set_words(m, m->reported, code, parm1, parm2);
	ref_end(m, RPN_END_EXCEPTION);
}

/* Generated: remembered (C110), and traced if the program wants it (C109). */
static void generated(struct ref_machine *m, uint64_t code, uint64_t parm1, uint64_t parm2)
{
	set_words(m, m->last, code, parm1, parm2);
	set_words(m, m->reported, code, parm1, parm2);
	m->last_handler = m->frame[m->depth].handler;
	if (m->program->autostacktrace)
		ref_trace(m);
}

void ref_raise(struct ref_machine *m, unsigned code, uint64_t parm1, uint64_t parm2)
{
	if (!(m->program->excpt_mask & code)) {
		if (!(code & RPN_X_MASKABLE))
			terminate(m, code, parm1, parm2);
		return;
	}
	ref_push(m, parm2);
	ref_push(m, parm1);
	ref_push(m, code);
	generated(m, code, parm1, parm2);
	if (!m->ended)
		dispatch(m);
}

/* C96 to C99. The three words stay where they are: the handler finds them there. */
void ref_rx(struct ref_machine *m)
{
	uint64_t code = *ref_slot(m, m->tsp);
	uint64_t x = code & 0xffff;
	uint64_t parm1 = *ref_slot(m, m->tsp + 1), parm2 = *ref_slot(m, m->tsp + 2);

	if (x & m->program->excpt_mask) {
		generated(m, code, parm1, parm2);
		if (!m->ended)
			dispatch(m);
	} else if (x & 0x0fff) {
		terminate(m, code, parm1, parm2);
	}
}

/* --- running --- */

static void step(struct ref_machine *m)
{
	const struct ref_program *program = m->program;
	unsigned at = m->pc;
	uint8_t code = program->code[at];
	const struct ref_op *op = ref_op(code);
	uint64_t operand;

	if (at >= program->code_bytes || !op)
		abort(); /* not a verified program */
	operand = ref_operand(program, at);
	m->pc = at + 1 + rpn_operand_bytes(op->operand, ref_word_bytes(program));
	m->at = at;
	m->behind = m->pc;
	m->executed[code]++;
	if (op->marker) {
		ref_charge(m, operand);
		return;
	}
	if (!ref_flow(m, code, operand, at) && !ref_logging(m, code, operand) &&
	    !ref_variables(m, code, operand) && !ref_arithmetic(m, code, operand) &&
	    !ref_long(m, code) && !ref_string(m, code, operand) && !ref_data(m, code, operand) &&
	    !ref_internal(m, code, operand))
		abort(); /* an opcode without a meaning */
}

void ref_run(struct ref_machine *m, unsigned entry)
{
	const struct ref_program *program = m->program;

	m->pc = entry;
	m->tsp = m->sbp = 0;
	memset(m->frame, 0, sizeof m->frame);
	m->frame[0].handler = REF_NO_HANDLER;
	m->depth = m->jumps = 0;
	m->steps = 0;
	m->log = (struct ref_buffer){.limit = program->logmax};
	m->trace = (struct ref_buffer){.limit = program->excpt_log};
	m->plp = 0;
	m->truncated = false;
	memset(m->last, 0, sizeof m->last);
	memset(m->reported, 0, sizeof m->reported);
	m->last_handler = REF_NO_HANDLER;
	m->ended = m->removed = m->stopped = m->frozen = m->returns = m->codes_set = false;
	m->freeze = 0;
	m->exit_number = 0;
	m->major = program->major;
	m->minor = program->minor;
	while (!m->ended)
		step(m);
}
