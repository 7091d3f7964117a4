/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer puts the formats of a program into the bytes of the FORMATS section. */
#include "format.h"

#include <string.h>

static void put_number(struct dph_bytes *bytes, uint64_t value)
{
	unsigned char byte;
	do {
		byte = (unsigned char)(value & 0x7f);
		value >>= 7;
		byte |= value ? 0x80 : 0;
		dph_bytes_add(bytes, &byte, 1);
	} while (value);
}

/* Zigzag: small numbers of either sign are short. */
static void put_signed(struct dph_bytes *bytes, int64_t value)
{
	put_number(bytes, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void put_text(struct dph_bytes *bytes, const char *text)
{
	text = text ? text : "";
	dph_bytes_add(bytes, text, strlen(text) + 1);
}

static void put_type(struct dph_bytes *bytes, const struct dph_format_type *type)
{
	put_number(bytes, type->kind);
	put_text(bytes, type->name);
	put_number(bytes, type->bytes);
	put_number(bytes, type->is_signed);
	if (type->kind == DPH_FORMAT_ARRAY) {
		put_number(bytes, type->element);
		put_number(bytes, type->count);
	}
	if (type->kind != DPH_FORMAT_STRUCT && type->kind != DPH_FORMAT_ENUM)
		return;
	put_number(bytes, type->part_count);
	for (size_t i = 0; i < type->part_count; i++) {
		const struct dph_format_part *part = &type->parts[i];
		put_text(bytes, part->name);
		if (type->kind == DPH_FORMAT_ENUM) {
			put_signed(bytes, part->value);
			continue;
		}
		put_number(bytes, part->type);
		put_number(bytes, part->offset);
		put_number(bytes, part->bits);
		put_number(bytes, part->load_bytes);
		put_number(bytes, part->shift);
	}
}

static void put_fields(struct dph_bytes *bytes, const struct dph_format_field *fields, size_t count)
{
	put_number(bytes, count);
	for (size_t i = 0; i < count; i++) {
		const struct dph_format_field *field = &fields[i];
		put_number(bytes, field->form);
		put_number(bytes, (uint64_t)(uint32_t)(field->type + 1));
		put_number(bytes, field->bytes);
		put_number(bytes, field->is_signed);
		put_text(bytes, field->text);
		put_number(bytes, field->place);
		if (field->form != DPH_FIELD_COMPUTED)
			continue;
		put_number(bytes, field->function);
		put_number(bytes, field->operand_count);
		for (unsigned j = 0; j < field->operand_count; j++)
			put_number(bytes, field->operands[j]);
	}
}

static void put_key_function(struct dph_bytes *bytes, const struct dph_format_key_function *f)
{
	put_number(bytes, f->key);
	put_number(bytes, f->function);
	put_number(bytes, f->text);
	put_number(bytes, f->operand_count);
	for (unsigned i = 0; i < f->operand_count; i++) {
		put_number(bytes, f->operands[i].text != NULL);
		put_text(bytes, f->operands[i].text);
		put_number(bytes, f->operands[i].number);
	}
}

static void put_aggregation(struct dph_bytes *bytes, const struct dph_format_aggregation *a)
{
	put_text(bytes, a->name);
	put_number(bytes, a->function);
	put_number(bytes, a->map);
	put_fields(bytes, a->keys, a->key_count);
	put_number(bytes, a->is_signed);
	put_number(bytes, a->increments | (unsigned)a->is_time << 1);
	for (size_t i = 0; i < sizeof(a->scale) / sizeof(*a->scale); i++)
		put_number(bytes, (uint64_t)a->scale[i]);
	put_number(bytes, a->key_function_count);
	for (size_t i = 0; i < a->key_function_count; i++) {
		put_key_function(bytes, &a->key_functions[i]);
	}
}

static void put_clause(struct dph_bytes *bytes, const struct dph_format_clause *clause)
{
	put_fields(bytes, clause->fields, clause->field_count);
	put_number(bytes, clause->action_count);
	for (size_t i = 0; i < clause->action_count; i++) {
		const struct dph_format_action *action = &clause->actions[i];
		put_number(bytes, action->kind);
		put_text(bytes, action->text);
		put_number(bytes, action->field_count);
		for (size_t j = 0; j < action->field_count; j++)
			put_number(bytes, action->fields[j]);
	}
}

static void put_variables(struct dph_bytes *bytes, const struct dph_format_variable *list,
			  size_t count)
{
	put_number(bytes, count);
	for (size_t i = 0; i < count; i++) {
		put_text(bytes, list[i].name);
		put_number(bytes, list[i].index);
		put_fields(bytes, &list[i].field, 1);
	}
}

void dph_formats_write(const struct dph_formats *formats, struct dph_bytes *bytes)
{
	const unsigned char head[] = {'D', DPH_FORMAT_VERSION};
	dph_bytes_add(bytes, head, sizeof(head));
	put_number(bytes, formats->quiet | (unsigned)formats->flow << 1);
	put_number(bytes, formats->type_count);
	for (size_t i = 0; i < formats->type_count; i++)
		put_type(bytes, &formats->types[i]);
	put_number(bytes, formats->layout_count);
	for (size_t i = 0; i < formats->layout_count; i++) {
		const struct dph_format_layout *layout = &formats->layouts[i];
		put_number(bytes, layout->tagged | (unsigned)layout->guarded << 1);
		put_number(bytes, layout->clause_count);
		for (size_t j = 0; j < layout->clause_count; j++)
			put_clause(bytes, &layout->clauses[j]);
	}
	put_number(bytes, formats->point_count);
	for (size_t i = 0; i < formats->point_count; i++) {
		put_number(bytes, formats->points[i].layout);
		for (unsigned part = 0; part < DPH_PROBE_WHOLE; part++)
			put_text(bytes, formats->points[i].part[part]);
		put_number(bytes, formats->points[i].optional);
	}
	put_number(bytes, formats->place_count);
	for (size_t i = 0; i < formats->place_count; i++)
		put_text(bytes, formats->places[i]);
	put_number(bytes, formats->text_count);
	for (size_t i = 0; i < formats->text_count; i++)
		put_text(bytes, formats->texts[i]);
	put_number(bytes, formats->aggregation_count);
	for (size_t i = 0; i < formats->aggregation_count; i++)
		put_aggregation(bytes, &formats->aggregations[i]);
	put_number(bytes, formats->array_count);
	for (size_t i = 0; i < formats->array_count; i++) {
		put_text(bytes, formats->arrays[i].name);
		put_number(bytes, formats->arrays[i].map);
		put_fields(bytes, formats->arrays[i].keys, formats->arrays[i].key_count);
		put_variables(bytes, formats->arrays[i].values, formats->arrays[i].value_count);
	}
	put_number(bytes, formats->order.by_key | (unsigned)formats->order.reversed << 1 |
				  (unsigned)formats->order.packed << 2 |
				  (unsigned)formats->order.zoomed << 3 |
				  (unsigned)formats->order.units << 4);
	put_number(bytes, formats->order.key);
	put_number(bytes, formats->order.position);
	put_variables(bytes, formats->variables, formats->variable_count);
	put_number(bytes, formats->aggrate_ms);
}
