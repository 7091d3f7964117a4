/* SPDX-License-Identifier: BSD-2-Clause */
/* Actions on aggregations: printa, clear, trunc, normalize, denormalize. The target records that
 * they are due, and the host does them. */
#include "aggregation.h"

#include "format/conversion.h"

#include <string.h>

/* The tags of each action, as DTrace has them. */
static const struct tags {
	enum d_tag argument, unknown, scalar;
} tags[DPH_ACTION_KINDS] = {
	[DPH_ACTION_PRINTA] = {D_PRINTA_AGGARG, D_PRINTA_AGGBAD, D_PRINTA_AGGARG},
	[DPH_ACTION_CLEAR] = {D_CLEAR_AGGARG, D_CLEAR_AGGBAD, D_CLEAR_AGGARG},
	[DPH_ACTION_TRUNC] = {D_TRUNC_AGGARG, D_TRUNC_AGGBAD, D_TRUNC_SCALAR},
	[DPH_ACTION_NORMALIZE] = {D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD, D_NORMALIZE_SCALAR},
	[DPH_ACTION_DENORMALIZE] = {D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD, D_NORMALIZE_SCALAR},
};

/* The action in the making. */
struct acting {
	struct d_record *record;
	const struct tags *tags;
	uint32_t fields[DPH_ACT_AGGREGATIONS + 1];
	size_t count;
	const struct dph_format_aggregation *first;
};

static struct d_front *front(const struct acting *a)
{
	return a->record->check->d;
}

/* Numbers of all types are like one another. */
static enum dph_format_type_kind kind_of(const struct d_format_table *formats,
					 const struct dph_format_field *key)
{
	if (key->type == DPH_FORMAT_NO_TYPE)
		return DPH_FORMAT_INTEGER;
	const enum dph_format_type_kind kind = formats->types[key->type].kind;
	return kind == DPH_FORMAT_CHAR || kind == DPH_FORMAT_BOOL ? DPH_FORMAT_INTEGER : kind;
}

/* Can one key be equal to another, and do both print alike? */
static bool is_like(const struct acting *a, const struct dph_format_field *key,
		    const struct dph_format_field *other)
{
	const unsigned word = front(a)->program->target.word_bytes;
	return key->form == other->form &&
	       dph_format_key_words(key, word) == dph_format_key_words(other, word) &&
	       kind_of(front(a)->formats, key) == kind_of(front(a)->formats, other);
}

/* printa joins the keys of all aggregations. Returns false: the error is said. */
static bool are_like(const struct acting *a, const struct d_node *node,
		     const struct dph_format_aggregation *other)
{
	const struct dph_format_aggregation *first = a->first;
	if (other->key_count != first->key_count) {
		dph_d_error(front(a), D_PRINTA_AGGKEY, node->place,
			    "@%s has %zu key(s), and @%s has %zu; printa prints aggregations of "
			    "equal keys together",
			    node->text, other->key_count, first->name, first->key_count);
		return false;
	}
	for (size_t i = 0; i < first->key_count; i++)
		if (!is_like(a, &first->keys[i], &other->keys[i])) {
			dph_d_error(front(a), D_PRINTA_AGGKEY, node->place,
				    "key %zu of @%s is of another kind than that of @%s; printa "
				    "prints aggregations of equal keys together",
				    i + 1, node->text, first->name);
			return false;
		}
	if (dph_d_key_functions_agree(first, other))
		return true;
	dph_d_error(front(a), D_PRINTA_AGGKEY, node->place,
		    "the host applies other functions to the keys of @%s than to those of @%s",
		    node->text, first->name);
	return false;
}

/* @name, without keys. */
static bool take_aggregation(struct acting *a, const struct d_node *node)
{
	const struct d_format_table *formats = front(a)->formats;
	uint32_t index;
	if (node->kind != D_NODE_AGGREGATION || node->list) {
		dph_d_error(front(a), a->tags->argument, node->place,
			    "this is not an aggregation; write its name without keys: @name");
		return false;
	}
	if (!dph_d_aggregation_named(front(a), node->text, &index)) {
		dph_d_error(front(a), a->tags->unknown, node->place,
			    "no clause before this one updates @%s", node->text);
		return false;
	}
	if (a->count == DPH_ACT_AGGREGATIONS) {
		dph_d_error(front(a), D_HERE_LIMIT, node->place,
			    "an action takes at most %d aggregations", DPH_ACT_AGGREGATIONS);
		return false;
	}
	if (!a->first)
		a->first = &formats->aggregations[index];
	if (!are_like(a, node, &formats->aggregations[index]))
		return false;
	a->fields[a->count++] = dph_d_record_aggregation(a->record, index);
	return true;
}

/* --- printa -------------------------------------------------------------------------------- */

static bool check_conversion(const struct acting *a, const struct d_node *format,
			     const struct dph_conversion *c, size_t *values, size_t *keys)
{
	const char *known = c->aggregated ? "diuoxX" : "diuoxXcspaAk";
	const char *written = dph_pool_copy(front(a)->pool, c->start, c->length);
	if (c->kind == '%')
		return true;
	if (c->star_width || c->star_precision || !strchr(known, c->kind)) {
		dph_d_error(front(a), D_PRINTF_CONV, format->place,
			    "'%s' is no conversion of printa; there are %%@d for values, and %%d "
			    "%%u %%x %%o %%p %%c %%s %%a %%k for keys",
			    written);
		return false;
	}
	if (c->aggregated ? ++*values > a->count : ++*keys > a->first->key_count) {
		dph_d_error(front(a), D_PRINTF_ARG_PROTO, format->place,
			    "'%s' has no %s; there are %zu aggregation(s) with %zu key(s)", written,
			    c->aggregated ? "aggregation" : "key", a->count, a->first->key_count);
		return false;
	}
	if (c->kind == 'k' && a->first->keys[*keys - 1].form != DPH_FIELD_STACK) {
		dph_d_error(front(a), D_PRINTF_ARG_TYPE, format->place,
			    "'%s' prints a call stack, and key %zu is none", written, *keys);
		return false;
	}
	return true;
}

static bool check_format(const struct acting *a, const struct d_node *format)
{
	const char *at = format->text;
	size_t values = 0, keys = 0;
	struct dph_conversion c;
	if (!format->bytes) {
		dph_d_error(front(a), D_PRINTF_FMT_EMPTY, format->place, "the format is empty");
		return false;
	}
	do {
		if (!dph_conversion_next(&at, &c)) {
			dph_d_error(front(a), D_PRINTF_CONV, format->place,
				    "the last conversion of the format is cut short; write %%%% "
				    "for a percent sign");
			return false;
		}
		if (c.kind && !check_conversion(a, format, &c, &values, &keys))
			return false;
	} while (c.kind);
	return true;
}

/* --- all ----------------------------------------------------------------------------------- */

/* The number of trunc and normalize. */
static bool take_number(struct acting *a, struct d_node *node, enum dph_format_action_kind kind)
{
	const struct dph_d_check *c = a->record->check;
	if (!dph_d_check_scalar(c, node, a->tags->scalar, "the number"))
		return false;
	if (kind == DPH_ACTION_NORMALIZE && node->is.constant && !node->is.number) {
		dph_d_error(c->d, a->tags->scalar, node->place, "the factor is 0");
		return false;
	}
	a->fields[a->count++] = dph_d_record_value(a->record, node);
	return true;
}

void dph_d_act(struct d_record *record, struct d_node *node, enum dph_format_action_kind kind)
{
	struct acting a = {.record = record, .tags = &tags[kind]};
	struct d_node *argument = node->list;
	const struct d_node *format = NULL;
	if (kind == DPH_ACTION_PRINTA && argument->kind == D_NODE_STRING) {
		format = argument;
		argument = argument->next;
	}
	if (!argument) {
		dph_d_error(front(&a), a.tags->argument, node->place,
			    "'%s' needs an aggregation: @name", node->text);
		return;
	}
	do {
		if (!take_aggregation(&a, argument))
			return;
		argument = argument->next;
	} while (argument && kind == DPH_ACTION_PRINTA);
	if (format && !check_format(&a, format))
		return;
	if (argument && !take_number(&a, argument, kind))
		return;
	dph_d_record_action(record, kind, format ? format->text : "", a.fields, a.count);
}
