/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes insert compiles, uploads and arms programs. */
#include "cmd.h"

#include "cmd_insert.h"

#include "cmd_direct.h"

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	dph_insertion_progress(context, done, total);
}

static void tell(const struct dph_cli *cli, const struct dph_insertion *insertion, FILE *out)
{
	struct dp_sink *sink = dph_output_sink(cli, out);

	if (sink != NULL)
		dph_insertion_tell(insertion, sink);
	dp_sink_close(sink);
}

/* A program that is refused leaves the log where it was. */
static void insert(struct dph_direction *direction, struct dp_session *session,
		   struct dph_insertion *insertion, FILE *out, int *status)
{
	if (dph_direction_take(direction, session, status) &&
	    dph_insertion_install(direction->cli, session, insertion, status))
		tell(direction->cli, insertion, out);
	else
		*status = dph_direction_back(direction, session, *status);
}

int dph_cmd_insert(const struct dph_cli *cli)
{
	struct dph_progress progress = {.cli = cli};
	const struct dp_listener listener = {.context = &progress, .progress = on_progress};
	struct dph_direction direction;
	struct dph_insertion insertion = {0};
	struct dp_session *session = NULL;
	FILE *out = NULL;
	int status;

	/* The output first: the user must read which probes are armed. */
	if (dph_direction_init(&direction, cli, &status) &&
	    dph_insertion_prepare(cli, &insertion, &status)) {
		out = dph_output_open(cli);
		status = DPH_EXIT_USAGE;
	}
	if (out != NULL)
		session = dph_target_open(cli, DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
					  &listener, &status);
	if (session != NULL)
		insert(&direction, session, &insertion, out, &status);
	dp_session_close(session);
	dph_insertion_free(&insertion);
	if (out != NULL && !dph_output_close(cli, out) && status == DPH_EXIT_DONE)
		status = DPH_EXIT_USAGE;
	return status;
}
