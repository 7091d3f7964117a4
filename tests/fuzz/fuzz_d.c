/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* D programs and their formats: the compiler on any text, and the reader of formats on any bytes.
 * What is compiled has formats that can be read. Texts that would go through cpp are left out.
 * Input: u8 kind (1 64 bits, 2 big-endian, 4 formats instead of a program, 8 with an exception),
 * then the text; of formats u8 bytes of a record, the record, the section. */
#include <dprobes/host.h>

#include "format/format.h"
#include "present/record_text.h"
#include "present/value_json.h"
#include "present/value_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Visit a value and all of its members: their memory must be there. */
static size_t visit(const struct dp_value *value)
{
	size_t found = value->text ? strlen(value->text) : 0;

	for (size_t i = 0; value->bytes && i < value->count; i++)
		found += value->bytes[i];
	for (size_t i = 0; i < value->member_count; i++)
		found += visit(&value->members[i]);
	return found;
}

/* The fields of a point have the numbers of its values. */
static void check_fields(const struct dph_formats *formats, unsigned point,
			 const struct dph_recorded *recorded)
{
	struct dph_pool pool = {0};
	size_t count, known = 0;
	const struct dp_field *fields = dph_format_fields(formats, point, &pool, &count);

	for (size_t i = 0; i < recorded->count; i++) {
		for (size_t k = 0; k < count; k++)
			known += fields[k].number == recorded->values[i]->field;
		visit(recorded->values[i]);
	}
	if (known != recorded->count)
		abort();
	dph_pool_free(&pool);
}

/* The texts that sinks make. The firmware is not known. */
static void print(const struct dph_formats *formats, unsigned point,
		  const struct dph_recorded *recorded)
{
	struct dp_formats held = {.formats = *formats};

	held.names = calloc(2 * (formats->point_count + 1), sizeof *held.names);
	free(dph_recorded_text(&held, point, recorded));
	free(dph_values_json(recorded->values, recorded->count));
	free(held.names);
	dph_pool_free(&held.pool);
}

static void read_all(const struct dph_formats *formats, const uint8_t *data, size_t bytes,
		     uint8_t kind)
{
	struct dph_pool pool = {0};
	struct dph_recorded recorded;

	for (unsigned point = 0; point < formats->point_count && point < 8; point++) {
		const struct dph_format_record record = {
			.formats = formats,
			.point = point,
			.data = data,
			.bytes = bytes,
			.word_bytes = kind & 1 ? 8 : 4,
			.big_endian = (kind & 2) != 0,
			.exception = (kind & 8) != 0,
		};

		if (dph_format_read(&record, &pool, &recorded)) {
			check_fields(formats, point, &recorded);
			print(formats, point, &recorded);
		}
		dph_pool_next_job(&pool);
	}
	dph_pool_free(&pool);
}

/* The bytes of the record as entries of each aggregation. */
static void count_all(const struct dph_formats *formats, const uint8_t *data, size_t bytes,
		      uint8_t kind)
{
	enum {
		EACH = 16 /* words; keys, bucket and values need no more */
	};
	uint64_t words[2 * EACH] = {0};
	size_t count;

	memcpy(words, data, bytes < sizeof words ? bytes : sizeof words);
	for (size_t i = 0; i < formats->aggregation_count && i < 8; i++) {
		struct dph_aggregated *rows = dph_aggregate(&formats->aggregations[i], words, 2,
							    EACH, kind & 1 ? 8 : 4, &count);

		dph_aggregated_free(rows, count);
	}
}

static void name(struct dp_value value)
{
	char *text;

	visit(&value);
	text = dph_value_text(&value);
	free(text);
}

/* The bytes of the record as values of each variable and array. */
static void name_all(const struct dph_formats *formats, const uint8_t *data, size_t bytes,
		     uint8_t kind)
{
	uint64_t words[DPH_FORMAT_CHARACTERS_MAX] = {0};
	struct dph_pool pool = {0};
	const struct dph_format_record record = {
		.formats = formats,
		.word_bytes = kind & 1 ? 8 : 4,
		.big_endian = (kind & 2) != 0,
	};

	memcpy(words, data, bytes < sizeof words ? bytes : sizeof words);
	for (size_t i = 0; i < formats->variable_count && i < 8; i++)
		name(dph_format_value(&record, &pool, &formats->variables[i].field, words));
	for (size_t i = 0; i < formats->array_count && i < 8; i++) {
		const struct dph_format_array *array = &formats->arrays[i];

		for (size_t k = 0; k < array->key_count && k < 8; k++)
			name(dph_format_value(&record, &pool, &array->keys[k], words));
		for (size_t k = 0; k < array->value_count && k < 8; k++)
			name(dph_format_value(&record, &pool, &array->values[k].field, words));
	}
	dph_pool_free(&pool);
}

static void read_formats(const uint8_t *data, size_t bytes, uint8_t kind)
{
	struct dph_pool pool = {0};
	struct dph_formats formats;
	const size_t record = bytes > 0 && data[0] < bytes ? data[0] : 0;

	if (bytes > record + 1 &&
	    dph_formats_read(&formats, &pool, data + 1 + record, bytes - 1 - record)) {
		read_all(&formats, data + 1, record, kind);
		name_all(&formats, data + 1, record, kind);
		count_all(&formats, data + 1, record, kind);
	}
	dph_pool_free(&pool);
}

static void compile(const char *text, uint8_t kind)
{
	const struct dp_build_options options = {.cpu = "sim",
						 .word_bits = kind & 1 ? 64 : 32,
						 .endian = kind & 2 ? "big" : "little",
						 .opcode_optional = true};
	static const char fault[] = "the front end for ";
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(text, "fuzz.d", &options, &messages);
	struct dp_formats *formats = object ? dp_formats_open(object, NULL) : NULL;

	if (!object && !messages.errors)
		abort(); /* refused without a word */
	if (object && !formats)
		abort();                            /* the compiler wrote what the reader refuses */
	for (size_t i = 0; i < messages.count; i++) /* compile.c, say_fault */
		if (strncmp(messages.list[i].text, fault, sizeof(fault) - 1) == 0)
			abort();
	dp_formats_close(formats);
	dp_object_free(object);
	dp_messages_free(&messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	if (bytes < 1 || bytes > 8192)
		return 0;
	if (data[0] & 4) {
		read_formats(data + 1, bytes - 1, data[0]);
		return 0;
	}
	char *text = malloc(bytes);
	memcpy(text, data + 1, bytes - 1);
	text[bytes - 1] = 0;
	if (!strchr(text, '#') && !strstr(text, "/*") && !strstr(text, "\\\n") &&
	    !strstr(text, "\\\r") && !strstr(text, "__"))
		compile(text, data[0]);
	free(text);
	return 0;
}
