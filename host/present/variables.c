/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables and arrays of a D program as readings. */
#define _GNU_SOURCE
#include "formats.h"

#include <dprobes/readings.h>

#include "dp_rpn.h"
#include "value_text.h"

#include <stdlib.h>
#include <string.h>

enum {
	VALUE_WORDS_MAX = 16 /* of a struct */
};

bool dp_formats_array(const struct dp_formats *formats, unsigned index, struct dp_array_info *info)
{
	if (index >= formats->formats.array_count)
		return false;
	const struct dph_format_array *array = &formats->formats.arrays[index];
	*info = (struct dp_array_info){
		.name = array->name,
		.map = (uint8_t)array->map,
		.words = array->map < formats->map_count ? formats->map_words[array->map] : 0,
	};
	return true;
}

bool dp_formats_named(const struct dp_formats *formats)
{
	return formats->formats.variable_count > 0 || formats->formats.array_count > 0;
}

static bool is_string(const struct dph_format_field *field)
{
	return field->form == DPH_FIELD_CHARACTERS || field->form == DPH_FIELD_TEXT;
}

/* Extend a number of the target. */
static int64_t extended(uint64_t value, const struct dph_format_field *field)
{
	if (!field->bytes || field->bytes >= sizeof(value))
		return (int64_t)value;
	const unsigned unused = 64 - (unsigned)field->bytes * 8;
	return (int64_t)(value << unused) >> unused;
}

/* words: the word first pushed first. */
static void tell(const struct dp_formats *formats, const struct dph_format_variable *variable,
		 const uint64_t *words, struct dp_variable_view *view, struct dp_sink *sink)
{
	const struct dph_format_record namer = dph_formats_namer(formats);
	const struct dph_format_field *field = &variable->field;
	struct dph_pool pool = {0};
	const struct dp_value value = dph_format_value(&namer, &pool, field, words);
	char *text = dph_value_text(&value);
	view->text = text;
	view->typed = &value; /* cppcheck-suppress autoVariables; the sink reads it below */
	view->is_string = is_string(field);
	view->is_object = field->form == DPH_FIELD_OBJECT;
	view->is_signed = field->form == DPH_FIELD_WORDS && field->is_signed;
	view->value =
		field->form == DPH_FIELD_WORDS ? dph_format_value_number(&namer, field, words) : 0;
	if (view->is_signed)
		view->value = (uint64_t)extended(view->value, field);
	dp_sink_reading(sink, DP_READING_VARIABLE, view);
	free(text);
	dph_pool_free(&pool);
}

void dp_formats_tell_variables(const struct dp_formats *formats, const char *program,
			       const uint64_t *words, size_t count, struct dp_sink *sink)
{
	const struct dph_formats *f = &formats->formats;
	for (size_t i = 0; i < f->variable_count; i++) {
		const struct dph_format_variable *variable = &f->variables[i];
		const unsigned need =
			dph_format_value_words(&variable->field, formats->program.word_bytes);
		uint64_t turned[VALUE_WORDS_MAX];
		struct dp_variable_view view = {
			.program = program,
			.word_bytes = formats->program.word_bytes,
			.name = variable->name,
		};
		if (need > VALUE_WORDS_MAX || variable->index > count ||
		    need > count - variable->index)
			continue;
		for (unsigned k = 0; k < need; k++)
			turned[k] = words[variable->index + need - 1 - k];
		tell(formats, variable, turned, &view, sink);
	}
}

/* Print the values of one entry.
 * left: words of the entry behind `words`. */
static void tell_entry(const struct dp_formats *formats, const struct dph_format_array *array,
		       const uint64_t *words, unsigned left, struct dp_variable_view *view,
		       struct dp_sink *sink)
{
	for (size_t i = 0; i < array->value_count; i++) {
		const struct dph_format_variable *value = &array->values[i];
		const unsigned need =
			dph_format_value_words(&value->field, formats->program.word_bytes);
		if (value->index > left || need > left - value->index)
			continue;
		view->name = *value->name ? value->name : array->name;
		tell(formats, value, words + value->index, view, sink);
	}
}

static void tell_keyed(const struct dp_formats *formats, const struct dph_format_array *array,
		       const char *program, const uint64_t *words, unsigned each,
		       struct dp_sink *sink)
{
	const struct dph_format_record namer = dph_formats_namer(formats);
	struct dp_value values[DP_MAP_WORDS_MAX];
	char *keys[DP_MAP_WORDS_MAX];
	struct dph_pool pool = {0};
	size_t count = 0;
	unsigned left = each;
	for (; count < array->key_count && count < DP_MAP_WORDS_MAX; count++) {
		const unsigned need = dph_format_value_words(&array->keys[count], namer.word_bytes);
		if (need > left)
			break;
		values[count] = dph_format_value(&namer, &pool, &array->keys[count], words);
		keys[count] = dph_value_text(&values[count]);
		words += need;
		left -= need;
	}
	struct dp_variable_view view = {
		.program = program,
		.word_bytes = namer.word_bytes,
		.keys = (const char *const *)keys,
		.key_values = values,
		.key_count = count,
	};
	if (count == array->key_count)
		tell_entry(formats, array, words, left, &view, sink);
	while (count > 0)
		free(keys[--count]);
	dph_pool_free(&pool);
}

/* By the words of keys and values: the places of a map have no order. */
static int by_words(const void *a, const void *b, void *each)
{
	const uint64_t *x = a, *y = b;
	for (unsigned i = 0; i < *(const unsigned *)each; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

void dp_formats_tell_array(const struct dp_formats *formats, unsigned index, const char *program,
			   const uint64_t *words, size_t entries, struct dp_sink *sink)
{
	struct dp_array_info info;
	if (!dp_formats_array(formats, index, &info) || !info.words || !entries)
		return;
	const size_t bytes = info.words * sizeof(*words);
	uint64_t *sorted = dph_malloc(entries * bytes);
	memcpy(sorted, words, entries * bytes);
	qsort_r(sorted, entries, bytes, by_words, &info.words);
	for (size_t i = 0; i < entries; i++)
		tell_keyed(formats, &formats->formats.arrays[index], program,
			   sorted + i * info.words, info.words, sink);
	free(sorted);
}
