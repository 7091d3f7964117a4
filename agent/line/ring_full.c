/* SPDX-License-Identifier: BSD-2-Clause */
/* Measure the time in which the ring was full for records. A record that has room costs nothing:
 * the next drop or sync reads its time from the ring. */
#include "dp_ring_full.h"

#include "dp_lock.h"
#include "dp_log_ring.h"

#if DP_WITH_STREAM
/* A time of 48 bits since another one; 0 when it was before. */
static uint64_t since(uint64_t then, uint64_t time)
{
	uint64_t ticks = (time - then) & 0xffffffffffff;

	return ticks >> 47 ? 0 : ticks;
}

/* A record had room behind the drops, and ends their time. One that was overwritten meanwhile tells
 * no time: the last drop ends it. */
static void end_when_there_is_room(struct dp_per_cpu *cpu)
{
	struct dp_sent *sent = &cpu->sent;
	uint32_t at = sent->full_at;
	const struct dp_record *record;

	if (!sent->is_full || (int32_t)(cpu->ring.committed - at) <= 0)
		return;
	sent->is_full = 0;
	if (cpu->ring.head - at > DP_RING_BYTES)
		return;
	record = dp_ring_head(&cpu->ring, at);
	sent->full += since(sent->full_since, (uint64_t)record->ticks_high << 32 | record->ticks);
}

void dp_ring_full_at(struct dp_agent *agent, uint64_t ticks)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_sent *sent = &cpu->sent;

	end_when_there_is_room(cpu);
	if (sent->is_full)
		sent->full += since(sent->full_since, ticks);
	sent->is_full = 1;
	sent->full_since = ticks;
	sent->full_at = cpu->ring.head;
}

void dp_ring_full_back(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	if ((int32_t)(cpu->sent.full_at - cpu->ring.head) > 0)
		cpu->sent.full_at = cpu->ring.head;
}

uint64_t dp_ring_full_ticks(struct dp_per_cpu *cpu)
{
	dp_irq irq = dp_lock_take();
	uint64_t full;

	end_when_there_is_room(cpu);
	full = cpu->sent.full;
	dp_lock_give(irq);
	return full;
}
#endif
