/* SPDX-License-Identifier: BSD-2-Clause */
/* Values that the host computes, and arithmetic that the target leaves to the host. */
#include "hosted.h"

#include "format/compute.h"
#include "lang/d/read/words.h"

/* --- which arithmetic is deferred ----------------------------------------------------------- */

static enum dph_function operator_function(enum d_operator op)
{
	switch (op) {
	case D_OP_ADD:
		return DPH_FUNCTION_add;
	case D_OP_SUB:
		return DPH_FUNCTION_subtract;
	case D_OP_MUL:
		return DPH_FUNCTION_multiply;
	case D_OP_DIV:
		return DPH_FUNCTION_divide;
	case D_OP_MOD:
		return DPH_FUNCTION_remainder;
	case D_OP_AND:
		return DPH_FUNCTION_and;
	case D_OP_OR:
		return DPH_FUNCTION_or;
	case D_OP_XOR:
		return DPH_FUNCTION_xor;
	default:
		return DPH_FUNCTIONS;
	}
}

/* Division by a constant, whose fault cannot happen; a 64-bit product by a constant. */
static bool is_costly(const struct d_lower *l, const struct d_node *node)
{
	if (node->op == D_OP_DIV || node->op == D_OP_MOD)
		return node->b->is.constant && node->b->is.number;
	return node->op == D_OP_MUL && dph_d_is_long(l->d, &node->is.type) &&
	       (node->a->is.constant || node->b->is.constant);
}

static bool is_number(const struct d_node *node)
{
	return node->is.type.kind == D_TYPE_INTEGER && !node->is.type.is_bool;
}

bool dph_d_is_hosted(const struct d_lower *l, const struct d_node *node)
{
	if (node->is.constant)
		return false;
	if (node->is.home == D_HOME_HOST)
		return true;
	if (node->is.home != D_HOME_VALUE || !is_number(node))
		return false;
	if (node->kind == D_NODE_CAST)
		return is_number(node->a) && dph_d_is_hosted(l, node->a);
	if (node->kind != D_NODE_BINARY || operator_function(node->op) == DPH_FUNCTIONS ||
	    !is_number(node->a) || !is_number(node->b))
		return false;
	if ((node->op == D_OP_DIV || node->op == D_OP_MOD) && !is_costly(l, node))
		return false; /* it may fault */
	return is_costly(l, node) || dph_d_is_hosted(l, node->a) || dph_d_is_hosted(l, node->b);
}

/* --- records ------------------------------------------------------------------------------- */

static uint32_t record_operand(struct d_record *record, struct d_node *node, char kind)
{
	const bool pointer = kind == 's' || kind == '4' || kind == '6';
	if (node->is.constant && !pointer && node->is.type.kind == D_TYPE_INTEGER)
		return dph_d_record_constant(record, node->is.number);
	switch (kind) {
	case 's':
	case 't':
		return dph_d_record_string(record, node, record->check->d->string_bytes);
	case '4':
		return dph_d_record_bytes(record, node, false, 4, DPH_FORMAT_NO_TYPE);
	case '6':
		return dph_d_record_bytes(record, node, false, 16, DPH_FORMAT_NO_TYPE);
	default:
		return dph_d_record_value(record, node);
	}
}

uint32_t dph_d_record_hosted(struct d_record *record, struct d_node *node)
{
	struct d_node *list[DPH_OPERANDS_MAX] = {node->a, node->b};
	struct dph_format_field made = {.form = DPH_FIELD_COMPUTED,
					.type = DPH_FORMAT_NO_TYPE,
					.bytes = 8,
					.is_signed = node->is.type.is_signed,
					.text = dph_d_source_text(record->check->d, node)};
	if (node->is.home == D_HOME_HOST) {
		made.function = node->is.function;
		unsigned n = 0;
		for (struct d_node *at = node->list; at && n < DPH_OPERANDS_MAX; at = at->next)
			list[n++] = at;
	} else {
		made.function = node->kind == D_NODE_CAST ? DPH_FUNCTION_convert
							  : operator_function(node->op);
		if (node->kind == D_NODE_CAST)
			list[1] = NULL;
	}
	if (node->is.type.kind == D_TYPE_INTEGER) {
		made.bytes = node->is.type.bytes;
		made.type = dph_d_format_type(record->check->d, &node->is.type);
	}
	const char *kind = dph_function_arguments(made.function);
	for (unsigned i = 0; i < DPH_OPERANDS_MAX && list[i]; i++) {
		kind += *kind == '|';
		made.operands[made.operand_count++] = record_operand(record, list[i], *kind++);
	}
	return dph_d_record_field(record, made);
}
