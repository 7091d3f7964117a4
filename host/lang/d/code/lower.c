/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions become instructions. */
#include "lower.h"

#include "element.h"
#include "formats.h"
#include "lang/d/read/functions.h"
#include "long.h"
#include "moment.h"
#include "random.h"
#include "speculation.h"
#include "swap.h"
#include "text.h"

static unsigned word_bits(const struct d_lower *l)
{
	return l->code->word_bytes * 8;
}

/* --- conversions --------------------------------------------------------------------------- */

/* Are all values of `from` values of `to`, as words? */
static bool holds(const struct d_type *to, const struct d_type *from, unsigned word_bytes)
{
	if (to->bytes >= word_bytes)
		return true;
	if (from->is_signed != to->is_signed)
		return !from->is_signed && from->bytes < to->bytes;
	return from->bytes <= to->bytes;
}

static void convert(struct d_lower *l, const struct d_type *from, const struct d_type *to)
{
	if (to->is_bool && !from->is_bool)
		dph_d_truth(l, true);
	else if (to->kind == D_TYPE_INTEGER && from->bytes && !holds(to, from, l->code->word_bytes))
		dph_d_extend(l, to->bytes * 8, to->is_signed);
}

void dph_d_normalize(struct d_lower *l, const struct d_type *type)
{
	if (type->kind == D_TYPE_INTEGER && type->bytes < l->code->word_bytes)
		dph_d_extend(l, type->bytes * 8, type->is_signed);
}

/* A value of two words as a narrower one. */
static void narrow_long(struct d_lower *l, struct d_node *node, const struct d_type *type)
{
	if (type->is_bool) {
		dph_d_lower_any(l, node);
		dph_d_truth(l, true);
		return;
	}
	dph_d_lower_low(l, node);
	dph_d_normalize(l, type);
}

void dph_d_lower_word(struct d_lower *l, struct d_node *node)
{
	if (node->is.constant)
		dph_d_push(l->code, node->is.number);
	else
		dph_d_lower_value(l, node);
}

void dph_d_lower_as(struct d_lower *l, struct d_node *node, const struct d_type *type)
{
	if (dph_d_is_long(l->d, type)) {
		if (node->is.constant) {
			dph_d_push_long(l, dph_d_type_narrow(type, node->is.number));
			return;
		}
		dph_d_lower_value(l, node);
		if (!dph_d_is_long(l->d, &node->is.type))
			dph_d_word_to_long(l, &node->is.type);
		return;
	}
	if (!node->is.constant && dph_d_is_long(l->d, &node->is.type)) {
		narrow_long(l, node, type);
		return;
	}
	if (node->is.constant && type->kind == D_TYPE_INTEGER) {
		dph_d_push(l->code, dph_d_type_narrow(type, node->is.number));
		return;
	}
	dph_d_lower_value(l, node);
	convert(l, &node->is.type, type);
}

/* Two operands of one operation, the left one below. */
void dph_d_operands(struct d_lower *l, struct d_node *a, struct d_node *b,
		    const struct d_type *type)
{
	dph_d_lower_as(l, a, type);
	l->depth++;
	dph_d_lower_as(l, b, type);
	l->depth--;
}

/* --- memory -------------------------------------------------------------------------------- */

/* Push n * scale. */
static void scaled(struct d_lower *l, struct d_node *n, uint64_t scale)
{
	if (n->is.constant) {
		dph_d_push(l->code, n->is.number * scale);
		return;
	}
	dph_d_lower_value(l, n);
	if (scale == 1)
		return;
	if (scale & (scale - 1)) {
		dph_d_push(l->code, scale);
		dph_d_emit(l->code, RPN_MUL, 0);
		return;
	}
	unsigned bits = 0;
	while (scale >> (bits + 1))
		bits++;
	dph_d_emit(l->code, RPN_SHL_N, bits);
}

void dph_d_lower_address(struct d_lower *l, struct d_node *node)
{
	if (node->is.home == D_HOME_LOCATION) {
		dph_d_lower_location_address(l, node);
		return;
	}
	if (node->kind == D_NODE_INDEX) {
		dph_d_lower_value(l, node->a);
		if (node->list->is.constant) {
			dph_d_add_constant(l, node->list->is.number * node->is.scale +
						      node->is.offset);
			return;
		}
		l->depth++;
		scaled(l, node->list, node->is.scale);
		l->depth--;
		dph_d_emit(l->code, RPN_ADD, 0);
		dph_d_add_constant(l, node->is.offset);
		return;
	}
	/* *a, a->member, a.member, copyin(a, n) */
	if (node->kind == D_NODE_MEMBER && node->op == D_OP_DOT)
		dph_d_lower_address(l, node->a);
	else
		dph_d_lower_value(l, node->kind == D_NODE_CALL ? node->list : node->a);
	dph_d_add_constant(l, node->is.offset);
}

static bool is_aggregate(const struct d_type *type)
{
	return type->kind == D_TYPE_ARRAY || type->kind == D_TYPE_STRUCT;
}

/* The bits of a bit-field, which has been loaded. */
static void take_bits(struct d_lower *l, const struct d_node *node)
{
	if (node->is.member.shift)
		dph_d_emit(l->code, RPN_SHR_N, node->is.member.shift);
	dph_d_extend(l, node->is.member.bits, node->is.type.is_signed);
}

static unsigned loaded_bytes(struct d_lower *l, const struct d_node *node)
{
	const unsigned bytes =
		node->is.member.bits ? node->is.member.load_bytes : node->is.type.bytes;
	if ((bytes & (bytes - 1)) == 0 && bytes && bytes <= 8 &&
	    (!node->is.member.bits || bytes <= l->code->word_bytes))
		return bytes;
	dph_d_error(l->d, D_HERE_LOCATION, node->place,
		    "this cannot be read in one load; record the struct with print()");
	return 1;
}

static void lower_memory(struct d_lower *l, struct d_node *node)
{
	if (is_aggregate(&node->is.type)) { /* an array is the address of its first element */
		dph_d_lower_address(l, node);
		return;
	}
	const unsigned bytes = loaded_bytes(l, node);
	if (node->is.home == D_HOME_LOCATION) {
		dph_d_lower_location(l, node, bytes);
	} else {
		dph_d_lower_address(l, node);
		dph_d_load(l, bytes, node->is.type.is_signed && !node->is.member.bits);
	}
	if (node->is.member.bits)
		take_bits(l, node);
}

/* --- operations ---------------------------------------------------------------------------- */

static enum rpn_op simple_op(enum d_operator op)
{
	switch (op) {
	case D_OP_ADD:
		return RPN_ADD;
	case D_OP_SUB:
		return RPN_SUB;
	case D_OP_MUL:
		return RPN_MUL;
	case D_OP_AND:
		return RPN_AND;
	case D_OP_OR:
		return RPN_OR;
	default:
		return RPN_XOR;
	}
}

/* a b -- a op b, for values of the type */
static void apply(struct d_lower *l, enum d_operator op, const struct d_type *type)
{
	switch (op) {
	case D_OP_DIV:
	case D_OP_MOD:
		dph_d_divide(l, type->is_signed, op == D_OP_MOD);
		break;
	case D_OP_SHL:
	case D_OP_SHR:
		dph_d_emit(l->code, RPN_XCHG, 0);
		dph_d_shift(l, op == D_OP_SHL ? RPN_SHL : RPN_SHR, type->is_signed);
		break;
	case D_OP_SUB:
		dph_d_emit(l->code, RPN_XCHG, 0);
		dph_d_emit(l->code, RPN_SUB, 0);
		break;
	default:
		dph_d_emit(l->code, simple_op(op), 0);
		break;
	}
	if (op == D_OP_ADD || op == D_OP_SUB || op == D_OP_MUL || op == D_OP_SHL || op == D_OP_DIV)
		dph_d_normalize(l, type);
}

static void lower_pointer_arithmetic(struct d_lower *l, struct d_node *node)
{
	const bool both = dph_d_type_pointed(&node->b->is.type);
	dph_d_lower_value(l, node->a);
	if (!both && node->b->is.constant) {
		const uint64_t bytes = node->b->is.number * node->is.scale;
		dph_d_add_constant(l, node->op == D_OP_SUB ? 0 - bytes : bytes);
		return;
	}
	l->depth++;
	both ? dph_d_lower_value(l, node->b) : scaled(l, node->b, node->is.scale);
	l->depth--;
	if (node->op == D_OP_SUB)
		dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_emit(l->code, node->op == D_OP_SUB ? RPN_SUB : RPN_ADD, 0);
	if (!both || node->is.scale <= 1)
		return;
	dph_d_push(l->code, node->is.scale);
	dph_d_divide(l, true, false);
}

/* Shifts by a constant have an instruction; a count of the word's width or more gives 0. */
static bool lower_constant_shift(struct d_lower *l, struct d_node *node)
{
	if (!node->b->is.constant || (node->op == D_OP_SHR && node->is.type.is_signed))
		return false;
	dph_d_lower_as(l, node->a, &node->is.type);
	if (node->b->is.number >= node->is.type.bytes * 8) {
		dph_d_push(l->code, 0);
		dph_d_emit(l->code, RPN_AND, 0);
	} else if (node->b->is.number) {
		dph_d_emit(l->code, node->op == D_OP_SHL ? RPN_SHL_N : RPN_SHR_N,
			   node->b->is.number);
	}
	if (node->op == D_OP_SHL)
		dph_d_normalize(l, &node->is.type);
	return true;
}

/* Push the count of a shift. A constant may be wider than a word. */
static void lower_count(struct d_lower *l, struct d_node *count)
{
	const unsigned all = word_bits(l);
	if (count->is.constant)
		dph_d_push(l->code, count->is.number < all ? count->is.number : all);
	else
		dph_d_lower_value(l, count);
}

static void lower_shift(struct d_lower *l, struct d_node *node)
{
	const bool wide = dph_d_is_long(l->d, &node->is.type);
	if (wide || (!node->b->is.constant && dph_d_is_long(l->d, &node->b->is.type))) {
		dph_d_lower_long_shift(l, node);
		if (!wide) {
			dph_d_long_to_word(l);
			dph_d_normalize(l, &node->is.type);
		}
		return;
	}
	if (lower_constant_shift(l, node))
		return;
	dph_d_lower_as(l, node->a, &node->is.type);
	l->depth++;
	lower_count(l, node->b);
	l->depth--;
	apply(l, node->op, &node->is.type);
}

static void lower_arithmetic(struct d_lower *l, struct d_node *node)
{
	if (node->is.scale) {
		lower_pointer_arithmetic(l, node);
	} else if (node->op == D_OP_SHL || node->op == D_OP_SHR) {
		lower_shift(l, node);
	} else if (dph_d_is_long(l->d, &node->is.type)) {
		dph_d_lower_long(l, node);
	} else if (node->b->is.constant && (node->op == D_OP_ADD || node->op == D_OP_SUB)) {
		dph_d_lower_as(l, node->a, &node->is.type);
		dph_d_add_constant(l, node->op == D_OP_SUB ? 0 - node->b->is.number
							   : node->b->is.number);
		dph_d_normalize(l, &node->is.type);
	} else {
		dph_d_operands(l, node->a, node->b, &node->is.type);
		apply(l, node->op, &node->is.type);
	}
}

/* 1 or 0 */
static void lower_truth(struct d_lower *l, struct d_node *node)
{
	dph_d_lower_any(l, node);
	if (!node->is.constant)
		dph_d_truth(l, true);
}

static void lower_binary(struct d_lower *l, struct d_node *node)
{
	if (node->op == D_OP_AND_AND || node->op == D_OP_OR_OR) {
		dph_d_lower_lazy(l, node);
	} else if (node->op == D_OP_XOR_XOR) {
		lower_truth(l, node->a);
		l->depth++;
		lower_truth(l, node->b);
		l->depth--;
		dph_d_emit(l->code, RPN_XOR, 0);
	} else if (dph_d_is_comparison(node->op)) {
		dph_d_lower_comparison(l, node);
	} else {
		lower_arithmetic(l, node);
	}
}

/* --- nodes --------------------------------------------------------------------------------- */

static void lower_unary(struct d_lower *l, struct d_node *node)
{
	switch (node->op) {
	case D_OP_AND:
		if (node->a->is.type.kind == D_TYPE_FUNCTION)
			dph_d_lower_value(l, node->a);
		else
			dph_d_lower_address(l, node->a);
		break;
	case D_OP_NOT:
		dph_d_lower_any(l, node->a);
		dph_d_truth(l, false);
		break;
	case D_OP_SUB:
	case D_OP_COMPLEMENT:
		if (dph_d_is_long(l->d, &node->is.type)) {
			dph_d_lower_long_unary(l, node);
			break;
		}
		dph_d_lower_as(l, node->a, &node->is.type);
		dph_d_emit(l->code, RPN_NEG, 0);
		if (node->op == D_OP_SUB)
			dph_d_add_constant(l, 1);
		dph_d_normalize(l, &node->is.type);
		break;
	default:
		dph_d_lower_as(l, node->a, &node->is.type);
		break;
	}
}

static void lower_argument(struct d_lower *l, struct d_node *node)
{
	dph_d_lower_value(l, node->list);
}

static void (*const calls[D_CALLS])(struct d_lower *, struct d_node *) = {
#define CALL(how, check, code, record) code,
#include "lang/d/read/calls.def"
};

static void lower_operation(struct d_lower *l, struct d_node *node)
{
	switch (node->kind) {
	case D_NODE_UNARY:
		lower_unary(l, node);
		break;
	case D_NODE_BINARY:
		lower_binary(l, node);
		break;
	case D_NODE_CHOICE:
		dph_d_lower_choice(l, node, dph_d_is_bytes(node));
		break;
	case D_NODE_CAST:
		dph_d_lower_as(l, node->a, &node->is.type);
		break;
	case D_NODE_ASSIGN:
		dph_d_lower_assign(l, node, true);
		break;
	case D_NODE_STEP:
		dph_d_lower_step(l, node, true);
		break;
	case D_NODE_CALL:
		calls[dph_d_called(node)->how](l, node);
		break;
	default:
		dph_d_lower_value(l, node->a ? node->a : node->list);
		break;
	}
}

void dph_d_lower_variable(struct d_lower *l, struct d_node *node)
{
	if (node->kind == D_NODE_ASSIGN)
		dph_d_lower_assign(l, node, true);
	else if (node->is.home == D_HOME_ELEMENT)
		dph_d_lower_element(l, node);
	else
		dph_d_push_variable(l, node->is.variable);
}

void dph_d_lower_value(struct d_lower *l, struct d_node *node)
{
	const struct dph_place outer = l->code->place;
	l->code->place = node->place;
	if (node->is.constant) {
		dph_d_push(l->code, node->is.number);
	} else {
		switch (node->is.home) {
		case D_HOME_VARIABLE:
			dph_d_push_variable(l, node->is.variable);
			break;
		case D_HOME_FIELD: /* a text that check.c has let through */
			dph_d_push(l->code, dph_d_text_number(l->d, dph_d_text_of(l, node)));
			break;
		case D_HOME_ELEMENT:
			dph_d_lower_element(l, node);
			break;
		case D_HOME_MEMORY:
		case D_HOME_LOCATION:
			lower_memory(l, node);
			break;
		case D_HOME_REGISTER:
			if (dph_d_is_long(l->d, &node->is.type))
				dph_d_emit(l->code, RPN_PUSH_R, node->is.above);
			dph_d_emit(l->code, RPN_PUSH_R, node->is.reg);
			dph_d_normalize(l, &node->is.type);
			break;
		case D_HOME_STACK:
			dph_d_emit(l->code, RPN_PUSH_R, node->is.reg);
			dph_d_add_constant(l, node->is.offset);
			dph_d_load(l,
				   dph_d_is_long(l->d, &node->is.type) ? sizeof(int64_t)
								       : l->code->word_bytes,
				   false);
			dph_d_normalize(l, &node->is.type);
			break;
		case D_HOME_SYSTEM:
			if (node->is.system == RPN_PUSH_NS)
				dph_d_moment_push(l);
			else if (node->is.system == RPN_PUSH_NAME)
				dph_d_lower_text(l, node);
			else
				dph_d_emit(l->code, node->is.system, 0);
			if (node->is.system == RPN_PUSH_WPOLD || node->is.system == RPN_PUSH_WPNEW)
				dph_d_normalize(l, &node->is.type);
			break;
		case D_HOME_TEXT:
			dph_d_lower_text(l, node);
			break;
		case D_HOME_HOST:
			dph_d_refuse_hosted(l, node);
			break;
		case D_HOME_FAULT:
			dph_d_fault_argument(l, node->is.part);
			break;
		default:
			lower_operation(l, node);
			break;
		}
	}
	l->code->place = outer;
}

void dph_d_lower_effect(struct d_lower *l, struct d_node *node)
{
	const struct dph_place outer = l->code->place;
	l->code->place = node->place;
	if (node->kind == D_NODE_ASSIGN) {
		dph_d_lower_assign(l, node, false);
	} else if (node->kind == D_NODE_STEP) {
		dph_d_lower_step(l, node, false);
	} else if (!node->is.constant) {
		dph_d_lower_value(l, node);
		dph_d_emit(l->code, RPN_ROS_N, dph_d_value_words(l->d, node));
	}
	l->code->place = outer;
}
