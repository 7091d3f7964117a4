/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes probes lists the probe points that descriptions match; --verbose: with the readable
 * variables. `dprobes -l` is short for this command. */
#include "cmd.h"

#include "cli_output.h"
#include "base/pool.h"
#include "lang/d/list.h"

#include <stdlib.h>
#include <string.h>

enum {
	FRAMES_MAX = 16
};

/* "queue_put+0x0 queue.c:34"; behind it the name that the place of a declared probe has. */
static char *place_text(const struct dph_cli *cli, struct dp_debuginfo *debug,
			const struct dph_d_listed *point)
{
	char *text = dp_debuginfo_address_text(debug, point->address), *more;

	if (point->place == NULL)
		return text;
	more = dph_print("%s = %s%s%s", text, point->place, cli->verbose ? ", declared in " : "",
			 cli->verbose ? point->declared : "");
	free(text);
	return more;
}

static void show(const struct dph_cli *cli, struct dp_sink *sink, struct dp_debuginfo *debug,
		 const struct dph_d_listed *point)
{
	struct dp_code_frame frames[FRAMES_MAX];
	struct dp_variable_text *variables = NULL;
	const bool scope = cli->verbose && !point->nowhere;
	char *text = place_text(cli, debug, point);
	struct dp_place_view view = {
		.address = point->address,
		.nowhere = point->nowhere,
		.text = text,
		.frames = frames,
		.frame_count = point->nowhere ? 0
					      : dp_debuginfo_frames(debug, point->address, frames,
								    FRAMES_MAX),
		.scope = scope,
		.probe = point->name,
		.refused = cli->verbose ? point->refused : NULL,
	};
	char *prototype = scope ? dp_debuginfo_prototype(debug, point->address) : NULL;

	if (scope)
		view.variable_count =
			dp_debuginfo_variables(debug, point->address, point->outer, &variables);
	view.variables = variables;
	view.prototype = prototype;
	dp_sink_reading(sink, DP_READING_PLACE, &view);
	free(variables);
	free(prototype);
	free(text);
}

static void show_all(const struct dph_cli *cli, struct dp_sink *sink, const struct dp_image *image,
		     const struct dph_d_list *list)
{
	struct dp_debuginfo *debug = dp_debuginfo_open(image, NULL);
	size_t refused = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->points[i].refused != NULL && !cli->verbose)
			refused++;
		else
			show(cli, sink, debug, &list->points[i]);
	if (refused > 0 && !cli->quiet)
		fprintf(stderr,
			"dprobes: %zu point(s) that cannot be probed are not listed; -v lists them "
			"with the reason\n",
			refused);
	for (size_t i = 0; i < list->hidden_count && cli->verbose && !cli->quiet; i++)
		fprintf(stderr, "dprobes: %s\n", list->hidden[i]);
	if (list->count > 0 && cli->verbose && dp_debuginfo_missing(debug) && !cli->quiet)
		fprintf(stderr, "dprobes: %s\n", dp_debuginfo_missing(debug));
	dp_debuginfo_close(debug);
}

/* Find the points of each description. Returns false when one matches nothing. */
static bool find_all(const struct dph_cli *cli, struct dp_image *image, struct dph_d_list *list,
		     struct dp_messages *messages)
{
	bool good = true;

	if (cli->arg_count == 0)
		return dph_d_points(image, "fbt:::entry", list, messages);
	for (size_t i = 0; i < cli->arg_count; i++)
		good = dph_d_points(image, cli->args[i], list, messages) && good;
	return good;
}

int dph_cmd_probes(const struct dph_cli *cli)
{
	struct dp_messages messages = {0};
	const char *path = cli->elf;
	struct dph_d_list list = {0};
	struct dp_image *image;
	FILE *out = NULL;
	int status = DPH_EXIT_USAGE;

	if (path == NULL)
		return dph_cli_usage(cli, "which firmware? give --elf FILE");
	list.options = dph_cli_d_options(cli, &list.option_count);
	image = dp_image_open(path, &messages);
	if (image != NULL && find_all(cli, image, &list, &messages))
		out = dph_output_open(cli);
	if (out != NULL) {
		struct dp_sink *sink = dph_output_sink(cli, out);

		if (sink != NULL)
			show_all(cli, sink, image, &list);
		status = dp_sink_close(sink) && sink != NULL ? DPH_EXIT_DONE : DPH_EXIT_USAGE;
		if (!dph_output_close(cli, out))
			status = DPH_EXIT_USAGE;
	}
	if (messages.errors > 0 && status == DPH_EXIT_DONE) /* of a provider file */
		status = DPH_EXIT_USAGE;
	dph_cli_report(cli, &messages);
	free((void *)list.options);
	dph_d_list_free(&list);
	dp_image_close(image);
	return status;
}
