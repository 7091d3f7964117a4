/* SPDX-License-Identifier: BSD-2-Clause */
/* The warning of a product or shift that has 32 bits, as in C, and becomes a number of 64 bits. */
#include "check.h"

enum {
	NARROW = 4 /* bytes of an int */
};

/* Bits of the largest value of the node. */
static unsigned bits_of(const struct d_node *node)
{
	unsigned bits = 0;
	if (!node->is.constant)
		return node->is.member.bits ? node->is.member.bits : node->is.type.bytes * 8;
	const int64_t value = (int64_t)node->is.number;
	for (uint64_t rest = (uint64_t)(value < 0 ? ~value : value); rest; rest >>= 1)
		bits++;
	return bits;
}

static bool may_wrap(const struct d_node *node)
{
	const unsigned bits = NARROW * 8 - node->is.type.is_signed;
	if (node->op == D_OP_MUL)
		return bits_of(node->a) + bits_of(node->b) > bits;
	return node->op == D_OP_SHL &&
	       (!node->b->is.constant || bits_of(node->a) + node->b->is.number > bits);
}

void dph_d_check_widening(const struct dph_d_check *c, struct d_node *value,
			  const struct d_type *type)
{
	if (type->kind != D_TYPE_INTEGER || type->bytes <= NARROW || value->kind != D_NODE_BINARY ||
	    value->is.constant || value->is.type.bytes != NARROW || value->told || !may_wrap(value))
		return;
	value->told = true;
	dph_warning(c->d, value->sign_place.line ? value->sign_place : value->place,
		    value->op == D_OP_MUL
			    ? "the product wraps at 32 bits before it is widened; cast an operand "
			      "to int64_t, or write 1000000ll"
			    : "the shift wraps at 32 bits before it is widened; cast the operand "
			      "to int64_t, or write 1ll");
}
