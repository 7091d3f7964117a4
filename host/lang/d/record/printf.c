/* SPDX-License-Identifier: BSD-2-Clause */
/* printf: each conversion of the format takes an argument of its kind. */
#include "record.h"

#include "format/conversion.h"

#include <string.h>

enum {
	FIELDS_MAX = 1024 /* of a printf: a stack has many */
};

struct printing {
	struct d_record *record;
	const struct d_node *format;
	struct d_node *next; /* the next argument; null: none */
	uint32_t fields[FIELDS_MAX];
	size_t count;
	bool failed;
};

static struct d_front *front(const struct printing *p)
{
	return p->record->check->d;
}

static const char *written(const struct printing *p, const struct dph_conversion *c)
{
	return dph_pool_copy(front(p)->pool, c->start, c->length);
}

static struct d_node *take(struct printing *p)
{
	struct d_node *node = p->next;
	p->next = node->next;
	return node;
}

static void keep(struct printing *p, uint32_t field)
{
	if (p->count < FIELDS_MAX)
		p->fields[p->count++] = field;
}

/* A width or precision that is an argument. */
static void take_star(struct printing *p, const struct dph_conversion *c)
{
	const struct dph_d_check *check = p->record->check;
	if (!p->next) {
		dph_d_error(front(p), D_PRINTF_DYN_PROTO, p->format->place,
			    "'%s' needs an argument for '*'", written(p, c));
		p->failed = true;
		return;
	}
	struct d_node *node = take(p);
	dph_d_check(check, node);
	if (dph_d_wrong(node)) {
		p->failed = true;
	} else if (node->is.type.kind != D_TYPE_INTEGER || node->is.home == D_HOME_FIELD) {
		dph_d_error(front(p), D_PRINTF_DYN_TYPE, node->place,
			    "a width or precision is an integer; this is %s",
			    dph_d_type_text(front(p), &node->is.type));
		p->failed = true;
	} else {
		keep(p, dph_d_record_value(p->record, node));
	}
}

static void wrong_type(struct printing *p, const struct dph_conversion *c, struct d_node *node,
		       const char *wanted)
{
	p->failed = true;
	if (node->kind == D_NODE_AGGREGATION || !dph_d_wrong(node))
		dph_d_error(front(p), D_PRINTF_ARG_TYPE, node->place, "'%s' prints %s; this is %s",
			    written(p, c), wanted,
			    node->is.type.kind == D_TYPE_STRING
				    ? "a string"
				    : dph_d_type_text(front(p), &node->is.type));
}

static bool is_enum_or_bool(const struct d_type *type)
{
	const struct dph_type *plain = type->firmware ? dph_type_plain(type->firmware) : NULL;
	return type->is_bool || (plain && plain->kind == DPH_TYPE_ENUM);
}

/* null: an error that is said */
static void keep_text(struct printing *p, struct d_node *node, uint64_t most)
{
	if (node)
		keep(p, dph_d_record_string(p->record, node, most));
	else
		p->failed = true;
}

static void take_text(struct printing *p, const struct dph_conversion *c, struct d_node *node)
{
	const struct dph_d_check *check = p->record->check;
	bool string = false;
	uint64_t most = check->d->string_bytes;
	struct d_node *inner = dph_d_wrapped(node, &string);
	const enum dph_format_type_kind kind = dph_d_address_kind(node);
	dph_d_check(check, inner ? inner : node);
	if (inner)
		node = inner;
	if (dph_d_wrong(node) ||
	    (inner && string && !dph_d_string_bytes(p->record, inner->next, &most))) {
		p->failed = true;
		return;
	}
	if (inner && !string)
		keep(p, dph_d_record_address(p->record, node, kind));
	else if (is_enum_or_bool(&node->is.type))
		keep(p, dph_d_record_value(p->record, node));
	else if (string)
		keep_text(p, dph_d_text_operand(check, node), most);
	else if (dph_d_is_string(check->d, node))
		keep_text(p, node, most);
	else
		wrong_type(p, c, node, "a string, an enum or a bool");
}

static void take_number(struct printing *p, const struct dph_conversion *c, struct d_node *node,
			bool address)
{
	const struct dph_d_check *check = p->record->check;
	dph_d_check(check, node);
	const bool of_record = node->is.home == D_HOME_FIELD;
	const bool scalar = dph_d_type_scalar(&node->is.type);
	if (dph_d_wrong(node))
		p->failed = true;
	else if (!scalar || (address && of_record))
		wrong_type(p, c, node, address ? "an address" : "a number or pointer");
	else if (address)
		keep(p, dph_d_record_address(p->record, node, DPH_FORMAT_FUNCTION));
	else if (node->is.type.kind == D_TYPE_ARRAY || node->is.type.kind == D_TYPE_FUNCTION)
		keep(p, dph_d_record_address(p->record, node, DPH_FORMAT_FUNCTION));
	else
		keep(p, dph_d_record_value(p->record, node));
}

static void take_float(struct printing *p, const struct dph_conversion *c, struct d_node *node)
{
	dph_d_check(p->record->check, node);
	if (dph_d_wrong(node))
		p->failed = true;
	else if (node->is.type.kind != D_TYPE_FLOAT || node->is.type.bytes > 8)
		wrong_type(p, c, node, "a float or double");
	else
		keep(p, dph_d_record_value(p->record, node));
}

/* %k: how many functions to print, how many fields the stack has, and these. */
static void take_stack(struct printing *p, const struct dph_conversion *c)
{
	uint32_t fields[D_STACK_FIELDS_MAX + 2];
	size_t count = 0;
	if (!dph_d_is_stack(p->next))
		dph_d_error(front(p), p->next ? D_PRINTF_ARG_TYPE : D_PRINTF_ARG_PROTO,
			    p->next ? p->next->place : p->format->place,
			    "'%s' prints a call stack; its argument is stack()", written(p, c));
	else
		count = dph_d_record_stack_call(p->record, p->next, false, fields);
	if (!count || p->count + count > FIELDS_MAX) {
		p->failed = true;
		return;
	}
	p->next = p->next->next;
	for (size_t i = 0; i < count; i++)
		keep(p, fields[i]);
}

static void take_argument(struct printing *p, const struct dph_conversion *c)
{
	if (!p->next) {
		dph_d_error(front(p), D_PRINTF_ARG_PROTO, p->format->place,
			    "'%s' has no argument; the format needs one more", written(p, c));
		p->failed = true;
		return;
	}
	struct d_node *node = take(p);
	if (node->kind == D_NODE_AGGREGATION) {
		dph_d_error(front(p), D_PRINTF_ARG_TYPE, node->place,
			    "'%s' takes no aggregation; printa(\"%%@d\", @%s) prints its values",
			    written(p, c), node->text);
		p->failed = true;
		return;
	}
	if (strchr("diuoxXpcCYT", c->kind))
		take_number(p, c, node, false);
	else if (strchr("aA", c->kind))
		take_number(p, c, node, true);
	else if (c->kind == 's' || c->kind == 'S')
		take_text(p, c, node);
	else
		take_float(p, c, node);
}

static void conversion(struct printing *p, const struct dph_conversion *c)
{
	if (c->star_width)
		take_star(p, c);
	if (c->star_precision && !p->failed)
		take_star(p, c);
	if (p->failed || c->kind == '%')
		return;
	if (c->aggregated) {
		dph_d_error(front(p), D_PRINTF_ARG_TYPE, p->format->place,
			    "'%s' prints an aggregation; printa takes it, and printf takes %%%c",
			    written(p, c), c->kind);
		p->failed = true;
	} else if (c->kind == 'k') {
		take_stack(p, c);
	} else if (!strchr("diuoxXpcCYTaAsSeEfFgG", c->kind)) {
		dph_d_error(front(p), D_PRINTF_CONV, p->format->place,
			    "'%s' is no conversion; there are %%d %%u %%x %%o %%p %%c %%s %%a %%k "
			    "%%g %%Y "
			    "%%T",
			    written(p, c));
		p->failed = true;
	} else {
		take_argument(p, c);
	}
}

static bool check_format(struct printing *p, const struct d_node *format)
{
	if (format->kind != D_NODE_STRING)
		dph_d_error(front(p), D_PRINTF_ARG_FMT, format->place,
			    "the format is a string constant");
	else if (!format->bytes)
		dph_d_error(front(p), D_PRINTF_FMT_EMPTY, format->place, "the format is empty");
	else
		return true;
	return false;
}

void dph_d_printf(struct d_record *record, struct d_node *node)
{
	struct printing p = {.record = record, .format = node->list, .next = node->list->next};
	struct dph_conversion c;
	const char *at = node->list->text;
	if (!check_format(&p, node->list))
		return;
	do {
		if (!dph_conversion_next(&at, &c)) {
			dph_d_error(
				front(&p), D_PRINTF_CONV, node->list->place,
				"the last conversion of the format is cut short; write %%%% for a "
				"percent sign");
			return;
		}
		if (c.kind)
			conversion(&p, &c);
	} while (c.kind && !p.failed);
	if (p.failed)
		return;
	if (p.next) {
		dph_d_error(front(&p), D_PRINTF_ARG_PROTO, p.next->place,
			    "the format has no conversion for this argument");
		return;
	}
	dph_d_record_action(record, DPH_ACTION_PRINTF, node->list->text, p.fields, p.count);
}
