/* SPDX-License-Identifier: BSD-2-Clause */
/* Does the variable of an assignment keep the value? The first value has given the variable its
 * type. */
#define _GNU_SOURCE
#include "check.h"

#include <inttypes.h>

enum {
	INT_BYTES = 4
};

/* --- values of a type ---------------------------------------------------------------------- */

bool dph_d_constant_fits(const struct d_node *constant, const struct d_type *type)
{
	const unsigned bytes = constant->is.type.bytes;
	const bool turned = bytes == type->bytes && bytes >= INT_BYTES; /* int, unsigned */
	if (type->kind != D_TYPE_INTEGER || type->is_bool || turned || type->bytes >= 8)
		return true;
	return dph_d_type_narrow(type, constant->is.number) == constant->is.number;
}

const char *dph_d_constant_text(struct d_front *d, const struct d_node *constant)
{
	return constant->is.type.is_signed
		       ? dph_pool_print(d->pool, "%" PRId64, (int64_t)constant->is.number)
		       : dph_pool_print(d->pool, "%" PRIu64, constant->is.number);
}

/* Has the type each value of the other one? A sign alone is changed as C does. */
static bool holds(const struct d_type *type, const struct d_type *other)
{
	if (type->bytes != other->bytes)
		return type->bytes > other->bytes && (type->is_signed || !other->is_signed);
	return type->bytes >= INT_BYTES || type->is_signed == other->is_signed;
}

static bool stays(const struct d_node *node, const struct d_type *type);

static bool is_positive(const struct d_node *node)
{
	return node->is.constant && (int64_t)node->is.number > 0;
}

static bool binary_stays(const struct d_node *node, const struct d_type *type)
{
	const struct d_node *a = node->a, *b = node->b;
	const unsigned bits = type->bytes * 8 - type->is_signed;
	switch (node->op) {
	case D_OP_AND:
		return (is_positive(a) && stays(a, type)) || (is_positive(b) && stays(b, type)) ||
		       (stays(a, type) && stays(b, type));
	case D_OP_OR:
	case D_OP_XOR:
		return stays(a, type) && stays(b, type);
	case D_OP_MOD:
		return stays(a, type) || (is_positive(b) && stays(b, type) &&
					  (type->is_signed || !a->is.type.is_signed));
	case D_OP_DIV:
		return stays(a, type);
	case D_OP_SHR:
		return stays(a, type) ||
		       (is_positive(b) && a->is.type.bytes * 8 <= b->is.number + bits &&
			(type->is_signed || !a->is.type.is_signed));
	default:
		return dph_d_gives_truth(node->op);
	}
}

/* Are all values that the node can have values of the type? */
static bool stays(const struct d_node *node, const struct d_type *type)
{
	const unsigned bits = type->bytes * 8 - type->is_signed;
	if (node->is.constant)
		return dph_d_constant_fits(node, type);
	if (holds(type, &node->is.type))
		return true;
	if (node->is.member.bits)
		return node->is.member.bits <= bits &&
		       (type->is_signed || !node->is.type.is_signed);
	if (node->kind == D_NODE_CHOICE)
		return stays(node->b, type) && stays(node->c, type);
	if (node->kind == D_NODE_UNARY)
		return node->op == D_OP_NOT;
	return node->kind == D_NODE_BINARY && binary_stays(node, type);
}

/* --- assignments --------------------------------------------------------------------------- */

/* Is the type one that the author wrote? Then C's conversion is meant. */
static bool is_written(const struct d_variable *variable)
{
	return !variable || variable->declared ||
	       (variable->first && variable->first->kind == D_NODE_ASSIGN &&
		variable->first->op == D_OP_NONE && variable->first->b->kind == D_NODE_CAST);
}

static const char *why_type(const struct dph_d_check *c, const struct d_variable *variable,
			    const char *type)
{
	const bool value = variable->first && variable->first->kind == D_NODE_ASSIGN;
	return dph_pool_print(c->d->pool,
			      value ? "'%s' has the type of its first value, %s"
				    : "'%s' is %s by its first use",
			      variable->name, type);
}

/* What the author writes to give the variable a wider type. */
static const char *remedy(const struct dph_d_check *c, const struct d_variable *variable,
			  const char *type)
{
	static const char *const words[] = {"", "this ", "self "};
	if (variable->first && variable->first->kind == D_NODE_ASSIGN)
		return dph_pool_print(c->d->pool, "cast the first value to %s", type);
	if (variable->indexed)
		return dph_pool_print(c->d->pool, "declare it as %s", type);
	return dph_pool_print(c->d->pool, "declare it: %s%s %s;", words[variable->scope], type,
			      variable->name);
}

static bool is_changed_by(enum d_operator op)
{
	return op == D_OP_NONE || op == D_OP_ADD || op == D_OP_SUB || op == D_OP_MUL ||
	       op == D_OP_OR || op == D_OP_XOR;
}

static void warn_of_constant(const struct dph_d_check *c, struct d_node *assign,
			     const struct d_node *value, const struct d_type *type)
{
	struct d_type copy = *type;
	struct d_node kept = {.is.type = copy, .is.number = value->is.number};
	kept.is.number = dph_d_type_narrow(type, value->is.number);
	if (assign->told || !value->is.constant)
		return;
	assign->told = true;
	dph_warning(c->d, value->place, "%s does not fit %s, and becomes %s",
		    dph_d_constant_text(c->d, value), dph_d_type_text(c->d, &copy),
		    dph_d_constant_text(c->d, &kept));
}

static bool refuse(const struct dph_d_check *c, const struct d_variable *variable,
		   const struct d_node *value, struct d_type type)
{
	const bool is_wide = value->is.type.bytes > INT_BYTES;
	const char *text = dph_d_type_text(c->d, &type);
	const char *wider = is_wide ? value->is.type.is_signed ? "int64_t" : "uint64_t" : "int";
	if (value->is.constant)
		dph_d_error(c->d, D_OP_INCOMPAT, value->place, "%s, which has no value %s; %s",
			    why_type(c, variable, text), dph_d_constant_text(c->d, value),
			    remedy(c, variable, wider));
	else
		dph_d_error(c->d, D_OP_INCOMPAT, value->place,
			    "%s, and this value has 64 bits; %s, or cast this one to %s",
			    why_type(c, variable, text), remedy(c, variable, wider), text);
	return false;
}

/* Has the variable a narrow type that its author did not write? */
static bool is_narrow(const struct d_variable *variable)
{
	const struct d_type *type = &variable->type;
	return !is_written(variable) && variable->first && variable->first->kind == D_NODE_ASSIGN &&
	       type->kind == D_TYPE_INTEGER && type->bytes < INT_BYTES && !type->is_bool;
}

static void warn_of_narrow(const struct dph_d_check *c, struct d_node *node,
			   const struct d_variable *variable)
{
	if (node->told || !variable || !is_narrow(variable))
		return;
	node->told = true;
	dph_warning(c->d, node->place,
		    "'%s' has the type of its first value, %s, and wraps at %u bits; declare it "
		    "as int, or cast that value",
		    variable->name, dph_d_type_text(c->d, &node->a->is.type),
		    variable->type.bytes * 8);
}

void dph_d_check_narrow(const struct dph_d_check *c, struct d_node *node)
{
	if (node->op == D_OP_ADD || node->op == D_OP_SUB || node->op == D_OP_MUL ||
	    node->op == D_OP_SHL)
		warn_of_narrow(c, node, dph_d_variable_of(c->d, node->a));
}

bool dph_d_check_kept(const struct dph_d_check *c, struct d_node *assign, struct d_node *value)
{
	const struct d_variable *variable = dph_d_variable_of(c->d, assign->a);
	struct d_type type = assign->a->is.type;
	if (type.kind != D_TYPE_INTEGER || type.is_bool || value->is.type.kind != D_TYPE_INTEGER ||
	    !is_changed_by(assign->op))
		return true;
	if (assign->op != D_OP_NONE && type.bytes < INT_BYTES) /* dph_d_check_narrow */
		type = dph_d_type_int(c->d);
	if (stays(value, &type))
		return true;
	if (is_written(variable)) {
		warn_of_constant(c, assign, value, &type);
		return true;
	}
	if (value->is.constant || value->is.type.bytes > INT_BYTES)
		return refuse(c, variable, value, type);
	warn_of_narrow(c, assign, variable);
	return true;
}
