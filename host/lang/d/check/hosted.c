/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of the host, and deferred arithmetic. */
#include "hosted.h"

#include "format/compute.h"

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
	if (dph_d_is_text(node) ||
	    (dph_d_type_pointed(&node->is.type) && dph_d_is_string(c->d, node)) ||
	    (may_go_on && node->is.constant && !node->is.number))
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
		node->is.home = D_HOME_VALUE;
		return true;
	}
	if (node->is.type.kind == D_TYPE_INTEGER)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, node->place, "'%s' takes a character here: 'a', \"a\", 97",
		    name);
	return false;
}

static bool check_number(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	if (node->is.type.kind == D_TYPE_INTEGER)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, node->place, "'%s' takes a number here; this is %s", name,
		    dph_d_is_text(node) ? "a string" : dph_d_type_text(c->d, &node->is.type));
	return false;
}

static bool check_memory(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	if (node->is.home != D_HOME_HOST && !dph_d_is_text(node) &&
	    dph_d_type_pointed(&node->is.type))
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
	if (!family->is.constant ||
	    (family->is.number != AF_INET && family->is.number != AF_INET6)) {
		dph_d_error(c->d, D_PROTO_ARG, family->place,
			    "the family is AF_INET or AF_INET6, a constant");
		return false;
	}
	node->text = family->is.number == AF_INET ? "inet_ntoa" : "inet_ntoa6";
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
		node->is.type = (struct d_type){.kind = D_TYPE_STRING};
	else
		node->is.type = function == DPH_FUNCTION_strtoll ? dph_d_type_integer(c->d, 8, true)
								 : dph_d_type_int(c->d);
	node->is.home = D_HOME_HOST;
	node->is.function = function;
}
