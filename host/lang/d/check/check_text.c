/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of the firmware in expressions: stringof and the functions that search. */
#define _GNU_SOURCE
#include "hosted.h"

#include <string.h>

/* The size of copyinstr is of use where the string is recorded. */
static bool check_size(const struct dph_d_check *c, struct d_node *bytes)
{
	dph_d_check(c, bytes);
	if (dph_d_wrong(bytes))
		return false;
	if (bytes->is.constant && bytes->is.number >= c->d->key_size)
		return true;
	dph_d_error(c->d, D_PROTO_ARG, bytes->place,
		    "a string that is computed with has keysize bytes, %u; a smaller size can only "
		    "be recorded",
		    c->d->key_size);
	return false;
}

struct d_node *dph_d_text_at(const struct d_front *d, struct d_node *node)
{
	struct d_node *made = dph_pool_take(d->pool, sizeof(*made));
	*made = (struct d_node){.kind = D_NODE_CALL,
				.place = node->place,
				.text = "stringof",
				.list = node,
				.is.home = D_HOME_TEXT,
				.is.type = {.kind = D_TYPE_STRING}};
	return made;
}

/* A cast to char * around the integer. */
static struct d_node *address_node(const struct dph_d_check *c, struct d_node *number)
{
	struct d_node *made = dph_pool_take(c->d->pool, sizeof(*made));
	struct d_type_name *name = dph_pool_take(c->d->pool, sizeof(*name));
	*name = (struct d_type_name){.place = number->place, .name = "char", .stars = 1};
	*made = (struct d_node){.kind = D_NODE_CAST,
				.place = number->place,
				.type_name = name,
				.a = number,
				.next = number->next};
	dph_d_check(c, made);
	return made;
}

struct d_node *dph_d_text_operand(const struct dph_d_check *c, struct d_node *node)
{
	if (dph_d_is_text(node) || dph_d_type_pointed(&node->is.type))
		return node;
	const bool number = node->is.type.kind == D_TYPE_INTEGER;
	if (number && dph_d_checked_value(c, node) && dph_d_check_fits_word(c, node))
		return address_node(c, node);
	if (!number)
		dph_d_error(c->d, D_STRINGOF_TYPE, node->place,
			    "%s is no string; stringof takes a pointer or an address",
			    dph_d_type_text(c->d, &node->is.type));
	return NULL;
}

/* stringof(e) is a text where the address points, or the text itself. */
void dph_d_check_stringof(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->list;
	dph_d_check(c, of);
	dph_d_set_wrong(node);
	if (dph_d_wrong(of) || (of->next && !check_size(c, of->next)))
		return;
	of = dph_d_text_operand(c, of);
	if (!of)
		return;
	node->list = of;
	node->is.type = (struct d_type){.kind = D_TYPE_STRING};
	node->is.home = dph_d_is_text(of) ? D_HOME_VALUE : D_HOME_TEXT;
	if (of->is.home != D_HOME_FIELD)
		return;
	node->is.home = D_HOME_FIELD;
	node->is.form = of->is.form;
	node->is.part = of->is.part;
	node->is.text = of->is.text;
}

/* The string of the firmware that is searched: a pointer to characters, or stringof(p). */
static bool is_searched(const struct dph_d_check *c, const struct d_node *of)
{
	return of->is.home == D_HOME_TEXT ||
	       (dph_d_type_pointed(&of->is.type) && dph_d_is_string(c->d, of) &&
		of->is.home != D_HOME_FIELD && of->is.home != D_HOME_HOST);
}

/* The target looks for a constant number, or a constant string of one character. */
static bool is_character(const struct dph_d_check *c, struct d_node *what)
{
	if (what->kind == D_NODE_STRING && what->bytes == 1) {
		dph_d_set_constant(c->d, what, (uint8_t)what->text[0], false);
		return true;
	}
	return what->is.constant;
}

/* The target or the host searches. */
void dph_d_check_search(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->list, *what = of->next;
	dph_d_set_wrong(node);
	dph_d_check(c, of);
	if (what)
		dph_d_check(c, what);
	if (dph_d_wrong(of) || (what && dph_d_wrong(what)))
		return;
	if (!is_searched(c, of) || (what && (!is_character(c, what) || what->next))) {
		dph_d_check_hosted(c, node);
	} else if (strcmp(node->text, "strchr") == 0) {
		node->is.type = (struct d_type){.kind = D_TYPE_STRING};
		node->is.home = D_HOME_TEXT;
	} else {
		dph_d_set_value(node, dph_d_type_int(c->d));
	}
}
