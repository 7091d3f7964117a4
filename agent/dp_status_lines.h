/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines about the agent itself: notices, and syncs with time and counts. Each function builds a
 * draft. */
#ifndef DP_STATUS_LINES_H
#define DP_STATUS_LINES_H

#include "dp_build.h"
#include "dp_stream_line.h"

#if DP_WITH_STREAM
/* The notice of the start, once: for a line that no host has chosen. returns: false when there
 * is none. */
bool dp_boot_line(struct dp_agent *agent, struct dp_draft *draft);
/* A waiting notice or a due sync. returns: false when there is none. */
bool dp_status_line(struct dp_agent *agent, struct dp_draft *draft);
/* A sync of the time. */
void dp_sync_line(struct dp_agent *agent, struct dp_draft *draft, uint64_t ticks);

/* Return the whole time of a record: the low bits from its head, the high bits from now. */
uint64_t dp_record_time(const struct dp_agent *agent, const struct dp_record *record);
/* Return whether a receiver with the last sent time would take the 20 bits of a record for
 * another time. */
bool dp_time_is_far(const struct dp_draft *draft, uint64_t time);

/* A record of that time, a line of records stands in the draft. */
static inline void dp_record_told(struct dp_draft *draft, uint64_t time)
{
	draft->stream.told = time;
}

static inline void dp_line_told(struct dp_draft *draft)
{
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

static inline void dp_sync_line(struct dp_agent *agent, struct dp_draft *draft, uint64_t ticks)
{
	(void)agent, (void)draft, (void)ticks;
}

static inline uint64_t dp_record_time(const struct dp_agent *agent, const struct dp_record *record)
{
	(void)agent, (void)record;
	return 0;
}

static inline bool dp_time_is_far(const struct dp_draft *draft, uint64_t time)
{
	(void)draft, (void)time;
	return false;
}

static inline void dp_record_told(struct dp_draft *draft, uint64_t time)
{
	(void)draft, (void)time;
}

static inline void dp_line_told(struct dp_draft *draft)
{
	(void)draft;
}
#endif

#endif
