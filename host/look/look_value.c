/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory becomes the values of expressions: with their types, the names of addresses, and the texts
 * behind pointers to characters. */
#define _GNU_SOURCE
#include "look_value.h"

#include "format/value_reader.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

enum {
	TEXT_BYTES = 48, /* of a text behind a pointer: what one answer holds */
	TEXT_STEP = 16,  /* a piece ends where such a step does: no row of memory ends inside */
	TEXTS_MAX = 16   /* of one value */
};

struct dph_look_run dph_look_run_of(struct dph_look *look, struct dph_look_expression *e)
{
	return (struct dph_look_run){.d = &e->d, .memory = &look->memory, .pool = &look->values};
}

/* --- names and texts ------------------------------------------------------------------------- */

static char *name_of(void *context, uint64_t address, enum dph_address_text how)
{
	const struct dph_look *look = context;
	char text[DP_NAME_ROOM];
	(void)how;
	return address && dp_image_name(look->names, address, text) ? dph_strdup(text) : NULL;
}

/* The value of an expression in the making. */
struct making {
	struct dph_look *look;
	struct dph_look_run run;
	struct dph_format_record record;
	struct dph_value_reader reader;
	struct dph_formats formats;
	unsigned texts;
};

/* A piece of a text. Returns false behind its end, or where no more is known. */
static bool add_piece(struct making *m, uint64_t address, size_t bytes, char *text, size_t *count)
{
	size_t have;
	const uint8_t *data = dph_look_bytes(&m->look->memory, address, bytes, &have);
	if (!data && !dph_look_failed(&m->look->memory, address, bytes)) {
		m->run.wanted = true;
		return true; /* so that the next ones are wanted in the same turn */
	}
	if (!data)
		return false;
	const size_t used = strnlen((const char *)data, bytes);
	memcpy(text + *count, data, used);
	*count += used;
	return used == bytes;
}

/* The text at an address in memory, or UNKNOWN. */
static void read_text(struct making *m, uint64_t address, struct dp_value *value)
{
	char text[TEXT_BYTES + 1];
	size_t count = 0, at = 0;
	bool more = true;
	while (more && at < TEXT_BYTES) {
		size_t step = TEXT_STEP - (size_t)((address + at) % TEXT_STEP);
		step = step < TEXT_BYTES - at ? step : TEXT_BYTES - at;
		more = add_piece(m, address + at, step, text, &count);
		at += step;
	}
	if (!count &&
	    dph_look_failed(&m->look->memory, address, TEXT_STEP - (size_t)(address % TEXT_STEP))) {
		value->form = DP_VALUE_UNKNOWN;
		return;
	}
	dph_set_text(&m->reader, value, (const uint8_t *)text, count);
	value->cut = more && count == TEXT_BYTES;
}

static void set_text_behind(struct making *m, struct dp_value *value)
{
	struct dp_value *text = dph_pool_take(m->reader.pool, sizeof(*text));
	char *constant = m->look->names ? dph_image_constant(m->look->names, value->number) : NULL;
	if (constant)
		dph_set_text(&m->reader, text, (const uint8_t *)constant, strlen(constant));
	else if (m->texts++ < TEXTS_MAX)
		read_text(m, value->number, text);
	else
		text = NULL;
	free(constant);
	value->members = text;
	value->member_count = text != NULL;
}

/* Name the addresses in a value, and read the texts behind pointers to characters. */
static void point_out(struct making *m, struct dp_value *value, uint32_t index)
{
	const struct dph_format_type *type = &m->formats.types[index];
	struct dp_value *members = (struct dp_value *)(uintptr_t)value->members; /* of the pool */
	if (value->form == DP_VALUE_STRUCT) {
		for (size_t i = 0; i < value->member_count; i++)
			point_out(m, &members[i], type->parts[i].type);
	} else if (value->form == DP_VALUE_LIST) {
		for (size_t i = 0; i < value->member_count; i++)
			point_out(m, &members[i], type->element);
	} else if (value->form == DP_VALUE_ADDRESS && value->number) {
		value->text = dph_address_name(&m->reader, value->number, DPH_ADDRESS_OFFSET);
		if (type->kind == DPH_FORMAT_CHARACTERS)
			set_text_behind(m, value);
	}
}

/* --- values ---------------------------------------------------------------------------------- */

static void set_range(struct making *m, struct dph_look_expression *e)
{
	struct dph_looked *looked = &e->looked;
	const bool known = e->pointed ? dph_look_value(&m->run, e->node, &looked->address)
				      : dph_look_address(&m->run, e->node, &looked->address);
	if (!known)
		return;
	looked->in_memory = true;
	if (e->place)
		return;
	const uint8_t *data = dph_look_range(&m->run, looked->address, (size_t)e->bytes);
	looked->value.form = DP_VALUE_HEX;
	looked->value.bytes = data;
	looked->value.count = data ? (size_t)e->bytes : 0;
}

/* A number that is computed, or a bit-field. */
static void set_number(struct making *m, struct dph_look_expression *e)
{
	struct dp_value *value = &e->looked.value;
	const struct d_type *type = &e->node->is.type;
	uint64_t number;
	if (!dph_look_value(&m->run, e->node, &number))
		return;
	if (type->kind == D_TYPE_FUNCTION) {
		dph_set_symbol(&m->reader, value, number, DPH_ADDRESS_OFFSET);
		return;
	}
	value->size = type->bytes;
	dph_set_number(&m->reader, value, dph_type_numbered(&m->formats, e->type), number,
		       type->is_signed);
}

static void set_object(struct making *m, struct dph_look_expression *e)
{
	const uint8_t *data = dph_look_object(&m->run, e->node, (size_t)e->bytes);
	if (data)
		dph_set_object(&m->reader, &e->looked.value, &m->formats.types[e->type], data,
			       (size_t)e->bytes, 0);
}

static void set_value(struct making *m, struct dph_look_expression *e)
{
	struct dph_looked *looked = &e->looked;
	const bool placed =
		e->node->is.home == D_HOME_MEMORY || e->node->is.home == D_HOME_LOCATION;
	if (dph_look_in_memory(e->node))
		looked->in_memory = dph_look_address(&m->run, e->node, &looked->address);
	if (e->place)
		return;
	if (!e->node->is.constant && placed && !e->node->is.member.bits &&
	    e->type != DPH_FORMAT_NO_TYPE)
		set_object(m, e);
	else
		set_number(m, e);
	if (e->type == DPH_FORMAT_NO_TYPE)
		return;
	looked->value.type = m->formats.types[e->type].name;
	if (!m->run.wanted && !m->run.why)
		point_out(m, &looked->value, e->type);
}

void dph_look_evaluate(struct dph_look *look, struct dph_look_expression *e)
{
	struct making m = {
		.look = look,
		.run = dph_look_run_of(look, e),
		.formats = {.types = e->formats.types, .type_count = e->formats.type_count},
	};
	m.record = (struct dph_format_record){
		.formats = &m.formats,
		.word_bytes = look->target.word_bytes,
		.big_endian = look->target.big_endian,
		.name = name_of,
		.context = look,
	};
	m.reader = (struct dph_value_reader){
		.record = &m.record, .pool = &look->values, .objects = DPH_OBJECTS_MAX};
	e->looked = (struct dph_looked){.name = e->looked.name};
	e->looked.value.name = e->looked.name;
	if (e->range)
		set_range(&m, e);
	else
		set_value(&m, e);
	e->looked.why = m.run.why;
}
