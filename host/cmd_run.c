/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes run: insert, print records, remove at the end, and say how often each probe hit. */
#define _GNU_SOURCE
#include "cmd_insert.h"
#include "cmd_stream.h"

#include "json.h"

#include <inttypes.h>
#include <stdlib.h>

struct hits {
	const struct dp_cli *cli;
	FILE *out;
	uint8_t program;
};

static bool print_hits(void *context, const struct dp_target_program *program,
		       const struct dp_target_probe *probe)
{
	const struct hits *hits = context;

	if (program->index != hits->program || probe->number == DP_NO_NUMBER)
		return true;
	if (hits->cli->format == DP_FORMAT_JSON) {
		struct dp_json json = dp_json_begin(hits->out);

		dp_json_string(&json, "kind", "hits");
		dp_json_string(&json, "program", program->name);
		dp_json_number(&json, "point", probe->point);
		dp_json_number(&json, "minor", probe->minor);
		dp_json_address(&json, "address", probe->address);
		dp_json_number(&json, "hits", probe->hits);
		dp_json_number(&json, "missed", probe->missed);
		dp_json_number(&json, "ignored", probe->ignored);
		dp_json_number(&json, "faulted", probe->faulted);
		dp_json_number(&json, "dropped", probe->dropped);
		dp_json_end(&json);
		return true;
	}
	fprintf(hits->out, "hits: %s minor %u at 0x%08" PRIx64 ": %" PRIu32, program->name,
		probe->minor, probe->address, probe->hits);
	if (probe->missed > 0)
		fprintf(hits->out, ", %" PRIu32 " missed", probe->missed);
	if (probe->faulted > 0)
		fprintf(hits->out, ", %" PRIu32 " faulted", probe->faulted);
	if (probe->dropped > 0)
		fprintf(hits->out, ", %" PRIu32 " dropped", probe->dropped);
	putc('\n', hits->out);
	return true;
}

/* The firmware as it was; then the counters, behind the records that were still on their way. */
static bool finish(struct dp_stream *stream, uint8_t program)
{
	char *text = NULL;
	size_t bytes;
	struct hits hits = {stream->cli, open_memstream(&text, &bytes), program};
	const struct dp_walk walk = {.context = &hits, .probe = print_hits};
	uint8_t removed;
	bool good;

	if (hits.out == NULL)
		return dp_session_remove(stream->session, program, &removed);
	good = dp_session_walk(stream->session, &walk) &&
	       dp_session_remove(stream->session, program, &removed);
	if (good) {
		dp_target_leaves(NULL);
		dp_stream_drain(stream);
	}
	fclose(hits.out);
	fputs(text, stream->cli->format == DP_FORMAT_RAW ? stderr : stream->out);
	free(text);
	return good;
}

/* Something failed while the program is installed: say it, and take the program back if the agent
 * still answers. */
static int give_up(struct dp_stream *stream, const struct dp_insertion *insertion)
{
	const int status = dp_target_failed(stream->cli, stream->session);
	uint8_t removed;

	if (!dp_session_remove(stream->session, insertion->inserted.program, &removed))
		fputs(insertion->left, stderr);
	return status;
}

static int run(struct dp_stream *stream, struct dp_insertion *insertion)
{
	enum dp_stream_end end;
	int status;

	if (!dp_direction_take_here(&stream->direction, stream->session, false, &status))
		return status;
	/* Records of what is replaced may still be on their way: they keep their names. And where
	 * no sync line says how many there should have been, the count before the first hit does.
	 */
	if (((insertion->choice.options & DP_INSERT_REPLACE) ||
	     !(dp_session_target(stream->session)->parts >> DP_PART_TIMES & 1)) &&
	    !dp_stream_ask(stream))
		return dp_target_failed(stream->cli, stream->session);
	if (!dp_insertion_install(stream->cli, stream->session, insertion, &status))
		return status;
	stream->own_only = true;
	stream->program = insertion->inserted.program;
	if (stream->cli->verbose)
		dp_insertion_tell(insertion, stderr);
	end = dp_stream_learn(stream) ? dp_stream_follow(stream) : DP_STREAM_FAILED;
	if (end == DP_STREAM_INTERRUPT ||
	    dp_session_failure(stream->session)->kind == DP_FAILED_INTERRUPTED)
		end = DP_STREAM_INTERRUPT;
	dp_target_clear_up();
	stream->closed = end == DP_STREAM_ENOUGH;
	if (end == DP_STREAM_FAILED || !finish(stream, insertion->inserted.program))
		return give_up(stream, insertion);
	return dp_stream_status(stream, end);
}

int dp_cmd_run(const struct dp_cli *cli)
{
	struct dp_insertion insertion;
	struct dp_session *session;
	struct dp_stream stream = {0};
	FILE *out = NULL;
	int status = DP_EXIT_USAGE;

	if (dp_insertion_prepare(cli, &insertion, &status) &&
	    dp_stream_init(&stream, cli, &status)) {
		status = DP_EXIT_USAGE;
		out = dp_output_open(cli);
	}
	if (out != NULL) {
		stream.out = out;
		session = dp_target_open(cli, &stream.listener, &status);
		if (session != NULL) {
			status = dp_stream_attach(&stream, session) ? run(&stream, &insertion)
								    : DP_EXIT_LINK;
			status = dp_direction_back(&stream.direction, session, status);
			dp_session_close(session);
		}
	}
	dp_stream_free(&stream);
	dp_insertion_free(&insertion);
	if (out != NULL && !dp_output_close(cli, out) && status == DP_EXIT_DONE)
		status = DP_EXIT_USAGE;
	return status;
}
