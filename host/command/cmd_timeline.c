/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes timeline shows what the CPU does over time: tasks, interrupts and queues. It runs a D
 * program with probes at the well-known functions that the firmware has, and exports the records.
 */
#define _GNU_SOURCE
#include "cmd.h"

#include "exporting.h"

#include "base/pool.h"
#include "export/well_known.h"

#include <stdlib.h>
#include <string.h>

enum {
	NAME_EACH = 32 /* records to one with a name: it may have been lost */
};

static const double for_s = 5; /* without --for */

static bool has_function(const struct dp_image *image, const char *name)
{
	const struct dp_symbol *symbols;
	const size_t count = dp_image_symbols(image, &symbols);

	for (size_t i = 0; i < count; i++)
		if (symbols[i].kind == DP_SYMBOL_FUNCTION && strcmp(symbols[i].name, name) == 0)
			return true;
	return false;
}

/* --- the program --- */

static void add(struct dph_bytes *text, char *piece)
{
	dph_bytes_add(text, piece, strlen(piece));
	free(piece);
}

/* A task or a queue gets a number, which is short on the line. With the number comes its address
 * and its name at first, and once in so many records. */
static void add_subject(struct dph_bytes *text, const struct dph_well_known *row)
{
	const char *word = row->role == DPH_ROLE_SWITCH ? "dp_task" : "dp_queue";
	const char *at = row->subject;

	add(text, dph_print("fbt::%s:%s /!%s[%s]/ { %ss++; %s[%s] = %ss; %s_told = 0; }\n",
			    row->function, row->probe, word, at, word, word, at, word, word));
	add(text, dph_print("fbt::%s:%s /%s_told %% %d == 0/ { trace(%s); ", row->function,
			    row->probe, word, NAME_EACH, at));
	if (*row->name != '\0')
		add(text, dph_print("trace(stringof(%s)); ", row->name));
	add(text, dph_print("}\nfbt::%s:%s { %s_told++; trace(%s[%s]); ", row->function, row->probe,
			    word, word, at));
	if (*row->value != '\0')
		add(text, dph_print("trace(%s); ", row->value));
	add(text, dph_strdup("}\n"));
}

static void add_clauses(struct dph_bytes *text, const struct dph_well_known *row)
{
	if (*row->subject != '\0')
		add_subject(text, row);
	else
		add(text, dph_print("fbt::%s:%s { trace(0); }\n", row->function, row->probe));
}

/* Returns the number of functions that switch tasks. */
static size_t write_program(const struct dp_image *image, struct dph_bytes *text)
{
	size_t switches = 0;

	add(text, dph_strdup("#pragma D option quiet\n"));
	for (size_t i = 0; i < dph_well_known_count; i++) {
		const struct dph_well_known *row = &dph_well_known[i];

		if (!has_function(image, row->function))
			continue;
		switches += row->role == DPH_ROLE_SWITCH;
		add_clauses(text, row);
	}
	dph_bytes_zero(text, 1);
	return switches;
}

static void tell_missing(const struct dph_cli *cli)
{
	char *names = dph_strdup("");

	for (size_t i = 0; i < dph_well_known_count; i++) {
		char *longer;

		if (dph_well_known[i].role != DPH_ROLE_SWITCH)
			continue;
		longer = dph_print("%s%s%s (%s)", names, *names != '\0' ? ", " : "",
				   dph_well_known[i].function, dph_well_known[i].kernel);
		free(names);
		names = longer;
	}
	dph_cli_error(cli,
		      "%s has no function that is known to switch tasks: %s; 'dprobes trace' and "
		      "'dprobes report --perfetto' show the functions that you name",
		      cli->elf, names);
	free(names);
}

/* --- the command --- */

static int show(const struct dph_cli *cli, const struct dp_image *image)
{
	const enum dph_export_id id =
		dph_exported_ends_in(cli, ".svg") ? DPH_EXPORT_SVG : DPH_EXPORT_PERFETTO;
	struct dph_bytes program = {0};
	int status = DPH_EXIT_USAGE;

	if (write_program(image, &program) == 0)
		tell_missing(cli);
	else
		status = dph_run_exported(cli, id, DPH_OWN_TIMELINE, (const char *)program.data,
					  for_s);
	free(program.data);
	return status;
}

int dph_cmd_timeline(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	struct dp_image *image;
	int status;

	if (!dph_exported_can_run(cli, &status))
		return status;
	image = dp_image_open(cli->elf, &messages);
	dph_cli_report(cli, &messages);
	if (image == NULL)
		return DPH_EXIT_USAGE;
	status = show(cli, image);
	dp_image_close(image);
	return status;
}
