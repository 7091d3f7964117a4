/* SPDX-License-Identifier: BSD-2-Clause */
/* Records that were sent and are still in the ring. Without STREAM no record is sent again. */
#ifndef DP_SENT_H
#define DP_SENT_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_STREAM
/* Is the record at the place still the one that was sent, with a probe number that no other probe
 * has? */
static inline bool dp_sent_intact(const struct dp_per_cpu *cpu, uint32_t at)
{
	uint32_t behind = cpu->ring.head - at;

	return behind <= DP_RING_BYTES && behind <= cpu->ring.head - cpu->sent.floor;
}

/* A line ends before the place. context: interrupts masked. */
static inline void dp_sent_note(struct dp_per_cpu *cpu, const struct dp_place *next)
{
	if ((next->at ^ cpu->ring.next.at) / DP_RING_STRIDE == 0)
		return;
	cpu->sent.mark[next->at / DP_RING_STRIDE % DP_RING_MARKS] =
		(struct dp_mark){next->number, next->at};
}

/* Records before the place are not sent again: a probe's number is given again, or a hit that a
 * fault has withdrawn has overwritten them. */
static inline void dp_sent_forget(struct dp_per_cpu *cpu, uint32_t at)
{
	if (dp_sent_intact(cpu, at))
		cpu->sent.floor = at;
}

/* returns: a mark at the record, or at one before it; where all older records are gone, the oldest
 * mark there is. */
struct dp_mark dp_sent_find(const struct dp_agent *agent, const struct dp_per_cpu *cpu,
			    uint32_t number);

/* The session or the mode changes: the room of all sent records is free, of every CPU, and no
 * record is sent again. The caller discards drafts (dp_stream_changed). context: interrupts masked.
 */
void dp_sent_release(struct dp_agent *agent);
/* The host has all records before this number: their room is free at the next dp_poll. */
void dp_sent_acknowledge(struct dp_agent *agent, uint32_t have);
/* Free the room of acknowledged records. context: dp_poll. */
void dp_sent_free(struct dp_agent *agent);
#else
/* What waits is not overwritten. */
static inline bool dp_sent_intact(const struct dp_per_cpu *cpu, uint32_t at)
{
	(void)cpu, (void)at;
	return true;
}

static inline void dp_sent_note(struct dp_per_cpu *cpu, const struct dp_place *next)
{
	(void)cpu, (void)next;
}

static inline void dp_sent_forget(struct dp_per_cpu *cpu, uint32_t at)
{
	(void)cpu, (void)at;
}

static inline void dp_sent_release(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
