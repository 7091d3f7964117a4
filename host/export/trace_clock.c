/* SPDX-License-Identifier: BSD-2-Clause */
/* The times of all starts of the agent on one scale. */
#include "trace_clock.h"

enum {
	NS = 1000000000
};

static uint64_t larger(int64_t ns, uint64_t other)
{
	return ns > 0 && (uint64_t)ns > other ? (uint64_t)ns : other;
}

uint64_t dph_trace_shift(struct dph_trace_clock *clock, int64_t began_ns)
{
	if (began_ns == 0 || began_ns == clock->start_ns)
		return clock->shift;
	if (clock->began_ns == 0)
		clock->began_ns = began_ns;
	else /* the host's clock may have been set back */
		clock->shift = larger(began_ns - clock->began_ns, clock->latest);
	clock->start_ns = began_ns;
	return clock->shift;
}

uint64_t dph_trace_time(struct dph_trace_clock *clock, const struct dp_record_view *record)
{
	const struct dp_log_record *r = record->record;
	const uint64_t shift = dph_trace_shift(clock, record->began_ns);

	if (!r->ticks_known)
		return clock->latest;
	if (record->hz == 0)
		clock->latest = r->ticks + shift;
	else
		clock->latest = r->ticks / record->hz * NS +
				(r->ticks % record->hz * NS + record->hz / 2) / record->hz + shift;
	return clock->latest;
}

uint64_t dph_trace_time_of_item(struct dph_trace_clock *clock, const struct dp_sink *sink)
{
	const uint64_t shift = dph_trace_shift(clock, sink->began_ns);

	if (sink->seconds < 0 || sink->seconds > 9e9)
		return clock->latest;
	return (uint64_t)(sink->seconds * NS) + shift;
}
