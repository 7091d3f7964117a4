/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes list prints programs and probes with their counters. */
#include "cmd.h"

#include "cmd_names.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

struct list {
	const struct dph_cli *cli;
	const char *name; /* null: all */
	struct dp_session *session;
	struct dp_sink *sink;
	bool open; /* program is being walked */
	struct dp_program_answer program;
	const struct dp_image *names;
	struct dp_probe_view *probes;
	size_t probe_count, capacity;
	unsigned found;
};

/* Hand over the program, as far as it has come. */
static void close_program(struct list *list)
{
	const struct dp_installed_view view = {
		.program = &list->program,
		.probes = list->probes,
		.probe_count = list->probe_count,
		.cpu = dp_session_target(list->session)->cpu,
		.extended = dph_cli_has(list->cli, DPH_OPT_EXTENDED),
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
	if (list->name != NULL && strcmp(list->name, program->name) != 0)
		return true;
	list->program = *program;
	list->open = true;
	list->found++;
	return true;
}

static bool on_probe(void *context, const struct dp_program_answer *program,
		     const struct dp_probe_answer *probe)
{
	struct list *list = context;

	(void)program;
	if (!list->open)
		return true;
	list->probes =
		dph_grow(list->probes, &list->capacity, list->probe_count, sizeof *list->probes);
	list->probes[list->probe_count++] = (struct dp_probe_view){*probe, list->names};
	return true;
}

static int list_all(struct list *list)
{
	const struct dp_walk walk = {list, on_program, on_probe};
	const bool good = dp_session_walk(list->session, &walk);

	close_program(list);
	if (!good)
		return dph_target_failed(list->cli, list->session);
	if (list->name != NULL && list->found == 0) {
		dph_cli_error(
			list->cli,
			"no program '%s' is installed; 'dprobes list' shows the installed programs",
			list->name);
		return DPH_EXIT_AGENT;
	}
	if (list->found == 0 && !list->cli->quiet)
		fprintf(stderr, "dprobes: no program is installed\n");
	return DPH_EXIT_DONE;
}

static int list_to_output(const struct dph_cli *cli, struct dp_session *session, const char *name,
			  struct dph_images *images)
{
	struct list list = {
		.cli = cli,
		.name = name,
		.session = session,
		.names = dph_names_for(cli, session, images),
	};
	FILE *out = dph_output_open(cli);
	int status = DPH_EXIT_USAGE;

	if (out == NULL)
		return status;
	list.sink = dph_output_sink(cli, out);
	if (list.sink != NULL)
		status = list_all(&list);
	dp_sink_close(list.sink);
	free(list.probes);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

int dph_cmd_list(const struct dph_cli *cli)
{
	struct dph_images images = {0};
	struct dp_session *session = NULL;
	const char *name;
	int status;

	if (!dph_cli_program(cli, &name, &status))
		return status;
	if (dph_names_open(cli, &images, &status))
		session = dph_target_open(cli, DP_RIGHT_LOOK, NULL, &status);
	if (session != NULL)
		status = list_to_output(cli, session, name, &images);
	dp_session_close(session);
	dph_images_close(&images);
	return status;
}
