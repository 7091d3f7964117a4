/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparisons, choices and jumps. A conditional jump leaves the tested word on the stack: where
 * words below it are needed, both ways drop it. */
#include "long.h"
#include "text.h"

static unsigned word_bits(const struct d_lower *l)
{
	return l->code->word_bytes * 8;
}

/* --- comparisons --------------------------------------------------------------------------- */

bool dph_d_is_comparison(enum d_operator op)
{
	return op == D_OP_EQ || op == D_OP_NE || op == D_OP_LT || op == D_OP_GT || op == D_OP_LE ||
	       op == D_OP_GE;
}

/* Bits that hold each value of the node as a signed number. */
static unsigned signed_bits(const struct d_lower *l, const struct d_node *node)
{
	unsigned bits = 1;
	if (node->is.constant) {
		const int64_t value = (int64_t)node->is.number;
		if (value < 0 && !node->is.type.is_signed)
			return 65;
		while (bits < 64 && value >> (bits - 1) != 0 && value >> (bits - 1) != -1)
			bits++;
		return bits;
	}
	if (node->is.type.is_bool)
		return 2;
	if (node->kind == D_NODE_UNARY && node->op == D_OP_NOT)
		return 2;
	if (node->kind == D_NODE_BINARY && dph_d_is_comparison(node->op))
		return 2;
	if (node->is.member.bits)
		return node->is.member.bits + !node->is.type.is_signed;
	return (node->is.type.bytes ? node->is.type.bytes * 8 : word_bits(l)) +
	       !node->is.type.is_signed;
}

/* The type in which two operands are compared. Numbers of one word are compared as words. */
static struct d_type compared_type(const struct d_lower *l, const struct d_node *node)
{
	const struct d_front *d = l->d;
	if (dph_d_type_pointed(&node->a->is.type) || dph_d_type_pointed(&node->b->is.type))
		return dph_d_type_integer(d, l->code->word_bytes, false);
	const struct d_type common = dph_d_type_common(d, &node->a->is.type, &node->b->is.type);
	if (dph_d_is_long(d, &common) && dph_d_is_low(l, node->a) && dph_d_is_low(l, node->b))
		return dph_d_type_integer(d, l->code->word_bytes, false);
	return common;
}

/* Push a word that is negative when a < b. */
static void lower_less(struct d_lower *l, struct d_node *a, struct d_node *b, struct d_type type)
{
	const unsigned wide =
		signed_bits(l, a) > signed_bits(l, b) ? signed_bits(l, a) : signed_bits(l, b);
	const bool whole = type.bytes == l->code->word_bytes;
	const bool is_signed = type.is_signed || !whole; /* narrower ones fit a signed word */
	const uint64_t value = dph_d_type_narrow(&type, b->is.number);
	if (b->is.constant && is_signed && !value) {
		dph_d_lower_as(l, a, &type);
	} else if (!whole || (wide < word_bits(l) && (type.is_signed || (!a->is.type.is_signed &&
									 !b->is.type.is_signed)))) {
		dph_d_operands(l, a, b, &type);
		dph_d_emit(l->code, RPN_XCHG, 0);
		dph_d_emit(l->code, RPN_SUB, 0);
	} else if (b->is.constant) {
		dph_d_lower_as(l, a, &type);
		dph_d_less_constant(l, value, is_signed);
	} else {
		dph_d_operands(l, a, b, &type);
		dph_d_less(l, is_signed);
	}
}

/* The same for texts, whose comparison has a sign. */
static bool lower_text_order(struct d_lower *l, struct d_node *node)
{
	dph_d_lower_text_difference(l, node);
	if (node->op == D_OP_GT || node->op == D_OP_LE) {
		dph_d_emit(l->code, RPN_NEG, 0);
		dph_d_add_constant(l, 1);
	}
	return node->op == D_OP_GE || node->op == D_OP_LE;
}

/* a > b is b < a; a <= b is not b < a. Returns whether the sense is turned round. */
static bool lower_order(struct d_lower *l, struct d_node *node)
{
	if (dph_d_is_text(node->a))
		return lower_text_order(l, node);
	const struct d_type type = compared_type(l, node);
	const bool mirrored = node->a->is.constant; /* 3 < a is a > 3 */
	struct d_node *a = mirrored ? node->b : node->a, *b = mirrored ? node->a : node->b;
	const bool greater = (node->op == D_OP_GT || node->op == D_OP_LE) != mirrored;
	const bool turned = node->op == D_OP_GE || node->op == D_OP_LE;
	if (!greater) {
		lower_less(l, a, b, type);
		return turned;
	}
	const uint64_t value = dph_d_type_narrow(&type, b->is.number);
	const uint64_t most = type.is_signed ? ((uint64_t)1 << (type.bytes * 8 - 1)) - 1
					     : dph_d_type_narrow(&type, UINT64_MAX);
	if (b->is.constant && value != most) { /* a > 3 is not a < 4 */
		struct d_node next = *b;
		next.is.number = dph_d_type_narrow(&type, value + 1);
		lower_less(l, a, &next, type);
		return !turned;
	}
	if (b->is.constant) { /* nothing is greater */
		dph_d_lower_effect(l, a);
		dph_d_push(l->code, 0);
		return turned;
	}
	/* The operands keep their order of evaluation. */
	dph_d_operands(l, a, b, &type);
	dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_less(l, type.is_signed || type.bytes < l->code->word_bytes);
	return turned;
}

static bool is_zero(const struct d_node *node)
{
	return node->is.constant && !node->is.number;
}

/* A word that is 0 when the operands are equal. */
static void lower_difference(struct d_lower *l, struct d_node *node)
{
	if (dph_d_is_text(node->a)) {
		dph_d_lower_text_difference(l, node);
		return;
	}
	const struct d_type type = compared_type(l, node);
	if (is_zero(node->b)) {
		dph_d_lower_as(l, node->a, &type);
		return;
	}
	dph_d_operands(l, node->a, node->b, &type);
	dph_d_emit(l->code, RPN_SUB, 0);
}

/* Are the operands compared as two words? */
static bool is_long_comparison(const struct d_lower *l, const struct d_node *node)
{
	if (dph_d_is_text(node->a))
		return false;
	const struct d_type type = compared_type(l, node);
	return dph_d_is_long(l->d, &type);
}

void dph_d_lower_comparison(struct d_lower *l, struct d_node *node)
{
	if (is_long_comparison(l, node)) {
		const struct d_type type = compared_type(l, node);
		dph_d_lower_long_comparison(l, node, &type);
		return;
	}
	if (node->op == D_OP_EQ || node->op == D_OP_NE) {
		lower_difference(l, node);
		dph_d_truth(l, node->op == D_OP_NE);
		return;
	}
	const bool turned = lower_order(l, node);
	dph_d_emit(l->code, RPN_SHR_N, word_bits(l) - 1);
	if (!turned)
		return;
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_XOR, 0);
}

/* --- lazy ones ----------------------------------------------------------------------------- */

/* Both ways of a jump drop the tested word when a word below is needed. */
static void drop_tested(struct d_lower *l)
{
	if (l->depth)
		dph_d_emit(l->code, RPN_ROS_N, 1);
}

/* 1 or 0 by jumps. */
void dph_d_lower_lazy(struct d_lower *l, struct d_node *node)
{
	const size_t no = dph_d_label(l->code), end = dph_d_label(l->code);
	dph_d_lower_branch(l, node, false, no);
	drop_tested(l);
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_JMP, end);
	dph_d_put(l->code, no);
	drop_tested(l);
	dph_d_push(l->code, 0);
	dph_d_put(l->code, end);
}

void dph_d_lower_chosen(struct d_lower *l, struct d_node *node, const struct d_type *type,
			bool bytes)
{
	if (bytes)
		dph_d_lower_text(l, node);
	else
		dph_d_lower_as(l, node, type);
}

void dph_d_lower_choice(struct d_lower *l, struct d_node *node, bool bytes)
{
	const size_t no = dph_d_label(l->code), end = dph_d_label(l->code);
	dph_d_lower_branch(l, node->a, false, no);
	drop_tested(l);
	dph_d_lower_chosen(l, node->b, &node->is.type, bytes);
	dph_d_emit(l->code, RPN_JMP, end);
	dph_d_put(l->code, no);
	drop_tested(l);
	dph_d_lower_chosen(l, node->c, &node->is.type, bytes);
	dph_d_put(l->code, end);
}

/* --- jumps --------------------------------------------------------------------------------- */

/* a && b jumps to the label when false, a || b when true: both operands may jump. */
static void branch_both(struct d_lower *l, struct d_node *node, bool sense, size_t label)
{
	dph_d_lower_branch(l, node->a, sense, label);
	drop_tested(l);
	dph_d_lower_branch(l, node->b, sense, label);
}

/* a && b jumps when true: a false a leads past the jump. */
static void branch_last(struct d_lower *l, struct d_node *node, bool sense, size_t label)
{
	const size_t behind = dph_d_label(l->code);
	dph_d_lower_branch(l, node->a, !sense, behind);
	drop_tested(l);
	dph_d_lower_branch(l, node->b, sense, label);
	dph_d_put(l->code, behind);
}

void dph_d_lower_branch(struct d_lower *l, struct d_node *node, bool sense, size_t label)
{
	const bool both = node->kind == D_NODE_BINARY && !node->is.constant;
	const struct dph_place outer = l->code->place;
	l->code->place = node->place;
	if (both && node->op == (sense ? D_OP_OR_OR : D_OP_AND_AND)) {
		branch_both(l, node, sense, label);
	} else if (both && node->op == (sense ? D_OP_AND_AND : D_OP_OR_OR)) {
		branch_last(l, node, sense, label);
	} else if (both && dph_d_is_comparison(node->op) && is_long_comparison(l, node)) {
		dph_d_lower_comparison(l, node);
		dph_d_emit(l->code, sense ? RPN_JNZ : RPN_JZ, label);
	} else if (both && (node->op == D_OP_EQ || node->op == D_OP_NE)) {
		lower_difference(l, node);
		dph_d_emit(l->code, (node->op == D_OP_NE) == sense ? RPN_JNZ : RPN_JZ, label);
	} else if (both && dph_d_is_comparison(node->op)) {
		const bool turned = lower_order(l, node);
		dph_d_emit(l->code, turned != sense ? RPN_JLT : RPN_JGE, label);
	} else if (node->kind == D_NODE_UNARY && node->op == D_OP_NOT && !node->is.constant) {
		dph_d_lower_branch(l, node->a, !sense, label);
	} else {
		dph_d_lower_any(l, node);
		dph_d_emit(l->code, sense ? RPN_JNZ : RPN_JZ, label);
	}
	l->code->place = outer;
}
