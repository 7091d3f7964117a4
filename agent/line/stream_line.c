/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin a line, and send the line if the stream has not changed since. */
#include "dp_stream_line.h"

#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_sent.h"

/* A compiler may call memcpy for an assignment of the whole, and the agent has no libc. */
static void put_place(struct dp_place *to, const struct dp_place *from)
{
	to->number = from->number;
	to->at = from->at;
	to->body = from->body;
	to->piece = from->piece;
}

void dp_draft_begin(const struct dp_agent *agent, struct dp_draft *draft, struct dp_line *line)
{
	draft->generation = agent->transmit.generation;
	dp_ring_barrier(); /* a hit that changes what is copied here changes the generation */
	dp_copy_words(&draft->stream, &agent->stream[dp_draft_cpu(draft)], sizeof(draft->stream));
	put_place(&draft->next, &DP_DRAFT_CPU(agent, draft)->ring.next);
	draft->first = draft->next.at;
	draft->done = NULL;
	draft->line = line;
}

struct dp_line *dp_stream_begin(struct dp_draft *draft, enum dp_frame_type type, uint32_t number)
{
	dp_line_begin(draft->line, type);
	dp_line_put(draft->line,
		    dp_draft_cpu(draft) << 4 * DP_NUMBER_DIGITS |
			    (number & ((1u << 4 * DP_NUMBER_DIGITS) - 1)),
		    DP_STREAM_HEAD);
	return draft->line;
}

void dp_line_start(struct dp_wire *wire, const struct dp_line *line)
{
	wire->now = line == &wire->line[1];
	wire->sent = 0;
#if DP_WITH_SHARED_LINE
	wire->text.first = wire->text.committed;
#endif
}

/* Let the records of a sent line make room. A request acknowledges records of the CPU that serves
 * requests alone. */
static void move_ring(struct dp_agent *agent, struct dp_per_cpu *cpu, const struct dp_place *next)
{
	struct dp_ring *ring = &cpu->ring;

	dp_sent_note(cpu, next);
	dp_ring_barrier();
	put_place(&ring->next, next);
	if (agent->transmit.mode != DP_MODE_ACKNOWLEDGED || cpu != DP_THIS_CPU(agent))
		ring->kept = next->at;
}

bool dp_draft_send(struct dp_agent *agent, struct dp_wire *wire, const struct dp_draft *draft)
{
	struct dp_per_cpu *cpu = DP_DRAFT_CPU(agent, draft);
	dp_irq irq = dp_lock_take();
	bool sent = draft->generation == agent->transmit.generation && !dp_line_under_way(wire) &&
		    dp_sent_intact(cpu, draft->first);

	if (sent) {
		dp_line_start(wire, draft->line);
		dp_copy_words(&agent->stream[dp_draft_cpu(draft)], &draft->stream,
			      sizeof(draft->stream));
		move_ring(agent, cpu, &draft->next);
		if (DP_PORT_CPUS > 1)
			agent->transmit.turn = (uint8_t)((draft->cpu + 1) % DP_PORT_CPUS);
		if (draft->done)
			*draft->done = 0;
		dp_stream_changed(agent);
	}
	dp_lock_give(irq);
	return sent;
}
