/* SPDX-License-Identifier: BSD-2-Clause */
/* The aggregations of a record stream's own program: read while it runs, and before a record that
 * acts on them is printed. */
#define _GNU_SOURCE
#include "recording.h"
#include "stream_parts.h"

#include "aggs.h"
#include "kept.h"

#include <unistd.h>

bool dph_stream_acts(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return stream->of_session && stream->formats != NULL && dph_stream_is_own(stream, record) &&
	       dp_formats_acts(stream->formats, record->probe->point);
}

/* A later command adds what was taken to what it reads, should this one be killed. */
static void keep_taken(const struct dph_stream *stream)
{
	dph_kept_taken(stream->cli, stream->object, dp_session_target(stream->session)->boot,
		       stream->formats);
}

void dph_stream_print_held(struct dph_stream *stream, size_t count)
{
	if (count > stream->held.count)
		count = stream->held.count;
	for (size_t i = 0; i < count; i++)
		dph_stream_print(stream, &stream->held.list[i]);
	dph_held_drop(&stream->held, count);
}

bool dph_stream_release(struct dph_stream *stream)
{
	bool good = true;

	while (stream->held.count > 0) {
		const size_t count = stream->held.count;

		good = good && dph_aggs_read(stream->session, stream->program, stream->formats,
					     DP_MAP_TAKE, stream->capture);
		if (good)
			keep_taken(stream);
		dph_recording_event(stream->capture, DPH_EVENT_RELEASE, count, 0);
		dph_stream_print_held(stream, count);
	}
	return good;
}

/* --live: print the aggregations. On a terminal they stand where they stood before. */
static void show_live(struct dph_stream *stream, uint64_t ran_ms, uint64_t now)
{
	if (isatty(fileno(stream->out)) && stream->cli->format == dp_sink_kinds[0])
		fputs("\033[H\033[J", stream->out);
	dp_formats_ran(stream->formats, (double)ran_ms / 1000);
	dp_formats_tell_live(stream->formats, now,
			     (unsigned long)dph_cli_number(stream->cli, DPH_OPT_TOP), stream->sink);
	fflush(stream->out);
}

void dph_stream_tell_taken(struct dph_stream *stream, uint64_t ran_ms, uint64_t now)
{
	dph_stream_came(stream);
	if (stream->teller != NULL)
		stream->teller->tell(stream->teller, stream, false, ran_ms, 0);
	else if (dph_cli_has(stream->cli, DPH_OPT_LIVE))
		show_live(stream, ran_ms, now);
	else
		dp_formats_tell_drops(stream->formats, stream->sink);
}

void dph_stream_tell_totals(struct dph_stream *stream, uint64_t ran_ms, uint64_t missed)
{
	if (stream->formats == NULL)
		return;
	if (stream->teller != NULL)
		stream->teller->tell(stream->teller, stream, true, ran_ms, missed);
	else
		dp_formats_tell_totals(stream->formats, false,
				       (unsigned long)dph_cli_number(stream->cli, DPH_OPT_TOP),
				       stream->sink);
}

/* A locked agent lets nobody take: it is read at the end. */
static bool is_locked(const struct dph_stream *stream)
{
	const struct dp_failure *failure = dp_session_failure(stream->session);

	return failure->kind == DP_FAILED_AGENT && failure->error == DP_ERR_LOCKED;
}

bool dph_stream_take(struct dph_stream *stream)
{
	const uint64_t rate_ms = stream->formats ? dp_formats_aggrate_ms(stream->formats) : 0;
	const uint64_t now = dp_clock_ms();
	uint64_t ran_ms;

	if (rate_ms == 0 || stream->session == NULL || stream->locked ||
	    now - stream->taken_ms < rate_ms)
		return true;
	stream->taken_ms = now;
	if (!dph_aggs_read(stream->session, stream->program, stream->formats, DP_MAP_TAKE,
			   stream->capture)) {
		stream->locked = is_locked(stream);
		return stream->locked;
	}
	keep_taken(stream);
	ran_ms = dph_stream_ran_ms(stream);
	dph_recording_event(stream->capture, DPH_EVENT_TAKEN, ran_ms, now);
	dph_stream_tell_taken(stream, ran_ms, now);
	return true;
}
