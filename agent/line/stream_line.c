/* SPDX-License-Identifier: BSD-2-Clause */
/* Begin a line, and send the line if the stream has not changed since. */
#include "dp_stream_line.h"

#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_sent.h"

void dp_draft_begin(const struct dp_agent *agent, struct dp_draft *draft, struct dp_line *line)
{
	draft->generation = agent->transmit.generation;
	dp_ring_barrier(); /* a hit that changes what is copied here changes the generation */
	dp_copy_words(&draft->stream, &agent->stream, sizeof(draft->stream));
	draft->next = DP_THIS_CPU(agent)->ring.next;
	draft->first = draft->next.at;
	draft->done = NULL;
	draft->line = line;
}

struct dp_line *dp_stream_begin(struct dp_draft *draft, enum dp_frame_type type, uint32_t number)
{
	dp_line_begin(draft->line, type);
	dp_line_put(draft->line,
		    dp_port_cpu_number() << 4 * DP_NUMBER_DIGITS |
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

/* Let the records of a sent line make room. */
static void move_ring(struct dp_agent *agent, const struct dp_place *next)
{
	struct dp_ring *ring = &DP_THIS_CPU(agent)->ring;

	dp_sent_note(agent, next);
	dp_ring_barrier();
	ring->next = *next;
	if (agent->transmit.mode != DP_MODE_ACKNOWLEDGED)
		ring->kept = next->at;
}

bool dp_draft_send(struct dp_agent *agent, struct dp_wire *wire, const struct dp_draft *draft)
{
	dp_irq irq = dp_port_mask();
	bool sent = draft->generation == agent->transmit.generation && !dp_line_under_way(wire) &&
		    dp_sent_intact(agent, draft->first);

	if (sent) {
		dp_line_start(wire, draft->line);
		dp_copy_words(&agent->stream, &draft->stream, sizeof(agent->stream));
		move_ring(agent, &draft->next);
		if (draft->done)
			*draft->done = 0;
		dp_stream_changed(agent);
	}
	dp_port_unmask(irq);
	return sent;
}
