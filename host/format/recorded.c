/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a record becomes actions with their values. */
#define _GNU_SOURCE
#include "conversion.h"
#include "value_reader.h"

#include <stdlib.h>
#include <string.h>

/* --- which values an action prints --------------------------------------------------------- */

/* %k: how many functions to print, how many fields the stack has, and these. */
static bool add_stack(const struct dph_format_clause *clause,
		      const struct dph_format_action *action, size_t *next, struct dph_slot *slot)
{
	const uint32_t *fields = action->fields + *next;
	const size_t left = action->field_count - *next;
	const struct dph_format_field *length = left > 2 ? &clause->fields[fields[1]] : NULL;
	if (!length || length->form != DPH_FIELD_CONSTANT || !length->bytes ||
	    length->bytes > left - 2)
		return false;
	*next += 2 + (size_t)length->bytes;
	*slot = (struct dph_slot){.field = fields[2],
				  .registers = fields + 3,
				  .register_count = (size_t)length->bytes - 1,
				  .most = fields};
	return true;
}

/* A width or precision that is an argument. */
static void add_star(const struct dph_format_action *action, bool star, size_t *next,
		     struct dph_slot *slots, size_t *count)
{
	if (star && *next < action->field_count)
		slots[(*count)++] = (struct dph_slot){.field = action->fields[(*next)++]};
}

static bool add_conversions(const struct dph_format_clause *clause,
			    const struct dph_format_action *action, struct dph_slot *slots,
			    size_t *count)
{
	const char *at = action->text;
	struct dph_conversion c;
	size_t next = 0;
	while (dph_conversion_next(&at, &c)) {
		if (!c.kind)
			return true;
		if (c.kind == '%')
			continue;
		add_star(action, c.star_width, &next, slots, count);
		add_star(action, c.star_precision, &next, slots, count);
		if (next >= action->field_count)
			return false;
		if (c.kind != 'k')
			slots[(*count)++] = (struct dph_slot){.field = action->fields[next++]};
		else if (!add_stack(clause, action, &next, &slots[(*count)++]))
			return false;
	}
	return false;
}

/* The keys of an update, and the value of the function, behind the aggregation. */
static bool add_counted(const struct dph_format_clause *clause,
			const struct dph_format_action *action, struct dph_slot *slots,
			size_t *count)
{
	size_t next = 1;
	if (!action->field_count || clause->fields[action->fields[0]].form != DPH_FIELD_AGGREGATION)
		return false;
	for (const char *at = action->text; *at; at++) {
		if (next >= action->field_count)
			return false;
		if (*at == 'v')
			slots[(*count)++] = (struct dph_slot){.field = action->fields[next++]};
		else if (!add_stack(clause, action, &next, &slots[(*count)++]))
			return false;
	}
	return next == action->field_count;
}

bool dph_action_slots(const struct dph_format_clause *clause,
		      const struct dph_format_action *action, struct dph_slot *slots, size_t *count)
{
	*count = 0;
	if (action->kind == DPH_ACTION_PRINTF)
		return add_conversions(clause, action, slots, count);
	if (action->kind == DPH_ACTION_COUNT)
		return add_counted(clause, action, slots, count);
	if (!action->field_count)
		return false;
	if (action->kind == DPH_ACTION_STACK) {
		slots[(*count)++] = (struct dph_slot){.field = action->fields[0],
						      .registers = action->fields + 1,
						      .register_count = action->field_count - 1};
		return true;
	}
	if (action->kind == DPH_ACTION_PRINT) {
		slots[(*count)++] = (struct dph_slot){.field = action->fields[0]};
		return true;
	}
	for (; *count < action->field_count; (*count)++)
		slots[*count] = (struct dph_slot){.field = action->fields[*count]};
	return true;
}

/* --- actions ------------------------------------------------------------------------------- */

/* The list of actions while it grows. */
struct recording {
	struct dph_value_reader reader;
	struct dph_action **last;
	size_t count;           /* of all values */
	size_t clause, clauses; /* the one that is read; how many were */
};

static struct dph_action *add_action(struct recording *r)
{
	struct dph_action *action = dph_pool_take(r->reader.pool, sizeof(*action));
	*r->last = action;
	r->last = &action->next;
	return action;
}

static const struct dp_value *stack_value(struct dph_value_reader *r, const struct dph_slot *slot,
					  const struct dph_format_action *action)
{
	struct dp_value *stack = dph_pool_take(r->pool, sizeof(*stack));
	struct dp_value *registers =
		dph_pool_take(r->pool, (slot->register_count + 1) * sizeof(*registers));
	const struct dp_value *memory = &r->values[slot->field];
	for (size_t i = 0; i < slot->register_count; i++)
		registers[i] = r->values[slot->registers[i]];
	*stack = (struct dp_value){
		.form = DP_VALUE_STACK,
		.number = slot->most ? r->values[*slot->most].number
				     : strtoul(action->text, NULL, 10),
		.bytes = memory->bytes,
		.count = memory->count,
		.members = registers,
		.member_count = slot->register_count,
		.field = memory->field,
	};
	return stack;
}

/* The first fields are aggregations; one of the others is a number. */
static const struct dph_format_act *act_of(struct dph_value_reader *r,
					   const struct dph_format_action *action)
{
	struct dph_format_act *act = dph_pool_take(r->pool, sizeof(*act));
	act->kind = action->kind;
	act->text = action->text;
	for (size_t i = 0; i < action->field_count; i++) {
		const struct dph_format_field *field = &r->clause->fields[action->fields[i]];
		if (field->form != DPH_FIELD_AGGREGATION)
			act->number = (int64_t)r->values[action->fields[i]].number;
		else if (act->count < DPH_ACT_AGGREGATIONS)
			act->aggregations[act->count++] = (uint32_t)field->bytes;
	}
	return act;
}

static void read_values(struct recording *recording, struct dph_action *action,
			const struct dph_format_action *from)
{
	struct dph_value_reader *r = &recording->reader;
	struct dph_slot *slots = dph_pool_take(r->pool, (from->field_count + 1) * sizeof(*slots));
	const struct dp_value **values =
		dph_pool_take(r->pool, (from->field_count + 1) * sizeof(void *));
	r->bad = !dph_action_slots(r->clause, from, slots, &action->count);
	if (from->kind == DPH_ACTION_PRINT && !r->bad)
		dph_point_out(r, from);
	for (size_t i = 0; i < action->count && !r->bad; i++)
		values[i] = slots[i].registers ? stack_value(r, &slots[i], from)
					       : &r->values[slots[i].field];
	action->values = values;
	if (from->kind != DPH_ACTION_COUNT)
		recording->count += action->count;
	else if (!r->bad)
		action->aggregation = (uint32_t)r->clause->fields[from->fields[0]].bytes;
}

static void read_action(struct recording *recording, const struct dph_format_action *from)
{
	struct dph_action *action = add_action(recording);
	action->kind = from->kind;
	action->text = from->text;
	action->clause = recording->clause;
	if (dph_acts_on_aggregations(from->kind))
		action->act = act_of(&recording->reader, from);
	else
		read_values(recording, action, from);
}

static void read_clause(struct recording *recording, const struct dph_format_layout *layout,
			size_t number)
{
	struct dph_value_reader *r = &recording->reader;
	r->clause = &layout->clauses[number];
	recording->clause = number;
	recording->clauses++;
	r->first_field = 0;
	for (size_t i = 0; i < number; i++)
		r->first_field += (unsigned)layout->clauses[i].field_count;
	r->values = dph_pool_take(r->pool, (r->clause->field_count + 1) * sizeof(*r->values));
	dph_format_take(r);
	for (size_t i = 0; i < r->clause->action_count && !r->bad; i++)
		read_action(recording, &r->clause->actions[i]);
	free(r->tokens.text);
	r->tokens = (struct dph_tokens){0};
}

/* --- records ------------------------------------------------------------------------------- */

/* One word of the record itself. */
static uint64_t take_word(struct dph_value_reader *r)
{
	const size_t bytes = r->record->word_bytes;
	if ((size_t)(r->end - r->at) < bytes) {
		r->bad = true;
		return 0;
	}
	const uint64_t word = dph_format_number(r->record, r->at, bytes);
	r->at += bytes;
	return word;
}

static void read_fault(struct recording *recording)
{
	struct dph_value_reader *r = &recording->reader;
	struct dph_format_fault *fault = dph_pool_take(r->pool, sizeof(*fault));
	if (r->bad)
		return;
	fault->place = take_word(r);
	fault->exception = take_word(r);
	fault->parameter = take_word(r);
	add_action(recording)->fault = fault;
}

/* The data of a clause behind its number, or of a fault behind all ones. */
static void read_tagged(struct recording *recording, const struct dph_format_layout *layout)
{
	struct dph_value_reader *r = &recording->reader;
	const uint64_t tag = take_word(r);
	if (r->bad)
		return;
	if (tag == dph_format_narrow(UINT64_MAX, r->record->word_bytes, false))
		read_fault(recording);
	else if (tag < layout->clause_count)
		read_clause(recording, layout, (size_t)tag);
	else
		r->bad = true;
}

static void read_record(struct recording *recording, const struct dph_format_layout *layout)
{
	struct dph_value_reader *r = &recording->reader;
	if (r->record->exception) {
		r->bad = !layout->guarded;
		read_fault(recording);
	} else if (layout->tagged) {
		do
			read_tagged(recording, layout);
		while (!r->bad && r->at < r->end);
	} else if (layout->clause_count) {
		read_clause(recording, layout, 0);
	}
	r->bad = r->bad || r->at != r->end;
}

static void list_values(struct recording *recording, struct dph_recorded *recorded)
{
	const struct dp_value **list =
		dph_pool_take(recording->reader.pool, (recording->count + 1) * sizeof(void *));
	recorded->values = list;
	for (const struct dph_action *a = recorded->actions; a; a = a->next)
		for (size_t i = 0; a->kind != DPH_ACTION_COUNT && i < a->count; i++)
			list[recorded->count++] = a->values[i];
}

static bool is_counted(const struct dph_recorded *recorded)
{
	const struct dph_action *a = recorded->actions;
	while (a && !a->fault && a->kind == DPH_ACTION_COUNT)
		a = a->next;
	return recorded->actions && !a;
}

bool dph_format_read(const struct dph_format_record *record, struct dph_pool *pool,
		     struct dph_recorded *recorded)
{
	const struct dph_formats *formats = record->formats;
	*recorded = (struct dph_recorded){0};
	if (record->point >= formats->point_count)
		return false;
	struct recording recording = {.reader = {.record = record,
						 .point = &formats->points[record->point],
						 .pool = pool,
						 .at = record->data,
						 .end = record->data + record->bytes,
						 .objects = DPH_OBJECTS_MAX},
				      .last = &recorded->actions};
	read_record(&recording, &formats->layouts[recording.reader.point->layout]);
	if (recording.reader.bad)
		return false;
	recorded->clauses = recording.clauses;
	dph_format_only(recorded);
	recorded->counted = is_counted(recorded);
	list_values(&recording, recorded);
	return true;
}
