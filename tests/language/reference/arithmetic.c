/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic and logic, and variables. RPN.md 5, C62 to C77. */
#include "reference.h"

/* Signed division: truncates toward zero, the remainder has the dividend's sign; the most negative
 * by -1 is itself (C70). Done on magnitudes, so that nothing can overflow. */
static void idivide(struct ref_machine *m, uint64_t dividend, uint64_t divisor)
{
	const struct ref_program *program = m->program;
	bool negative = ref_signed(program, dividend) < 0;
	bool opposite = negative != (ref_signed(program, divisor) < 0);
	uint64_t a = negative ? ref_cut(program, 0 - dividend) : dividend;
	uint64_t b = ref_signed(program, divisor) < 0 ? ref_cut(program, 0 - divisor) : divisor;

	ref_push(m, negative ? 0 - a % b : a % b);
	ref_push(m, opposite ? 0 - a / b : a / b);
}

static void divide(struct ref_machine *m, bool with_sign)
{
	uint64_t divisor = ref_pop(m), dividend = ref_pop(m);

	if (divisor == 0) {
		ref_raise(m, RPN_X_DIVIDE_BY_ZERO, 0, 0);
	} else if (with_sign) {
		idivide(m, dividend, divisor);
	} else {
		ref_push(m, dividend % divisor); /* C69 */
		ref_push(m, dividend / divisor);
	}
}

/* C72, C73: one bit at a time. */
static uint64_t shifted(const struct ref_program *program, uint8_t op, uint64_t value,
			uint64_t count)
{
	unsigned top = program->word_bits - 1;

	if (op == RPN_ROL || op == RPN_ROR)
		count %= program->word_bits;
	for (uint64_t i = 0; i < count && i < program->word_bits; i++) {
		if (op == RPN_SHL)
			value = ref_cut(program, value << 1);
		else if (op == RPN_SHR)
			value = value >> 1;
		else if (op == RPN_ROL)
			value = ref_cut(program, value << 1) | value >> top;
		else
			value = value >> 1 | (value & 1) << top;
	}
	return value;
}

/* pbl, pbr: bits left (right) of bit n-1 become bit n-1. C74, C75 */
static void propagate(struct ref_machine *m, bool left, uint64_t n)
{
	uint64_t value, bit;

	if (n < 1 || n > m->program->word_bits) {
		ref_raise(m, RPN_X_INVALID_OPERAND, RPN_BAD_BIT, n);
		return;
	}
	value = ref_pop(m);
	bit = value >> (n - 1) & 1;
	for (unsigned i = 0; i < m->program->word_bits; i++) {
		if (left ? i > n - 1 : i < n - 1)
			value = (value & ~((uint64_t)1 << i)) | bit << i;
	}
	ref_push(m, value);
}

static void dup(struct ref_machine *m, uint64_t count)
{
	uint64_t value = *ref_slot(m, m->tsp);

	for (uint64_t i = 0; i < count; i++)
		ref_push(m, value);
}

/* Two words to one. */
static uint64_t combined(uint8_t op, uint64_t top, uint64_t below)
{
	switch (op) {
	case RPN_ADD:
		return below + top;
	case RPN_SUB:
		return top - below; /* C68 */
	case RPN_MUL:
		return below * top;
	case RPN_AND:
		return below & top;
	case RPN_OR:
		return below | top;
	default:
		return below ^ top;
	}
}

bool ref_arithmetic(struct ref_machine *m, uint8_t op, uint64_t operand)
{
	uint64_t top, below;

	switch (op) {
	case RPN_ADD:
	case RPN_SUB:
	case RPN_MUL:
	case RPN_AND:
	case RPN_OR:
	case RPN_XOR:
		top = ref_pop(m);
		below = ref_pop(m);
		ref_push(m, combined(op, top, below));
		return true;
	case RPN_DIV:
		divide(m, false);
		return true;
	case RPN_IDIV:
		divide(m, true);
		return true;
	case RPN_NEG:
		ref_push(m, ~ref_pop(m)); /* C71 */
		return true;
	case RPN_ROL_N:
		ref_push(m, shifted(m->program, RPN_ROL, ref_pop(m), operand));
		return true;
	case RPN_ROR_N:
		ref_push(m, shifted(m->program, RPN_ROR, ref_pop(m), operand));
		return true;
	case RPN_SHL_N:
		ref_push(m, shifted(m->program, RPN_SHL, ref_pop(m), operand));
		return true;
	case RPN_SHR_N:
		ref_push(m, shifted(m->program, RPN_SHR, ref_pop(m), operand));
		return true;
	case RPN_ROL:
	case RPN_ROR:
	case RPN_SHL:
	case RPN_SHR:
		top = ref_pop(m);
		below = ref_pop(m);
		ref_push(m, shifted(m->program, op, top, below));
		return true;
	case RPN_PBL_N:
	case RPN_PBR_N:
		propagate(m, op == RPN_PBL_N, operand);
		return true;
	case RPN_PBL:
	case RPN_PBR:
		propagate(m, op == RPN_PBL, ref_pop(m));
		return true;
	case RPN_XCHG:
		top = ref_pop(m);
		below = ref_pop(m);
		ref_push(m, top);
		ref_push(m, below);
		return true;
	case RPN_DUP_N:
		if (ref_charge(m, operand))
			dup(m, operand);
		return true;
	case RPN_DUP: /* C76: the value and count copies of it */
		top = *ref_slot(m, m->tsp);
		below = *ref_slot(m, m->tsp + 1);
		if (ref_charge(m, below)) {
			m->tsp = (m->tsp + 2) % REF_STACK_WORDS;
			ref_push(m, top);
			dup(m, below);
		}
		return true;
	case RPN_ROS_N:
		if (ref_charge(m, operand))
			m->tsp = (m->tsp + operand) % REF_STACK_WORDS;
		return true;
	default:
		return false;
	}
}

/* --- variables: 0x28 to 0x31 local, 0x34 to 0x3d global, in the same order --- */

struct bank {
	uint64_t *variable;
	unsigned variables, kind;
};

/* An index from the stack: the full word counts (C62, C63). */
static uint64_t *variable(struct ref_machine *m, const struct bank *bank, uint64_t index)
{
	if (index < bank->variables)
		return &bank->variable[index];
	ref_raise(m, RPN_X_INVALID_OPERAND, bank->kind, index);
	return NULL;
}

static void access_variable(struct ref_machine *m, const struct bank *bank, uint8_t local_op,
			    uint64_t operand)
{
	uint64_t value, *v;

	switch (local_op) {
	case RPN_PUSH_LV:
		operand = ref_pop(m);
		/* fall through */
	case RPN_PUSH_LV_N:
		if ((v = variable(m, bank, operand)))
			ref_push(m, *v);
		break;
	case RPN_POP_LV_N:
		bank->variable[operand] = ref_pop(m);
		break;
	case RPN_POP_LV: /* index value -- */
		value = ref_pop(m);
		if ((v = variable(m, bank, ref_pop(m))))
			*v = value;
		break;
	case RPN_MOVE_LV: /* value index -- value */
		operand = ref_pop(m);
		/* fall through */
	case RPN_MOVE_LV_N:
		value = *ref_slot(m, m->tsp);
		if ((v = variable(m, bank, operand)))
			*v = value;
		break;
	case RPN_INC_LV:
		operand = ref_pop(m);
		/* fall through */
	case RPN_INC_LV_N:
		if ((v = variable(m, bank, operand)))
			*v = ref_cut(m->program, *v + 1);
		break;
	case RPN_DEC_LV:
		operand = ref_pop(m);
		/* fall through */
	default: /* RPN_DEC_LV_N */
		if ((v = variable(m, bank, operand)))
			*v = ref_cut(m->program, *v - 1);
		break;
	}
}

/* The numbers of the operations are in one order for local and global, direct and indexed ones. */
#define ALIKE(op)                                                                                  \
	_Static_assert(RPN_##op##_GV_N - RPN_PUSH_GV_N == RPN_##op##_LV_N - RPN_PUSH_LV_N &&       \
			       RPN_##op##_GV - RPN_PUSH_GV == RPN_##op##_LV - RPN_PUSH_LV,         \
		       #op)
ALIKE(POP);
ALIKE(MOVE);
ALIKE(INC);
ALIKE(DEC);

bool ref_variables(struct ref_machine *m, uint8_t op, uint64_t operand)
{
	struct bank lv = {m->lv, m->program->vars, RPN_BAD_LV};
	struct bank gv = {m->gv, m->program->gvars, RPN_BAD_GV};

	if ((op >= RPN_PUSH_LV_N && op <= RPN_DEC_LV_N) || (op >= RPN_PUSH_LV && op <= RPN_DEC_LV))
		access_variable(m, &lv, op, operand);
	else if (op >= RPN_PUSH_GV_N && op <= RPN_DEC_GV_N)
		access_variable(m, &gv, (uint8_t)(op - RPN_PUSH_GV_N + RPN_PUSH_LV_N), operand);
	else if (op >= RPN_PUSH_GV && op <= RPN_DEC_GV)
		access_variable(m, &gv, (uint8_t)(op - RPN_PUSH_GV + RPN_PUSH_LV), operand);
	else
		return false;
	return true;
}
