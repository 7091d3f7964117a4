/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions that the host decides: only(e) of D. */
#include "format.h"

#include <string.h>

static const char *text_of(const struct dp_value *value)
{
	return value->text ? value->text : "";
}

static bool is_text(const struct dp_value *value)
{
	return value->form == DP_VALUE_STRING || value->form == DP_VALUE_CHARACTERS;
}

static bool is_negative(const struct dp_value *value)
{
	return value->form == DP_VALUE_SIGNED && (int64_t)value->number < 0;
}

/* As numbers: -1 is below each number without a sign. */
static int compare_numbers(const struct dp_value *a, const struct dp_value *b)
{
	if (is_negative(a) != is_negative(b))
		return is_negative(a) ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare(const struct dp_value *a, const struct dp_value *b)
{
	if (is_text(a) || is_text(b))
		return strcmp(text_of(a), text_of(b));
	return compare_numbers(a, b);
}

static bool is_true(const struct dph_action *action)
{
	const struct dp_value *const *values = action->values;
	const char *op = action->text;
	if (!*op || action->count < 2)
		return is_text(values[0]) ? *text_of(values[0]) != 0 : values[0]->number != 0;
	const int order = compare(values[0], values[1]);
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
	recorded->left_out = !recorded->actions;
	return true;
}

void dph_format_only(struct dph_recorded *recorded)
{
	while (decide(recorded))
		;
}
