/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and bytes of the target become values, by their types. */
#define _GNU_SOURCE
#include "value_reader.h"

#include <stdlib.h>
#include <string.h>

const struct dph_format_type *dph_type_numbered(const struct dph_formats *formats, uint32_t index)
{
	return index < formats->type_count ? &formats->types[index] : NULL;
}

/* --- numbers ------------------------------------------------------------------------------- */

double dph_float_value(uint64_t bits, uint64_t bytes)
{
	float narrow_value;
	double value;
	const uint32_t low = (uint32_t)bits;
	memcpy(&value, &bits, sizeof(value));
	if (bytes == sizeof(narrow_value)) {
		memcpy(&narrow_value, &low, sizeof(narrow_value));
		value = (double)narrow_value;
	}
	return value;
}

/* One enumerator, several flags, or null. */
static const char *enum_text(struct dph_value_reader *r, const struct dph_format_type *type,
			     uint64_t value)
{
	uint64_t left = value;
	const char *text = NULL;
	for (size_t i = 0; i < type->part_count; i++)
		if (dph_format_narrow((uint64_t)type->parts[i].value, type->bytes,
				      type->is_signed) == value)
			return type->parts[i].name;
	for (size_t i = 0; i < type->part_count; i++) {
		const uint64_t flag = (uint64_t)type->parts[i].value;
		if (!flag || (flag & (flag - 1)) || !(left & flag))
			continue;
		text = text ? dph_pool_print(r->pool, "%s | %s", text, type->parts[i].name)
			    : type->parts[i].name;
		left &= ~flag;
	}
	if (text && left)
		text = dph_pool_print(r->pool, "%s | 0x%llx", text, (unsigned long long)left);
	return text;
}

const char *dph_address_name(struct dph_value_reader *r, uint64_t address,
			     enum dph_address_text how)
{
	const struct dph_format_record *record = r->record;
	char *name = record->name ? record->name(record->context, address, how) : NULL;
	const char *copy = name ? dph_pool_copy(r->pool, name, strlen(name)) : NULL;
	free(name);
	return copy;
}

void dph_set_symbol(struct dph_value_reader *r, struct dp_value *value, uint64_t address,
		    enum dph_address_text how)
{
	value->form = DP_VALUE_SYMBOL;
	value->number = address;
	value->text = dph_address_name(r, address, how);
}

enum dp_value_form dph_number_form(const struct dph_format_type *type, bool is_signed)
{
	switch (type ? type->kind : DPH_FORMAT_INTEGER) {
	case DPH_FORMAT_ENUM:
		return DP_VALUE_ENUM;
	case DPH_FORMAT_BOOL:
		return DP_VALUE_FLAG;
	case DPH_FORMAT_POINTER:
	case DPH_FORMAT_CHARACTERS:
		return DP_VALUE_ADDRESS;
	case DPH_FORMAT_FLOAT:
		return DP_VALUE_FLOAT;
	case DPH_FORMAT_FUNCTION:
	case DPH_FORMAT_SYMBOL:
	case DPH_FORMAT_MODULE:
		return DP_VALUE_SYMBOL;
	default:
		return is_signed ? DP_VALUE_SIGNED : DP_VALUE_NUMBER;
	}
}

void dph_set_number(struct dph_value_reader *r, struct dp_value *value,
		    const struct dph_format_type *type, uint64_t number, bool is_signed)
{
	value->form = dph_number_form(type, is_signed);
	value->number = number;
	if (value->form == DP_VALUE_ENUM) {
		value->text = enum_text(r, type, number);
		value->enumeration = type;
	}
	if (value->form == DP_VALUE_FLOAT)
		value->seconds = dph_float_value(number, type->bytes);
	else if (value->form == DP_VALUE_SYMBOL)
		dph_set_symbol(r, value, number,
			       type->kind == DPH_FORMAT_FUNCTION ? DPH_ADDRESS_OFFSET
			       : type->kind == DPH_FORMAT_SYMBOL ? DPH_ADDRESS_SYMBOL
								 : DPH_ADDRESS_MODULE);
}

/* --- objects ------------------------------------------------------------------------------- */

void dph_set_text(struct dph_value_reader *r, struct dp_value *value, const uint8_t *bytes,
		  size_t count)
{
	value->form = DP_VALUE_STRING;
	value->text = dph_pool_copy(r->pool, (const char *)bytes, count);
	value->bytes = (const uint8_t *)value->text;
	value->count = count;
}

static void set_bit_field(struct dph_value_reader *r, struct dp_value *value,
			  const struct dph_format_type *type, const struct dph_format_part *part,
			  const uint8_t *bytes)
{
	const uint64_t word = dph_format_number(r->record, bytes, part->load_bytes) >> part->shift;
	const unsigned unused = 64 - part->bits;
	value->bits = part->bits;
	value->size = part->load_bytes;
	dph_set_number(r, value, type,
		       type->is_signed ? (uint64_t)((int64_t)(word << unused) >> unused)
				       : word << unused >> unused,
		       type->is_signed);
}

static void set_member(struct dph_value_reader *r, struct dp_value *value,
		       const struct dph_format_part *part, const uint8_t *bytes, size_t count,
		       unsigned depth)
{
	const struct dph_format_type *type = dph_type_numbered(r->record->formats, part->type);
	const size_t need = part->bits ? part->load_bytes : (size_t)type->bytes;
	value->name = part->name;
	value->type = type->name;
	if (part->offset > count || need > count - part->offset || (part->bits && !need))
		value->form = DP_VALUE_ABSENT;
	else if (part->bits)
		set_bit_field(r, value, type, part, bytes + part->offset);
	else
		dph_set_object(r, value, type, bytes + part->offset, need, depth + 1);
}

static struct dp_value *take_members(struct dph_value_reader *r, struct dp_value *value,
				     size_t count)
{
	struct dp_value *members = dph_pool_take(r->pool, (count + 1) * sizeof(*members));
	value->members = members;
	value->member_count = count;
	return members;
}

static void set_struct(struct dph_value_reader *r, struct dp_value *value,
		       const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		       unsigned depth)
{
	struct dp_value *members = take_members(r, value, type->part_count);
	value->form = DP_VALUE_STRUCT;
	for (size_t i = 0; i < type->part_count; i++)
		set_member(r, &members[i], &type->parts[i], bytes, count, depth);
}

static void set_characters(struct dph_value_reader *r, struct dp_value *value, const uint8_t *bytes,
			   size_t count)
{
	value->form = DP_VALUE_CHARACTERS;
	value->text = dph_pool_copy(r->pool, (const char *)bytes, count);
	value->cut = !memchr(bytes, 0, count);
}

bool dph_is_characters(const struct dph_format_type *element)
{
	return element->kind == DPH_FORMAT_CHAR && element->bytes == 1;
}

static void set_array(struct dph_value_reader *r, struct dp_value *value,
		      const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		      unsigned depth)
{
	const struct dph_format_type *element =
		dph_type_numbered(r->record->formats, type->element);
	const size_t size = (size_t)element->bytes;
	if (dph_is_characters(element)) {
		set_characters(r, value, bytes, count);
		return;
	}
	struct dp_value *members = take_members(r, value, size ? count / size : 0);
	value->form = DP_VALUE_LIST;
	for (size_t i = 0; i < value->member_count; i++) {
		members[i].type = element->name;
		dph_set_object(r, &members[i], element, bytes + i * size, size, depth + 1);
	}
}

static void set_scalar(struct dph_value_reader *r, struct dp_value *value,
		       const struct dph_format_type *type, const uint8_t *bytes, size_t count)
{
	const uint64_t number = dph_format_narrow(dph_format_number(r->record, bytes, count), count,
						  type->is_signed);
	value->size = (unsigned)count;
	dph_set_number(r, value, type, number, type->is_signed);
	if (type->kind == DPH_FORMAT_CHAR)
		value->form = DP_VALUE_CHARACTER;
}

void dph_set_object(struct dph_value_reader *r, struct dp_value *value,
		    const struct dph_format_type *type, const uint8_t *bytes, size_t count,
		    unsigned depth)
{
	value->bytes = bytes;
	value->count = count;
	if (depth > DPH_FORMAT_DEPTH_MAX || !r->objects) {
		value->form = DP_VALUE_OMITTED;
		return;
	}
	r->objects--;
	if (type->kind == DPH_FORMAT_STRUCT)
		set_struct(r, value, type, bytes, count, depth);
	else if (type->kind == DPH_FORMAT_ARRAY)
		set_array(r, value, type, bytes, count, depth);
	else
		set_scalar(r, value, type, bytes, count);
}
