/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables of the program, and assignments to them. */
#include "check.h"
#include "near.h"

static const char *text_of(const struct dph_d_check *c, const struct d_node *node)
{
	return dph_d_type_text(c->d, &node->is.type);
}

/* --- variables of the program -------------------------------------------------------------- */

/* The first point of a clause: there its names have a meaning. Null: none. */
static const struct d_point *first_point(const struct d_front *d, const struct d_clause *clause)
{
	for (const struct d_point *point = d->points; point; point = point->next)
		for (const struct d_match *match = point->matches; match; match = match->next)
			if (match->clause == clause)
				return point;
	return NULL;
}

/* Has the value a type of its own: an object of C, a cast, or the result of a function? */
static bool has_own_type(const struct d_node *value)
{
	return value->kind == D_NODE_CAST || value->kind == D_NODE_CALL ||
	       value->is.home == D_HOME_VARIABLE || value->is.home == D_HOME_ELEMENT ||
	       value->is.home == D_HOME_MEMORY || value->is.home == D_HOME_LOCATION ||
	       value->is.home == D_HOME_REGISTER || value->is.home == D_HOME_STACK;
}

void dph_d_check_variable(const struct dph_d_check *c, struct d_variable *variable)
{
	struct dph_d_check at = *c;
	if (variable->type.kind != D_TYPE_NONE || variable->declared || variable->refused)
		return;
	if (variable->resolving || !variable->first || variable->first->kind != D_NODE_ASSIGN) {
		variable->type = dph_d_type_int(c->d); /* x = x + 1, x++ */
		return;
	}
	variable->resolving = true;
	const struct d_point *point = first_point(c->d, variable->clause);
	at.point = point ? point : c->point;
	const size_t errors = c->d->report.messages->errors;
	struct d_node *value = dph_d_copy(c->d, variable->first->b);
	dph_d_check(&at, value);
	variable->resolving = false;
	variable->type = value->is.type;
	if (dph_d_type_pointed(&value->is.type) && value->is.type.kind != D_TYPE_POINTER) {
		const struct d_type target = dph_d_type_target(c->d, &value->is.type);
		variable->type = dph_d_type_pointer(
			c->d, value->is.type.kind == D_TYPE_ARRAY ? &target : &value->is.type);
	} else if (value->is.type.kind == D_TYPE_INTEGER && value->is.type.bytes < 4 &&
		   (variable->first->op != D_OP_NONE || !has_own_type(value))) {
		variable->type = dph_d_type_promoted(c->d, &value->is.type);
	}
	variable->refused = c->d->report.messages->errors != errors;
	if (variable->refused)
		variable->type.kind = D_TYPE_NONE;
}

bool dph_d_storable(const struct dph_d_check *c, struct d_node *node,
		    const struct d_variable *variable)
{
	const struct d_type *type = &variable->type;
	const bool keeps = variable->scope != D_SCOPE_THREAD && !variable->indexed;
	if (type->kind == D_TYPE_STRUCT && keeps) {
		if (dph_d_object_bytes(c->d, type))
			return true;
		dph_d_error(c->d, D_HERE_LIMIT, node->place,
			    "%s is larger than the %d bytes that a variable keeps, or of unknown "
			    "size; keep its members",
			    dph_d_type_text(c->d, type), D_OBJECT_BYTES_MAX);
		return false;
	}
	if (type->kind == D_TYPE_STRUCT || type->kind == D_TYPE_FLOAT ||
	    type->kind == D_TYPE_ARRAY) {
		struct d_type copy = *type;
		dph_d_error(
			c->d, D_HERE_STEP, node->place,
			type->kind == D_TYPE_STRUCT
				? "%s cannot be kept here; a global or this-> variable can keep it"
				: "a variable cannot be %s; keep a number or pointer",
			dph_d_type_text(c->d, &copy));
		return false;
	}
	return type->kind != D_TYPE_NONE;
}

static void use_variable(const struct dph_d_check *c, struct d_node *node,
			 struct d_variable *variable)
{
	dph_d_check_variable(c, variable);
	dph_d_set_wrong(node);
	if (variable->indexed) {
		dph_d_error(c->d, D_OP_ARRFUN, node->place,
			    "'%s' is an array; write its keys: %s[key]", variable->name,
			    variable->name);
		return;
	}
	if (variable->type.kind == D_TYPE_NONE || !dph_d_storable(c, node, variable))
		return;
	if (variable->type.kind == D_TYPE_STRUCT) {
		dph_d_set_object(c, node, variable);
		return;
	}
	node->is.type = variable->type;
	node->is.home = variable->scope == D_SCOPE_THREAD ? D_HOME_ELEMENT : D_HOME_VARIABLE;
	node->is.variable = variable;
}

void dph_d_check_scoped(const struct dph_d_check *c, struct d_node *node)
{
	struct d_variable *variable = dph_d_variable_find(c->d, node->scope, node->text);
	if (!variable) {
		dph_d_error(c->d, D_IDENT_UNDEF, node->place,
			    "'%s->%s' is never assigned to in this program%s",
			    node->scope == D_SCOPE_THREAD ? "self" : "this", node->text,
			    dph_d_meant_text(c, dph_d_near_variable(c, node->scope, node->text)));
		dph_d_set_wrong(node);
	} else {
		use_variable(c, node, variable);
	}
}

void dph_d_check_word(const struct dph_d_check *c, struct d_node *node)
{
	struct d_variable *variable = dph_d_variable_named(c->d, node);
	if (dph_d_check_builtin(c, node)) {
		if (!node->of_file)
			dph_d_check_hidden_by_builtin(c, node);
		return;
	}
	if (!variable) {
		dph_d_check_name(c, node);
		return;
	}
	dph_d_check_hidden(c, node, variable);
	use_variable(c, node, variable);
}

/* --- assignments --------------------------------------------------------------------------- */

static bool assignable(const struct dph_d_check *c, struct d_node *to)
{
	dph_d_check(c, to);
	if (dph_d_wrong(to))
		return false;
	if (to->is.home == D_HOME_VARIABLE || to->is.home == D_HOME_ELEMENT)
		return true;
	if (to->is.home == D_HOME_LOCATION && to->is.variable)
		return dph_d_check_part(c, to);
	if (to->kind == D_NODE_INDEX && to->a->is.home == D_HOME_LOCATION && to->a->is.variable)
		dph_d_error(c->d, D_OP_WRITE, to->place,
			    "the index of an array in a variable is a constant");
	else if (to->is.home == D_HOME_MEMORY || to->is.home == D_HOME_LOCATION ||
		 to->is.home == D_HOME_REGISTER)
		dph_d_error(c->d, D_OP_WRITE, to->place,
			    "this is the firmware's; D programs do not write it");
	else if (to->kind == D_NODE_NAME)
		dph_d_error(c->d, D_OP_WRITE, to->place, "'%s' cannot be written", to->text);
	else
		dph_d_error(c->d, D_OP_LVAL, to->place, "this is a value, and no variable");
	return false;
}

/* Can a value of this type be kept in that one? */
static bool fits(const struct dph_d_check *c, const struct d_node *value, const struct d_type *type)
{
	struct d_type copy = *type;
	const bool number = value->is.type.kind == D_TYPE_INTEGER && type->kind == D_TYPE_INTEGER;
	const bool pointer = dph_d_type_pointed(&value->is.type) && type->kind == D_TYPE_POINTER;
	const bool null = value->is.constant && type->kind == D_TYPE_POINTER;
	if (number || pointer || null)
		return true;
	dph_d_error(c->d, D_OP_INCOMPAT, value->place,
		    "%s does not fit a variable of type %s; cast it", text_of(c, value),
		    dph_d_type_text(c->d, &copy));
	return false;
}

/* A text is assigned. */
static void check_text(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_set_wrong(node);
	if (!assignable(c, node->a))
		return;
	if (node->a->is.type.kind != D_TYPE_STRING)
		dph_d_error(c->d, D_OP_INCOMPAT, node->b->place,
			    "a string does not fit a variable of type %s", text_of(c, node->a));
	else
		dph_d_set_value(node, node->a->is.type);
}

/* Is a pointer to characters assigned to a variable that is a string? */
static bool is_text_of_variable(const struct dph_d_check *c, struct d_node *node)
{
	if (dph_d_wrong(node->b) || dph_d_is_text(node->b) || !dph_d_is_string(c->d, node->b))
		return false;
	const struct d_variable *variable = dph_d_variable_of(c->d, node->a);
	return variable && variable->type.kind == D_TYPE_STRING;
}

/* x op= e, ++x: the operands are those of x op e, and the result fits x. */
static void check_changed(const struct dph_d_check *c, struct d_node *node, struct d_node *by)
{
	struct d_node plain = {.kind = D_NODE_BINARY,
			       .op = node->op,
			       .place = node->place,
			       .sign_place = node->sign_place,
			       .a = node->a,
			       .b = by};
	const bool good = !dph_d_wrong(by) &&
			  dph_d_check_checked_number(c, by, D_OP_INT, "the operand") &&
			  assignable(c, node->a);
	dph_d_set_wrong(node);
	if (!good)
		return;
	dph_d_check_joined(c, &plain);
	if (dph_d_wrong(&plain))
		return;
	if ((plain.is.type.kind == D_TYPE_POINTER) != (node->a->is.type.kind == D_TYPE_POINTER)) {
		dph_d_error(c->d, D_OP_INCOMPAT, node->place,
			    "the result is %s, and does not fit a variable of type %s",
			    text_of(c, &plain), text_of(c, node->a));
		return;
	}
	if (!dph_d_check_kept(c, node, by))
		return;
	dph_d_check_widening(c, by, &node->a->is.type);
	dph_d_check_narrow(c, node);
	dph_d_set_value(node, node->a->is.type);
}

/* Is 0 assigned to a string? Then it has no characters, and an element is freed. */
static bool empties_text(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_variable *variable = dph_d_variable_of(c->d, node->a);
	return node->op == D_OP_NONE && node->b->kind == D_NODE_NUMBER && !node->b->value &&
	       variable && variable->type.kind == D_TYPE_STRING;
}

void dph_d_check_assign(const struct dph_d_check *c, struct d_node *node)
{
	if (empties_text(c, node)) {
		node->b->kind = D_NODE_STRING;
		node->b->text = "";
	}
	dph_d_check(c, node->b);
	if (node->op != D_OP_NONE) {
		check_changed(c, node, node->b);
		return;
	}
	if (is_text_of_variable(c, node))
		node->b = dph_d_text_at(c->d, node->b);
	if (!dph_d_wrong(node->b) && dph_d_is_text(node->b)) {
		check_text(c, node);
		return;
	}
	if (node->b->is.type.kind == D_TYPE_STRUCT) {
		dph_d_check_object_assign(c, node);
		return;
	}
	const bool good = dph_d_check_checked_number(c, node->b, D_OP_SCALAR, "the value");
	dph_d_set_wrong(node);
	if (!good || !assignable(c, node->a) || !fits(c, node->b, &node->a->is.type) ||
	    !dph_d_check_kept(c, node, node->b))
		return;
	dph_d_check_widening(c, node->b, &node->a->is.type);
	dph_d_set_value(node, node->a->is.type);
}

void dph_d_check_step(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node one = {.kind = D_NODE_NUMBER, .place = node->place, .value = 1};
	dph_d_set_constant(c->d, &one, 1, true);
	check_changed(c, node, &one);
}
