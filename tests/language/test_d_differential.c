/* SPDX-License-Identifier: BSD-2-Clause */
/* Random D programs, compiled and hit in the simulator, and evaluated from their tree
 * (tests/language/reference/d_eval.c): what each hit prints, its exit status, and whether the hit
 * sends a record are the same. usage: test_d_differential [PROGRAMS [FIRST_SEED]], shared among the
 * four forms. A difference is shown with its seed and its program. */
#define _GNU_SOURCE
#include "d_tree.h"

#include "object/object_read.h"
#include "simulate/simulate.h"

#include <dprobes/formats.h>
#include <dprobes/host.h>

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
static unsigned long hits, records, faults, exits, budgets, nodes;

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

/* Returns what is wrong; null: nothing. */
static const char *hit_all(const struct dp_object_file *object, const struct dp_formats *formats)
{
	struct dp_verdict verdict;
	struct sim_result result;
	const char *what = NULL;
	bool stopped = false;
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
			break;
		}
		dt_hit(&run);
		count();
		what = compare(formats, &result);
		stopped = run.status >= 0;
	}
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
		printf("seed %" PRIu64 ", %u bits, %s-endian: %s\n%s\nthe tree says: %s\n\n",
		       first + i, program.word_bits, program.big_endian ? "big" : "little", what,
		       text, run.text);
		reports++;
	}
	printf("%lu programs, %lu nodes, %lu hits, %lu records, %lu with faults, %lu with an exit, "
	       "%lu over the budget\n",
	       programs, nodes, hits, records, faults, exits, budgets);
	return reports != 0;
}
