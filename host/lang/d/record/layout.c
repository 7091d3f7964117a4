/* SPDX-License-Identifier: BSD-2-Clause */
/* Layouts of records in the formats: equal layouts are stored once. */
#include "record.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_field(const struct dph_format_field *a, const struct dph_format_field *b)
{
	return a->form == b->form && a->type == b->type && a->bytes == b->bytes &&
	       a->is_signed == b->is_signed && a->place == b->place &&
	       same_text(a->text, b->text) && a->function == b->function &&
	       a->operand_count == b->operand_count &&
	       memcmp(a->operands, b->operands, sizeof(a->operands)) == 0;
}

static bool same_action(const struct dph_format_action *a, const struct dph_format_action *b)
{
	bool same = a->kind == b->kind && a->field_count == b->field_count &&
		    same_text(a->text, b->text);
	for (size_t i = 0; same && i < a->field_count; i++)
		same = a->fields[i] == b->fields[i];
	return same;
}

static bool same_clause(const struct dph_format_clause *a, const struct dph_format_clause *b)
{
	bool same = a->field_count == b->field_count && a->action_count == b->action_count;
	for (size_t i = 0; same && i < a->field_count; i++)
		same = same_field(&a->fields[i], &b->fields[i]);
	for (size_t i = 0; same && i < a->action_count; i++)
		same = same_action(&a->actions[i], &b->actions[i]);
	return same;
}

static bool same_layout(const struct dph_format_layout *a, const struct dph_format_layout *b)
{
	bool same = a->tagged == b->tagged && a->guarded == b->guarded &&
		    a->clause_count == b->clause_count;
	for (size_t i = 0; same && i < a->clause_count; i++)
		same = same_clause(&a->clauses[i], &b->clauses[i]);
	return same;
}

uint32_t dph_d_layout(struct d_front *d, const struct dph_format_layout *layout)
{
	struct d_format_table *f = d->formats;
	for (size_t i = 0; i < f->layout_count; i++)
		if (same_layout(&f->layouts[i], layout))
			return (uint32_t)i;
	f->layouts =
		dph_grow(f->layouts, &f->layout_capacity, f->layout_count, sizeof(*f->layouts));
	f->layouts[f->layout_count] = *layout;
	return (uint32_t)f->layout_count++;
}
