/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes report prints the records of a capture as the command printed them that wrote it, or
 * those in the log of a terminal. */
#define _GNU_SOURCE
#include "cmd.h"

#include "cmd_plain.h"
#include "exporting.h"
#include "report_core.h"
#include "report_events.h"
#include "report_terminal.h"
#include "stream_parts.h"

#include "dp_frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	DAMAGES_SAID = 10
};

/* A capture that is read, and what was found in it. */
struct reading {
	struct dph_report report;
	struct dph_capture_reader *reader; /* null: the file is a terminal's log: */
	struct dph_bytes log;
	FILE *out;
	const char *path;
	enum dp_table table;
	unsigned long line; /* the latest whole one */
	unsigned long damages;
	bool exports;                  /* the output is an export, also of no record */
	bool broken;                   /* what is behind has no meaning */
	uint64_t lines, texts, events; /* that were read */
};

/* --- entries --- */

/* Say that a line is damaged. */
static void damaged(struct reading *r, const struct dph_captured_entry *entry, const char *why)
{
	if (r->damages++ < DAMAGES_SAID)
		dph_cli_error(r->report.cli, "%s:%lu: this line is damaged, and is left out: %s",
			      r->path, entry->number, why);
}

/* The entry decides how all behind it is read. */
static void broken(struct reading *r, const struct dph_captured_entry *entry, const char *why)
{
	damaged(r, entry, why);
	dph_cli_error(r->report.cli, "%s:%lu: the lines behind this line cannot be read without it",
		      r->path, entry->number);
	r->broken = true;
}

static void take_fact(struct reading *r, struct dph_captured_entry *entry)
{
	char *value = entry->text;
	const char *key = dph_capture_word(&value);

	if (r->report.cli->verbose)
		fprintf(stderr, "dprobes: %s %s\n", key, value);
	if (strcmp(key, "table") == 0)
		r->table = strcmp(value, "aggregations") == 0 ? DP_TABLE_AGGREGATIONS
							      : DP_TABLE_RECORDS;
	else if (!dph_report_fact(&r->report, key, value))
		broken(r, entry, "a value that this fact cannot have");
}

static void take_line(struct reading *r, const struct dph_captured_entry *entry)
{
	const struct dp_listener *to = &r->report.stream.listener;
	struct dp_frame_in frame;

	r->lines++;
	if (entry->count > DP_LINE_MAX ||
	    !dp_frame_check((const uint8_t *)entry->text, entry->count, 0, &frame) ||
	    strchr("RSPYN", (char)frame.type) == NULL)
		damaged(r, entry, "it is no line of a record, a sync or a notice");
	else
		to->stream(to->context, &frame, entry->text, entry->count - 1);
}

static void take_text(struct reading *r, const struct dph_captured_entry *entry)
{
	const struct dp_listener *to = &r->report.stream.listener;

	r->texts++;
	to->console(to->context, (const uint8_t *)entry->text, entry->count);
	to->settled(to->context, (const uint8_t *)entry->text, entry->count);
}

/* The first entry behind the facts at the begin decides the table. */
static bool open_output(struct reading *r)
{
	struct dph_stream *stream = &r->report.stream;

	return stream->sink != NULL || dph_stream_output(stream, r->out, r->table);
}

static void take_timed(struct reading *r, struct dph_captured_entry *entry)
{
	struct dph_stream *stream = &r->report.stream;
	const double for_ms = r->report.cli->for_s * 1000;

	stream->replay_ms = entry->ms;
	stream->closed = stream->closed || (for_ms > 0 && (double)entry->ms > for_ms);
	if (entry->kind == DPH_CAPTURED_LINE) {
		take_line(r, entry);
	} else if (entry->kind == DPH_CAPTURED_TEXT) {
		take_text(r, entry);
	} else if (dph_report_event(&r->report, entry->text)) {
		r->events++;
	} else {
		damaged(r, entry, "no event that fits here");
	}
}

/* Take an entry. Returns false at the end of the file, or of what can be read. */
static bool take(struct reading *r)
{
	struct dph_captured_entry entry;

	dph_capture_read(r->reader, &entry);
	if (entry.kind == DPH_CAPTURED_END || r->broken)
		return false;
	r->line = entry.number;
	if (entry.kind == DPH_CAPTURED_FACT) {
		take_fact(r, &entry);
		return true;
	}
	if (!open_output(r))
		return false;
	if (entry.kind == DPH_CAPTURED_DAMAGED && entry.decides)
		broken(r, &entry, entry.text);
	else if (entry.kind == DPH_CAPTURED_DAMAGED)
		damaged(r, &entry, entry.text);
	else if (entry.kind != DPH_CAPTURED_OBJECT)
		take_timed(r, &entry);
	else if (!dph_report_object(&r->report, &entry))
		broken(r, &entry, "no object");
	return true;
}

/* --- the end --- */

/* The file was cut before the probe numbers had a meaning: their records are bytes. */
static void learn_nothing(struct dph_report *report)
{
	report->stream.own_only = false;
	dph_stream_formats_none(&report->stream);
	dph_report_event(report, (char[]){"learned"});
}

/* The rest of the output: a run has its readings, also where the file was cut between them. */
static void tell_rest(struct dph_report *report)
{
	struct dph_stream *stream = &report->stream;

	if (!stream->learned)
		learn_nothing(report);
	dp_records_resends(stream->records, false);
	dph_recording_flush(stream, DPH_FLUSH_ALL);
	dph_stream_print_held(stream, stream->held.count);
	if (report->stopped && !report->removed) {
		dph_run_end_tell(stream, &report->end);
		return;
	}
	dph_stream_tell_full(stream);
	if (!report->stopped)
		dph_stream_tell_tally(stream);
	dph_stream_tell_others(stream);
	if (report->stopped)
		dph_run_end_tell(stream, &report->end);
	else if (stream->formats != NULL && (report->removed || report->mapped))
		dp_formats_tell_totals(stream->formats, false,
				       (unsigned long)dph_cli_number(report->cli, DPH_OPT_TOP),
				       stream->sink);
}

/* Say what is missing in the file. Returns whether something is. */
static bool tell_missing(const struct reading *r)
{
	const struct dph_report *report = &r->report;
	const uint64_t lost = report->begun ? dp_records_totals(report->stream.records)->lost : 0;

	if (r->damages > DAMAGES_SAID)
		dph_cli_error(report->cli, "%s: %lu lines are damaged", r->path, r->damages);
	if (!report->ended) {
		dph_cli_error(report->cli,
			      "%s has no end: the file was cut behind line %lu, or its writer was "
			      "killed; %" PRIu64 " record(s) before that are missing, those behind "
			      "it are not known",
			      r->path, r->line, lost);
		return true;
	}
	if (r->lines == report->lines_there && r->texts == report->texts_there &&
	    r->events == report->events_there + 1)
		return r->damages > 0;
	dph_cli_error(report->cli,
		      "%s has %" PRIu64 " of %" PRIu64 " lines of the target, %" PRIu64
		      " of %" PRIu64 " texts and %" PRIu64 " of %" PRIu64 " events",
		      r->path, r->lines, report->lines_there, r->texts, report->texts_there,
		      r->events - 1, report->events_there);
	return true;
}

static int print_log(struct reading *r)
{
	if (!open_output(r))
		return DPH_EXIT_USAGE;
	if (!dph_terminal_log_deliver(&r->report, &r->log))
		return DPH_EXIT_USAGE;
	tell_rest(&r->report);
	return dph_stream_status(&r->report.stream, DPH_STREAM_ENDED);
}

static int print(struct reading *r)
{
	struct dph_report *report = &r->report;
	bool missing;

	while (take(r))
		if (ferror(r->out))
			break;
	if (r->exports)
		open_output(r);
	if (report->several && !report->cli->quiet)
		fprintf(stderr,
			"dprobes: %s has several programs: --name NAME prints the records "
			"of one as it says\n",
			r->path);
	if (report->begun)
		tell_rest(report);
	missing = tell_missing(r);
	if (!report->begun)
		return missing ? DPH_EXIT_LOST : DPH_EXIT_DONE;
	const int status = dph_stream_status(&report->stream, DPH_STREAM_ENDED);
	return missing && status == DPH_EXIT_DONE ? DPH_EXIT_LOST : status;
}

/* --- the command --- */

/* Open a capture, or a terminal's log. */
static bool open_file(const struct dph_cli *cli, struct reading *r)
{
	r->reader = dph_capture_open(r->path, &r->log);
	if (r->reader != NULL)
		return true;
	if (errno != 0) {
		dph_cli_error(cli, "cannot read %s: %s", r->path, strerror(errno));
		return false;
	}
	if (dph_terminal_log(&r->report, &r->log))
		return true;
	dph_cli_error(cli,
		      "%s is no capture of 'dprobes': its first line is not '%s'; and it is no log "
		      "of a terminal: no line of it is a record, a sync or a notice",
		      r->path, DPH_CAPTURE_FIRST);
	return false;
}

/* Close the output. A sink may write the most of it only now. */
static int close_output(struct reading *r, int status)
{
	const struct dph_cli *cli = r->report.cli;
	const bool written = dp_sink_close(r->report.stream.sink);
	const char *folder = r->report.stream.folder;

	r->report.stream.sink = NULL;
	if (!written && folder != NULL)
		dph_cli_error(cli, "the trace in %s could not be written", folder);
	if ((!dph_output_close(cli, r->out) || !written) && status == DPH_EXIT_DONE)
		return DPH_EXIT_USAGE;
	return status;
}

/* The capture stays as it is: --output may name it by mistake. */
static bool is_own_file(const struct dph_cli *cli)
{
	struct stat file, other;

	if (cli->output == NULL || stat(cli->output, &file) != 0 ||
	    stat(cli->args[0], &other) != 0 || file.st_dev != other.st_dev ||
	    file.st_ino != other.st_ino || !S_ISREG(file.st_mode))
		return false;
	dph_cli_error(cli,
		      "%s is read by this command, and would be overwritten; name another file",
		      cli->output);
	return true;
}

static int report(const struct dph_cli *cli, const char *folder, bool exports)
{
	struct reading r = {.report = {.cli = cli},
			    .path = cli->args[0],
			    .table = DP_TABLE_RECORDS,
			    .exports = exports};
	int status = DPH_EXIT_USAGE;

	if (dph_stream_init(&r.report.stream, cli, &status)) {
		status = DPH_EXIT_USAGE;
		r.report.stream.replays = true;
		r.report.stream.folder = folder;
		if (open_file(cli, &r) && !is_own_file(cli))
			r.out = dph_output_open(cli);
	}
	if (r.out != NULL)
		status = close_output(&r, r.reader == NULL ? print_log(&r) : print(&r));
	free(r.log.data);
	dph_report_free(&r.report);
	dph_capture_reader_free(r.reader);
	return status;
}

int dph_cmd_report(const struct dph_cli *cli)
{
	struct dph_exporting exporting;
	int status = DPH_EXIT_USAGE;

	if (dph_cli_has(cli, DPH_OPT_CORE))
		return dph_report_core(cli, cli->args[0]);
	if (dph_exporting_init(&exporting, cli, &status))
		status = report(&exporting.cli, exporting.folder, exporting.values != NULL);
	dph_exporting_free(&exporting);
	return status;
}
