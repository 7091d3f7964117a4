/* SPDX-License-Identifier: BSD-2-Clause */
/* Execution group, and sx, ux, rx. RPN.md 5, C23 to C37, C103, C112. */
#include "reference.h"

#include <string.h>

static void take(struct ref_machine *m, uint64_t target)
{
	if (m->jumps >= m->program->jmpmax) {
		ref_raise(m, RPN_X_JMP_MAX, m->program->jmpmax, 0); /* C26 */
		return;
	}
	m->jumps++;
	m->pc = (unsigned)target;
}

static void jump(struct ref_machine *m, uint8_t op, uint64_t target)
{
	uint64_t *top = ref_slot(m, m->tsp);
	int64_t value = ref_signed(m->program, *top);
	bool taken = true;

	if (op == RPN_LOOP) {
		*top = ref_cut(m->program, *top - 1);
		taken = *top != 0;
	} else if (op == RPN_JLT) {
		taken = value < 0;
	} else if (op == RPN_JLE) {
		taken = value <= 0;
	} else if (op == RPN_JGT) {
		taken = value > 0;
	} else if (op == RPN_JGE) {
		taken = value >= 0;
	} else if (op == RPN_JZ) {
		taken = value == 0;
	} else if (op == RPN_JNZ) {
		taken = value != 0;
	}
	if (taken)
		take(m, target);
}

static void call(struct ref_machine *m, uint64_t target)
{
	struct ref_frame *frame;

	if (m->depth == RPN_CALL_DEPTH) {
		ref_raise(m, RPN_X_CALL_MAX, RPN_CALL_DEPTH, 0); /* C30 */
		return;
	}
	frame = &m->frame[++m->depth];
	memset(frame, 0, sizeof *frame);
	frame->called = (unsigned)target;
	frame->back = m->pc;
	frame->handler = REF_NO_HANDLER;
	frame->sbp = m->sbp;
	m->pc = (unsigned)target;
}

static void ret(struct ref_machine *m)
{
	if (m->depth == 0) {
		ref_raise(m, RPN_X_CALL_MAX, 0, 0); /* C30 */
		return;
	}
	m->pc = m->frame[m->depth].back;
	m->sbp = m->frame[m->depth].sbp;
	m->depth--;
}

/* The function returns its words, the top of the stack first. */
static void take_returned(struct ref_machine *m, unsigned words)
{
	uint64_t word[2];

	for (unsigned i = 0; i < words; i++)
		word[i] = ref_pop(m);
	if (m->returns)
		return;
	m->returns = true;
	m->words = words;
	for (unsigned i = 0; i < words; i++)
		m->word[i] = word[i];
}

bool ref_flow(struct ref_machine *m, uint8_t op, uint64_t operand, unsigned at)
{
	(void)at;
	switch (op) {
	case RPN_JMP:
	case RPN_JLT:
	case RPN_JLE:
	case RPN_JGT:
	case RPN_JGE:
	case RPN_JZ:
	case RPN_JNZ:
	case RPN_LOOP:
		jump(m, op, operand);
		return true;
	case RPN_CALL:
		call(m, operand);
		return true;
	case RPN_RET:
		ret(m);
		return true;
	case RPN_CALLK: /* C36 */
		if (m->world->has_hooks) {
			ref_push(m, ref_pop(m) ^ REF_CALLK_XOR);
			ref_push(m, REF_CALLK_PUSH);
		}
		return true;
	case RPN_ABORT:
		ref_end(m, RPN_END_ABORT);
		return true;
	case RPN_EXIT:
		ref_end(m, RPN_END_EXIT);
		return true;
	case RPN_EXIT_N:
		if (operand >= 1 && operand <= 3) {
			m->exit_number = (uint8_t)operand;
			ref_end(m, RPN_END_EXIT);
		} else {
			ref_raise(m, RPN_X_INVALID_OPERAND, RPN_BAD_EXIT, operand);
		}
		return true;
	case RPN_REMOVE: /* C35 */
		m->removed = true;
		ref_end(m, RPN_END_EXIT);
		return true;
	case RPN_STOP:
		m->stopped = true;
		return true;
	case RPN_FREEZE:
		m->frozen = true;
		m->freeze = ref_pop(m);
		return true;
	case RPN_RETURN:
		take_returned(m, (unsigned)operand);
		return true;
	case RPN_NOP:
		return true;
	case RPN_SX:
		m->frame[m->depth].handler = (int)operand;
		return true;
	case RPN_UX:
		m->frame[m->depth].handler = REF_NO_HANDLER;
		return true;
	case RPN_RX:
		ref_rx(m);
		return true;
	default:
		return false;
	}
}
