/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes remove: disarm programs by name, or all. */
#include "cmd_target.h"

#include "json.h"

#include <string.h>

struct search {
	const char *name;
	uint8_t index[256];
	unsigned count;
};

static bool match(void *context, const struct dp_target_program *program)
{
	struct search *search = context;

	if (strcmp(program->name, search->name) == 0)
		search->index[search->count++] = program->index;
	return true;
}

static void tell(const struct dp_cli *cli, FILE *out, unsigned removed)
{
	if (cli->format == DP_FORMAT_JSON) {
		struct dp_json json = dp_json_begin(out);

		dp_json_string(&json, "kind", "removed");
		dp_json_number(&json, "programs", removed);
		dp_json_end(&json);
	} else if (!cli->quiet) {
		fprintf(out, "removed: %u program(s)\n", removed);
	}
}

static int remove_all(const struct dp_cli *cli, struct dp_session *session, FILE *out)
{
	uint8_t removed;

	if (!dp_session_remove(session, DP_REMOVE_ALL, &removed))
		return dp_target_failed(cli, session);
	tell(cli, out, removed);
	return DP_EXIT_DONE;
}

static int remove_named(const struct dp_cli *cli, struct dp_session *session, const char *name,
			FILE *out)
{
	struct search search = {.name = name};
	const struct dp_walk walk = {.context = &search, .program = match};
	uint8_t removed;

	if (!dp_session_walk(session, &walk))
		return dp_target_failed(cli, session);
	if (search.count == 0) {
		dp_cli_error(cli, "no program '%s' is installed; 'dprobes list' shows them", name);
		return DP_EXIT_AGENT;
	}
	for (unsigned i = 0; i < search.count; i++)
		if (!dp_session_remove(session, search.index[i], &removed))
			return dp_target_failed(cli, session);
	tell(cli, out, search.count);
	return DP_EXIT_DONE;
}

int dp_cmd_remove(const struct dp_cli *cli)
{
	const bool all = dp_cli_has(cli, DP_OPT_ALL);
	struct dp_session *session;
	const char *name;
	int status;
	FILE *out;

	if (!dp_cli_program(cli, &name, &status))
		return status;
	if (!all && name == NULL)
		return dp_cli_usage(cli, "remove needs the name of a program, or --all");
	out = dp_output_open(cli); /* first: what is removed must be told */
	if (out == NULL)
		return DP_EXIT_USAGE;
	session = dp_target_open(cli, NULL, &status);
	if (session != NULL)
		status =
			all ? remove_all(cli, session, out) : remove_named(cli, session, name, out);
	dp_session_close(session);
	return dp_output_close(cli, out) || status != DP_EXIT_DONE ? status : DP_EXIT_USAGE;
}
