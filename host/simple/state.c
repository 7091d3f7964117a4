/* SPDX-License-Identifier: BSD-2-Clause */
/* Readings of the simple interface: objects of JSON as the commands print them, and single values
 * by their names. */
#define _GNU_SOURCE
#include "handle.h"

#include "look/look.h"
#include "present/looked.h"

#include <stdlib.h>
#include <string.h>

enum {
	TURNS_MAX = 1000 /* pointers that one expression follows */
};

/* --- an output --- */

/* Readings become text of JSON, which the handle keeps. */
struct output {
	struct dp_simple *simple;
	struct dp_sink *sink;
	FILE *file;
	char *text;
	size_t bytes;
};

static bool begin(struct output *output, struct dp_simple *simple, enum dp_table table)
{
	*output = (struct output){.simple = simple};
	if (!dph_simple_is_open(simple))
		return false;
	output->file = open_memstream(&output->text, &output->bytes);
	if (output->file == NULL)
		return dph_simple_fail(simple, "out of memory");
	output->sink = dp_sink_open(
		dp_sink_kind_named("json"),
		&(struct dp_sink_options){.out = output->file, .table = table, .quiet = true});
	return output->sink != NULL || dph_simple_fail(simple, "out of memory");
}

/* Return the text; null: `good` is false. */
static const char *end(struct output *output, bool good)
{
	struct dp_simple *simple = output->simple;

	dp_sink_close(output->sink);
	if (output->file != NULL)
		fclose(output->file);
	if (!good || output->text == NULL) {
		free(output->text);
		return NULL;
	}
	free(simple->state);
	simple->state = output->text;
	return simple->state;
}

/* --- programs --- */

struct list {
	struct dp_simple *simple;
	struct dp_sink *sink;
	bool open;
	struct dp_program_answer program;
	struct dp_probe_view *probes;
	size_t probe_count, capacity;
};

static void close_program(struct list *list)
{
	const struct dp_installed_view view = {
		.program = &list->program,
		.probes = list->probes,
		.probe_count = list->probe_count,
		.cpu = dp_session_target(list->simple->session)->cpu,
	};

	if (list->open)
		dp_sink_reading(list->sink, DP_READING_PROGRAM, &view);
	list->open = false;
	list->probe_count = 0;
}

static bool on_program(void *context, const struct dp_program_answer *program)
{
	struct list *list = context;

	close_program(list);
	list->program = *program;
	list->open = true;
	return true;
}

static bool on_probe(void *context, const struct dp_program_answer *program,
		     const struct dp_probe_answer *probe)
{
	struct list *list = context;

	(void)program;
	list->probes =
		dph_grow(list->probes, &list->capacity, list->probe_count, sizeof *list->probes);
	list->probes[list->probe_count++] =
		(struct dp_probe_view){.answer = *probe, .names = list->simple->names.others.image};
	return true;
}

static const char *list_programs(struct dp_simple *simple)
{
	struct output output;
	struct list list = {.simple = simple};
	const struct dp_walk walk = {&list, on_program, on_probe};
	bool good = begin(&output, simple, DP_TABLE_PROGRAMS);

	if (good) {
		list.sink = output.sink;
		good = dp_session_walk(simple->session, &walk) || dph_simple_fail_session(simple);
		close_program(&list);
	}
	free(list.probes);
	return end(&output, good);
}

const char *dp_simple_list(struct dp_simple *simple)
{
	const char *text;

	do
		text = list_programs(simple);
	while (text == NULL && dph_simple_again(simple));
	return text;
}

/* --- aggregations and variables --- */

/* What is told of a program. */
typedef bool tell_program(struct dp_simple *simple, int program, struct dp_sink *sink);

/* Add the entries of the target to the totals. */
static bool read_aggregations(struct dp_simple *simple, uint8_t index, struct dp_formats *formats)
{
	struct dp_aggregation_info info;
	bool good = true;

	for (unsigned i = 0; good && dp_formats_aggregation(formats, i, &info); i++) {
		struct dp_map_entries entries = {.each = info.words};

		if (info.of_host)
			continue;
		good = dp_session_map(simple->session, index, info.map, DP_MAP_LOOK, &entries);
		if (good)
			dp_formats_add(formats, i, entries.words, entries.count, entries.dropped);
		dp_map_entries_free(&entries);
	}
	return good || dph_simple_fail_session(simple);
}

/* The totals begin anew with each reading: nothing is taken from the target. What the host counts
 * stands in the formats that the records were read with. */
static bool tell_aggregations(struct dp_simple *simple, int program, struct dp_sink *sink)
{
	const struct dph_simple_program *found = dph_simple_program_of(simple, program);
	const struct dph_named *named = found != NULL ? simple->names.own[found->index] : NULL;
	struct dp_formats *formats;
	bool good;

	if (named == NULL)
		return false;
	formats = dp_formats_open(dp_insertion_object(named->insertion), named->image);
	if (formats == NULL)
		return dph_simple_fail(simple,
				       "the program is no D program: it has no aggregations");
	good = read_aggregations(simple, found->index, formats);
	if (good)
		dp_formats_tell_totals(formats, true, 0, sink);
	if (good && named->formats != NULL)
		dp_formats_tell_totals(named->formats, true, 0, sink);
	dp_formats_close(formats);
	return good;
}

static bool tell_arrays(struct dp_simple *simple, uint8_t index, const char *name,
			const struct dp_formats *formats, struct dp_sink *sink)
{
	struct dp_array_info info;
	bool good = true;

	for (unsigned i = 0; good && dp_formats_array(formats, i, &info); i++) {
		struct dp_map_entries entries = {.each = info.words};

		good = dp_session_map(simple->session, index, info.map, DP_MAP_LOOK, &entries);
		if (good)
			dp_formats_tell_array(formats, i, name, entries.words, entries.count, sink);
		dp_map_entries_free(&entries);
	}
	return good || dph_simple_fail_session(simple);
}

/* Variables without a name have their index. */
static void tell_words(const struct dp_simple *simple, const char *name, const uint64_t *words,
		       size_t count, struct dp_sink *sink)
{
	for (size_t i = 0; i < count; i++) {
		const struct dp_variable_view view = {
			.program = name,
			.index = (unsigned)i,
			.value = words[i],
			.word_bytes = dp_session_target(simple->session)->word_bytes,
			.names = simple->names.others.image,
		};

		dp_sink_reading(sink, DP_READING_VARIABLE, &view);
	}
}

static bool tell_variables(struct dp_simple *simple, int program, struct dp_sink *sink)
{
	const struct dph_simple_program *found =
		program >= 0 ? dph_simple_program_of(simple, program) : NULL;
	const struct dph_named *named = found != NULL ? simple->names.own[found->index] : NULL;
	const struct dp_formats *formats = named != NULL ? named->formats : NULL;
	struct dp_program_info info;
	uint64_t words[DP_VARS_GLOBAL + 1];
	char *name = NULL;
	int count;
	bool good;

	if (program >= 0 && named == NULL)
		return false;
	if (named != NULL) {
		dp_object_program(dp_insertion_object(named->insertion), &info);
		name = dph_strndup(info.name, info.name_bytes);
	}
	count = dp_simple_variables(simple, program, words, sizeof words / sizeof *words);
	good = count >= 0;
	if (good && formats != NULL && dp_formats_named(formats)) {
		dp_formats_tell_variables(formats, name, words, (size_t)count, sink);
		good = tell_arrays(simple, found->index, name, formats, sink);
	} else if (good) {
		tell_words(simple, name, words, (size_t)count, sink);
	}
	free(name);
	return good;
}

static const char *told_once(struct dp_simple *simple, int program, enum dp_table table,
			     tell_program *tell)
{
	struct output output;
	const bool good = begin(&output, simple, table) && tell(simple, program, output.sink);

	return end(&output, good);
}

static const char *told(struct dp_simple *simple, int program, enum dp_table table,
			tell_program *tell)
{
	const char *text;

	do
		text = told_once(simple, program, table, tell);
	while (text == NULL && dph_simple_again(simple));
	return text;
}

const char *dp_simple_aggregations(struct dp_simple *simple, int program)
{
	return told(simple, program, DP_TABLE_AGGREGATIONS, tell_aggregations);
}

const char *dp_simple_named(struct dp_simple *simple, int program)
{
	return told(simple, program, DP_TABLE_VARIABLES, tell_variables);
}

/* --- one value by its name --- */

struct search {
	const char *name;
	int64_t value;
	bool found, is_text;
};

/* "x", "x[1]", "@calls[main+0x8, 3]" */
static bool is_named(const char *wanted, const char *mark, const char *name,
		     const char *const *keys, size_t key_count)
{
	struct dph_bytes text = {0};
	bool same;

	dph_bytes_add(&text, mark, strlen(mark));
	dph_bytes_add(&text, name, strlen(name));
	for (size_t i = 0; i < key_count; i++) {
		const char *before = i == 0 ? "[" : ", ";

		dph_bytes_add(&text, before, strlen(before));
		dph_bytes_add(&text, keys[i], strlen(keys[i]));
	}
	if (key_count > 0)
		dph_bytes_add(&text, "]", 1);
	dph_bytes_zero(&text, 1);
	same = strcmp(wanted, (const char *)text.data) == 0;
	free(text.data);
	return same;
}

static void look_at_variable(struct search *search, const struct dp_variable_view *view)
{
	char index[16];

	snprintf(index, sizeof index, "%u", view->index);
	if (!is_named(search->name, "", view->name != NULL ? view->name : index, view->keys,
		      view->key_count))
		return;
	search->found = true;
	search->is_text = view->is_string || view->is_object;
	search->value = (int64_t)view->value;
}

static bool on_reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	struct search **search = sink->state;

	if (kind == DP_READING_VARIABLE) {
		look_at_variable(*search, view);
	} else if (kind == DP_READING_AGGREGATION) {
		const struct dp_aggregation_view *of = view;

		if (is_named((*search)->name, "@", of->name, of->keys, of->key_count)) {
			(*search)->found = true;
			(*search)->value = of->value;
		}
	}
	return true;
}

/* A sink that looks for a value. */
static bool look_for(struct dp_simple *simple, int program, struct search *search)
{
	static const struct dp_sink_kind kind = {
		.name = "value",
		.tables = 1U << DP_TABLE_VARIABLES | 1U << DP_TABLE_AGGREGATIONS,
		.state_bytes = sizeof(struct search *),
		.reading = on_reading,
	};
	const bool of_map = search->name[0] == '@';
	const struct dp_sink_options options = {
		.out = stderr, /* nothing is printed */
		.table = of_map ? DP_TABLE_AGGREGATIONS : DP_TABLE_VARIABLES,
		.quiet = true,
	};
	struct dp_sink *sink = dp_sink_open(&kind, &options);
	bool good;

	if (sink == NULL)
		return dph_simple_fail(simple, "out of memory");
	*(struct search **)sink->state = search;
	good = of_map ? tell_aggregations(simple, program, sink)
		      : tell_variables(simple, program, sink);
	dp_sink_close(sink);
	return good;
}

int dp_simple_value(struct dp_simple *simple, int program, const char *name, int64_t *value)
{
	struct search search = {.name = name};
	bool good;

	do
		good = dph_simple_is_open(simple) && look_for(simple, program, &search);
	while (!good && dph_simple_again(simple));
	if (!good)
		return -1;
	if (search.is_text) {
		dph_simple_fail_owned(simple,
				      dph_print("'%s' is no number; dp_simple_named has its "
						"text",
						name));
		return -1;
	}
	if (search.found)
		*value = search.value;
	return search.found;
}

/* --- values of the firmware --- */

static bool read_all(struct dp_simple *simple, struct dph_look *look)
{
	struct dp_read_place *wanted;

	for (unsigned turn = 0; turn < TURNS_MAX; turn++) {
		const size_t count = dph_look_wanted(look, &wanted);

		if (count == 0)
			return true;
		if (!dp_session_read(simple->session, wanted, count, 0, NULL))
			return dph_simple_fail_session(simple);
	}
	return dph_simple_fail_owned(
		simple, dph_print("an expression follows more than %d pointers", TURNS_MAX));
}

static void tell_value(const struct dp_simple *simple, const struct dph_look *look,
		       struct dp_sink *sink)
{
	const struct dph_looked *looked = dph_look_at(look, 0);
	const struct dph_value_view view = {
		.name = looked->name,
		.why = looked->why,
		.value = &looked->value,
		.in_memory = looked->in_memory,
		.address = looked->address,
		.big_endian = dp_simple_big_endian(simple),
	};
	bool headed = false;

	dph_values_tell(sink, &view, 1, &headed);
}

static bool look_at(struct dp_simple *simple, const char *expression, struct dp_sink *sink)
{
	const struct dph_look_target target = {dp_simple_word_bytes(simple),
					       dp_simple_big_endian(simple)};
	const struct dph_look_how how = {0};
	struct dph_look *look = dph_look_open(&simple->names.others.images, &target);
	struct dp_messages messages = {0};
	bool good = dph_look_add(look, expression, &how, &messages);

	if (!good)
		dph_simple_fail_messages(simple, &messages);
	else
		good = read_all(simple, look);
	if (good)
		tell_value(simple, look, sink);
	dp_messages_free(&messages);
	dph_look_close(look);
	return good;
}

/* Names of another firmware would have wrong addresses. */
static bool fits_target(struct dp_simple *simple)
{
	const struct dph_named *named = &simple->names.others;

	return dph_images_names(&named->images) == NULL || named->image != NULL ||
	       dph_simple_fail(simple, "the target does not run the firmware of elf or sym, so "
				       "names have other addresses there");
}

static const char *read_once(struct dp_simple *simple, const char *expression)
{
	struct output output;
	const bool good = begin(&output, simple, DP_TABLE_VALUES) && fits_target(simple) &&
			  (dp_session_has_part(simple->session, DP_PART_MEMORY) ||
			   dph_simple_fail_session(simple)) &&
			  look_at(simple, expression, output.sink);

	return end(&output, good);
}

const char *dp_simple_read(struct dp_simple *simple, const char *expression)
{
	const char *text;

	do
		text = read_once(simple, expression);
	while (text == NULL && dph_simple_again(simple));
	return text;
}
