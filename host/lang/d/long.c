/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic with pairs. The agent takes the pair below from the top one, so that the operands of a
 * subtraction are pushed in reverse. */
#include "long.h"

bool dph_d_is_long(const struct dph_d_check *c, const struct d_type *type)
{
	return type->kind == D_TYPE_INTEGER && type->bytes > c->d->program->target.word_bytes;
}

static bool is_big(const struct d_lower *l)
{
	return l->check.d->program->target.big_endian;
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

/* Push two operands: `below`, then `top`. */
static void operands(struct d_lower *l, struct d_node *below, struct d_node *top,
		     const struct d_type *type)
{
	dph_d_lower_as(l, below, type);
	l->depth += 2;
	dph_d_lower_as(l, top, type);
	l->depth -= 2;
}

/* rem quot -- quot */
static void keep_quotient(struct d_lower *l)
{
	const unsigned first = dph_d_temp(l, 0), second = dph_d_temp(l, 1);
	dph_d_emit(l->code, RPN_POP_LV_N, first);
	dph_d_emit(l->code, RPN_POP_LV_N, second);
	dph_d_emit(l->code, RPN_ROS_N, 2);
	dph_d_emit(l->code, RPN_PUSH_LV_N, second);
	dph_d_emit(l->code, RPN_PUSH_LV_N, first);
}

void dph_d_lower_long(struct d_lower *l, struct d_node *node)
{
	const struct d_type *type = &node->type;
	if (node->op == D_OP_SUB) {
		operands(l, node->b, node->a, type);
		dph_d_emit(l->code, RPN_LSUB, 0);
		return;
	}
	operands(l, node->a, node->b, type);
	switch (node->op) {
	case D_OP_ADD:
		dph_d_emit(l->code, RPN_LADD, 0);
		break;
	case D_OP_MUL:
		dph_d_emit(l->code, RPN_LMUL, 0);
		break;
	default:
		dph_d_emit(l->code, type->is_signed ? RPN_LIDIV : RPN_LDIV, 0);
		if (node->op == D_OP_DIV)
			keep_quotient(l);
		else
			dph_d_emit(l->code, RPN_ROS_N, 2);
		break;
	}
}

void dph_d_lower_long_comparison(struct d_lower *l, struct d_node *node, const struct d_type *type)
{
	const bool mirrored = node->op == D_OP_GT || node->op == D_OP_LE; /* a > b is b < a */
	operands(l, mirrored ? node->b : node->a, mirrored ? node->a : node->b, type);
	if (node->op == D_OP_EQ || node->op == D_OP_NE) {
		dph_d_emit(l->code, RPN_LSUB, 0);
		dph_d_emit(l->code, RPN_OR, 0);
		dph_d_truth(l, node->op == D_OP_NE);
		return;
	}
	dph_d_emit(l->code, type->is_signed ? RPN_LLT : RPN_LLTU, 0);
	if (node->op == D_OP_LT || node->op == D_OP_GT)
		return;
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_XOR, 0);
}
