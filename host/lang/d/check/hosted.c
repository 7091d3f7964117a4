/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of the host, and deferred arithmetic. */
#include "hosted.h"

#include "format/compute.h"
#include "lang/d/code/long.h"
#include "lang/d/code/text.h"

#include <string.h>

static const char *const names[DPH_FUNCTIONS] = {
#define FUNCTION(name, result, arguments) #name,
#include "format/functions.def"
};

enum {
#define CONSTANT(name, value, text) name = value,
#include "constants.def"
};

/* --- checks -------------------------------------------------------------------------------- */

static bool check_text(const struct dph_d_check *c, struct d_node *node, const char *name,
		       bool may_go_on)
{
	if (dph_d_is_text(node) || (dph_d_type_pointed(&node->type) && dph_d_is_string(c, node)) ||
	    (may_go_on && node->constant && !node->number))
		return true;
	dph_d_error(c->d, D_PROTO_ARG, node->place,
		    "'%s' takes a string here: a pointer to characters, stringof(p), or a "
		    "constant%s",
		    name, may_go_on ? "; or 0, for the rest of the string before" : "");
	return false;
}

static bool check_character(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	if (node->kind == D_NODE_STRING && node->bytes == 1) {
		dph_d_set_constant(c->d, node, (uint8_t)node->text[0], false);
		node->home = D_HOME_VALUE;
		return true;
	}
	if (node->type.kind == D_TYPE_INTEGER)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, node->place, "'%s' takes a character here: 'a', \"a\", 97",
		    name);
	return false;
}

static bool check_number(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	if (node->type.kind == D_TYPE_INTEGER)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, node->place, "'%s' takes a number here; this is %s", name,
		    dph_d_is_text(node) ? "a string" : dph_d_type_text(c->d, &node->type));
	return false;
}

static bool check_memory(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	if (node->home != D_HOME_HOST && !dph_d_is_text(node) && dph_d_type_pointed(&node->type))
		return true;
	dph_d_error(c->d, D_PROTO_ARG, node->place, "'%s' takes a pointer to the bytes", name);
	return false;
}

static bool check_operand(const struct dph_d_check *c, struct d_node *node, const char *name,
			  char kind)
{
	dph_d_check(c, node);
	if (dph_d_wrong(node))
		return false;
	switch (kind) {
	case 's':
	case 't':
		return check_text(c, node, name, kind == 't');
	case 'c':
		return check_character(c, node, name);
	case 'n':
		return check_number(c, node, name);
	default:
		return check_memory(c, node, name);
	}
}

static enum dph_function function_named(const char *name)
{
	enum dph_function f = 0;
	while (f < DPH_FUNCTIONS && strcmp(names[f], name) != 0)
		f++;
	return f;
}

/* inet_ntop becomes the function of its family. */
static bool choose_family(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *family = node->list;
	dph_d_check(c, family);
	if (dph_d_wrong(family))
		return false;
	if (!family->constant || (family->number != AF_INET && family->number != AF_INET6)) {
		dph_d_error(c->d, D_PROTO_ARG, family->place,
			    "the family is AF_INET or AF_INET6, a constant");
		return false;
	}
	node->text = family->number == AF_INET ? "inet_ntoa" : "inet_ntoa6";
	node->list = family->next;
	return true;
}

void dph_d_check_hosted(const struct dph_d_check *c, struct d_node *node)
{
	if (strcmp(node->text, "inet_ntop") == 0 && !choose_family(c, node)) {
		dph_d_set_wrong(node);
		return;
	}
	const enum dph_function function = function_named(node->text);
	const char *kind = dph_function_arguments(function);
	bool good = true;
	dph_d_set_wrong(node);
	for (struct d_node *at = node->list; at && *kind; at = at->next) {
		kind += *kind == '|';
		good = check_operand(c, at, node->text, *kind++) && good;
	}
	if (!good)
		return;
	if (dph_function_is_text(function))
		node->type = (struct d_type){.kind = D_TYPE_STRING};
	else
		node->type = function == DPH_FUNCTION_strtoll ? dph_d_type_integer(c->d, 8, true)
							      : dph_d_type_int(c->d);
	node->home = D_HOME_HOST;
	node->function = function;
}

void dph_d_refuse_hosted(const struct dph_d_check *c, const struct d_node *node)
{
	const bool search = strcmp(node->text, "index") == 0 || strcmp(node->text, "strchr") == 0;
	if (node->function == DPH_FUNCTION_walltimestamp) {
		dph_d_error(c->d, D_HOST_ONLY, node->place,
			    "the target has no clock of day, and needs its result here; use "
			    "timestamp, or record walltimestamp with printf() or trace()");
		return;
	}
	dph_d_error(c->d, D_HOST_ONLY, node->place,
		    "'%s' is evaluated by the host, and the target needs its result here; record "
		    "it with printf() or trace()%s",
		    node->text,
		    search ? ". The target looks for one constant character in a string of the "
			     "firmware"
			   : "");
}

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
		return node->b->constant && node->b->number;
	return node->op == D_OP_MUL && dph_d_is_long(&l->check, &node->type) &&
	       (node->a->constant || node->b->constant);
}

static bool is_number(const struct d_node *node)
{
	return node->type.kind == D_TYPE_INTEGER && !node->type.is_bool;
}

bool dph_d_is_hosted(const struct d_lower *l, const struct d_node *node)
{
	if (node->constant)
		return false;
	if (node->home == D_HOME_HOST)
		return true;
	if (node->home != D_HOME_VALUE || !is_number(node))
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
	if (node->constant && !pointer && node->type.kind == D_TYPE_INTEGER)
		return dph_d_record_constant(record, node->number);
	switch (kind) {
	case 's':
	case 't':
		return dph_d_record_string(record, node, record->lower->check.d->string_bytes);
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
					.is_signed = node->type.is_signed,
					.text = dph_d_source_text(record->lower->check.d, node)};
	if (node->home == D_HOME_HOST) {
		made.function = node->function;
		unsigned n = 0;
		for (struct d_node *at = node->list; at && n < DPH_OPERANDS_MAX; at = at->next)
			list[n++] = at;
	} else {
		made.function = node->kind == D_NODE_CAST ? DPH_FUNCTION_convert
							  : operator_function(node->op);
		if (node->kind == D_NODE_CAST)
			list[1] = NULL;
	}
	if (node->type.kind == D_TYPE_INTEGER) {
		made.bytes = node->type.bytes;
		made.type = dph_d_format_type(record->lower->check.d, &node->type);
	}
	const char *kind = dph_function_arguments(made.function);
	for (unsigned i = 0; i < DPH_OPERANDS_MAX && list[i]; i++) {
		kind += *kind == '|';
		made.operands[made.operand_count++] = record_operand(record, list[i], *kind++);
	}
	return dph_d_record_field(record, made);
}
