/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes remove removes programs by name, or all programs. */
#include "cmd.h"

#include "cmd_target.h"
#include "installed.h"

#include <string.h>

struct search {
	const char *name;
	uint8_t index[256];
	unsigned count;
};

static bool match(void *context, const struct dp_program_answer *program)
{
	struct search *search = context;

	if (strcmp(program->name, search->name) == 0)
		search->index[search->count++] = program->index;
	return true;
}

static void tell(const struct dph_cli *cli, FILE *out, unsigned removed)
{
	struct dp_sink *sink = dph_output_sink(cli, out);

	if (sink != NULL)
		dp_sink_reading(sink, DP_READING_REMOVED, &(struct dp_removed_view){removed});
	dp_sink_close(sink);
}

static int remove_all(const struct dph_cli *cli, struct dp_session *session, FILE *out)
{
	uint8_t removed;

	if (!dp_session_remove(session, DP_REMOVE_ALL, &removed))
		return dph_target_failed(cli, session);
	tell(cli, out, removed);
	return DPH_EXIT_DONE;
}

static int remove_named(const struct dph_cli *cli, struct dp_session *session, const char *name,
			FILE *out)
{
	struct search search = {.name = name};
	const struct dp_walk walk = {.context = &search, .program = match};
	uint8_t removed;

	if (!dp_session_walk(session, &walk))
		return dph_target_failed(cli, session);
	if (search.count == 0)
		return dph_installed_missing(cli, session, "no program '%s' is installed", name);
	for (unsigned i = 0; i < search.count; i++)
		if (!dp_session_remove(session, search.index[i], &removed))
			return dph_target_failed(cli, session);
	tell(cli, out, search.count);
	return DPH_EXIT_DONE;
}

int dph_cmd_remove(const struct dph_cli *cli)
{
	const bool all = dph_cli_has(cli, DPH_OPT_ALL);
	struct dp_session *session;
	const char *name;
	int status;
	FILE *out;

	if (!dph_cli_program(cli, &name, &status))
		return status;
	if (!all && name == NULL) {
		status = dph_cli_usage(cli, "remove needs the name of a program, or --all");
		dph_installed_tell(cli);
		return status;
	}
	out = dph_output_open(cli); /* first: the user must read which programs are removed */
	if (out == NULL)
		return DPH_EXIT_USAGE;
	session = dph_target_open(cli, DP_RIGHT_LOOK | DP_RIGHT_INSERT, NULL, &status);
	if (session != NULL)
		status =
			all ? remove_all(cli, session, out) : remove_named(cli, session, name, out);
	dp_session_close(session);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}
