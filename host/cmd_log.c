/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes log: records as they come. */
#include "cmd_insert.h"
#include "cmd_stream.h"

static int follow(const struct dp_cli *cli, struct dp_stream *stream)
{
	struct dp_target_status status;
	int failed;

	if (!dp_direction_take_here(&stream->direction, stream->session, true, &failed))
		return failed;
	if (!dp_stream_learn(stream) || !dp_session_status(stream->session, &status))
		return dp_target_failed(cli, stream->session);
	if (status.programs == 0 && !cli->quiet)
		fprintf(stderr, "dprobes: no program is installed: nothing to log\n");
	return dp_stream_status(stream, dp_stream_follow(stream));
}

int dp_cmd_log(const struct dp_cli *cli)
{
	struct dp_stream stream;
	struct dp_session *session;
	FILE *out = NULL;
	int status = DP_EXIT_USAGE;

	if (dp_stream_init(&stream, cli, &status)) {
		status = DP_EXIT_USAGE;
		out = dp_output_open(cli);
	}
	if (out == NULL) {
		dp_stream_free(&stream);
		return status;
	}
	stream.out = out;
	session = dp_target_open(cli, &stream.listener, &status);
	if (session != NULL) {
		status = dp_stream_attach(&stream, session) ? follow(cli, &stream) : DP_EXIT_LINK;
		status = dp_direction_back(&stream.direction, session, status);
		dp_session_close(session);
	}
	dp_stream_free(&stream);
	return dp_output_close(cli, out) || status != DP_EXIT_DONE ? status : DP_EXIT_USAGE;
}
