/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own lines: notices, and syncs with time and counts. */
#include "dp_status_lines.h"

#include "dp_build.h"
#include "dp_clock.h"
#include "dp_form.h"
#include "dp_lock.h"
#include "dp_ring_full.h"
#include "dp_sent.h"
#include "dp_stream_line.h"
#include "dp_tell.h"
#include "dp_wire.h"

#if DP_WITH_STREAM
enum {
	DP_LINES_PER_SYNC = 64 /* where there is no clock to sync by */
};

static void put_bytes(struct dp_line *line, const uint8_t *bytes, unsigned count)
{
	while (count-- > 0)
		dp_line_put(line, *bytes++, 2);
}

/* A hit that came after `now` was read has a later time: by less than 2^40 ticks. */
uint64_t dp_record_time(const struct dp_draft *draft, const struct dp_record *record)
{
	const uint64_t mask = 0xffffffffffff;
	uint64_t last = draft->now + (1ull << 40);

	return last - ((last - ((uint64_t)record->ticks_high << 32 | record->ticks)) & mask);
}

/* The bound is half of what a receiver needs that knows the last told time. The rest is for one
 * that has missed it. */
bool dp_time_is_far(const struct dp_draft *draft, uint64_t time)
{
	const uint64_t half = DP_TIME_SPAN;

	return time - draft->stream.told + half >= 2 * half;
}

/* Where the fields of a sync are found: dp_form.h. */
enum {
	DP_IN_SYNC_DRAFT,
	DP_IN_SYNC_AGENT,
	DP_IN_SYNC_RING
};
#define DP_OF_SYNC_DRAFT(wire, member) DP_FORM_##wire(struct dp_draft, member)
#define DP_OF_SYNC_AGENT(wire, member) DP_FORM_##wire(struct dp_agent, member)
#define DP_OF_SYNC_RING(wire, member)  DP_FORM_##wire(struct dp_ring, member)
#define DP_sync_line_ticks             DP_FROM(SYNC_DRAFT, stream.sync_at)
#define DP_sync_line_hz                DP_ALSO(SYNC_DRAFT, stream.hz)
#define DP_sync_line_boot              DP_FROM(SYNC_AGENT, boot)
#define DP_sync_line_sent              DP_FROM(SYNC_DRAFT, next.number)
#define DP_sync_line_dropped           DP_FROM(SYNC_RING, dropped)
#define DP_sync_line_missed            DP_ALSO(SYNC_RING, missed)
#define DP_sync_line_withdrawn         DP_ALSO(SYNC_RING, withdrawn)
#define DP_sync_line_notices           DP_FROM(SYNC_DRAFT, stream.notices)
#define DP_sync_line_full              DP_ALSO(SYNC_DRAFT, full)
#define DP_ONLY_line(...)              __VA_ARGS__
#define DP_MESSAGE(message, kind)      DP_ONLY_##kind(DP_CHECK_MESSAGE(message, kind))
#define DP_FIELD(message, of_kind, field, wire, meaning)                                           \
	DP_ONLY_##of_kind(DP_CHECK_FIELD(message, of_kind, field))
enum {
#include "messages.def"
};
#define DP_ONLY_line(...) __VA_ARGS__
#define DP_FIELD(message, of_kind, field, wire, meaning)                                           \
	DP_ONLY_##of_kind(DP_FORM_ROW(message, of_kind, field, wire))
#define DP_END(message, kind) DP_ONLY_##kind(DP_FORM_END)
static const uint8_t sync_form[] = {
#include "messages.def"
};

/* A sync does not count as the last told time: when the sync is lost, no number shows that. */
static void sync_line(struct dp_agent *agent, struct dp_draft *draft)
{
	const void *bases[] = {[DP_IN_SYNC_DRAFT] = draft,
			       [DP_IN_SYNC_AGENT] = agent,
			       [DP_IN_SYNC_RING] = &DP_DRAFT_CPU(agent, draft)->ring};
	struct dp_answer numbers;

	draft->stream.hz = dp_tick_hz(agent);
	draft->stream.lines_since_sync = 0;
	draft->full = dp_ring_full_ticks(DP_DRAFT_CPU(agent, draft));
	numbers.bytes = 0;
	dp_give(&numbers, sync_form, bases);
	put_bytes(dp_stream_begin(draft, DP_FRAME_SYNC, draft->next.number), numbers.payload,
		  numbers.bytes);
	dp_line_end(draft->line);
}

static bool build_notice(struct dp_agent *agent, struct dp_draft *draft)
{
	struct dp_notice_out *out = dp_notice_waiting(agent);

	if (!out)
		return false;
	put_bytes(dp_stream_begin(draft, DP_FRAME_NOTICE, draft->stream.notices++), out->body,
		  out->bytes);
	dp_line_end(draft->line);
	draft->done = &out->bytes;
	return true;
}

static bool sync_is_due(const struct dp_agent *agent, const struct dp_draft *draft)
{
	const struct dp_stream *stream = &draft->stream;
	uint32_t hz = dp_tick_hz(agent);

	if (stream->sync_due)
		return true;
	if (hz == 0)
		return stream->lines_since_sync >= DP_LINES_PER_SYNC;
	return agent->arena_used != 0 && draft->now - stream->sync_at >= hz;
}

static void report_lost_lines(struct dp_agent *agent)
{
	dp_irq irq;
	dp_word lost;

	if (agent->link.lines_lost == 0)
		return;
	irq = dp_lock_take(); /* a hit reports them as well */
	lost = agent->link.lines_lost;

	if (lost != 0 &&
	    dp_notice_put(agent, DP_NOTICE_LINE_LOST, DP_WIDTHS_line_lost_notice, &lost))
		agent->link.lines_lost = 0;
	dp_lock_give(irq);
}

bool dp_boot_line(struct dp_agent *agent, struct dp_draft *draft)
{
	if (draft->stream.boot_told)
		return false;
	draft->stream.boot_told = 1;
	return build_notice(agent, draft);
}

bool dp_status_line(struct dp_agent *agent, struct dp_draft *draft)
{
	struct dp_stream *stream = &draft->stream;

	report_lost_lines(agent);
	if (build_notice(agent, draft))
		return true;
	draft->now = dp_now(agent);
	if (!sync_is_due(agent, draft))
		return false;
	stream->sync_due = 0;
	stream->sync_at = draft->now;
	sync_line(agent, draft);
	return true;
}

/* To a terminal where no host was, the notice of the start is only a strange line: it waits for the
 * first HELLO. */
static void start(struct dp_agent *agent)
{
	dp_stream_timed(agent);
	agent->stream[0].boot_told = !agent->resumed;
	DP_TELL(agent, DP_NOTICE_BOOT, DP_WIDTHS_boot_notice, agent->boot, agent->restored);
}

static void poll(struct dp_agent *agent)
{
	dp_end_held(agent);
	dp_sent_free(agent);
}

const struct dp_feature dp_feature_stream = {.start = start, .poll = poll};
#endif
