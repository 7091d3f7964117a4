/* SPDX-License-Identifier: BSD-2-Clause */
/* An access that a comparator has reported (dp_agent_watch), and what a step means for it. Without
 * comparators these functions are empty. context: HIT. */
#ifndef DP_WATCHED_H
#define DP_WATCHED_H

#include "dp_handlers.h"

#if DP_PORT_COMPARATORS > 0
/* Handle an access that a comparator has reported. *is_trap: it is the hit of a site, whose
 * comparator stands for a trap, and nothing is done. */
enum dp_taken dp_watched_hit(struct dp_agent *agent, struct dp_frame *frame,
			     const struct dp_watched *access, bool *is_trap);
/* The access is done. */
void dp_watched_end(struct dp_agent *agent, struct dp_frame *frame);
/* The access has faulted: its hits do not count, and their records are dropped. A probe that left
 * by a one-trap slot of the instruction loses its record too.
 * site: of the step. returns: DP_FIRMWARE. */
enum dp_taken dp_watched_fail(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame);
/* The hit never ended: forget the access. */
void dp_watched_recover(struct dp_agent *agent);
#else
static inline void dp_watched_end(struct dp_agent *agent, struct dp_frame *frame)
{
	(void)agent, (void)frame;
}

static inline enum dp_taken dp_watched_fail(struct dp_agent *agent, struct dp_site *site,
					    struct dp_frame *frame)
{
	return dp_hit_fail(agent, site, frame);
}

static inline void dp_watched_recover(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
