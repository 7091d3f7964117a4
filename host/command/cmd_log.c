/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes log prints records as they arrive. */
#include "cmd.h"

#include "cmd_insert.h"
#include "cmd_stream.h"
#include "installed.h"
#include "kept.h"
#include "recording.h"

/* PROGRAM is the name of an installed program, whose object an earlier command kept. False with
 * *status set when there is none. */
static bool find_named(const struct dph_cli *cli, struct dph_stream *stream, int *status)
{
	struct dp_program_answer program;

	*status = dph_installed_named(cli, stream->session, cli->args[0], &program);
	if (*status != DPH_EXIT_DONE)
		return false;
	stream->kept = dph_kept_find(&program);
	stream->program = program.index;
	stream->object = stream->kept;
	if (stream->kept != NULL)
		dph_stream_formats(stream, stream->object);
	else if (!cli->quiet)
		fprintf(stderr,
			"dprobes: warning: the object of '%s' was not kept here (it is no D "
			"program, or another user inserted it): its records are shown as bytes; "
			"give its file\n",
			cli->args[0]);
	return true;
}

/* Find PROGRAM among the installed ones. False with *status set when the search failed. */
static bool find_program(const struct dph_cli *cli, struct dph_stream *stream,
			 struct dph_insertion *insertion, int *status)
{
	struct dp_program_answer program;
	bool found;

	if (insertion == NULL)
		return cli->arg_count == 0 || stream->records_all ||
		       find_named(cli, stream, status);
	if (!dph_insertion_find(cli, stream->session, insertion, &program, &found, status))
		return false;
	if (found) {
		stream->object = dp_insertion_object(insertion->insertion);
		stream->program = program.index;
		dph_stream_formats(stream, stream->object); /* among records of other programs */
	}
	if (found || cli->quiet)
		return true;
	fprintf(stderr,
		"dprobes: warning: no installed program was made from %s: its records are shown as "
		"bytes; give the file and the options of the insertion\n",
		cli->args[0]);
	return true;
}

static int follow(const struct dph_cli *cli, struct dph_stream *stream,
		  struct dph_insertion *insertion)
{
	struct dp_status_answer status;
	enum dph_stream_end end;
	bool drained;
	int failed;

	if (!find_program(cli, stream, insertion, &failed))
		return failed;
	if (!dph_direction_take_here(&stream->direction, stream->session, true, &failed))
		return failed;
	dph_recording_kept(stream);
	if (stream->modules.count == 0) /* any program may send cores */
		dph_stream_know_modules(stream);
	if (!dph_stream_learn(stream) || !dp_session_status(stream->session, &status))
		return dph_target_failed(cli, stream->session);
	if (status.programs == 0 && !cli->quiet)
		fprintf(stderr, "dprobes: no program is installed, so no record will come\n");
	if (cli->verbose)
		fprintf(stderr, "dprobes: listening on %s\n", cli->port);
	end = dph_stream_follow(stream);
	dph_target_clear_up();
	drained = end != DPH_STREAM_FAILED && dph_stream_drain_sent(stream);
	if (!drained && end != DPH_STREAM_INTERRUPT)
		end = DPH_STREAM_FAILED;
	if (!drained) /* else what is still missing was sent behind the end */
		dp_session_follow(stream->session, NULL);
	dph_recording_flush(stream, DPH_FLUSH_ALL);
	dph_stream_tell_full(stream);
	dph_stream_tell_tally(stream);
	return dph_stream_status(stream, end);
}

/* Open the line and print what comes. */
static int listen_to(struct dph_stream *stream, struct dph_insertion *insertion, FILE *out)
{
	const struct dph_cli *cli = stream->cli;
	struct dp_session *session;
	int status = DPH_EXIT_USAGE;

	stream->records_all = cli->table == DP_TABLE_NONE;
	if (!dph_stream_output(stream, out, DP_TABLE_RECORDS))
		return status;
	/* The core of a stopped target needs the right to insert. */
	session = dph_target_open(
		cli, DP_RIGHT_LOOK | DP_RIGHT_LOG | (cli->write ? (unsigned)DP_RIGHT_INSERT : 0),
		&stream->listener, &status);
	if (session == NULL)
		return status;
	status =
		dph_stream_attach(stream, session) ? follow(cli, stream, insertion) : DPH_EXIT_LINK;
	status = dph_direction_back(&stream->direction, session, status);
	dp_session_close(session);
	return dph_recording_close(stream, status);
}

int dph_log_records(const struct dph_cli *cli, struct dph_insertion *insertion,
		    FILE *(*open)(const struct dph_cli *cli))
{
	struct dph_stream stream;
	FILE *out = NULL;
	int status = DPH_EXIT_USAGE;

	if (dph_stream_init(&stream, cli, &status)) {
		status = DPH_EXIT_USAGE;
		out = open(cli);
	}
	if (out != NULL)
		status = listen_to(&stream, insertion, out);
	dph_stream_free(&stream);
	if (out == NULL)
		return status;
	return dph_output_close(cli, out) || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

int dph_cmd_log(const struct dph_cli *cli)
{
	const bool program = cli->arg_count > 0 && dph_insertion_is_file(cli);
	struct dph_insertion insertion = {0};
	int status = DPH_EXIT_USAGE;

	if (!program || dph_insertion_prepare(cli, &insertion, &status))
		status = dph_log_records(cli, program ? &insertion : NULL, dph_output_open);
	dph_insertion_free(&insertion);
	return status;
}
