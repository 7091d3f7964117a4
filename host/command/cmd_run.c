/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes run inserts a program, prints records, removes the program at the end, and prints the
 * variables and the hits of each probe. */
#include "cmd.h"

#include "aggs.h"
#include "cmd_insert.h"
#include "cmd_stream.h"
#include "kept.h"
#include "object/exits.h"
#include "recording.h"
#include "run_end.h"

#include <dprobes/errors.h>
#include "dp_crc.h"
#include "dp_object.h"

#include <stdlib.h>
#include <string.h>

enum {
	STOPS_MAX = 16 /* a program whose END waits is stopped that often */
};

static bool keep_program(void *context, const struct dp_program_answer *program)
{
	struct dph_run_end *counts = context;

	if (program->index != counts->program)
		return true;
	memcpy(counts->name, program->name, sizeof counts->name);
	counts->vars = program->vars;
	return true;
}

static bool keep_counts(void *context, const struct dp_program_answer *program,
			const struct dp_probe_answer *probe)
{
	struct dph_run_end *counts = context;

	(void)program;
	if (probe->number == DP_NO_NUMBER)
		return true;
	dph_run_end_add(counts, probe);
	return true;
}

/* Read the variables that the agent can report. Returns false when the request failed. */
static bool keep_variables(const struct dph_stream *stream, struct dph_run_end *counts)
{
	size_t there;

	if (counts->vars == 0)
		return true;
	if (dp_session_target(stream->session)->parts >> DP_PART_VARS & 1)
		return dp_session_vars(stream->session, counts->program, 0, false, counts->words,
				       RPN_VARS_MAX, &counts->word_count, &there);
	if (!stream->cli->quiet)
		fprintf(stderr,
			"dprobes: the agent was built without %s: the variables of %s cannot be "
			"printed; build the firmware with DP_WITH_%s\n",
			dp_part_sentence(DP_PART_VARS), counts->name,
			dp_part_feature(DP_PART_VARS));
	return true;
}

/* Print the variables and arrays of a D program. Returns false when a request failed. */
static bool tell_named(const struct dph_stream *stream, const struct dph_run_end *counts)
{
	if (!dph_run_end_named(stream))
		return true;
	dph_run_end_tell_named(stream, counts);
	return dph_arrays_tell(stream->session, counts->program, counts->name, stream->formats,
			       stream->sink, stream->capture);
}

/* Write what was read into the capture, before it is printed. */
static void record_end(struct dph_stream *stream, const struct dph_run_end *counts)
{
	dph_recording_stopped(stream, counts->ran_ms, counts->name);
	dph_recording_vars(stream, counts->words, counts->word_count);
	for (size_t i = 0; i < counts->count; i++)
		dph_recording_counter(stream, &counts->probes[i]);
}

/* Stop the program, print the records that were still on their way, and read its counters. A sync
 * may be lost, so the agent is asked for its counts. */
static bool end_records(struct dph_stream *stream, struct dph_run_end *counts)
{
	const struct dp_walk walk = {counts, keep_program, keep_counts};
	struct dp_status_answer status;
	uint32_t records;

	if (!dp_session_stop(stream->session, counts->program, &records))
		return false;
	dph_stream_drain(stream, records);
	counts->count = 0;
	return dp_session_status(stream->session, &status) &&
	       dp_session_walk_one(stream->session, counts->program, &walk);
}

/* A STOP that a hit serves does not run END: the probe of END is then the only armed one. */
static bool end_waits(const struct dph_run_end *counts)
{
	for (size_t i = 0; i < counts->count; i++)
		if (counts->probes[i].state == DP_PROBE_ARMED)
			return true;
	return false;
}

static bool end_program(struct dph_stream *stream, struct dph_run_end *counts)
{
	for (unsigned i = 0; i < STOPS_MAX; i++) {
		if (!end_records(stream, counts))
			return false;
		if (!end_waits(counts))
			return true;
	}
	fprintf(stderr,
		"dprobes: a hit served each of %d STOP requests: the records of END are "
		"lost\n",
		STOPS_MAX);
	return true;
}

/* End the records. Then nothing counts any more: print variables and counters, and remove the
 * program. */
static bool finish(struct dph_stream *stream, uint8_t program)
{
	struct dph_run_end counts = {.program = program,
				     .names = stream->style.names,
				     .ran_ms = dph_stream_ran_ms(stream)};
	uint8_t removed;
	const bool read = end_program(stream, &counts) && keep_variables(stream, &counts) &&
			  dph_aggs_read(stream->session, program, stream->formats, DP_MAP_LOOK,
					stream->capture);
	bool good;

	record_end(stream, &counts);
	dph_stream_tell_tally(stream);
	good = read && tell_named(stream, &counts) &&
	       dp_session_remove(stream->session, program, &removed);
	if (good) {
		dph_target_leaves(NULL);
		dph_kept_forget(stream->cli, stream->object);
		dph_recording_event(stream->capture, DPH_EVENT_REMOVED, 0, 0);
		dph_stream_tell_full(stream);
		dph_stream_tell_others(stream);
	}
	dph_run_end_tell(stream, &counts);
	dph_run_end_free(&counts);
	return good;
}

/* "inserted: ..." beside the records. */
static void tell_inserted(const struct dph_cli *cli, const struct dph_insertion *insertion)
{
	struct dp_sink *talk = dph_output_talk(cli);

	if (talk != NULL)
		dph_insertion_tell(insertion, talk);
	dp_sink_close(talk);
}

/* Print what has come: no more will. */
static void tell_rest(struct dph_stream *stream)
{
	dp_session_follow(stream->session, NULL);
	dph_recording_flush(stream, DPH_FLUSH_ALL);
	dph_stream_tell_full(stream);
	dph_stream_tell_tally(stream);
}

/* A closed line is no restart of the target. */
static void tell_closed(const struct dph_stream *stream, const struct dp_failure *failure)
{
	if (failure->kind == DP_FAILED_LINK && !dp_session_restarted(stream->session) &&
	    dph_cli_has(stream->cli, DPH_OPT_REINSTALL) && !stream->cli->quiet)
		fprintf(stderr,
			"dprobes: --reinstall waits for a target that restarts, and not for a line "
			"that was closed; 'dprobes serve --keep' opens such a line again: a run "
			"that uses the service goes on\n");
}

/* A step failed while the program is installed: report the failure, and remove the program if
 * the agent still answers. A restart has removed the program. */
static int give_up(struct dph_stream *stream, const struct dph_insertion *insertion,
		   const struct dp_failure *failure)
{
	const int status = dph_target_say(stream->cli, failure);
	uint8_t removed;

	tell_closed(stream, failure);
	tell_rest(stream);
	if (!dp_session_restarted(stream->session) &&
	    !dp_session_remove(stream->session, insertion->inserted.program, &removed))
		fputs(insertion->left, stderr);
	return status;
}

/* Others have removed the program: its variables and counters are gone. */
static int end_removed(struct dph_stream *stream)
{
	tell_rest(stream);
	dph_target_leaves(NULL);
	dph_kept_forget(stream->cli, stream->object);
	dph_recording_event(stream->capture, DPH_EVENT_REMOVED, 0, 0);
	dph_stream_tell_totals(stream, 0, 0);
	return dph_stream_status(stream, DPH_STREAM_REMOVED);
}

static bool is_own(const struct dph_stream *stream, const struct dp_program_answer *program)
{
	const struct dp_object_file *object = stream->object;

	return program->bytes == object->travelling &&
	       program->crc == dp_crc32(0, object->data, object->travelling);
}

/* Has the program gone? The notice may be about an earlier one, and another program may have its
 * index. */
static bool is_gone(struct dph_stream *stream, const struct dph_insertion *insertion)
{
	struct dp_program_answer program;
	bool used;

	stream->removed = false;
	return dp_session_program(stream->session, insertion->inserted.program, &program, &used) &&
	       (!used || !is_own(stream, &program));
}

/* Has a request failed because others have removed the program? */
static bool has_no_program(const struct dp_failure *failure)
{
	return failure->kind == DP_FAILED_AGENT && failure->error == DP_ERR_NO_PROGRAM;
}

/* Follow the records of the installed program. */
static enum dph_stream_end follow(struct dph_stream *stream, const struct dph_insertion *insertion)
{
	enum dph_stream_end end;

	do
		end = dph_stream_follow(stream);
	while (end == DPH_STREAM_REMOVED && !is_gone(stream, insertion));
	return end;
}

static bool sends_cores(const struct dph_insertion *insertion)
{
	struct dp_program_info program;

	dp_object_program(dp_insertion_object(insertion->insertion), &program);
	return dph_exits_with(&program, 0, program.code_bytes, 3);
}

/* Bring the records here and install the program. Prints errors and sets *status. */
static bool begin(struct dph_stream *stream, struct dph_insertion *insertion, int *status)
{
	if (stream->teller != NULL &&
	    !stream->teller->begin(stream->teller, stream->session, status))
		return false;
	if (!dph_direction_take_here(&stream->direction, stream->session, false, status))
		return false;
	/* Before the first hit. Records of a replaced program may still be on their way and keep
	 * their names. */
	if (((insertion->options.options & DP_INSERT_REPLACE) && !dph_stream_ask(stream)) ||
	    !dph_stream_ask_counts(stream)) {
		*status = dph_target_failed(stream->cli, stream->session);
		return false;
	}
	if (stream->modules.count == 0 && sends_cores(insertion))
		dph_stream_know_modules(stream);
	if (!dph_insertion_install(stream->cli, stream->session, insertion, status))
		return false;
	stream->own_only = true;
	stream->replaces = (insertion->options.options & DP_INSERT_REPLACE) != 0;
	stream->program = insertion->inserted.program;
	stream->object = dp_insertion_object(insertion->insertion);
	dph_stream_formats(stream, stream->object);
	if (stream->cli->verbose)
		tell_inserted(stream->cli, insertion);
	dph_trace_tell(stream->cli, stream->object);
	return true;
}

/* -c: type the line into the console of the firmware, which reads on while probes are armed. Once:
 * a line that restarts the target would restart it again behind each insertion. */
static bool type_line(struct dph_stream *stream)
{
	const char *line = stream->typed ? NULL : dph_cli_get(stream->cli, DPH_OPT_LINE);

	stream->typed = true;
	return line == NULL || (dp_session_type(stream->session, line, strlen(line)) &&
				dp_session_type(stream->session, "\r", 1));
}

/* --reinstall: open a session with the restarted target. False: the target was not restarted, or
 * the session failed. */
static bool is_back(struct dph_stream *stream)
{
	if (!dph_cli_has(stream->cli, DPH_OPT_REINSTALL) || !dph_stream_attach_again(stream))
		return false;
	if (!stream->cli->quiet)
		fprintf(stderr,
			"dprobes: the target was restarted (boot %u): inserting the program "
			"again\n",
			dp_session_target(stream->session)->boot);
	return true;
}

static int run(struct dph_stream *stream, struct dph_insertion *insertion)
{
	enum dph_stream_end end;
	struct dp_failure failure;
	int status;

	do {
		if (!begin(stream, insertion, &status)) {
			dph_stream_tell_totals(stream, 0, 0);
			return status;
		}
		end = dph_stream_learn(stream) && type_line(stream) ? follow(stream, insertion)
								    : DPH_STREAM_FAILED;
	} while (end == DPH_STREAM_FAILED && is_back(stream));
	failure = *dp_session_failure(stream->session); /* before the next request */
	if (failure.kind == DP_FAILED_INTERRUPTED)
		end = DPH_STREAM_INTERRUPT;
	if (end == DPH_STREAM_REMOVED ||
	    (end == DPH_STREAM_FAILED && has_no_program(&failure) && is_gone(stream, insertion)))
		return end_removed(stream);
	dph_target_clear_up();
	stream->closed = end == DPH_STREAM_ENOUGH;
	if (stream->closed)
		dph_recording_event(stream->capture, DPH_EVENT_CLOSED, 0, 0);
	if (end == DPH_STREAM_FAILED) {
		status = give_up(stream, insertion, &failure);
		dph_stream_tell_totals(stream, 0, 0);
		return status;
	}
	if (!finish(stream, insertion->inserted.program)) {
		failure = *dp_session_failure(stream->session);
		return give_up(stream, insertion, &failure);
	}
	return dph_stream_status(stream, end);
}

/* What the formats of a D program tell before its insertion.
 * table: receives the table of the output: a program that only counts has a table of aggregations.
 * Returns false for a --count that waits for records of a program that makes none. */
static bool look_at(const struct dph_cli *cli, const struct dph_insertion *insertion,
		    enum dp_table *table)
{
	struct dp_formats *formats =
		dp_formats_open(dp_insertion_object(insertion->insertion), NULL);
	const bool counts = formats != NULL && dp_formats_counts(formats);
	const bool ends = cli->count == 0 || cli->for_s > 0 || cli->until != NULL;
	const bool good = ends || formats == NULL || dp_formats_records(formats);

	dp_formats_close(formats);
	*table = counts ? DP_TABLE_AGGREGATIONS : DP_TABLE_RECORDS;
	if (!good)
		dph_cli_usage(cli,
			      "--count %lu waits for records, and the probes of this program send "
			      "none; end the run with --for TIME (10s), with ^C, or with exit(0) "
			      "in a clause",
			      cli->count);
	return good;
}

int dph_run_told(const struct dph_cli *cli, struct dph_teller *teller)
{
	struct dph_insertion insertion;
	struct dp_session *session;
	struct dph_stream stream = {0};
	FILE *out = NULL;
	enum dp_table table = DP_TABLE_NONE;
	int status = DPH_EXIT_USAGE;

	if (dph_insertion_prepare(cli, &insertion, &status) &&
	    dph_stream_init(&stream, cli, &status)) {
		status = DPH_EXIT_USAGE;
		out = look_at(cli, &insertion, &table) ? dph_output_open(cli) : NULL;
		stream.teller = teller;
		table = teller != NULL ? teller->table : table;
	}
	if (out != NULL) {
		session = dph_stream_output(&stream, out, table)
				  ? dph_target_open_temporary(
					    cli, DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT,
					    &stream.listener, &status)
				  : NULL;
		if (session != NULL) {
			status = dph_stream_attach(&stream, session) ? run(&stream, &insertion)
								     : DPH_EXIT_LINK;
			status = dph_direction_back(&stream.direction, session, status);
			dp_session_close(session);
			status = dph_recording_close(&stream, status);
		}
	}
	dph_stream_free(&stream);
	dph_insertion_free(&insertion);
	if (out != NULL && !dph_output_close(cli, out) && status == DPH_EXIT_DONE)
		status = DPH_EXIT_USAGE;
	return status;
}

int dph_run_text(const struct dph_cli *cli, enum dph_own_program name, const char *program,
		 double for_s)
{
	struct dph_cli own = *cli;
	int status;

	own.own_program = dph_own_program_name(name);
	own.values = dph_malloc((cli->value_count + 1) * sizeof *own.values);
	memcpy(own.values, cli->values, cli->value_count * sizeof *own.values);
	own.values[own.value_count++] = (struct dph_cli_value){DPH_OPT_CLAUSE, program};
	if (own.for_s == 0 && own.count == 0)
		own.for_s = for_s;
	status = dph_cmd_run(&own);
	free(own.values);
	return status;
}

int dph_cmd_run(const struct dph_cli *cli)
{
	return dph_run_told(cli, NULL);
}
