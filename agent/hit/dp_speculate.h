/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of committed speculations go into the ring, where all records wait to be sent. A hit that
 * commits copies nothing: dp_poll moves the records, one at a time, while half of the ring stays
 * free for hits. In synchronous mode the end of the hit does. A record has its own time. It stays
 * when its instruction faults, as those of the flight recorder do. */
#ifndef DP_SPECULATE_H
#define DP_SPECULATE_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_SPECULATES
/* Has the program buffers? */
bool dp_speculates(const struct dp_program *program);
/* A handler has committed a speculation. context: HIT. */
static inline void dp_speculated(struct dp_agent *agent)
{
	agent->spec_due = agent->poll_due = 1;
}
/* Move the next record into the ring of this CPU. context: HIT, the records of the hit are
 * committed. returns: false: there is none, or the ring has no room for it. */
bool dp_speculated_move(struct dp_agent *agent);
/* returns: the records of committed speculations of the program that are not in the ring yet. */
uint32_t dp_speculated_records(struct dp_agent *agent, uint8_t program);
/* The program goes: its committed records go into the ring, or are counted as dropped. No handler
 * of it runs any more. */
void dp_speculated_end(struct dp_agent *agent, uint8_t program);
#else
static inline bool dp_speculates(const struct dp_program *program)
{
	(void)program;
	return false;
}

static inline void dp_speculated(struct dp_agent *agent)
{
	(void)agent;
}

static inline bool dp_speculated_move(struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline uint32_t dp_speculated_records(struct dp_agent *agent, uint8_t program)
{
	(void)agent, (void)program;
	return 0;
}

static inline void dp_speculated_end(struct dp_agent *agent, uint8_t program)
{
	(void)agent, (void)program;
}
#endif

#endif
