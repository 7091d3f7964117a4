/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of expressions, by C's rules. */
#define _GNU_SOURCE
#include "check.h"
#include "entry.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct dph_d_check *c, const struct d_node *node)
{
	return dph_d_type_text(c->d, &node->is.type);
}

/* --- operands ------------------------------------------------------------------------------ */

bool dph_d_check_value(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_check(c, node);
	return dph_d_checked_value(c, node);
}

static bool check_checked_scalar(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
				 const char *what)
{
	return dph_d_checked_value(c, node) && dph_d_check_fits_word(c, node) &&
	       dph_d_checked_scalar(c, node, tag, what);
}

bool dph_d_check_scalar(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
			const char *what)
{
	dph_d_check(c, node);
	return check_checked_scalar(c, node, tag, what);
}

bool dph_d_check_number(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
			const char *what)
{
	dph_d_check(c, node);
	return dph_d_check_checked_number(c, node, tag, what);
}

static bool is_integer(const struct dph_d_check *c, struct d_node *node)
{
	if (node->is.type.kind == D_TYPE_INTEGER)
		return true;
	dph_d_error(c->d, D_OP_INT, node->place, "the operand is %s; it must be an integer",
		    text_of(c, node));
	dph_d_set_wrong(node);
	return false;
}

/* An integer of any width. */
static bool integer(const struct dph_d_check *c, struct d_node *node)
{
	return dph_d_check_number(c, node, D_OP_INT, "the operand") && is_integer(c, node);
}

static bool index_of(const struct dph_d_check *c, struct d_node *node)
{
	return dph_d_check_scalar(c, node, D_OP_INT, "the index") && is_integer(c, node);
}

/* --- constants ----------------------------------------------------------------------------- */

/* One character has the value that a `char` of the target has. */
static uint64_t number_of(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_type_name name = {.place = node->place, .name = "char"};
	if (node->characters != 1)
		return node->value;
	const struct d_type type = dph_d_type_named(c->d, &name, c->point->address);
	return dph_d_type_narrow(&type, node->value);
}

/* The first type of C's list that holds a number with a suffix or a base: such a number may be
 * unsigned. */
static struct d_type written_type(const struct dph_d_check *c, const struct d_node *node, bool wide)
{
	const uint64_t value = node->value;
	const bool may = node->is_unsigned || node->is_based;
	const bool narrow = !wide && value <= (may ? UINT32_MAX : INT32_MAX);
	return dph_d_type_integer(c->d, narrow ? 4 : 8,
				  !node->is_unsigned && value <= (narrow ? INT32_MAX : INT64_MAX));
}

static void check_number(const struct dph_d_check *c, struct d_node *node)
{
	const bool wide = node->longs > 1 || (node->longs && c->d->program->target.word_bytes == 8);
	if (wide || node->is_unsigned || node->is_based)
		dph_d_set_fixed(node, written_type(c, node, wide), node->value);
	else
		dph_d_set_constant(c->d, node, number_of(c, node), node->characters != 0);
}

static void check_string(struct d_node *node)
{
	node->is.type = (struct d_type){.kind = D_TYPE_STRING};
	node->is.home = D_HOME_FIELD;
	node->is.form = DPH_FIELD_TEXT;
	node->is.text = node->text;
}

/* --- unary --------------------------------------------------------------------------------- */

static bool sized(const struct dph_d_check *c, struct d_node *node, const struct d_type *type,
		  uint64_t *bytes)
{
	struct d_type copy = *type;
	if (dph_d_type_bytes(c->d, type, bytes) && *bytes)
		return true;
	dph_d_error(c->d, D_OP_INCOMPLETE, node->place, "the size of %s is not known",
		    dph_d_type_text(c->d, &copy));
	return false;
}

static void check_deref(const struct dph_d_check *c, struct d_node *node)
{
	const bool good = dph_d_check_value(c, node->a);
	dph_d_set_wrong(node);
	if (!good)
		return;
	if (node->a->is.type.kind == D_TYPE_FUNCTION) {
		dph_d_error(c->d, D_DEREF_FUNC, node->place, "a function has no value");
		return;
	}
	const struct d_type target = dph_d_type_target(c->d, &node->a->is.type);
	if (target.kind == D_TYPE_NONE)
		dph_d_error(c->d, D_OP_PTR, node->a->place,
			    "'*' needs a pointer; this is %s: cast it, as in *(uint32_t *)0x1000",
			    text_of(c, node->a));
	else if (target.kind == D_TYPE_VOID)
		dph_d_error(c->d, D_DEREF_VOID, node->place,
			    "a pointer to void has no value; cast it first");
	else if (target.kind == D_TYPE_FUNCTION)
		dph_d_error(c->d, D_DEREF_FUNC, node->place, "a function has no value");
	else {
		node->is.type = target;
		node->is.home = D_HOME_MEMORY;
		node->is.offset = 0;
	}
}

static bool addressable(const struct d_node *node)
{
	if (node->is.home == D_HOME_MEMORY)
		return true;
	return node->is.home == D_HOME_LOCATION && node->is.location->count == 1 &&
	       node->is.location->pieces[0].kind == DPH_PIECE_MEMORY;
}

static void check_address(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_check(c, node->a);
	dph_d_set_wrong(node);
	if (dph_d_wrong(node->a))
		return;
	if (node->a->is.member.bits)
		dph_d_error(c->d, D_ADDROF_BITFIELD, node->place, "a bit-field has no address");
	else if (node->a->is.type.kind == D_TYPE_FUNCTION)
		dph_d_set_value(node, dph_d_type_pointer(c->d, &node->a->is.type));
	else if (node->a->is.home == D_HOME_VARIABLE || node->a->is.home == D_HOME_ELEMENT)
		dph_d_error(c->d, D_ADDROF_VALUE, node->place,
			    "a variable of the program has no address");
	else if (!addressable(node->a))
		dph_d_error(c->d, D_ADDROF_VALUE, node->place,
			    "this has no address: it is not in memory here");
	else
		dph_d_set_value(node, dph_d_type_pointer(c->d, &node->a->is.type));
}

static void check_unary(const struct dph_d_check *c, struct d_node *node)
{
	if (node->op == D_OP_MUL) {
		check_deref(c, node);
		return;
	}
	if (node->op == D_OP_AND) {
		check_address(c, node);
		return;
	}
	const bool good = node->op == D_OP_NOT
				  ? dph_d_check_number(c, node->a, D_OP_SCALAR, "the operand")
				  : integer(c, node->a);
	dph_d_set_wrong(node);
	if (!good)
		return;
	dph_d_set_value(node, node->op == D_OP_NOT ? dph_d_type_int(c->d)
						   : dph_d_type_promoted(c->d, &node->a->is.type));
	if (node->a->is.constant)
		dph_d_fold_unary(c->d, node);
}

/* --- binary -------------------------------------------------------------------------------- */

static bool is_comparison(enum d_operator op)
{
	return op == D_OP_EQ || op == D_OP_NE || op == D_OP_LT || op == D_OP_GT || op == D_OP_LE ||
	       op == D_OP_GE;
}

static bool is_logical(enum d_operator op)
{
	return op == D_OP_AND_AND || op == D_OP_OR_OR || op == D_OP_XOR_XOR;
}

bool dph_d_gives_truth(enum d_operator op)
{
	return is_comparison(op) || is_logical(op);
}

/* pointer + n, n + pointer, pointer - n, pointer - pointer */
static void pointer_arithmetic(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *a = node->a, *b = node->b;
	const bool both = dph_d_type_pointed(&a->is.type) && dph_d_type_pointed(&b->is.type);
	uint64_t bytes = 1;
	if (node->op == D_OP_ADD && !dph_d_type_pointed(&a->is.type)) {
		node->a = b;
		node->b = a;
		a = node->a;
	}
	const struct d_type target = dph_d_type_target(c->d, &a->is.type);
	if ((both && node->op != D_OP_SUB) || (!both && !dph_d_type_pointed(&a->is.type)) ||
	    (node->op != D_OP_ADD && node->op != D_OP_SUB)) {
		dph_d_error(c->d, D_OP_ARITH, node->place, "'%s' cannot join %s and %s",
			    dph_d_operators[node->op].text, text_of(c, node->a),
			    text_of(c, node->b));
		return;
	}
	if (target.kind == D_TYPE_VOID || target.kind == D_TYPE_FUNCTION) {
		dph_d_error(c->d, D_OP_INCOMPLETE, a->place,
			    "%s has no size to count in; cast the pointer to char *",
			    target.kind == D_TYPE_VOID ? "void" : "a function");
		return;
	}
	if (target.kind != D_TYPE_NONE && !sized(c, node, &target, &bytes))
		return;
	if (both)
		dph_d_set_value(node,
				dph_d_type_integer(c->d, c->d->program->target.word_bytes, true));
	else
		dph_d_set_value(node, a->is.type.kind == D_TYPE_ARRAY
					      ? dph_d_type_pointer(c->d, &target)
					      : a->is.type);
	node->is.scale = (unsigned)bytes;
}

static bool divides_by_zero(const struct dph_d_check *c, const struct d_node *node)
{
	if ((node->op != D_OP_DIV && node->op != D_OP_MOD) || !node->b->is.constant ||
	    node->b->is.number)
		return false;
	dph_d_error(c->d, D_DIV_ZERO, node->b->place, "this divides by zero");
	return true;
}

/* What joins a pointer is a word. */
static bool fits_pointer(const struct dph_d_check *c, const struct d_node *node)
{
	return is_logical(node->op) ||
	       (!dph_d_type_pointed(&node->a->is.type) && !dph_d_type_pointed(&node->b->is.type)) ||
	       (dph_d_check_one_word(c, node->a) && dph_d_check_one_word(c, node->b));
}

/* Texts are compared with texts. Beside a text, a pointer to characters is the text there. Returns
 * false: these are no texts. */
static bool check_texts(const struct dph_d_check *c, struct d_node *node, struct d_node **a,
			struct d_node **b)
{
	if (dph_d_wrong(*a) || dph_d_wrong(*b) || (!dph_d_is_text(*a) && !dph_d_is_text(*b)))
		return false;
	struct d_node **other = dph_d_is_text(*a) ? b : a;
	if (dph_d_is_text(*other))
		return true;
	if (dph_d_is_string(c->d, *other)) {
		*other = dph_d_text_at(c->d, *other);
		return true;
	}
	dph_d_error(c->d, D_OP_INCOMPAT, node->place, "%s and %s do not go together",
		    text_of(c, *a), text_of(c, *b));
	dph_d_set_wrong(*a);
	return true;
}

static void check_binary(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_check(c, node->a);
	dph_d_check(c, node->b);
	if (is_comparison(node->op) && check_texts(c, node, &node->a, &node->b)) {
		const bool good = !dph_d_wrong(node->a);
		dph_d_set_wrong(node);
		if (good)
			dph_d_set_value(node, dph_d_type_int(c->d));
		return;
	}
	dph_d_check_joined(c, node);
}

void dph_d_check_joined(const struct dph_d_check *c, struct d_node *node)
{
	const bool first = dph_d_check_checked_number(c, node->a, D_OP_SCALAR, "the operand");
	const bool second = dph_d_check_checked_number(c, node->b, D_OP_SCALAR, "the operand");
	const bool shift = node->op == D_OP_SHL || node->op == D_OP_SHR;
	dph_d_set_wrong(node);
	if (!first || !second || divides_by_zero(c, node) || !fits_pointer(c, node))
		return;
	const bool pointed =
		dph_d_type_pointed(&node->a->is.type) || dph_d_type_pointed(&node->b->is.type);
	if (dph_d_gives_truth(node->op)) {
		dph_d_set_value(node, dph_d_type_int(c->d));
	} else if (pointed) {
		pointer_arithmetic(c, node);
		return;
	} else {
		dph_d_set_value(node, shift ? dph_d_type_promoted(c->d, &node->a->is.type)
					    : dph_d_type_common(c->d, &node->a->is.type,
								&node->b->is.type));
		dph_d_check_widening(c, node->a, &node->is.type);
		if (!shift)
			dph_d_check_widening(c, node->b, &node->is.type);
	}
	if (node->a->is.constant && node->b->is.constant)
		dph_d_fold_binary(c->d, node);
}

static void check_choice(const struct dph_d_check *c, struct d_node *node)
{
	const bool good = dph_d_check_number(c, node->a, D_OP_SCALAR, "the condition");
	dph_d_check(c, node->b);
	dph_d_check(c, node->c);
	if (good && check_texts(c, node, &node->b, &node->c)) {
		const bool texts = !dph_d_wrong(node->b);
		dph_d_set_wrong(node);
		if (texts)
			dph_d_set_value(node, node->b->is.type);
		return;
	}
	const bool yes = dph_d_check_checked_number(c, node->b, D_OP_SCALAR, "the operand");
	const bool no = dph_d_check_checked_number(c, node->c, D_OP_SCALAR, "the operand");
	dph_d_set_wrong(node);
	if (!good || !yes || !no)
		return;
	const bool a = dph_d_type_pointed(&node->b->is.type),
		   b = dph_d_type_pointed(&node->c->is.type);
	if ((a || b) && (!dph_d_check_one_word(c, node->b) || !dph_d_check_one_word(c, node->c)))
		return;
	if (!a && !b && node->a->is.constant && node->b->is.constant && node->c->is.constant) {
		dph_d_fold_choice(c->d, node);
	} else if (!a && !b) {
		dph_d_set_value(node,
				dph_d_type_common(c->d, &node->b->is.type, &node->c->is.type));
	} else if ((a || node->b->is.constant) && (b || node->c->is.constant)) {
		dph_d_set_value(node, a ? node->b->is.type : node->c->is.type);
	} else {
		dph_d_error(c->d, D_OP_INCOMPAT, node->place,
			    "'?:' cannot choose between %s and %s", text_of(c, node->b),
			    text_of(c, node->c));
	}
}

/* --- members and elements ------------------------------------------------------------------ */

/* "name size count" */
static const char *member_names(struct d_front *d, const struct dph_type *type)
{
	const struct dph_member *members;
	const size_t count = dph_type_members(dph_type_plain(type), &members);
	const char *list = "";
	for (size_t i = 0; i < count && i < 20; i++)
		if (members[i].name)
			list = dph_pool_print(d->pool, "%s%s%s", list, *list ? " " : "",
					      members[i].name);
	return list;
}

static void check_member(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->a;
	const bool good = dph_d_check_value(c, of);
	struct d_type type = of->is.type;
	dph_d_set_wrong(node);
	if (!good)
		return;
	if (node->op == D_OP_ARROW)
		type = dph_d_type_target(c->d, &of->is.type);
	if (type.kind != D_TYPE_STRUCT || !type.firmware) {
		const bool other = node->op == D_OP_DOT &&
				   dph_d_type_target(c->d, &of->is.type).kind == D_TYPE_STRUCT;
		const bool arrow = node->op == D_OP_ARROW && of->is.type.kind == D_TYPE_STRUCT;
		dph_d_error(c->d, D_OP_SOU, node->sign_place.line ? node->sign_place : of->place,
			    "'%s' needs a %s; this is %s%s", dph_d_operators[node->op].text,
			    node->op == D_OP_ARROW ? "pointer to a struct or union"
						   : "struct or union",
			    text_of(c, of),
			    other   ? "; write ->"
			    : arrow ? "; write ."
				    : "");
		return;
	}
	struct dph_member member = {0};
	if (!dph_type_member(dph_type_plain(type.firmware), node->text, &member)) {
		const char *names = member_names(c->d, type.firmware);
		const char *best = dph_d_near_member(dph_type_plain(type.firmware), node->text);
		const char *why = *names ? NULL : dph_d_type_refused(c->d, &type);
		dph_d_error(c->d, D_UNKNOWN, node->member_place,
			    why       ? "%s has no member '%s'%s; %s"
			    : !*names ? "%s has no member '%s'%s; its members are not known here%s"
			    : best    ? "%s has no member '%s'%s It has %s"
				      : "%s has no member '%s'%s; it has %s",
			    dph_d_type_text(c->d, &type), node->text, dph_d_meant_text(c, best),
			    why ? why : names);
		return;
	}
	if (member.no_place) {
		dph_d_error(c->d, D_HERE_TYPE, node->member_place,
			    "the place of '%s' in %s is known only while the program runs",
			    node->text, dph_d_type_text(c->d, &type));
		return;
	}
	node->is.type = dph_d_type_of(c->d, member.type);
	node->is.member = member;
	if (node->op == D_OP_DOT && of->is.home == D_HOME_LOCATION) {
		node->is.home = D_HOME_LOCATION;
		node->is.variable = of->is.variable;
		node->is.location = of->is.location;
		node->is.offset = of->is.offset + member.offset;
	} else {
		node->is.home = D_HOME_MEMORY;
		node->is.offset = member.offset;
	}
}

/* The array of the firmware; null: the value is none. */
static const struct dph_type *array_of(const struct d_type *type)
{
	const struct dph_type *plain = type->firmware ? dph_type_plain(type->firmware) : NULL;
	return plain && plain->kind == DPH_TYPE_ARRAY ? plain : NULL;
}

/* The index of the first element: 0, but for arrays of some languages. */
static uint64_t first_of(const struct d_type *type)
{
	const struct dph_type *array = array_of(type);
	return array ? (uint64_t)array->first : 0;
}

/* Is a constant index inside the bounds of the array, where it has them? */
static bool in_array(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_type *type = &node->a->is.type;
	const struct dph_type *array = array_of(type);
	const bool counted = array && array->counted;
	const bool made = !type->firmware && type->kind == D_TYPE_ARRAY;
	const uint64_t count = counted ? array->count : type->count, first = first_of(type);
	if (!node->list->is.constant || !(counted || made) || node->list->is.number - first < count)
		return true;
	dph_d_error(c->d, D_ARR_BOUNDS, node->list->place,
		    first ? "index %lld is outside of the array, which has %llu elements from "
			    "index %lld on"
			  : "index %lld is outside of the array, which has %llu elements",
		    (long long)node->list->is.number, (unsigned long long)count, (long long)first);
	return false;
}

static void check_index(const struct dph_d_check *c, struct d_node *node)
{
	uint64_t bytes;
	if (dph_d_check_builtin_index(c, node) || dph_d_check_element(c, node))
		return;
	const bool good = dph_d_check_value(c, node->a);
	const bool number = index_of(c, node->list);
	dph_d_set_wrong(node);
	if (!good || !number)
		return;
	const struct d_type type = dph_d_type_target(c->d, &node->a->is.type);
	if (type.kind == D_TYPE_NONE || node->list->next) {
		dph_d_error(c->d, D_OP_ARRFUN, node->place,
			    type.kind == D_TYPE_NONE ? "%s has no elements"
						     : "an element of %s has one index",
			    text_of(c, node->a));
		return;
	}
	if (!in_array(c, node) || !sized(c, node, &type, &bytes))
		return;
	node->is.type = type;
	node->is.scale = (unsigned)bytes;
	node->is.offset = 0 - first_of(&node->a->is.type) * bytes;
	node->is.home = D_HOME_MEMORY;
	if (node->a->is.home == D_HOME_LOCATION && node->list->is.constant &&
	    node->a->is.type.kind == D_TYPE_ARRAY) {
		node->is.home = D_HOME_LOCATION;
		node->is.variable = node->a->is.variable;
		node->is.location = node->a->is.location;
		node->is.offset += node->a->is.offset + node->list->is.number * bytes;
	}
}

/* The messages about a name without a meaning are the answer. */
static void check_defined(const struct dph_d_check *c, struct d_node *node)
{
	struct dp_messages *messages = c->d->report.messages, quiet = {0};
	const struct d_node *of = node->a;
	if (of && dph_d_variable_named(c->d, of)) {
		node->value = true;
	} else if (of) {
		c->d->report.messages = &quiet;
		dph_d_check(c, node->a);
		c->d->report.messages = messages;
		dp_messages_free(&quiet);
		node->value = !dph_d_wrong(node->a);
	}
	dph_d_set_constant(c->d, node, node->value, true);
}

/* --- calls, and the whole ------------------------------------------------------------------- */

void dph_d_check(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_restore(node);
	if (dph_d_check_provided(c, node))
		return;
	node->is = (struct d_checked){0};
	switch (node->kind) {
	case D_NODE_NUMBER:
		check_number(c, node);
		break;
	case D_NODE_STRING:
		check_string(node);
		break;
	case D_NODE_NAME:
		dph_d_check_word(c, node);
		break;
	case D_NODE_FIRMWARE:
		dph_d_check_firmware(c, node);
		break;
	case D_NODE_AGGREGATION:
		dph_d_error(c->d, D_AGG_NULL, node->place,
			    "an aggregation has no value; a statement updates it: @%s = count()",
			    node->text);
		dph_d_set_wrong(node);
		break;
	case D_NODE_SCOPED:
		dph_d_check_scoped(c, node);
		break;
	case D_NODE_UNARY:
		check_unary(c, node);
		break;
	case D_NODE_STEP:
		dph_d_check_step(c, node);
		break;
	case D_NODE_BINARY:
		check_binary(c, node);
		break;
	case D_NODE_ASSIGN:
		dph_d_check_assign(c, node);
		break;
	case D_NODE_CHOICE:
		check_choice(c, node);
		break;
	case D_NODE_CALL:
		dph_d_check_call(c, node);
		break;
	case D_NODE_INDEX:
		check_index(c, node);
		break;
	case D_NODE_MEMBER:
		check_member(c, node);
		break;
	case D_NODE_CAST:
		dph_d_check_cast(c, node);
		break;
	case D_NODE_SIZEOF:
		dph_d_check_sizeof(c, node);
		break;
	case D_NODE_OFFSETOF:
		dph_d_check_offsetof(c, node);
		break;
	case D_NODE_DEFINED:
		check_defined(c, node);
		break;
	case D_NODE_FRAME:
		dph_d_check_frame(c, node);
		break;
	}
}
