/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes insert: compile, upload, arm. */
#include "cmd_insert.h"

#include "cmd_direct.h"

#include "json.h"

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	dp_insertion_progress(context, done, total);
}

static void tell(const struct dp_cli *cli, const struct dp_insertion *insertion, FILE *out)
{
	const struct dp_inserted *in = &insertion->inserted;
	struct dp_program_info program;

	dp_object_program(insertion->object, &program);
	if (cli->format == DP_FORMAT_JSON) {
		struct dp_json json = dp_json_begin(out);
		char name[64];

		snprintf(name, sizeof name, "%.*s", (int)program.name_bytes, program.name);
		dp_json_string(&json, "kind", "inserted");
		dp_json_string(&json, "program", name);
		dp_json_number(&json, "index", in->program);
		dp_json_number(&json, "armed", in->armed);
		dp_json_number(&json, "waiting", in->waiting);
		dp_json_end(&json);
	} else if (!cli->quiet) {
		dp_insertion_tell(insertion, out);
	}
}

/* A program that is refused leaves the log where it was. */
static void insert(struct dp_direction *direction, struct dp_session *session,
		   struct dp_insertion *insertion, FILE *out, int *status)
{
	if (dp_direction_take(direction, session, status) &&
	    dp_insertion_install(direction->cli, session, insertion, status))
		tell(direction->cli, insertion, out);
	else
		*status = dp_direction_back(direction, session, *status);
}

int dp_cmd_insert(const struct dp_cli *cli)
{
	const struct dp_listener listener = {.context = (void *)cli, .progress = on_progress};
	struct dp_direction direction;
	struct dp_insertion insertion = {0};
	struct dp_session *session = NULL;
	FILE *out = NULL;
	int status;

	/* The output first: what is armed must be told. */
	if (dp_direction_init(&direction, cli, &status) &&
	    dp_insertion_prepare(cli, &insertion, &status)) {
		out = dp_output_open(cli);
		status = DP_EXIT_USAGE;
	}
	if (out != NULL)
		session = dp_target_open(cli, &listener, &status);
	if (session != NULL)
		insert(&direction, session, &insertion, out, &status);
	dp_session_close(session);
	dp_insertion_free(&insertion);
	if (out != NULL && !dp_output_close(cli, out) && status == DP_EXIT_DONE)
		status = DP_EXIT_USAGE;
	return status;
}
