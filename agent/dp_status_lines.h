/* SPDX-License-Identifier: BSD-2-Clause */
/* What the agent says of itself: notices, and syncs with time and counts. Interrupts masked. */
#ifndef DP_STATUS_LINES_H
#define DP_STATUS_LINES_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_STREAM
/* Put the notice of the start into the empty buffer, once: for a line that nobody has chosen.
 * returns: false when there is none. */
bool dp_boot_line(struct dp_agent *agent, struct dp_wire *wire);
/* Put a waiting notice or a due sync into the empty buffer. returns: false when there is none. */
bool dp_status_line(struct dp_agent *agent, struct dp_wire *wire);
/* Put a sync of the time into the empty buffer. */
void dp_sync_line(struct dp_agent *agent, struct dp_wire *wire, uint64_t ticks);

/* The whole time of a record: what its head keeps, and of now what the head leaves out. */
uint64_t dp_record_time(const struct dp_agent *agent, const struct dp_record *record);
/* Would a receiver that knows the last time told take the 20 bits of a record for another time? */
bool dp_time_is_far(const struct dp_agent *agent, uint64_t time);

/* A record of that time, a line of records has been put into the buffer. */
static inline void dp_record_told(struct dp_agent *agent, uint64_t time)
{
	agent->told = time;
}

static inline void dp_line_told(struct dp_agent *agent)
{
	agent->transmit.lines_since_sync++;
}
#else
static inline bool dp_boot_line(struct dp_agent *agent, struct dp_wire *wire)
{
	(void)agent, (void)wire;
	return false;
}

static inline bool dp_status_line(struct dp_agent *agent, struct dp_wire *wire)
{
	(void)agent, (void)wire;
	return false;
}

static inline void dp_sync_line(struct dp_agent *agent, struct dp_wire *wire, uint64_t ticks)
{
	(void)agent, (void)wire, (void)ticks;
}

static inline uint64_t dp_record_time(const struct dp_agent *agent, const struct dp_record *record)
{
	(void)agent, (void)record;
	return 0;
}

static inline bool dp_time_is_far(const struct dp_agent *agent, uint64_t time)
{
	(void)agent, (void)time;
	return false;
}

static inline void dp_record_told(struct dp_agent *agent, uint64_t time)
{
	(void)agent, (void)time;
}

static inline void dp_line_told(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
