/* SPDX-License-Identifier: BSD-2-Clause */
/* Timers: the armed probes of kind TIMER, in the order in which they were armed. A tick is due at a
 * time of the clock; hit/timer_run.c runs it in dp_poll. A sample is due at a call of dp_sample,
 * and runs there. */
#ifndef DP_TIMERS_H
#define DP_TIMERS_H

#include "dp_build.h"
#include "dp_kind.h"
#include "dp_state.h"

#if DP_WITH_TIMERS
/* The row of point.c. A refusal finds a number of no_timer.def. */
enum dp_err dp_timer_check(struct dp_agent *agent, struct dp_spot *spot);
enum dp_err dp_timer_arm(struct dp_agent *agent, struct dp_probe *probe, struct dp_spot *spot);
void dp_timer_disarm(struct dp_agent *agent, struct dp_probe *probe);

/* Free the timer of a probe that has ended. context: locked. */
void dp_timer_drop(struct dp_agent *agent, unsigned probe);

/* Work the plan of the next timer out anew: no sum covers a plan. */
void dp_timers_renew(struct dp_agent *agent);

/* The first whole number at the moment or behind it. */
static inline uint64_t dp_moment_up(const struct dp_moment *moment)
{
	return moment->whole + (moment->part > 0);
}

static inline bool dp_timer_is_due(const struct dp_timer *timer, uint64_t now)
{
	return dp_moment_up(&timer->due) <= now;
}

/* Let the timer, which is due, be due again: at the first end of a period behind now.
 * returns: the ends of periods that have passed beside the first. */
uint32_t dp_timer_go_on(struct dp_timer *timer, uint64_t now);

/* Count the calls of dp_sample up to this one. context: locked. */
void dp_timers_count(struct dp_timers *timers);
/* Let dp_sample look again when the next sample is due. context: locked, and counted. */
void dp_timers_plan(struct dp_timers *timers);

/* Is a tick armed? */
static inline bool dp_timers_tick(const struct dp_agent *agent)
{
	return agent->timers.ticks > 0;
}

/* The ticks of the clock until the next tick is due, UINT32_MAX at most. A hit meanwhile may remove
 * a tick. context: dp_poll. */
uint32_t dp_timers_wait(const struct dp_agent *agent, uint64_t now);

static inline unsigned dp_timers_free(const struct dp_agent *agent)
{
	return DP_TIMERS - (unsigned)agent->timers.count;
}
#else
static inline bool dp_timers_tick(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline void dp_timers_renew(struct dp_agent *agent)
{
	(void)agent;
}

static inline uint32_t dp_timers_wait(const struct dp_agent *agent, uint64_t now)
{
	(void)agent, (void)now;
	return UINT32_MAX;
}

static inline unsigned dp_timers_free(const struct dp_agent *agent)
{
	(void)agent;
	return 0;
}
#endif

#endif
