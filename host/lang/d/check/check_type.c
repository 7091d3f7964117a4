/* SPDX-License-Identifier: BSD-2-Clause */
/* Operators with a type as operand: casts, sizeof, offsetof. */
#define _GNU_SOURCE
#include "check.h"
#include "near.h"

#include <string.h>

static void refuse_cast(const struct dph_d_check *c, const struct d_node *node,
			const struct d_type *type)
{
	struct d_type copy = *type;
	dph_d_error(c->d, D_CAST_INVAL, node->place, "%s cannot become %s",
		    dph_d_type_text(c->d, &node->a->is.type), dph_d_type_text(c->d, &copy));
}

/* A text stands in the place of the node. */
static void check_text(const struct dph_d_check *c, struct d_node *node, const struct d_type *type)
{
	struct d_node *next = node->next;
	dph_d_check(c, node->a);
	dph_d_set_wrong(node);
	if (dph_d_wrong(node->a))
		return;
	if (node->a->is.type.kind != D_TYPE_STRING && dph_d_is_string(c->d, node->a)) {
		node->a = dph_d_text_at(c->d, node->a);
		dph_d_check(c, node->a);
	}
	if (node->a->is.type.kind != D_TYPE_STRING) {
		refuse_cast(c, node, type);
		return;
	}
	*node = *node->a;
	node->next = next;
}

void dph_d_check_cast(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_type type = dph_d_type_named(c->d, node->type_name, c->point->address);
	if (type.kind == D_TYPE_STRING) {
		check_text(c, node, &type);
		return;
	}
	const bool good = dph_d_check_value(c, node->a);
	dph_d_set_wrong(node);
	if (!good || type.kind == D_TYPE_NONE)
		return;
	if ((type.kind != D_TYPE_INTEGER && type.kind != D_TYPE_POINTER) ||
	    !dph_d_type_scalar(&node->a->is.type)) {
		refuse_cast(c, node, &type);
		return;
	}
	dph_d_set_value(node, type);
	dph_d_check_widening(c, node->a, &type);
	if (node->a->is.constant)
		dph_d_set_fixed(node, type, node->a->is.number);
}

/* The node names an array of the program with a bound. Null: another node. */
static const struct d_variable *bounded(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_variable *variable = dph_d_variable_named(c->d, node);
	return variable && variable->bound ? variable : NULL;
}

void dph_d_check_sizeof(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_variable *array = node->a ? bounded(c, node->a) : NULL;
	struct d_type type;
	uint64_t bytes;
	dph_d_set_wrong(node);
	if (array) {
		type = array->type;
	} else if (node->a) {
		dph_d_check(c, node->a);
		type = node->a->is.type;
	} else {
		type = dph_d_type_named(c->d, node->type_name, c->point->address);
	}
	if (type.kind == D_TYPE_NONE)
		return;
	if (node->a && node->a->is.member.bits) {
		dph_d_error(c->d, D_SIZEOF_BITFIELD, node->place, "a bit-field has no size");
		return;
	}
	const unsigned word = c->d->program->target.word_bytes;
	const struct d_node *text = node->a && node->a->kind == D_NODE_STRING ? node->a : NULL;
	if (text) {
		bytes = strlen(text->text) + 1;
	} else if (!dph_d_type_bytes(c->d, &type, &bytes)) {
		const char *why = dph_d_type_refused(c->d, &type);
		dph_d_error(c->d, D_SIZEOF_TYPE, node->place, "%s has no size%s%s",
			    dph_d_type_text(c->d, &type), why ? "; " : "", why ? why : "");
		return;
	}
	if (word == 4 && bytes > UINT32_MAX) {
		dph_d_error(c->d, D_SIZEOF_TYPE, node->place,
			    "%s has more bytes than the target has addresses",
			    dph_d_type_text(c->d, &type));
		return;
	}
	dph_d_set_fixed(node, dph_d_type_integer(c->d, word, false),
			array ? bytes * array->bound : bytes);
}

void dph_d_check_offsetof(const struct dph_d_check *c, struct d_node *node)
{
	struct d_type type = dph_d_type_named(c->d, node->type_name, c->point->address);
	struct dph_member member = {0};
	uint64_t offset;
	dph_d_set_wrong(node);
	if (type.kind == D_TYPE_NONE)
		return;
	if (type.kind != D_TYPE_STRUCT || !type.firmware) {
		dph_d_error(c->d, D_OFFSETOF_TYPE, node->place,
			    "offsetof needs a struct or union; this is %s",
			    dph_d_type_text(c->d, &type));
		return;
	}
	if (!dph_type_offset(dph_type_plain(type.firmware), node->text, &offset)) {
		const char *near = dph_d_near_member(dph_type_plain(type.firmware), node->text);
		const bool bits =
			dph_type_member(dph_type_plain(type.firmware), node->text, &member) &&
			member.bits;
		dph_d_error(c->d, bits ? D_OFFSETOF_BITFIELD : D_UNKNOWN, node->place,
			    bits ? "%s: '%s' is a bit-field, which has no offset%s"
				 : "%s has no member '%s'%s",
			    dph_d_type_text(c->d, &type), node->text,
			    dph_d_meant_text(c, bits ? NULL : near));
		return;
	}
	dph_d_set_fixed(node, dph_d_type_integer(c->d, c->d->program->target.word_bytes, false),
			offset);
}
