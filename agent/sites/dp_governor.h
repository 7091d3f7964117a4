/* SPDX-License-Identifier: BSD-2-Clause */
/* The governor disables a probe with more than DP_HITS_PER_SECOND hits in a second. A probe gets
 * the hits of its maxhits in portions, so the countdown of maxhits is the governor's too, and a hit
 * costs nothing more. */
#ifndef DP_GOVERNOR_H
#define DP_GOVERNOR_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_GOVERNOR
/* Give a new probe the hits of its maxhits that a second allows. context: thread. */
void dp_governor_start(struct dp_agent *agent, struct dp_probe *probe);
/* The armed probe has used up its portion: give the next one, or disable the probe: its maxhits is
 * reached, or its hits came too often.
 * context: interrupts masked. */
void dp_governor_used_up(struct dp_agent *agent, struct dp_probe *probe);

/* Take a hit of the portion that does not count for maxhits. returns: is the portion used up? */
static inline bool dp_governor_take(struct dp_probe *probe)
{
	probe->later++;
	probe->due--;
	return --probe->maxhits == 0;
}

/* The last hit does not count for maxhits. */
static inline void dp_governor_uncount(struct dp_probe *probe)
{
	probe->later++;
}

/* dp_poll runs. Two CPUs may count as one: the second of a board without a clock takes longer. */
static inline void dp_governor_polled(struct dp_agent *agent)
{
	agent->polls++;
}
#else
static inline void dp_governor_start(struct dp_agent *agent, struct dp_probe *probe)
{
	(void)agent, (void)probe;
}

static inline void dp_governor_used_up(struct dp_agent *agent, struct dp_probe *probe)
{
	(void)agent;
	probe->state = DP_PROBE_DISABLED;
}

static inline bool dp_governor_take(struct dp_probe *probe)
{
	(void)probe;
	return false;
}

static inline void dp_governor_uncount(struct dp_probe *probe)
{
	probe->due++;
	probe->maxhits++;
}

static inline void dp_governor_polled(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
