/* SPDX-License-Identifier: BSD-2-Clause */
/* Sent records stay in the ring until a hit overwrites them. In acknowledged mode a hit overwrites
 * only records that the host has. */
#include "dp_sent.h"

#include "dp_lock.h"
#include "dp_log_ring.h"

#if DP_WITH_STREAM
/* Take the mark when it is nearer to the wanted age (in records) than the best one: at that age or
 * the nearest before it, else the oldest of all. */
static void try_mark(const struct dp_per_cpu *cpu, const struct dp_mark *mark, uint32_t wanted,
		     struct dp_mark *found)
{
	const struct dp_ring *ring = &cpu->ring;
	uint32_t age = ring->next.number - mark->number;
	uint32_t best = ring->next.number - found->number;

	if (!dp_sent_intact(cpu, mark->at) || age == best)
		return;
	if (best < wanted ? age > best : age >= wanted && age < best)
		*found = *mark;
}

struct dp_mark dp_sent_find(const struct dp_agent *agent, const struct dp_per_cpu *cpu,
			    uint32_t number)
{
	const struct dp_place *next = &cpu->ring.next;
	const struct dp_mark kept = {cpu->sent.kept, cpu->ring.kept};
	struct dp_mark found = {next->number, next->at};

	for (unsigned i = 0; i < DP_RING_MARKS; i++)
		try_mark(cpu, &cpu->sent.mark[i], next->number - number, &found);
	if (agent->transmit.mode == DP_MODE_ACKNOWLEDGED)
		try_mark(cpu, &kept, next->number - number, &found);
	return found;
}

static void release(struct dp_per_cpu *cpu, struct dp_stream *stream)
{
	struct dp_ring *ring = &cpu->ring;

	ring->kept = ring->next.at;
	cpu->sent.kept = cpu->sent.have = ring->next.number;
	stream->from = stream->until;
	stream->again.body = stream->again.piece = 0;
}

void dp_sent_release(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		release(&agent->cpu[i], &agent->stream[i]);
}

void dp_sent_acknowledge(struct dp_agent *agent, uint32_t have)
{
	struct dp_sent *sent = &DP_THIS_CPU(agent)->sent;

	if (agent->transmit.mode == DP_MODE_ACKNOWLEDGED && (int32_t)(have - sent->have) > 0)
		sent->have = have;
}

void dp_sent_free(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	uint32_t generation = agent->transmit.generation, have, number, at;
	dp_irq irq;

	dp_ring_barrier(); /* a request in a hit that changes what is read here changes the
			      generation */
	have = cpu->sent.have;
	number = cpu->sent.kept;
	at = cpu->ring.kept;
	if (agent->transmit.mode != DP_MODE_ACKNOWLEDGED || number == have)
		return;
	for (; number != have; number++) {
		const struct dp_record *record = dp_ring_peek(&cpu->ring, &at);

		if (!record) /* a hit has ended the mode */
			return;
		at = dp_ring_behind(at, record);
	}
	irq = dp_lock_take();
	if (generation == agent->transmit.generation) {
		cpu->ring.kept = at;
		cpu->sent.kept = number;
	} else {
		agent->poll_due = 1;
	}
	dp_lock_give(irq);
}
#endif
