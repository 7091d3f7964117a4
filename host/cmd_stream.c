/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "cmd_stream.h"

#include "cmd_insert.h"

#include "json.h"

#include <stdlib.h>
#include <string.h>

enum {
	HOLD_MS = 50,    /* a withdraw comes at once, or not */
	DRAIN_MS = 1500, /* a sync comes, or is asked for, each second */
};

/* --- what comes in --- */

/* --until sees the text form whatever the format. */
static void watch_record(struct dp_stream *stream, const struct dp_log_record *record)
{
	struct dp_record_style style = stream->style;
	char *text = NULL;
	size_t bytes;

	if (!stream->until.wanted || stream->until.seen)
		return;
	style.json = false;
	style.out = open_memstream(&text, &bytes);
	if (style.out == NULL)
		return;
	dp_print_record(&style, record);
	fclose(style.out);
	/* With templates a record has several lines. */
	for (char *line = text; *line != '\0';) {
		char *end = strchrnul(line, '\n');
		const bool last = *end == '\0';

		*end = '\0';
		dp_until_text(&stream->until, line);
		line = last ? end : end + 1;
	}
	free(text);
}

static bool raw(const struct dp_stream *stream)
{
	return stream->cli->format == DP_FORMAT_RAW;
}

static bool enough(const struct dp_stream *stream)
{
	return stream->until.seen ||
	       (stream->cli->count != 0 && stream->counted >= stream->cli->count);
}

/* Is it of the program that we wait for? Others may be installed, and are printed too. */
static bool counts(const struct dp_stream *stream, const struct dp_log_record *record)
{
	return !stream->own_only ||
	       (record->probe != NULL && record->probe->program == stream->program);
}

static void on_record(void *context, const struct dp_log_record *record)
{
	struct dp_stream *stream = context;

	if (stream->closed || enough(stream))
		return;
	stream->style.hz = dp_records_totals(stream->records)->hz;
	if (!raw(stream))
		dp_print_record(&stream->style, record);
	if (!counts(stream, record))
		return;
	stream->counted++;
	watch_record(stream, record);
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	struct dp_stream *stream = context;
	struct dp_record_style style = stream->style;

	if (raw(stream)) /* only lines of the agent on standard output */
		style.out = stderr;
	dp_print_gap(&style, gap);
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	struct dp_stream *stream = context;

	if (!raw(stream))
		dp_print_notice(&stream->style, notice);
}

static void keep_waiting(struct dp_stream *stream, const struct dp_waiting *entry)
{
	if (stream->waiting_count == stream->waiting_room) {
		size_t room = stream->waiting_room * 2 + 64;
		struct dp_waiting *grown = realloc(stream->waiting, room * sizeof *grown);

		if (grown == NULL)
			return; /* the line number will show the loss */
		stream->waiting = grown;
		stream->waiting_room = room;
	}
	stream->waiting[stream->waiting_count++] = *entry;
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct dp_stream *stream = context;

	if (raw(stream) && !stream->closed) {
		fprintf(stream->out, "%.*s\n", (int)count, text);
		fflush(stream->out);
	}
	if (stream->learned)
		dp_records_line(stream->records, frame, dp_clock_ms());
	else
		keep_waiting(stream, &(struct dp_waiting){.frame = *frame});
}

static void on_counts(void *context, const struct dp_record_counts *counts)
{
	struct dp_stream *stream = context;

	if (stream->learned)
		dp_records_counts(stream->records, counts);
	else
		keep_waiting(stream, &(struct dp_waiting){.counts = true, .now = *counts});
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	struct dp_stream *stream = context;

	if (!stream->cli->quiet)
		fwrite(bytes, 1, count, stderr);
	dp_until_console(&stream->until, bytes, count);
}

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	const struct dp_stream *stream = context;

	dp_insertion_progress(stream->cli, done, total);
}

/* --- life --- */

bool dp_stream_init(struct dp_stream *stream, const struct dp_cli *cli, int *status)
{
	memset(stream, 0, sizeof *stream);
	stream->cli = cli;
	stream->listener =
		(struct dp_listener){stream, on_console, on_stream, on_progress, on_counts};
	return dp_direction_init(&stream->direction, cli, status) &&
	       dp_until_init(&stream->until, cli, status) &&
	       dp_cli_templates(cli, &stream->templates, status);
}

void dp_stream_free(struct dp_stream *stream)
{
	dp_records_free(stream->records);
	dp_templates_free(stream->templates);
	free(stream->waiting);
	dp_until_free(&stream->until);
}

bool dp_stream_attach(struct dp_stream *stream, struct dp_session *session)
{
	const struct dp_records_listener listener = {stream, on_record, on_gap, on_notice};
	const struct dp_hello *target = dp_session_target(session);

	stream->session = session;
	stream->style = (struct dp_record_style){
		.out = stream->out,
		.json = stream->cli->format == DP_FORMAT_JSON,
		.word_bytes = target->word_bytes,
		.hz = target->hz,
		.templates = stream->templates,
		.big_endian = target->big_endian,
		.leftover = stream->cli->verbose,
	};
	stream->records = dp_records_new(target->word_bytes, target->big_endian, &listener);
	return stream->records != NULL;
}

bool dp_stream_ask(struct dp_stream *stream)
{
	return dp_session_learn(stream->session, stream->records);
}

bool dp_stream_learn(struct dp_stream *stream)
{
	if (!dp_stream_ask(stream))
		return false;
	stream->learned = true;
	for (size_t i = 0; i < stream->waiting_count; i++)
		if (stream->waiting[i].counts)
			dp_records_counts(stream->records, &stream->waiting[i].now);
		else
			dp_records_line(stream->records, &stream->waiting[i].frame, dp_clock_ms());
	stream->waiting_count = 0;
	return true;
}

static enum dp_stream_end failed(const struct dp_stream *stream)
{
	return dp_session_failure(stream->session)->kind == DP_FAILED_INTERRUPTED
		       ? DP_STREAM_INTERRUPT
		       : DP_STREAM_FAILED;
}

enum dp_stream_end dp_stream_follow(struct dp_stream *stream)
{
	const uint64_t start = dp_clock_ms();
	const uint64_t limit_ms = (uint64_t)(stream->cli->timeout_s * 1000);

	while (!enough(stream) && !ferror(stream->out) && !dp_output_unread(stream->out)) {
		if (limit_ms != 0 && dp_clock_ms() - start >= limit_ms) {
			dp_records_flush(stream->records, UINT64_MAX);
			return enough(stream) ? DP_STREAM_ENOUGH : DP_STREAM_TIMEOUT;
		}
		if (!dp_session_listen(stream->session, HOLD_MS)) {
			dp_records_flush(stream->records, UINT64_MAX);
			return failed(stream);
		}
		dp_records_flush(stream->records, dp_clock_ms() - HOLD_MS);
	}
	return DP_STREAM_ENOUGH;
}

void dp_stream_drain(struct dp_stream *stream)
{
	const uint64_t start = dp_clock_ms();
	const unsigned syncs = dp_records_totals(stream->records)->syncs;

	while (dp_records_totals(stream->records)->syncs == syncs &&
	       dp_clock_ms() - start < DRAIN_MS)
		if (!dp_session_listen(stream->session, HOLD_MS))
			break;
	dp_records_flush(stream->records, UINT64_MAX);
}

int dp_stream_status(const struct dp_stream *stream, enum dp_stream_end end)
{
	const struct dp_cli *cli = stream->cli;

	switch (end) {
	case DP_STREAM_FAILED:
		return dp_target_failed(cli, stream->session);
	case DP_STREAM_INTERRUPT:
		return DP_EXIT_INTERRUPT;
	case DP_STREAM_TIMEOUT:
		/* Alone it is how long to look; with --count or --until it is giving up. */
		if (cli->count == 0 && cli->until == NULL)
			break;
		dp_cli_error(cli, "gave up after %g s, %lu record(s)", cli->timeout_s,
			     stream->counted);
		return DP_EXIT_TIMEOUT;
	case DP_STREAM_ENOUGH:
		break;
	}
	return dp_records_lossy(stream->records) ? DP_EXIT_LOST : DP_EXIT_DONE;
}
