/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over gates of the IDT at run time and dispatches exceptions. Intel SDM 3A,
 * chapter 6 */
#include "dp_access_cpu.h"
#include "dp_patch.h"
#include "dp_stack.h"
#include "ia32_watch.h"

struct dp_port_state *dp_ia32;

#define DP_VENEER_MAGIC 0x64704941u
#define DP_GATE_PRESENT 0x00008000u
#define DP_GATE_DPL     0x00006000u
#define DP_GATE_DPL_1   0x00002000u
#define DP_GATE_TYPE    0x00001f00u
#define DP_GATE_INT     0x00000e00u
#define DP_GATE_TRAP    0x00000f00u

enum {
	DP_PUSH_BYTE = 0x6a,
	DP_PUSH_WORD = 0x68,
	DP_JMP = 0xe9,
	DP_JMP_BYTES = 5,
};

/* The exceptions that a displaced copy, or the port's own access, can raise. SDM 3A, table 6-1 */
static const uint8_t dp_vectors[DP_IA32_GATES] = {
	0,
#if DP_IA32_WITH_WATCH
	DP_VECTOR_DEBUG,
#endif
	DP_VECTOR_BREAKPOINT,
	5,
	6,
	7,
	10,
	11,
	12,
	DP_VECTOR_PROTECTION,
	DP_VECTOR_PAGE,
	16,
	17,
	19,
};

static bool has_error(unsigned vector)
{
	return (vector >= 10 && vector <= 14) || vector == 17;
}

/* --- exceptions --- */

/* The context has left its hit by a one-trap slot. Show the firmware the original's pc. */
static enum dp_taken out_of_slot(struct dp_frame *frame)
{
	const bool completed = !dp_ia32_at_copy(frame->eip);

	frame->eip = dp_port_slot_origin(frame->eip);
	if (!completed)
		dp_agent_fault_away(frame, frame->eip);
	dp_ia32_watch_again(frame);
	return DP_FIRMWARE;
}

static enum dp_taken fault(struct dp_frame *frame)
{
	if (dp_ia32_in_access(frame->eip)) {
		dp_ia32->caught.gate = frame->gate;
		dp_ia32->caught.error = frame->error;
		frame->eip = (uintptr_t)dp_ia32_access_failed;
		return DP_RESUME;
	}
	if (!dp_slots_contain(&dp_ia32->slots, frame->eip))
		return DP_NOT_OURS;
	if (!dp_ia32->pending[dp_this_cpu()].active)
		return out_of_slot(frame);
	if (dp_agent_fault(frame, dp_ia32->pending[dp_this_cpu()].address) == DP_NOT_OURS)
		dp_port_step_fault(NULL, frame); /* the site is removed */
	dp_ia32_watch_again(frame);
	return DP_FIRMWARE;
}

/* The CPU reports the address behind int3. */
static enum dp_taken trap(struct dp_frame *frame)
{
	const struct dp_ia32_pending *p = &dp_ia32->pending[dp_this_cpu()];
	const uint32_t at = frame->eip - 1;
	enum dp_taken taken;

	if (dp_slots_contain(&dp_ia32->slots, at)) {
		if (!p->active || at != p->entry + p->bytes)
			return DP_NOT_OURS;
		if (dp_agent_stepped(frame, p->address) == DP_NOT_OURS) /* the site is removed */
			dp_port_stepped(NULL, frame);
		return DP_RESUME;
	}
	if (dp_ia32_of_int(at))
		return DP_NOT_OURS;
	frame->eip = at;
	taken = dp_agent_trap(frame, at);
	if (taken == DP_NOT_OURS)
		frame->eip = at + 1;
	return taken;
}

/* Also from entry.S, where DP_RESUME is a number. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	if (dp_ia32 == NULL) /* gates of the run before, and no agent yet */
		return DP_NOT_OURS;
	if (class == DP_VECTOR_BREAKPOINT)
		return trap(frame);
#if DP_IA32_WITH_WATCH
	if (class == DP_VECTOR_DEBUG)
		return dp_ia32_debug(frame);
#endif
	return fault(frame);
}
_Static_assert(DP_RESUME == DP_IA32_RESUME, "entry.S");
_Static_assert(offsetof(struct dp_ia32_gate, handler) == DP_GATE_HANDLER &&
		       offsetof(struct dp_ia32_gate, is_trap) == DP_GATE_IS_TRAP,
	       "entry.S");

/* --- the IDT --- */

/* The descriptor of a vector: two words. Returns null: the table is shorter. */
static uint32_t *descriptor(unsigned vector)
{
	struct {
		uint16_t pad, limit;
		uint32_t base;
	} idt;

	__asm__ volatile("sidt %0" : "=m"(idt.limit), "=m"(idt.base));
	return 8 * vector + 7 <= idt.limit ? (uint32_t *)(uintptr_t)(idt.base + 8 * vector) : NULL;
}

static uint32_t handler_of(const uint32_t *words)
{
	return (words[0] & 0xffff) | (words[1] & 0xffff0000);
}

static uint16_t code_segment(void)
{
	uint16_t cs;

	__asm__ volatile("mov %%cs, %0" : "=r"(cs));
	return cs;
}

/* A gate of this code segment that can be changed? The agent needs some of them. */
static enum dp_err check_gate(const struct dp_ia32_veneer *v, unsigned i)
{
	const unsigned vector = dp_vectors[i];
	const uint32_t *words = descriptor(vector);
	uint32_t type;

	if (words == NULL || !(words[1] & DP_GATE_PRESENT))
		return vector == DP_VECTOR_BREAKPOINT || vector == DP_VECTOR_PROTECTION ||
				       vector == DP_VECTOR_PAGE
			       ? DP_ERR_BAD_VECTOR
			       : DP_ERR_OK;
	type = words[1] & DP_GATE_TYPE;
	if ((type != DP_GATE_INT && type != DP_GATE_TRAP) || words[0] >> 16 != code_segment())
		return DP_ERR_BAD_VECTOR;
	return handler_of(words) == (uintptr_t)v->gate[i].code && v->magic != DP_VENEER_MAGIC
		       ? DP_ERR_SLOTS_CLEARED
		       : DP_ERR_OK;
}

/* push $0, where the CPU has pushed no error code; push $gate; jmp dp_ia32_entry */
static void fill_code(struct dp_ia32_gate *gate)
{
	uint8_t *code = gate->code;
	uint32_t distance;

	if (!gate->has_error) {
		*code++ = DP_PUSH_BYTE;
		*code++ = 0;
	}
	distance = (uintptr_t)dp_ia32_entry - (uintptr_t)(code + 5 + DP_JMP_BYTES);
	code[0] = DP_PUSH_WORD;
	code[5] = DP_JMP;
	for (unsigned i = 0; i < 4; i++) {
		code[1 + i] = (uint8_t)((uintptr_t)gate >> 8 * i);
		code[6 + i] = (uint8_t)(distance >> 8 * i);
	}
}

/* After a warm restart the IDT may still lead to the gate: then the gate has the firmware's
 * handler. */
static void fill_gate(struct dp_ia32_gate *gate, unsigned vector, const uint32_t *words)
{
	if (handler_of(words) != (uintptr_t)gate->code) {
		gate->handler = handler_of(words);
		gate->is_trap = (words[1] & DP_GATE_TYPE) == DP_GATE_TRAP;
		gate->ring = (words[1] & DP_GATE_DPL) / DP_GATE_DPL_1;
	}
	gate->vector = (uint8_t)vector;
	gate->has_error = has_error(vector);
	fill_code(gate);
}

/* Interrupts are masked, and no exception comes between the two words. */
static bool put_gate(uint32_t *words, uint32_t handler, uint32_t type, unsigned ring)
{
	const uint32_t kept = (words[1] & DP_GATE_PRESENT) | ring * DP_GATE_DPL_1;
	const dp_addr at = (uintptr_t)words;

	return dp_patch_word(at, (words[0] & 0xffff0000) | (handler & 0xffff)) &&
	       dp_patch_word(at + 4, (handler & 0xffff0000) | kept | type);
}

static void unhook(const struct dp_ia32_veneer *v, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (v->gate[i].handler != 0)
			(void)put_gate(descriptor(dp_vectors[i]), v->gate[i].handler,
				       v->gate[i].is_trap ? DP_GATE_TRAP : DP_GATE_INT,
				       v->gate[i].ring);
}

static enum dp_err hook(struct dp_ia32_veneer *v)
{
	enum dp_err error = DP_ERR_OK;

	for (unsigned i = 0; i < DP_IA32_GATES && error == DP_ERR_OK; i++)
		error = check_gate(v, i);
	if (error != DP_ERR_OK)
		return error;
#if DP_IA32_WITH_WATCH
	dp_ia32_watch_attach(v->magic == DP_VENEER_MAGIC ? v->armed : 0);
	v->armed = 0;
#endif
	for (unsigned i = 0; i < DP_IA32_GATES; i++) {
		uint32_t *words = descriptor(dp_vectors[i]);

		if (words == NULL || !(words[1] & DP_GATE_PRESENT)) {
			v->gate[i].handler = 0;
			continue;
		}
		fill_gate(&v->gate[i], dp_vectors[i], words);
		dp_patch_publish((uintptr_t)&v->gate[i], sizeof(v->gate[i]));
		if (!put_gate(words, (uintptr_t)v->gate[i].code, DP_GATE_INT,
			      i == DP_IA32_GATE_BREAKPOINT ? 3 : v->gate[i].ring)) {
			unhook(v, i + 1);
			return DP_ERR_NOT_PATCHABLE;
		}
	}
	v->magic = DP_VENEER_MAGIC;
	return DP_ERR_OK;
}

#if DP_WITH_CHECKS
/* A gate that was not there at the start is the firmware's. */
unsigned dp_port_vectors(dp_addr *leads_to)
{
	const struct dp_ia32_veneer *v = dp_ia32->veneer;

	for (unsigned i = 0; i < DP_IA32_GATES; i++) {
		const uint32_t *words = descriptor(dp_vectors[i]);
		const bool there = words != NULL && (words[1] & DP_GATE_PRESENT);

		*leads_to = there ? handler_of(words) : 0;
		if (v->gate[i].handler != 0 && *leads_to != (uintptr_t)v->gate[i].code)
			return dp_vectors[i];
	}
	return DP_VECTORS_HOLD;
}
#endif

/* The task's stack pointer is the only one: it leaves the private stack with the task. */
void dp_port_recover(void)
{
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_ia32->memory);
}

static bool set_up(const struct dp_memory *memory, struct dp_port_state *state)
{
	const uintptr_t start = ((uintptr_t)memory->slots + 3) & ~(uintptr_t)3;
	const uintptr_t end = (uintptr_t)memory->slots + memory->slot_bytes;

	state->veneer = (struct dp_ia32_veneer *)start;
	state->stack = (uintptr_t)memory->stack;
	state->stack_top =
		((state->stack + memory->stack_bytes) & ~(uintptr_t)15) - DP_FRAME_BEHIND;
	return start + sizeof(struct dp_ia32_veneer) <= end &&
	       memory->stack_bytes >= DP_PORT_STACK_BYTES &&
	       dp_slots_init(&state->slots, start + sizeof(struct dp_ia32_veneer), end);
}

/* Vectors that firmware keeps for itself are refused: the port needs the gate of each fault. */
enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	enum dp_err error;

	if ((code_segment() & 3) != 0)
		return DP_ERR_BAD_TARGET;
	if (board->own_vectors)
		return DP_ERR_BAD_VECTOR;
	state->board = board;
	state->memory = memory;
	if (!set_up(memory, state))
		return DP_ERR_NO_SLOT;
	dp_ia32 = state;
	dp_stack_paint(memory);
	error = hook(state->veneer);
	if (error != DP_ERR_OK)
		dp_ia32 = NULL;
	return error;
}
