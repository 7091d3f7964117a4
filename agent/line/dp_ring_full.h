/* SPDX-License-Identifier: BSD-2-Clause */
/* The time in which the ring was full for records. Without STREAM the agent measures no time. */
#ifndef DP_RING_FULL_H
#define DP_RING_FULL_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_STREAM
/* A record at this time found no room. context: HIT. */
void dp_ring_full_at(struct dp_agent *agent, uint64_t ticks);
/* A fault has withdrawn records: the end of the ring has moved. context: HIT. */
void dp_ring_full_back(struct dp_agent *agent);
/* returns: the ticks so far, from the first drop of each row of drops to the next record that had
 * room, or to the last drop. */
uint64_t dp_ring_full_ticks(struct dp_per_cpu *cpu);
#else
static inline void dp_ring_full_at(struct dp_agent *agent, uint64_t ticks)
{
	(void)agent, (void)ticks;
}

static inline void dp_ring_full_back(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
