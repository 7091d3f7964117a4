/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of records wait until the probe numbers have a meaning. A second reader follows the numbers
 * of the records meanwhile: missing records come again and arrived ones are acknowledged, before
 * the agent overwrites the first or runs out of room for new ones. */
#define _GNU_SOURCE
#include "recording.h"
#include "stream_parts.h"

#include <stdlib.h>

static void ignore_record(void *context, const struct dp_log_record *record)
{
	(void)context, (void)record;
}

static void ignore_gap(void *context, const struct dp_gap *gap)
{
	(void)context, (void)gap;
}

static void ignore_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context, (void)notice;
}

static void read_entry(struct dp_records *records, const struct dph_waiting *entry, uint64_t now)
{
	if (records == NULL)
		return;
	if (entry->counts)
		dp_records_counts(records, &entry->now);
	else
		dp_records_line(records, &entry->frame, now);
}

static void read_waiting(const struct dph_stream *stream, struct dp_records *records, uint64_t now)
{
	for (size_t i = 0; i < stream->waiting_count; i++)
		read_entry(records, &stream->waiting[i], now);
}

void dph_stream_wait(struct dph_stream *stream, const struct dph_waiting *entry)
{
	if (stream->waiting_count == stream->waiting_room) {
		size_t room = stream->waiting_room * 2 + 64;
		struct dph_waiting *grown = realloc(stream->waiting, room * sizeof *grown);

		if (grown == NULL)
			return; /* the line number will show the loss */
		stream->waiting = grown;
		stream->waiting_room = room;
	}
	stream->waiting[stream->waiting_count++] = *entry;
	read_entry(stream->numbers, entry, dp_clock_ms());
}

static void follow(const struct dph_stream *stream, struct dp_records *records)
{
	if (stream->lines->follow != NULL)
		stream->lines->follow(stream->lines, records);
}

void dph_stream_follow_none(struct dph_stream *stream)
{
	follow(stream, NULL);
	dp_records_free(stream->numbers);
	stream->numbers = NULL;
}

bool dph_stream_follow_numbers(struct dph_stream *stream)
{
	const struct dp_records_listener listener = {
		.record = ignore_record, .gap = ignore_gap, .notice = ignore_notice};

	stream->numbers =
		dp_records_new(stream->lines->word_bytes, stream->lines->big_endian, &listener);
	if (stream->numbers == NULL)
		return false;
	read_waiting(stream, stream->numbers, dp_clock_ms());
	follow(stream, stream->numbers);
	return true;
}

void dph_stream_follow_records(struct dph_stream *stream)
{
	follow(stream, stream->records);
	dp_records_free(stream->numbers);
	stream->numbers = NULL;
	read_waiting(stream, stream->records, dph_recording_learned(stream));
	stream->waiting_count = 0;
}
