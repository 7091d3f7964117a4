/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes log prints records as they arrive. */
#include "cmd_insert.h"
#include "cmd_stream.h"

static int follow(const struct dph_cli *cli, struct dph_stream *stream)
{
	struct dp_status_answer status;
	int failed;

	if (!dph_direction_take_here(&stream->direction, stream->session, true, &failed))
		return failed;
	if (!dph_stream_learn(stream) || !dp_session_status(stream->session, &status))
		return dph_target_failed(cli, stream->session);
	if (status.programs == 0 && !cli->quiet)
		fprintf(stderr, "dprobes: no program is installed: nothing to log\n");
	if (cli->verbose)
		fprintf(stderr, "dprobes: listening on %s\n", cli->port);
	return dph_stream_status(stream, dph_stream_follow(stream));
}

int dph_cmd_log(const struct dph_cli *cli)
{
	struct dph_stream stream;
	struct dp_session *session;
	FILE *out = NULL;
	int status = DPH_EXIT_USAGE;

	if (dph_stream_init(&stream, cli, &status)) {
		status = DPH_EXIT_USAGE;
		out = dph_output_open(cli);
	}
	if (out == NULL) {
		dph_stream_free(&stream);
		return status;
	}
	session = dph_stream_output(&stream, out)
			  ? dph_target_open(cli, DP_RIGHT_LOOK | DP_RIGHT_LOG, &stream.listener,
					    &status)
			  : NULL;
	if (session != NULL) {
		status = dph_stream_attach(&stream, session) ? follow(cli, &stream) : DPH_EXIT_LINK;
		status = dph_direction_back(&stream.direction, session, status);
		dp_session_close(session);
	}
	dph_stream_free(&stream);
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}
