/* SPDX-License-Identifier: BSD-2-Clause */
/* C's arithmetic with the instructions of the agent. RPN takes the word below from the top one, has
 * no signed shift, and compares with zero only. */
#include "lower.h"

static unsigned word_bits(const struct d_lower *l)
{
	return l->code->word_bytes * 8;
}

static uint64_t sign_bit(const struct d_lower *l)
{
	return (uint64_t)1 << (word_bits(l) - 1);
}

void dph_d_extend(struct d_lower *l, unsigned bits, bool is_signed)
{
	if (bits >= word_bits(l))
		return;
	if (is_signed) {
		dph_d_emit(l->code, RPN_PBL_N, bits);
		return;
	}
	dph_d_push(l->code, ((uint64_t)1 << bits) - 1);
	dph_d_emit(l->code, RPN_AND, 0);
}

void dph_d_add_constant(struct d_lower *l, uint64_t value)
{
	if (!value)
		return;
	dph_d_push(l->code, value);
	dph_d_emit(l->code, RPN_ADD, 0);
}

/* v | -v has the sign of "not zero". */
void dph_d_truth(struct d_lower *l, bool sense)
{
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_emit(l->code, RPN_NEG, 0);
	dph_d_add_constant(l, 1);
	dph_d_emit(l->code, RPN_OR, 0);
	dph_d_emit(l->code, RPN_SHR_N, word_bits(l) - 1);
	if (sense)
		return;
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_XOR, 0);
}

/* a < b has the sign of (a-b) ^ ((a^b) & ((a-b)^a)): the difference, corrected for overflow. */
void dph_d_less(struct d_lower *l, bool is_signed)
{
	const unsigned a = dph_d_temp(l, 0), b = dph_d_temp(l, 1);
	if (!is_signed) {
		dph_d_add_constant(l, sign_bit(l));
		dph_d_emit(l->code, RPN_XCHG, 0);
		dph_d_add_constant(l, sign_bit(l));
		dph_d_emit(l->code, RPN_XCHG, 0);
	}
	dph_d_emit(l->code, RPN_POP_LV_N, b);
	dph_d_emit(l->code, RPN_MOVE_LV_N, a);
	dph_d_emit(l->code, RPN_PUSH_LV_N, b);
	dph_d_emit(l->code, RPN_XOR, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, b);
	dph_d_emit(l->code, RPN_PUSH_LV_N, a);
	dph_d_emit(l->code, RPN_SUB, 0);
	dph_d_emit(l->code, RPN_MOVE_LV_N, b); /* a - b from here on */
	dph_d_emit(l->code, RPN_PUSH_LV_N, a);
	dph_d_emit(l->code, RPN_XOR, 0);
	dph_d_emit(l->code, RPN_AND, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, b);
	dph_d_emit(l->code, RPN_XOR, 0);
}

/* Signed, value >= 0: a < value has the sign of a | (a - value); value < 0: of a & (a - value).
 * Unsigned, value with a clear sign: of ~a & (a - value); else: of ~a | (a - value). */
void dph_d_less_constant(struct d_lower *l, uint64_t value, bool is_signed)
{
	const bool high = value & sign_bit(l);
	const bool both = is_signed ? high : !high;
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_add_constant(l, 0 - value);
	dph_d_emit(l->code, RPN_XCHG, 0);
	if (!is_signed)
		dph_d_emit(l->code, RPN_NEG, 0);
	dph_d_emit(l->code, both ? RPN_AND : RPN_OR, 0);
}

void dph_d_divide(struct d_lower *l, bool is_signed, bool remainder)
{
	dph_d_emit(l->code, is_signed ? RPN_IDIV : RPN_DIV, 0);
	if (!remainder)
		dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_emit(l->code, RPN_ROS_N, 1);
}

/* sar: the bits that come in are the sign's: v >> n is ~(~v >> n) for negative v. */
void dph_d_shift(struct d_lower *l, enum rpn_op op, bool is_signed)
{
	const unsigned sign = dph_d_temp(l, 0);
	if (op != RPN_SHR || !is_signed) {
		dph_d_emit(l->code, op, 0);
		return;
	}
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_emit(l->code, RPN_SHR_N, word_bits(l) - 1);
	dph_d_emit(l->code, RPN_NEG, 0);
	dph_d_add_constant(l, 1); /* all ones for a negative v */
	dph_d_emit(l->code, RPN_MOVE_LV_N, sign);
	dph_d_emit(l->code, RPN_XOR, 0);
	dph_d_emit(l->code, RPN_SHR, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, sign);
	dph_d_emit(l->code, RPN_XOR, 0);
}

/* --- pairs --------------------------------------------------------------------------------- */

static bool is_big(const struct d_lower *l)
{
	return l->d->program->target.big_endian;
}

void dph_d_push_long(struct d_lower *l, uint64_t value)
{
	const uint64_t low = value & 0xffffffff, high = value >> 32;
	dph_d_push(l->code, is_big(l) ? low : high);
	dph_d_push(l->code, is_big(l) ? high : low);
}

void dph_d_word_to_long(struct d_lower *l, const struct d_type *from)
{
	if (from->kind == D_TYPE_INTEGER && from->is_signed) {
		dph_d_emit(l->code, RPN_LEXT, 0);
		return;
	}
	dph_d_push(l->code, 0);
	if (!is_big(l))
		dph_d_emit(l->code, RPN_XCHG, 0);
}

void dph_d_long_to_word(struct d_lower *l)
{
	if (!is_big(l))
		dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_emit(l->code, RPN_ROS_N, 1);
}

void dph_d_long_step(struct d_lower *l, bool up)
{
	dph_d_push_long(l, up ? 1 : UINT64_MAX);
	dph_d_emit(l->code, RPN_LADD, 0);
}
