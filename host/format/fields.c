/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of a point: what its records have, before a record comes. */
#define _GNU_SOURCE
#include "value_reader.h"

#include <string.h>

struct describing {
	const struct dph_formats *formats;
	struct dph_pool *pool;
	unsigned left; /* types that may still be described: a damaged type may be very wide */
	struct dp_field *fields;
	bool *seen; /* of each field of the point */
	size_t count;
};

/* --- types --------------------------------------------------------------------------------- */

static void describe_type(struct describing *d, struct dp_field *field,
			  const struct dph_format_type *type, unsigned depth);

static void describe_members(struct describing *d, struct dp_field *field,
			     const struct dph_format_type *type, unsigned depth)
{
	struct dp_field *members =
		dph_pool_take(d->pool, (type->part_count + 1) * sizeof(*members));
	field->form = DP_VALUE_STRUCT;
	field->members = members;
	field->member_count = type->part_count;
	for (size_t i = 0; i < type->part_count; i++) {
		const struct dph_format_part *part = &type->parts[i];
		const struct dph_format_type *of = dph_type_numbered(d->formats, part->type);
		members[i].name = part->name;
		describe_type(d, &members[i], of, depth + 1);
		if (!part->bits)
			continue;
		members[i].form = dph_number_form(of, of->is_signed);
		members[i].bits = part->bits;
		members[i].size = part->load_bytes;
	}
}

static void describe_elements(struct describing *d, struct dp_field *field,
			      const struct dph_format_type *type, unsigned depth)
{
	const struct dph_format_type *element = dph_type_numbered(d->formats, type->element);
	field->count = type->count;
	if (dph_is_characters(element)) {
		field->form = DP_VALUE_CHARACTERS;
		return;
	}
	struct dp_field *one = dph_pool_take(d->pool, sizeof(*one));
	field->form = DP_VALUE_LIST;
	field->members = one;
	field->member_count = 1;
	describe_type(d, one, element, depth + 1);
}

/* A value of this type in memory. */
static void describe_type(struct describing *d, struct dp_field *field,
			  const struct dph_format_type *type, unsigned depth)
{
	field->type = type->name;
	field->size = (unsigned)type->bytes;
	field->is_signed = type->is_signed;
	if (depth > DPH_FORMAT_DEPTH_MAX || !d->left) {
		field->form = DP_VALUE_OMITTED;
		return;
	}
	d->left--;
	if (type->kind == DPH_FORMAT_STRUCT)
		describe_members(d, field, type, depth);
	else if (type->kind == DPH_FORMAT_ARRAY)
		describe_elements(d, field, type, depth);
	else
		field->form = type->kind == DPH_FORMAT_CHAR
				      ? DP_VALUE_CHARACTER
				      : dph_number_form(type, type->is_signed);
}

/* --- fields -------------------------------------------------------------------------------- */

static enum dp_value_origin origin_of(const struct dph_format_field *field)
{
	switch (field->form) {
	case DPH_FIELD_TEXT:
	case DPH_FIELD_PROBE:
	case DPH_FIELD_NUMBER:
	case DPH_FIELD_CONSTANT:
	case DPH_FIELD_AGGREGATION:
		return DP_VALUE_OF_PROGRAM;
	default:
		return field->form == DPH_FIELD_COMPUTED ? DP_VALUE_OF_HOST : DP_VALUE_OF_TARGET;
	}
}

static bool is_text(const struct dph_format_field *field)
{
	switch (field->form) {
	case DPH_FIELD_STRING:
	case DPH_FIELD_CHARACTERS:
	case DPH_FIELD_TEXT:
	case DPH_FIELD_NUMBER:
		return true;
	case DPH_FIELD_PROBE:
		return field->bytes != DPH_PROBE_ID;
	default:
		return field->form == DPH_FIELD_COMPUTED && dph_function_is_text(field->function);
	}
}

/* A constant and a part of the probe's name have no size in the formats. */
static unsigned size_of(const struct dph_format_field *field)
{
	if (field->form == DPH_FIELD_CONSTANT || field->form == DPH_FIELD_PROBE)
		return is_text(field) ? 0 : sizeof(uint64_t);
	return field->form == DPH_FIELD_TEXT || field->form == DPH_FIELD_NUMBER
		       ? 0
		       : (unsigned)field->bytes;
}

static void describe_field(struct describing *d, struct dp_field *to,
			   const struct dph_format_field *field)
{
	const struct dph_format_type *type = dph_type_numbered(d->formats, field->type);
	const bool bytes = field->form == DPH_FIELD_BYTES || field->form == DPH_FIELD_OBJECT;
	if (bytes && type)
		describe_type(d, to, type, 0);
	else if (bytes)
		to->form = DP_VALUE_HEX;
	else if (is_text(field))
		to->form = DP_VALUE_STRING;
	else if (field->form == DPH_FIELD_AGGREGATION)
		to->form = DP_VALUE_AGGREGATION;
	else
		to->form = dph_number_form(type, field->is_signed);
	to->type = type ? type->name : NULL;
	to->name = field->form != DPH_FIELD_TEXT && *field->text ? field->text : NULL;
	to->origin = origin_of(field);
	to->size = size_of(field);
	if (!bytes)
		to->is_signed = field->is_signed;
}

static void describe_slot(struct describing *d, const struct dph_format_clause *clause,
			  unsigned clause_number, unsigned first, const struct dph_slot *slot)
{
	if (d->seen[first + slot->field])
		return;
	struct dp_field *to = &d->fields[d->count++];
	d->seen[first + slot->field] = true;
	describe_field(d, to, &clause->fields[slot->field]);
	to->number = first + slot->field;
	to->clause = clause_number;
	if (slot->registers) {
		to->form = DP_VALUE_STACK;
		to->name = to->type = NULL;
	}
}

static void describe_clause(struct describing *d, const struct dph_format_clause *clause,
			    unsigned number, unsigned first)
{
	for (size_t i = 0; i < clause->action_count; i++) {
		const struct dph_format_action *action = &clause->actions[i];
		struct dph_slot *slots =
			dph_pool_take(d->pool, (action->field_count + 1) * sizeof(*slots));
		size_t count;
		if (dph_acts_on_aggregations(action->kind) || action->kind == DPH_ACTION_ONLY ||
		    action->kind == DPH_ACTION_COUNT ||
		    !dph_action_slots(clause, action, slots, &count))
			continue;
		for (size_t k = 0; k < count; k++)
			describe_slot(d, clause, number, first, &slots[k]);
	}
}

const struct dp_field *dph_format_fields(const struct dph_formats *formats, unsigned point,
					 struct dph_pool *pool, size_t *count)
{
	struct describing d = {.formats = formats, .pool = pool, .left = DPH_OBJECTS_MAX};
	unsigned first = 0;
	size_t most = 0;
	*count = 0;
	if (point >= formats->point_count)
		return NULL;
	const struct dph_format_layout *layout = &formats->layouts[formats->points[point].layout];
	for (size_t i = 0; i < layout->clause_count; i++)
		most += layout->clauses[i].field_count;
	d.fields = dph_pool_take(pool, (most + 1) * sizeof(*d.fields));
	d.seen = dph_pool_take(pool, most + 1);
	for (size_t i = 0; i < layout->clause_count; i++) {
		describe_clause(&d, &layout->clauses[i], (unsigned)i, first);
		first += (unsigned)layout->clauses[i].field_count;
	}
	*count = d.count;
	return d.fields;
}

const char *dp_value_enumerator(const struct dp_value *value, size_t index, uint64_t *number,
				bool *is_signed)
{
	const struct dph_format_type *type = value->enumeration;
	if (!type || index >= type->part_count)
		return NULL;
	*number =
		dph_format_narrow((uint64_t)type->parts[index].value, type->bytes, type->is_signed);
	*is_signed = type->is_signed;
	return type->parts[index].name;
}
