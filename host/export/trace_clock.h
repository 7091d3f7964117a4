/* SPDX-License-Identifier: BSD-2-Clause */
/* Times of a trace: nanoseconds since the agent's first start. A restart sets the clock of the
 * target back, and the times of a trace go on. */
#ifndef DPH_TRACE_CLOCK_H
#define DPH_TRACE_CLOCK_H

#include <dprobes/record_sink.h>

/* Start with all zero. */
struct dph_trace_clock {
	int64_t began_ns; /* when the first start was, in ns since 1970; 0: not known */
	int64_t start_ns; /* the same of the latest start, */
	uint64_t shift;   /* and from the first start to it */
	uint64_t latest;  /* the latest time of a record */
};

/* Return the ns from the first start to the start that began then; began_ns 0: to the latest known
 * start. No start is before a record that has come. */
uint64_t dph_trace_shift(struct dph_trace_clock *clock, int64_t began_ns);
/* Return the time of a record; where the record has none, that of the record before. */
uint64_t dph_trace_time(struct dph_trace_clock *clock, const struct dp_record_view *record);
/* Return the time of an item that came by the host's clock; where it is not known, that of the
 * record before. */
uint64_t dph_trace_time_of_item(struct dph_trace_clock *clock, const struct dp_sink *sink);

#endif
