/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes in: the splitter runs in the receive interrupt, so that console text keeps its order; good
 * request lines are queued for dp_poll.  PROTOCOL.md 3.1 */
#include "dp_receive.h"

#include "dp_agent.h"
#include "dp_memory.h"
#include "dp_build.h"
#include "dp_stream_line.h"
#include "dp_typed_line.h"
#include "dp_wake.h"

static void to_console(const struct dp_com *com, const uint8_t *bytes, size_t count)
{
	if (DP_WITH_SHARED_LINE && com->console_in)
		for (size_t i = 0; i < count; i++)
			com->console_in(com->ctx, bytes[i]);
}

void dp_receive_flush(struct dp_agent *agent, unsigned com)
{
	struct dp_splitter *s = &agent->wire[com].in;
	size_t count = s->used;

	dp_splitter_take(s); /* console_in may come back with a byte */
	to_console(&agent->board->com[com], s->held, count);
}

/* A line with the session's seed, or HELLO with the seed of all versions; any other line with that
 * seed checks, but is dropped. */
static bool check_line(const struct dp_link *link, const struct dp_splitter *s,
		       struct dp_frame_in *frame, bool *wanted)
{
	bool hello = !link->opened || !dp_control_check(s->held, s->used, link->seed, frame);

	if (hello && !dp_control_check(s->held, s->used, DP_HELLO_SEED, frame))
		return false;
	*wanted = frame->bytes > 0 && (frame->payload[0] == DP_CMD_HELLO) == hello;
	return true;
}

/* Only this line's interrupt fills its free places. The ages and the count of lost lines belong to
 * both lines. seed: of the session when the line was checked; a line of a session that has ended
 * since is dropped. */
static void queue_request(struct dp_agent *agent, struct dp_wire *wire,
			  const struct dp_frame_in *frame, uint32_t seed)
{
	struct dp_link *link = &agent->link;
	struct dp_request *request = &wire->request[wire->head % DP_RX_LINES];
	bool full = (uint8_t)(wire->head - wire->tail) >= DP_RX_LINES;
	dp_irq irq;

	if (!full) {
		request->seq = frame->seq;
		request->check = frame->check;
		request->bytes = frame->bytes;
		dp_copy(request->payload, frame->payload, frame->bytes);
	}
	irq = dp_port_mask();
	if (link->seed != seed && frame->payload[0] != DP_CMD_HELLO) {
		; /* its session has ended */
	} else if (full) {
		link->lines_lost += DP_WITH_STREAM; /* without STREAM no notice reports the count */
	} else {
		request->age = link->age++;
		wire->head++;
	}
	dp_port_unmask(irq);
	dp_wake(agent);
}

static void end_of_line(struct dp_agent *agent, struct dp_wire *wire, unsigned com)
{
	struct dp_frame_in frame;
	const uint32_t seed = agent->link.seed;
	bool wanted;

	if (check_line(&agent->link, &wire->in, &frame, &wanted)) {
		if (wanted)
			queue_request(agent, wire, &frame, seed);
		dp_splitter_take(&wire->in);
		return;
	}
	if (frame.type != DP_FRAME_NONE) { /* only the check was wrong */
		wire->nak_seq = frame.seq;
		wire->nak = 1;
		dp_stream_changed(agent); /* a NAK that is being built has another number */
		dp_wake(agent);
	}
	dp_receive_flush(agent, com);
}

void dp_rx(struct dp_agent *agent, enum dp_com_index com, uint8_t byte)
{
	struct dp_wire *wire = &agent->wire[com];
	size_t count;

	if (com >= DP_LINES ||
	    !agent->board->com[com].put) { /* no line to answer on: nothing here is a request */
		to_console(&agent->board->com[com], &byte, 1);
		return;
	}
	DP_NEAR(wire);      /* 68 bytes of text less (Thumb-2), 96 less (MIPS) */
	if (DP_WITH_STREAM) /* there is a clock */
		wire->quiet = 0;
	if (dp_typed_next(wire, byte))
		dp_wake(agent);
	switch (dp_splitter_next(&wire->in, byte, DP_FRAME_LETTER(DP_FRAME_REQUEST), &count)) {
	case DP_SPLIT_HELD:
		break;
	case DP_SPLIT_CONSOLE:
		to_console(&agent->board->com[com], wire->in.held, count);
		break;
	case DP_SPLIT_FRAME:
		end_of_line(agent, wire, com);
		break;
	}
}
