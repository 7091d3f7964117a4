/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic with pairs. The agent takes the pair below from the top one, so that the operands of a
 * subtraction are pushed in reverse. */
#include "long.h"

#include "lang/d/read/functions.h"

/* --- the order of the operands ------------------------------------------------------------- */

/* May the evaluation of the node, or of one behind it in its list, read an invalid address or
 * divide by zero? */
static bool may_fault(const struct d_node *node)
{
	if (!node)
		return false;
	if (node->is.constant)
		return may_fault(node->next);
	return node->kind == D_NODE_CALL || node->is.home == D_HOME_MEMORY ||
	       node->is.home == D_HOME_LOCATION || node->is.home == D_HOME_STACK ||
	       (node->is.home == D_HOME_ELEMENT && node->is.variable->bound) ||
	       node->op == D_OP_DIV || node->op == D_OP_MOD || may_fault(node->a) ||
	       may_fault(node->b) || may_fault(node->c) || may_fault(node->list) ||
	       may_fault(node->next);
}

/* a b -- b a, of pairs */
static void exchange(struct d_lower *l)
{
	const unsigned first = dph_d_temp(l, 0), second = dph_d_temp(l, 1),
		       third = dph_d_temp(l, 2);
	dph_d_emit(l->code, RPN_POP_LV_N, first);
	dph_d_emit(l->code, RPN_POP_LV_N, second);
	dph_d_emit(l->code, RPN_POP_LV_N, third);
	dph_d_emit(l->code, RPN_PUSH_LV_N, second);
	dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, first);
	dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, third);
}

/* Push two operands, the left one below. */
static void operands(struct d_lower *l, struct d_node *a, struct d_node *b,
		     const struct d_type *type)
{
	dph_d_lower_as(l, a, type);
	l->depth += 2;
	dph_d_lower_as(l, b, type);
	l->depth -= 2;
}

/* Push two operands, the left one on top. The left one is evaluated first where that matters. */
static void reversed_operands(struct d_lower *l, struct d_node *a, struct d_node *b,
			      const struct d_type *type)
{
	if (dph_d_changes(a) || dph_d_changes(b) || (may_fault(a) && may_fault(b))) {
		operands(l, a, b, type);
		exchange(l);
		return;
	}
	operands(l, b, a, type);
}

/* --- low words ----------------------------------------------------------------------------- */

static struct d_type word_type(const struct d_lower *l)
{
	return dph_d_type_integer(l->d, l->code->word_bytes, false);
}

bool dph_d_is_low(const struct d_lower *l, const struct d_node *node)
{
	const struct d_type *type = &node->is.type, word = word_type(l);
	if (node->is.constant)
		return dph_d_type_narrow(&word, node->is.number) == node->is.number;
	if (node->kind == D_NODE_BINARY && node->op == D_OP_AND && dph_d_is_long(l->d, type))
		return dph_d_is_low(l, node->a) || dph_d_is_low(l, node->b);
	return type->kind == D_TYPE_INTEGER && !type->is_signed && type->bytes <= word.bytes;
}

/* A bit that one operand of & cannot have needs no bit of the other. */
void dph_d_lower_low(struct d_lower *l, struct d_node *node)
{
	const struct d_type word = word_type(l);
	if (dph_d_is_low(l, node)) {
		dph_d_operands(l, node->a, node->b, &word);
		dph_d_emit(l->code, RPN_AND, 0);
		return;
	}
	dph_d_lower_value(l, node);
	dph_d_long_to_word(l);
}

void dph_d_lower_any(struct d_lower *l, struct d_node *node)
{
	if (node->is.constant) { /* which may be wider than a word */
		dph_d_push(l->code, node->is.number != 0);
	} else if (!dph_d_is_long(l->d, &node->is.type)) {
		dph_d_lower_value(l, node);
	} else if (dph_d_is_low(l, node)) {
		dph_d_lower_low(l, node);
	} else {
		dph_d_lower_value(l, node);
		dph_d_emit(l->code, RPN_OR, 0);
	}
}

/* --- operations ---------------------------------------------------------------------------- */

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

/* a b -- a op b, for an operation on each bit */
static void apply_bits(struct d_lower *l, enum rpn_op op)
{
	const unsigned first = dph_d_temp(l, 0);
	dph_d_emit(l->code, RPN_POP_LV_N, first);
	dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, first);
	dph_d_emit(l->code, op, 0);
	dph_d_emit(l->code, RPN_POP_LV_N, first);
	dph_d_emit(l->code, op, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, first);
}

static void divide(struct d_lower *l, struct d_node *node)
{
	if (!node->told)
		dph_warning(l->d, node->sign_place.line ? node->sign_place : node->place,
			    "a 64-bit division at each hit: about 1000 instructions; the host "
			    "divides a value that is only recorded by a constant");
	node->told = true;
	dph_d_emit(l->code, node->is.type.is_signed ? RPN_LIDIV : RPN_LDIV, 0);
	if (node->op == D_OP_DIV)
		keep_quotient(l);
	else
		dph_d_emit(l->code, RPN_ROS_N, 2);
}

void dph_d_lower_long(struct d_lower *l, struct d_node *node)
{
	const struct d_type *type = &node->is.type;
	if (node->op == D_OP_SUB) {
		reversed_operands(l, node->a, node->b, type);
		dph_d_emit(l->code, RPN_LSUB, 0);
		return;
	}
	if (dph_d_is_low(l, node)) {
		const struct d_type word = word_type(l);
		dph_d_lower_low(l, node);
		dph_d_word_to_long(l, &word);
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
	case D_OP_AND:
		apply_bits(l, RPN_AND);
		break;
	case D_OP_OR:
		apply_bits(l, RPN_OR);
		break;
	case D_OP_XOR:
		apply_bits(l, RPN_XOR);
		break;
	default:
		divide(l, node);
		break;
	}
}

/* The value is extended to a pair also where it is a word: the count may be a pair. */
void dph_d_lower_long_shift(struct d_lower *l, struct d_node *node)
{
	const bool is_signed = node->is.type.is_signed;
	const struct d_type type = dph_d_type_integer(l->d, sizeof(int64_t), is_signed);
	reversed_operands(l, node->a, node->b, &type);
	dph_d_emit(l->code, node->op == D_OP_SHL ? RPN_LSHL : is_signed ? RPN_LSAR : RPN_LSHR, 0);
}

void dph_d_lower_long_unary(struct d_lower *l, struct d_node *node)
{
	dph_d_lower_as(l, node->a, &node->is.type);
	if (node->op == D_OP_SUB) {
		dph_d_push_long(l, 0);
		dph_d_emit(l->code, RPN_LSUB, 0);
		return;
	}
	for (unsigned word = 0; word < 2; word++) {
		dph_d_emit(l->code, RPN_NEG, 0);
		dph_d_emit(l->code, RPN_XCHG, 0);
	}
}

void dph_d_lower_long_comparison(struct d_lower *l, struct d_node *node, const struct d_type *type)
{
	if (node->op == D_OP_GT || node->op == D_OP_LE) /* a > b is b < a */
		reversed_operands(l, node->a, node->b, type);
	else
		operands(l, node->a, node->b, type);
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
