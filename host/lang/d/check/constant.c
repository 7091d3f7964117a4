/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants are computed in 64 bits. A result takes the first of int, long long and unsigned long
 * long that holds it, as a decimal number does in C. Where a suffix, a cast or sizeof makes an
 * operand unsigned or 64 bits wide, the operation has the type and the width of C. */
#include "check.h"

void dph_d_set_constant(struct d_front *d, struct d_node *node, uint64_t value, bool is_signed)
{
	const bool negative = is_signed && (int64_t)value < 0;
	const int64_t number = (int64_t)value;
	struct d_type type;
	if (negative ? number >= INT32_MIN : value <= INT32_MAX)
		type = dph_d_type_int(d);
	else
		type = dph_d_type_integer(d, 8, negative || value <= INT64_MAX);
	node->is = (struct d_checked){.type = type, .constant = true, .number = value};
}

void dph_d_set_fixed(struct d_node *node, struct d_type type, uint64_t value)
{
	node->is = (struct d_checked){
		.type = type,
		.constant = true,
		.number = dph_d_type_narrow(&type, value),
		.fixed = type.kind == D_TYPE_INTEGER &&
			 (type.bytes == 8 || (type.bytes == 4 && !type.is_signed)),
	};
}

/* The sign of an operation in 64 bits. */
static bool counts_signed(const struct d_node *node)
{
	return node->is.type.is_signed || node->is.type.bytes < 8;
}

static uint64_t changed(enum d_operator op, uint64_t a)
{
	return op == D_OP_SUB ? 0 - a : op == D_OP_COMPLEMENT ? ~a : a;
}

void dph_d_fold_unary(struct d_front *d, struct d_node *node)
{
	const uint64_t a = node->a->is.number;
	const struct d_type type = node->is.type;
	if (node->op == D_OP_NOT)
		dph_d_set_constant(d, node, !a, true);
	else if (node->a->is.fixed)
		dph_d_set_fixed(node, type, changed(node->op, a));
	else if (node->op == D_OP_COMPLEMENT)
		dph_d_set_constant(d, node, dph_d_type_narrow(&type, ~a), counts_signed(node->a));
	else
		dph_d_set_constant(d, node, changed(node->op, a),
				   node->op == D_OP_SUB || counts_signed(node->a));
}

static uint64_t shifted(enum d_operator op, uint64_t a, uint64_t count, bool is_signed)
{
	if (op == D_OP_SHL)
		return count < 64 ? a << count : 0;
	const uint64_t sign = is_signed && a >> 63 ? UINT64_MAX : 0;
	return count < 64 ? ((a ^ sign) >> count) ^ sign : sign;
}

static uint64_t divided(enum d_operator op, uint64_t a, uint64_t b, bool is_signed)
{
	if (is_signed && b == UINT64_MAX)
		return op == D_OP_DIV ? 0 - a : 0;
	if (is_signed)
		return (uint64_t)(op == D_OP_DIV ? (int64_t)a / (int64_t)b
						 : (int64_t)a % (int64_t)b);
	return op == D_OP_DIV ? a / b : a % b;
}

static bool compared(enum d_operator op, uint64_t a, uint64_t b, bool is_signed)
{
	const bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
	switch (op) {
	case D_OP_LT:
		return less;
	case D_OP_GE:
		return !less;
	case D_OP_GT:
		return !less && a != b;
	case D_OP_LE:
		return less || a == b;
	case D_OP_EQ:
		return a == b;
	default:
		return a != b;
	}
}

uint64_t dph_d_computed(enum d_operator op, uint64_t a, uint64_t b, bool is_signed)
{
	switch (op) {
	case D_OP_ADD:
		return a + b;
	case D_OP_SUB:
		return a - b;
	case D_OP_MUL:
		return a * b;
	case D_OP_DIV:
	case D_OP_MOD:
		return divided(op, a, b, is_signed);
	case D_OP_AND:
		return a & b;
	case D_OP_OR:
		return a | b;
	case D_OP_XOR:
		return a ^ b;
	case D_OP_SHL:
	case D_OP_SHR:
		return shifted(op, a, b, is_signed);
	case D_OP_AND_AND:
		return a && b;
	case D_OP_OR_OR:
		return a || b;
	case D_OP_XOR_XOR:
		return !a != !b;
	default:
		return compared(op, a, b, is_signed);
	}
}

/* The operands as the type has them: both of an operation, the left one of a shift. */
static void fold_fixed(struct d_front *d, struct d_node *node, const struct d_type *type)
{
	const bool shift = node->op == D_OP_SHL || node->op == D_OP_SHR;
	const uint64_t a = dph_d_type_narrow(type, node->a->is.number), b = node->b->is.number;
	if (shift && b >= type->bytes * 8 && a)
		dph_warning(d, node->b->place, "the constant that is shifted has %u bits%s",
			    type->bytes * 8, type->bytes < 8 ? "; 1ull has 64" : "");
	if (shift && b >= type->bytes * 8 && !type->is_signed)
		dph_d_set_fixed(node, *type, 0);
	else
		dph_d_set_fixed(node, *type,
				dph_d_computed(node->op, a, shift ? b : dph_d_type_narrow(type, b),
					       type->is_signed));
}

void dph_d_fold_binary(struct d_front *d, struct d_node *node)
{
	const struct d_node *x = node->a, *y = node->b;
	const uint64_t a = x->is.number, b = y->is.number;
	const bool shift = node->op == D_OP_SHL || node->op == D_OP_SHR;
	const bool fixed = x->is.fixed || (y->is.fixed && !shift);
	const struct d_type common = shift ? dph_d_type_promoted(d, &x->is.type)
					   : dph_d_type_common(d, &x->is.type, &y->is.type);
	const bool is_signed = counts_signed(x) && (shift || counts_signed(y));
	if (fixed && !dph_d_gives_truth(node->op))
		fold_fixed(d, node, &common);
	else if (fixed)
		dph_d_set_constant(d, node,
				   dph_d_computed(node->op, dph_d_type_narrow(&common, a),
						  dph_d_type_narrow(&common, b), common.is_signed),
				   true);
	else
		dph_d_set_constant(d, node, dph_d_computed(node->op, a, b, is_signed), is_signed);
}

void dph_d_fold_choice(struct d_front *d, struct d_node *node)
{
	const struct d_node *chosen = node->a->is.number ? node->b : node->c;
	if (node->b->is.fixed || node->c->is.fixed)
		dph_d_set_fixed(node, dph_d_type_common(d, &node->b->is.type, &node->c->is.type),
				chosen->is.number);
	else
		dph_d_set_constant(d, node, chosen->is.number, counts_signed(chosen));
}
