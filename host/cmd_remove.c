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

static int told(const struct dp_cli *cli, unsigned removed)
{
	FILE *out = dp_output_open(cli);

	if (out == NULL)
		return DP_EXIT_USAGE;
	if (cli->format == DP_FORMAT_JSON) {
		struct dp_json json = dp_json_begin(out);

		dp_json_string(&json, "kind", "removed");
		dp_json_number(&json, "programs", removed);
		dp_json_end(&json);
	} else if (!cli->quiet) {
		fprintf(out, "removed: %u program(s)\n", removed);
	}
	return dp_output_close(cli, out) ? DP_EXIT_DONE : DP_EXIT_USAGE;
}

static int remove_all(const struct dp_cli *cli, struct dp_session *session)
{
	uint8_t removed;

	if (!dp_session_remove(session, DP_REMOVE_ALL, &removed))
		return dp_target_failed(cli, session);
	return told(cli, removed);
}

static int remove_named(const struct dp_cli *cli, struct dp_session *session, const char *name)
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
	return told(cli, search.count);
}

int dp_cmd_remove(const struct dp_cli *cli)
{
	const char *name = cli->arg_count == 1 ? cli->args[0] : dp_cli_get(cli, DP_OPT_NAME);
	bool all = dp_cli_has(cli, DP_OPT_ALL);
	struct dp_session *session;
	int status;

	if (all == (name != NULL))
		return dp_cli_usage(cli, "remove needs the name of a program, or --all");
	session = dp_target_open(cli, NULL, &status);
	if (session != NULL)
		status = all ? remove_all(cli, session) : remove_named(cli, session, name);
	dp_session_close(session);
	return status;
}
