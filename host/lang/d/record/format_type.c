/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of the firmware become types of the formats, with only the facts for printing. A type
 * follows its parts. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

static uint32_t add(struct d_front *d, const struct dph_type *origin, struct dph_format_type type)
{
	struct d_format_table *f = d->formats;
	f->types = dph_grow(f->types, &f->type_capacity, f->type_count, sizeof(*f->types));
	f->origins = dph_grow(f->origins, &f->origin_capacity, f->type_count, sizeof(*f->origins));
	f->types[f->type_count] = type;
	f->origins[f->type_count] = origin;
	return (uint32_t)f->type_count++;
}

static bool find(const struct d_front *d, const struct dph_type *origin, uint32_t *index)
{
	const struct d_format_table *f = d->formats;
	for (size_t i = 0; i < f->type_count; i++)
		if (f->origins[i] == origin) {
			*index = (uint32_t)i;
			return true;
		}
	return false;
}

static uint32_t make(struct d_front *d, const struct dph_type *type, unsigned depth);

static void make_members(struct d_front *d, const struct dph_type *plain,
			 struct dph_format_type *made, unsigned depth)
{
	const struct dph_member *members;
	const size_t count = dph_type_members(plain, &members);
	struct dph_format_part *parts = dph_pool_take(d->pool, (count + 1) * sizeof(*parts));
	made->parts = parts;
	for (size_t i = 0; i < count; i++) {
		const uint32_t type = make(d, members[i].type, depth + 1);
		if (type == DPH_FORMAT_NO_TYPE)
			continue;
		parts[made->part_count++] = (struct dph_format_part){
			.name = members[i].name ? members[i].name : "",
			.type = type,
			.offset = members[i].offset,
			.bits = members[i].bits,
			.load_bytes = members[i].load_bytes,
			.shift = members[i].shift,
		};
	}
}

static void make_enumerators(struct d_front *d, const struct dph_type *plain,
			     struct dph_format_type *made)
{
	const struct dph_enumerator *list;
	const size_t count = dph_type_enumerators(plain, &list);
	struct dph_format_part *parts = dph_pool_take(d->pool, (count + 1) * sizeof(*parts));
	made->parts = parts;
	made->part_count = count;
	for (size_t i = 0; i < count; i++)
		parts[i] = (struct dph_format_part){.name = list[i].name ? list[i].name : "",
						    .value = list[i].value};
}

static enum dph_format_type_kind kind_of(const struct dph_type *plain);

static enum dph_format_type_kind pointer_kind(const struct dph_type *pointer)
{
	const struct dph_type *target = dph_type_target(pointer);
	target = target ? dph_type_plain(target) : NULL;
	if (target && target->kind == DPH_TYPE_FUNCTION)
		return DPH_FORMAT_FUNCTION;
	return target && target->kind == DPH_TYPE_CHAR && kind_of(target) == DPH_FORMAT_CHAR
		       ? DPH_FORMAT_CHARACTERS
		       : DPH_FORMAT_POINTER;
}

static enum dph_format_type_kind kind_of(const struct dph_type *plain)
{
	switch (plain->kind) {
	case DPH_TYPE_CHAR: /* signed and unsigned ones are numbers */
		return plain->name && strcmp(plain->name, "char") == 0 ? DPH_FORMAT_CHAR
								       : DPH_FORMAT_INTEGER;
	case DPH_TYPE_BOOL:
		return DPH_FORMAT_BOOL;
	case DPH_TYPE_FLOAT:
		return DPH_FORMAT_FLOAT;
	case DPH_TYPE_ENUM:
		return DPH_FORMAT_ENUM;
	case DPH_TYPE_POINTER:
		return pointer_kind(plain);
	case DPH_TYPE_ARRAY:
		return DPH_FORMAT_ARRAY;
	case DPH_TYPE_STRUCT:
	case DPH_TYPE_UNION:
		return DPH_FORMAT_STRUCT;
	default:
		return DPH_FORMAT_INTEGER;
	}
}

static uint32_t make(struct d_front *d, const struct dph_type *type, unsigned depth)
{
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	uint64_t bytes = 0;
	uint32_t index;
	if (!plain || depth > DPH_FORMAT_DEPTH_MAX || plain->kind == DPH_TYPE_VOID ||
	    plain->kind == DPH_TYPE_FUNCTION)
		return DPH_FORMAT_NO_TYPE;
	if (find(d, type, &index))
		return index;
	dph_type_bytes(plain, &bytes);
	struct dph_format_type made = {
		.kind = kind_of(plain),
		.name = dph_type_text(type),
		.bytes = bytes,
		.is_signed = plain->is_signed,
	};
	if (made.kind == DPH_FORMAT_STRUCT)
		make_members(d, plain, &made, depth);
	else if (made.kind == DPH_FORMAT_ENUM)
		make_enumerators(d, plain, &made);
	if (made.kind == DPH_FORMAT_ARRAY) {
		made.element = make(d, dph_type_target(plain), depth + 1);
		made.count = plain->counted ? plain->count : 0;
		if (made.element == DPH_FORMAT_NO_TYPE)
			return DPH_FORMAT_NO_TYPE;
	}
	return add(d, type, made);
}

/* An array made by the program. */
static uint32_t make_array(struct d_front *d, const struct d_type *type, const char *name)
{
	uint64_t bytes = 0;
	const uint32_t element = dph_d_format_type(d, type->target);
	if (element == DPH_FORMAT_NO_TYPE || !dph_d_type_bytes(d, type, &bytes))
		return DPH_FORMAT_NO_TYPE;
	return add(d, NULL,
		   (struct dph_format_type){.kind = DPH_FORMAT_ARRAY,
					    .name = name,
					    .bytes = bytes,
					    .element = element,
					    .count = type->count});
}

/* Of a number or pointer that the program makes. */
static enum dph_format_type_kind made_kind(const struct d_front *d, const struct d_type *type)
{
	if (type->kind != D_TYPE_POINTER)
		return type->is_bool   ? DPH_FORMAT_BOOL
		       : type->is_char ? DPH_FORMAT_CHAR
				       : DPH_FORMAT_INTEGER;
	return dph_d_type_target(d, type).is_char ? DPH_FORMAT_CHARACTERS : DPH_FORMAT_POINTER;
}

uint32_t dph_d_format_type(struct d_front *d, const struct d_type *type)
{
	if (type->firmware)
		return make(d, type->firmware, 0);
	const struct d_format_table *f = d->formats;
	const char *name = dph_d_type_text(d, type);
	if (type->kind == D_TYPE_ARRAY)
		return make_array(d, type, name);
	if (type->kind != D_TYPE_INTEGER && type->kind != D_TYPE_POINTER)
		return DPH_FORMAT_NO_TYPE;
	for (size_t i = 0; i < f->type_count; i++)
		if (!f->origins[i] && strcmp(f->types[i].name, name) == 0)
			return (uint32_t)i;
	return add(d, NULL,
		   (struct dph_format_type){.kind = made_kind(d, type),
					    .name = name,
					    .bytes = type->bytes,
					    .is_signed = type->is_signed});
}

uint32_t dph_d_format_address(struct d_front *d, enum dph_format_type_kind kind)
{
	static const char name[] = "address";
	const struct d_format_table *f = d->formats;
	for (size_t i = 0; i < f->type_count; i++)
		if (f->types[i].kind == kind && strcmp(f->types[i].name, name) == 0)
			return (uint32_t)i;
	return add(d, NULL,
		   (struct dph_format_type){
			   .kind = kind, .name = name, .bytes = d->program->target.word_bytes});
}
