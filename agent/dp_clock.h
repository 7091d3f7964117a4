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

static inline uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}
#endif

#endif
