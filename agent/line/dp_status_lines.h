/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines about the agent itself: notices, and syncs with time and counts. Each function builds a
 * draft. */
#ifndef DP_STATUS_LINES_H
#define DP_STATUS_LINES_H

#include "dp_build.h"
#include "dp_stream_line.h"

enum {
	/* Ticks between the first record of a line and its last one, and between that and the first
	 * of a line that has only the low 32 bits of the time: less. */
	DP_TIME_SPAN = 1 << 30
};

#if DP_WITH_STREAM
/* The notice of the start, once, where a host may wait for it: for a line that no host has chosen.
 * returns: false when there is none. */
bool dp_boot_line(struct dp_agent *agent, struct dp_draft *draft);
/* A waiting notice or a due sync. returns: false when there is none. */
bool dp_status_line(struct dp_agent *agent, struct dp_draft *draft);
/* Return the whole time of a record: the low bits from its head, the high bits from the time that
 * dp_status_line has read. */
uint64_t dp_record_time(const struct dp_draft *draft, const struct dp_record *record);
/* Return whether a line of records that begins at the time must have all its bits. */
bool dp_time_is_far(const struct dp_draft *draft, uint64_t time);

/* A line whose last record has that time stands in the draft. */
static inline void dp_line_told(struct dp_draft *draft, uint64_t time)
{
	draft->stream.told = time;
	draft->stream.lines_since_sync++;
}
#else
static inline bool dp_boot_line(struct dp_agent *agent, struct dp_draft *draft)
{
	(void)agent, (void)draft;
	return false;
}

static inline bool dp_status_line(struct dp_agent *agent, struct dp_draft *draft)
{
	(void)agent, (void)draft;
	return false;
}

static inline uint64_t dp_record_time(const struct dp_draft *draft, const struct dp_record *record)
{
	(void)draft, (void)record;
	return 0;
}

static inline bool dp_time_is_far(const struct dp_draft *draft, uint64_t time)
{
	(void)draft, (void)time;
	return false;
}

static inline void dp_line_told(struct dp_draft *draft, uint64_t time)
{
	(void)draft, (void)time;
}
#endif

#endif
