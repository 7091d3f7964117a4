/* SPDX-License-Identifier: BSD-2-Clause */
/* What a record stream receives: lines become records, which go to the sink. */
#define _GNU_SOURCE
#include "recording.h"
#include "stream_parts.h"

#include "present/tally.h"

#include <stdlib.h>
#include <string.h>

bool dph_stream_enough(const struct dph_stream *stream)
{
	return stream->until.seen || stream->status >= 0 ||
	       (stream->cli->count != 0 && stream->counted >= stream->cli->count) ||
	       (stream->most != 0 && stream->counted >= stream->most);
}

bool dph_stream_is_own(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return record->probe != NULL && record->probe->program == stream->program;
}

/* The record is from before this session: a program that is gone had the probe number. */
static bool is_older(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return stream->own_only && !stream->replaces && stream->of_session && record->ticks_known &&
	       record->ticks < stream->hello_ticks;
}

/* A D program has the output for itself; records of other programs are counted. */
static bool is_left_out(const struct dph_stream *stream, const struct dp_log_record *record)
{
	if (dph_stream_is_own(stream, record))
		return is_older(stream, record);
	return stream->own_only && stream->formats != NULL;
}

/* Is the record of the awaited program? Records of other programs are printed too. */
static bool counts(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return !stream->own_only || dph_stream_is_own(stream, record);
}

/* Is it the record of END clauses? It comes behind the last one that was asked for. */
static bool is_end(const struct dph_stream *stream, const struct dp_log_record *record)
{
	const char *probe;

	if (stream->style.formats == NULL || !dph_stream_is_own(stream, record))
		return false;
	probe = dp_formats_probe(stream->style.formats, record->probe->point, true);
	return probe != NULL && strcmp(probe, "dtrace:::END") == 0;
}

void dph_stream_print(struct dph_stream *stream, const struct dp_log_record *record)
{
	struct dp_record_view view;

	if ((stream->closed || dph_stream_enough(stream)) && !is_end(stream, record))
		return;
	if (is_left_out(stream, record)) {
		stream->others++;
		return;
	}
	if (dp_records_totals(stream->records)->hz != 0)
		stream->style.hz = dp_records_totals(stream->records)->hz;
	stream->style.object = dph_stream_is_own(stream, record) ? stream->object : NULL;
	dp_record_view_read(&view, &stream->style, record);
	if (view.left_out) {
		stream->counted += view.counted && counts(stream, record);
		dp_record_view_free(&view);
		return;
	}
	if (stream->tally != NULL)
		dph_tally_add(stream->tally, &stream->style, record);
	else
		dp_sink_record(stream->sink, &view);
	if (stream->status < 0)
		stream->status = view.status;
	if (counts(stream, record)) {
		stream->counted++;
		dph_until_record(&stream->until, &view);
	}
	dp_record_view_free(&view);
}

static void on_record(void *context, const struct dp_log_record *record)
{
	struct dph_stream *stream = context;

	if (record->head.kind == DP_RECORD_CORE) {
		dph_core_files_add(&stream->cores, record, &stream->images);
		return;
	}
	if (stream->held.count > 0 || dph_stream_acts(stream, record))
		dph_held_add(&stream->held, record);
	else
		dph_stream_print(stream, record);
}

void dph_stream_came(const struct dph_stream *stream)
{
	const uint64_t now = stream->replays ? stream->replay_ms : dp_clock_ms();
	struct dp_sink *sink = stream->sink;

	if (sink == NULL || stream->lines == NULL)
		return;
	sink->hz = stream->lines->hz;
	sink->began_ns = stream->lines->began_ns;
	sink->seconds = -1;
	if (stream->of_session && sink->hz != 0)
		sink->seconds = (double)stream->hello_ticks / sink->hz +
				(double)(int64_t)(now - stream->hello_ms) / 1000;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	struct dph_stream *stream = context;

	dph_stream_came(stream);
	dp_sink_gap(stream->sink, gap);
}

/* Has exit 2 stopped the target? The notice has a word, the probe, and why. */
static bool is_crash(const struct dph_stream *stream, const struct dp_notice_in *notice)
{
	const size_t why = stream->style.word_bytes + 1;

	return notice->number == DP_NOTICE_STOPPED && notice->bytes > why &&
	       notice->arguments[why] == DPH_CRASH;
}

/* The start before our own HELLO is no news: an agent that no host knew tells it behind its answer.
 * A later start ends the session. */
static void on_notice(void *context, const struct dp_notice_in *notice)
{
	struct dph_stream *stream = context;
	const struct dp_notice_view view = {notice, stream->style.word_bytes, stream->style.names};

	if (notice->number == DP_NOTICE_BOOT && stream->of_session)
		return;
	dph_stream_came(stream);
	dp_sink_notice(stream->sink, &view);
	stream->removed |= stream->own_only && notice->number == DP_NOTICE_REMOVED;
	stream->cores.crashed |= is_crash(stream, notice);
	dph_until_notice(&stream->until, &view);
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct dph_stream *stream = context;
	const uint64_t now = dph_recording_line(stream, text, count);

	if (!stream->closed)
		dp_sink_line(stream->sink, text, count);
	if (stream->learned)
		dp_records_line(stream->records, frame, now);
	else
		dph_stream_wait(stream, &(struct dph_waiting){.frame = *frame});
}

static void on_counts(void *context, const struct dp_record_counts *counts)
{
	struct dph_stream *stream = context;

	dph_recording_counts(stream, counts);
	stream->based = stream->based || !counts->stored;
	if (stream->learned)
		dp_records_counts(stream->records, counts);
	else
		dph_stream_wait(stream, &(struct dph_waiting){.counts = true, .now = *counts});
}

static void put_console(void *context, const uint8_t *bytes, size_t count)
{
	(void)context;
	fwrite(bytes, 1, count, stderr);
	fflush(stderr); /* a prompt has no newline */
}

/* Before the target is known, text has no time: it waits. */
static void put_text(struct dph_stream *stream, const uint8_t *bytes, size_t count)
{
	if (stream->sink == NULL)
		return;
	if (stream->lines == NULL) {
		dph_bytes_add(&stream->early, bytes, count);
		return;
	}
	dph_stream_came(stream);
	dp_sink_console(stream->sink, bytes, count);
}

void dph_stream_end_early(struct dph_stream *stream)
{
	dph_stream_came(stream);
	if (stream->sink != NULL && stream->early.count > 0)
		dp_sink_console(stream->sink, stream->early.data, stream->early.count);
	free(stream->early.data);
	stream->early = (struct dph_bytes){0};
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	struct dph_stream *stream = context;

	dph_recording_text(stream, bytes, count);
	put_text(stream, bytes, count);
	if (!stream->cli->quiet)
		dph_console_text_write(&stream->text, bytes, count, put_console, NULL);
}

void dph_stream_end_console(struct dph_stream *stream)
{
	dph_console_text_end(&stream->text, put_console, NULL);
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct dph_stream *stream = context;

	dph_until_console(&stream->until, bytes, count);
}

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	struct dph_stream *stream = context;

	dph_insertion_progress(&stream->progress, done, total);
}

void dph_stream_listen(struct dph_stream *stream)
{
	stream->listener = (struct dp_listener){stream,      on_console, on_stream,
						on_progress, on_counts,  on_settled};
}

struct dp_records_listener dph_stream_receiver(struct dph_stream *stream)
{
	return (struct dp_records_listener){stream, on_record, on_gap, on_notice};
}
