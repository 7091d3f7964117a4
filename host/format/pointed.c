/* SPDX-License-Identifier: BSD-2-Clause */
/* Pointers in printed values: the symbols around their addresses, and the texts behind pointers to
 * characters. The target records the first texts; the image has those that never change. */
#define _GNU_SOURCE
#include "value_reader.h"

#include <stdlib.h>
#include <string.h>

/* --- where the pointers are ---------------------------------------------------------------- */

struct pointers {
	const struct dph_format_type *types;
	uint64_t *offsets;
	size_t count;
	unsigned left; /* types that may still be visited: a damaged type may be very wide */
};

static void find(struct pointers *p, uint32_t index, uint64_t offset, unsigned depth)
{
	const struct dph_format_type *type = &p->types[index];
	if (p->count == DPH_FORMAT_POINTED_MAX || depth > DPH_FORMAT_DEPTH_MAX || !p->left)
		return;
	p->left--;
	if (type->kind == DPH_FORMAT_CHARACTERS)
		p->offsets[p->count++] = offset;
	for (size_t i = 0; type->kind == DPH_FORMAT_STRUCT && i < type->part_count; i++)
		find(p, type->parts[i].type, offset + type->parts[i].offset, depth + 1);
	if (type->kind != DPH_FORMAT_ARRAY)
		return;
	const uint64_t bytes = p->types[type->element].bytes;
	for (uint64_t i = 0; i < type->count && p->left && p->count < DPH_FORMAT_POINTED_MAX; i++)
		find(p, type->element, offset + i * bytes, depth + 1);
}

size_t dph_format_pointed(const struct dph_format_type *types, uint32_t type, uint64_t *offsets)
{
	struct pointers p = {.types = types, .offsets = offsets, .left = DPH_OBJECTS_MAX};
	if (type != DPH_FORMAT_NO_TYPE)
		find(&p, type, 0, 0);
	return p.count;
}

/* --- what they point at -------------------------------------------------------------------- */

struct pointing {
	struct dph_value_reader *reader;
	const struct dph_format_action *action;
	uint64_t offsets[DPH_FORMAT_POINTED_MAX];
	size_t count; /* that have a text in the record */
};

/* The recorded text; null: the record has none. */
static struct dp_value *recorded_text(const struct pointing *p, uint64_t offset)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->offsets[i] == offset)
			return &p->reader->values[p->action->fields[i + 1]];
	return NULL;
}

/* A text of the image; null: there is none at the address. */
static struct dp_value *constant_text(struct dph_value_reader *r, uint64_t address)
{
	const struct dph_format_record *record = r->record;
	char *text = record->text ? record->text(record->context, address) : NULL;
	struct dp_value *value = text ? dph_pool_take(r->pool, sizeof(*value)) : NULL;
	if (text)
		dph_set_text(r, value, (const uint8_t *)text, strlen(text));
	free(text);
	return value;
}

static void set_text_behind(const struct pointing *p, struct dp_value *value, uint64_t offset)
{
	struct dp_value *text = recorded_text(p, offset);
	if (!text)
		text = constant_text(p->reader, value->number);
	value->members = text;
	value->member_count = text != NULL;
}

static void point_out(const struct pointing *p, struct dp_value *value, uint32_t index,
		      uint64_t offset)
{
	const struct dph_format_type *type = &p->reader->record->formats->types[index];
	struct dp_value *members = (struct dp_value *)(uintptr_t)value->members; /* of the pool */
	if (value->form == DP_VALUE_STRUCT) {
		for (size_t i = 0; i < value->member_count; i++)
			point_out(p, &members[i], type->parts[i].type,
				  offset + type->parts[i].offset);
	} else if (value->form == DP_VALUE_LIST) {
		const uint64_t bytes = p->reader->record->formats->types[type->element].bytes;
		for (size_t i = 0; i < value->member_count; i++)
			point_out(p, &members[i], type->element, offset + i * bytes);
	} else if (value->form == DP_VALUE_ADDRESS && value->number) {
		value->text = dph_address_name(p->reader, value->number, DPH_ADDRESS_OFFSET);
		if (type->kind == DPH_FORMAT_CHARACTERS)
			set_text_behind(p, value, offset);
	}
}

void dph_point_out(struct dph_value_reader *r, const struct dph_format_action *action)
{
	const uint32_t field = action->fields[0];
	const uint32_t type = r->clause->fields[field].type;
	struct pointing p = {.reader = r, .action = action};
	if (!dph_type_numbered(r->record->formats, type))
		return;
	p.count = dph_format_pointed(r->record->formats->types, type, p.offsets);
	if (p.count > action->field_count - 1)
		p.count = action->field_count - 1;
	point_out(&p, &r->values[field], type, 0);
}
