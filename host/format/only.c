/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions that the host decides: only(e) of D. */
#include "compute.h"
#include "format.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct dp_value *value)
{
	return value->text ? value->text : "";
}

static bool is_text(const struct dp_value *value)
{
	return value->form == DP_VALUE_STRING || value->form == DP_VALUE_CHARACTERS ||
	       value->form == DP_VALUE_SYMBOL;
}

static int compare_signed(uint64_t a, uint64_t b)
{
	return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
}

/* type: "4", or "8u" without a sign. */
static int compare_numbers(const struct dp_value *a, const struct dp_value *b, const char *type)
{
	char *end;
	const unsigned long bytes = strtoul(type, &end, 10);
	const bool is_signed = *end != 'u';
	const uint64_t one = dph_format_narrow(a->number, bytes, is_signed);
	const uint64_t other = dph_format_narrow(b->number, bytes, is_signed);
	return is_signed ? compare_signed(one, other) : (one > other) - (one < other);
}

static int compare(const struct dp_value *a, const struct dp_value *b, const char *op)
{
	const char *type = strchr(op, ' ');
	return type ? compare_numbers(a, b, type + 1) : strcmp(text_of(a), text_of(b));
}

static bool is_true(const struct dph_action *action)
{
	const struct dp_value *const *values = action->values;
	const char *op = action->text;
	if (!*op || action->count < 2)
		return is_text(values[0]) ? *text_of(values[0]) != 0 : values[0]->number != 0;
	const int order = compare(values[0], values[1], op);
	if (op[0] == '=')
		return order == 0;
	if (op[0] == '!')
		return order != 0;
	if (order == 0)
		return op[1] == '=';
	return (op[0] == '<') == (order < 0);
}

static void leave_out_clause(struct dph_recorded *recorded, size_t clause)
{
	struct dph_action **at = &recorded->actions;
	while (*at)
		if (!(*at)->fault && (*at)->clause == clause)
			*at = (*at)->next;
		else
			at = &(*at)->next;
}

/* Decide the first condition. Returns false: there is none. */
static bool decide(struct dph_recorded *recorded)
{
	struct dph_action **at = &recorded->actions;
	while (*at && ((*at)->fault || (*at)->kind != DPH_ACTION_ONLY))
		at = &(*at)->next;
	struct dph_action *only = *at;
	if (!only)
		return false;
	*at = only->next;
	if (only->count && is_true(only))
		return true;
	leave_out_clause(recorded, only->clause);
	recorded->clauses--;
	recorded->left_out = !recorded->clauses && !recorded->actions; /* a fault is an action */
	return true;
}

void dph_format_only(struct dph_recorded *recorded)
{
	while (decide(recorded))
		;
}
