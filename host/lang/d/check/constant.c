/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants are computed in 64 bits. A result takes the first of int, unsigned, long long and
 * unsigned long long that holds it. */
#include "check.h"

void dph_d_set_constant(struct d_front *d, struct d_node *node, uint64_t value, bool is_signed)
{
	const bool negative = is_signed && (int64_t)value < 0;
	const int64_t number = (int64_t)value;
	struct d_type type;
	if (negative ? number >= INT32_MIN : value <= INT32_MAX)
		type = dph_d_type_int(d);
	else if (!negative && value <= UINT32_MAX)
		type = dph_d_type_integer(d, 4, false);
	else
		type = dph_d_type_integer(d, 8, negative || value <= INT64_MAX);
	node->is = (struct d_checked){.type = type, .constant = true, .number = value};
}

void dph_d_fold_unary(struct d_front *d, struct d_node *node)
{
	const uint64_t a = node->a->is.number;
	const bool is_signed = node->a->is.type.is_signed || node->a->is.type.bytes < 8;
	if (node->op == D_OP_NOT)
		dph_d_set_constant(d, node, !a, true);
	else if (node->op == D_OP_SUB)
		dph_d_set_constant(d, node, 0 - a, true);
	else if (node->op == D_OP_COMPLEMENT)
		dph_d_set_constant(d, node, dph_d_type_narrow(&node->is.type, ~a), is_signed);
	else
		dph_d_set_constant(d, node, a, is_signed);
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

void dph_d_fold_binary(struct d_front *d, struct d_node *node)
{
	const struct d_node *x = node->a, *y = node->b;
	const uint64_t a = x->is.number, b = y->is.number;
	const bool is_signed = !(x->is.type.bytes == 8 && !x->is.type.is_signed) &&
			       !(y->is.type.bytes == 8 && !y->is.type.is_signed);
	uint64_t value;
	switch (node->op) {
	case D_OP_ADD:
		value = a + b;
		break;
	case D_OP_SUB:
		value = a - b;
		break;
	case D_OP_MUL:
		value = a * b;
		break;
	case D_OP_DIV:
	case D_OP_MOD:
		value = divided(node->op, a, b, is_signed);
		break;
	case D_OP_AND:
		value = a & b;
		break;
	case D_OP_OR:
		value = a | b;
		break;
	case D_OP_XOR:
		value = a ^ b;
		break;
	case D_OP_SHL:
	case D_OP_SHR:
		value = shifted(node->op, a, b, is_signed);
		break;
	case D_OP_AND_AND:
		value = a && b;
		break;
	case D_OP_OR_OR:
		value = a || b;
		break;
	case D_OP_XOR_XOR:
		value = !a != !b;
		break;
	default:
		value = compared(node->op, a, b, is_signed);
		break;
	}
	dph_d_set_constant(d, node, value, is_signed);
}
