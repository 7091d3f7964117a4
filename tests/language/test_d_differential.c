/* SPDX-License-Identifier: BSD-2-Clause */
/* Random D programs, compiled and hit in the simulator, and evaluated from their tree
 * (tests/language/reference/d_eval.c): what each hit prints, its exit status, whether the hit sends
 * a record, and the aggregations after all hits are the same. usage: test_d_differential [PROGRAMS
 * [FIRST_SEED]], shared among the four forms. A difference is shown with its seed and its program.
 */
#define _GNU_SOURCE
#include "d_tree.h"

#include "object/object_read.h"
#include "simulate/simulate.h"

#include <dprobes/formats.h>
#include <dprobes/host.h>
#include <dprobes/readings.h>
#include <dprobes/record_sink.h>

#include "dp_rpn.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PROGRAMS_USUAL = 2000,
	FORMS = 4,
	REPORTS_MAX = 3
};

static struct dt_program program;
static struct dt_run run;
static char text[D_TEXT_MAX];
static unsigned long hits, records, faults, exits, budgets, nodes, rows;

/* --- one program --- */

static struct dp_object_file *compile(struct dp_messages *messages)
{
	const struct dp_build_options options = {.cpu = "sim",
						 .word_bits = program.word_bits,
						 .endian = program.big_endian ? "big" : "little",
						 .opcode_optional = true};

	return dp_compile_text(text, "t.d", &options, messages);
}

/* Leave out the columns: the tree has none. */
static void drop_columns(char *line)
{
	char *to = line;

	while (*line) {
		const bool place = strncmp(line, ", t.d:", 6) == 0;

		*to++ = *line++;
		if (!place)
			continue;
		while (*line && (*to++ = *line++) != ':')
			;
		while (isdigit((unsigned char)*line))
			*to++ = *line++;
		line += strcspn(line, "\n");
	}
	*to = 0;
}

/* Null: equal. Else what differs. */
static const char *compare(const struct dp_formats *formats, const struct sim_result *result)
{
	const struct dp_formats_record record = {
		.data = result->log,
		.bytes = result->log_bytes,
		.exception = result->end == RPN_END_EXCEPTION,
		.budget = result->end == RPN_END_BUDGET,
	};
	int status = -1;

	if (result->end == RPN_END_ABORT)
		return run.recorded ? "nothing is sent" : NULL;
	if (!run.recorded)
		return "a record is sent";
	char *found = dp_formats_text(formats, &record, &status);
	if (!found)
		return "the data is not as the formats say";
	drop_columns(found);
	const char *what = strcmp(found, run.text) ? "the text differs"
			   : status != run.status  ? "the exit status differs"
						   : NULL;
	if (what)
		printf("found: %s\nstatus %d, not %d\n", found, status, run.status);
	free(found);
	return what;
}

static void count(void)
{
	hits++;
	records += run.recorded;
	faults += strstr(run.text, "error on enabled") != NULL;
	exits += run.status >= 0;
}

/* --- aggregations --- */

/* A row that the host tells, as dt_print_totals has it. */
static void tell_row(FILE *out, const struct dp_aggregation_view *view,
		     const struct dp_bucket_view *bucket)
{
	if (bucket && !bucket->value)
		return;
	fprintf(out, "%s", view->name);
	for (size_t i = 0; i < view->key_count; i++)
		fprintf(out, " %s", view->keys[i]);
	if (bucket && bucket->is_unsigned)
		fprintf(out, " [%" PRIu64 "]", (uint64_t)bucket->low);
	else if (bucket)
		fprintf(out, " [%" PRId64 "]", bucket->below ? D_LOW - 1 : bucket->low);
	if (!bucket && view->is_unsigned)
		fprintf(out, " %" PRIu64 "\n", (uint64_t)view->value);
	else
		fprintf(out, " %" PRId64 "\n", bucket ? bucket->value : view->value);
}

static bool tell(struct dp_sink *sink, enum dp_reading_kind kind, const void *reading)
{
	const struct dp_aggregation_view *view = reading;
	FILE *out = sink->options.out;

	if (kind == DP_READING_MAP_DROP)
		fprintf(out, "dropped\n");
	if (kind != DP_READING_AGGREGATION)
		return true;
	for (size_t i = 0; i < view->bucket_count; i++)
		tell_row(out, view, &view->buckets[i]);
	if (!view->bucket_count)
		tell_row(out, view, NULL);
	return true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort the lines of a text. */
static void sort_lines(char *lines)
{
	char *list[D_AGGREGATIONS * D_ENTRIES + 1] = {0}, *copy = strdup(lines);
	size_t count = 0, at = 0;

	for (char *line = strtok(copy, "\n"); line && count < sizeof list / sizeof *list;
	     line = strtok(NULL, "\n"))
		list[count++] = line;
	qsort(list, count, sizeof *list, by_text);
	rows += count;
	for (size_t i = 0; i < count; i++)
		at += (size_t)sprintf(lines + at, "%s\n", list[i]);
	free(copy);
}

static void take(struct dph_simulation *s, struct dp_formats *formats)
{
	struct dp_aggregation_info info;
	static uint64_t words[(D_ENTRIES + 1) * DP_MAP_WORDS_MAX];

	for (unsigned i = 0; dp_formats_aggregation(formats, i, &info); i++) {
		size_t count = 0;

		for (unsigned place = 0; count < D_ENTRIES; place++) {
			const int found = dph_simulation_map_place(s, info.map, place,
								   words + count * info.words);

			if (found < 0)
				break;
			count += found > 0;
		}
		dp_formats_add(formats, i, words, count, dph_simulation_map_dropped(s, info.map));
	}
}

/* Null: equal. Else what differs. */
static const char *compare_totals(struct dph_simulation *s, struct dp_formats *formats)
{
	static const struct dp_sink_kind kind = {.name = "rows", .reading = tell};
	char *found = NULL;
	size_t bytes;
	FILE *out = open_memstream(&found, &bytes);
	struct dp_sink sink = {.kind = &kind, .options = {.out = out}};

	take(s, formats);
	dp_formats_tell_totals(formats, true, 0, &sink);
	fclose(out);
	dt_print_totals(&run, run.text, sizeof run.text);
	sort_lines(found);
	sort_lines(run.text);
	const bool same = run.full || strcmp(found, run.text) == 0;
	if (!same)
		printf("found: %s\n", found);
	free(found);
	return same ? NULL : "the aggregations differ";
}

/* Returns what is wrong; null: nothing. */
static const char *hit_all(const struct dp_object_file *object, struct dp_formats *formats)
{
	struct dp_verdict verdict;
	struct sim_result result;
	const char *what = NULL;
	bool stopped = false, over = false;
	struct dph_simulation *s =
		dph_simulation_open(object->data, object->travelling, false, &verdict);

	if (!s)
		return "the verifier refuses it";
	dph_simulation_map(s, D_MEMORY, program.memory, sizeof program.memory, false);
	run = (struct dt_run){.program = &program};
	for (unsigned i = 0; i < D_HITS && !what; i++) {
		const enum dph_hit hit = dph_simulation_hit(s, 0, &result);

		if (stopped) {
			what = hit == DPH_HIT_RAN ? "the program runs behind its exit" : NULL;
			break;
		}
		if (result.end == RPN_END_BUDGET) { /* the tree has no steps */
			budgets++;
			over = true;
			break;
		}
		dt_hit(&run);
		count();
		what = compare(formats, &result);
		stopped = run.status >= 0;
	}
	if (!what && !over)
		what = compare_totals(s, formats);
	dph_simulation_close(s);
	return what;
}

static const char *differs(uint64_t seed, unsigned form)
{
	struct dp_messages messages = {0};

	dt_generate(&program, seed, form & 1 ? 64 : 32, form & 2);
	dt_print(&program, text, sizeof text);
	nodes += program.node_count;
	struct dp_object_file *object = compile(&messages);
	struct dp_formats *formats = object ? dp_formats_open(object, NULL) : NULL;
	const char *what = !object    ? "the compiler refuses it"
			   : !formats ? "it has no formats"
				      : hit_all(object, formats);
	for (size_t i = 0; !object && i < messages.count; i++)
		printf("t.d:%u:%u: %s\n", messages.list[i].line, messages.list[i].column,
		       messages.list[i].text);
	dp_formats_close(formats);
	dp_object_free(object);
	dp_messages_free(&messages);
	return what;
}

static void report(uint64_t seed, const char *what)
{
	printf("seed %" PRIu64 ", %u bits, %s-endian: %s\n%s\nthe tree says: %s\n--mem 0x%x=", seed,
	       program.word_bits, program.big_endian ? "big" : "little", what, text, run.text,
	       D_MEMORY);
	for (unsigned i = 0; i < sizeof program.memory; i++)
		printf("%02x", program.memory[i]);
	printf("\n\n");
}

int main(int argc, char **argv)
{
	const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 0) : PROGRAMS_USUAL;
	const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	unsigned reports = 0;

	for (unsigned long i = 0; i < programs && reports < REPORTS_MAX; i++) {
		const unsigned form = (first + i) % FORMS;
		const char *what = differs(first + i, form);

		if (!what)
			continue;
		report(first + i, what);
		reports++;
	}
	printf("%lu programs, %lu nodes, %lu hits, %lu records, %lu with faults, %lu with an exit, "
	       "%lu over the budget, %lu rows of aggregations\n",
	       programs, nodes, hits, records, faults, exits, budgets, rows / 2);
	return reports != 0;
}
