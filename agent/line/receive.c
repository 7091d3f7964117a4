/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes in: the splitter runs in the receive interrupt, so that console text keeps its order; good
 * request lines are queued for dp_poll.  PROTOCOL.md 3.1 */
#include "dp_wire.h"

#include "dp_agent.h"
#include "dp_build.h"
#include "dp_lock.h"
#include "dp_stream_line.h"
#include "dp_typed_line.h"

enum {
	DP_NUMBERED = 4 /* characters of a line up to its sequence number */
};

static void to_console(const struct dp_com *com, const uint8_t *bytes, size_t count)
{
	if (DP_WITH_SHARED_LINE && com->console_in)
		for (size_t i = 0; i < count; i++)
			com->console_in(com->ctx, bytes[i]);
}

void dp_receive_end(struct dp_agent *agent, unsigned com)
{
	struct dp_wire *wire = &agent->wire[com];
	size_t count = dp_receives_request(wire) ? 0 : wire->in.used;

	dp_splitter_take(&wire->in); /* console_in may come back with a byte */
	wire->of_request = DP_OF_NO_REQUEST;
	to_console(&agent->board->com[com], wire->in.held, count);
}

/* Only this line's interrupt fills the free places of its queue. */
static void begin_line(const struct dp_agent *agent, struct dp_wire *wire)
{
	unsigned head = wire->head;
	bool full = (uint8_t)(head - wire->tail) >= DP_RX_LINES;

	wire->seed = wire->crc = agent->link.seed;
	wire->hello_crc = DP_HELLO_SEED;
	wire->place = full ? NULL : &wire->request[head % DP_RX_LINES];
}

/* Part of a line came. Each character advances the checks and the payload, so that the interrupt of
 * the last one need not take the whole line apart. */
static void part_of_line(const struct dp_agent *agent, struct dp_wire *wire)
{
	const uint8_t *line = wire->in.held;
	size_t used = wire->in.used;

	if (used == 2) {
		wire->of_request = DP_OF_REQUEST;
		begin_line(agent, wire);
	}
	wire->crc = dp_control_crc(wire->crc, line, used);
	wire->hello_crc = dp_control_crc(wire->hello_crc, line, used);
	if (wire->place)
		dp_control_payload(wire->place->payload, line, used);
}

/* The ages and the count of lost lines belong to both lines. A line of a session that has ended
 * since its check is dropped. */
static void queue_request(struct dp_agent *agent, struct dp_wire *wire,
			  const struct dp_control *line, bool hello)
{
	struct dp_link *link = &agent->link;
	struct dp_request *request = wire->place;
	dp_irq irq = dp_lock_take();

	if (link->seed != wire->seed && !hello) {
		; /* its session has ended */
	} else if (!request) {
		link->lines_lost += DP_WITH_STREAM; /* without STREAM no notice reports the count */
	} else {
		request->seq = line->seq;
		request->check = line->check;
		request->bytes = line->bytes;
		request->age = link->age++;
		wire->head++;
	}
	dp_lock_give(irq);
	dp_wake(agent);
}

/* A line with the session's seed, or HELLO with the seed of all versions; any other line with that
 * seed checks, but is dropped.
 * returns: false when the check is wrong. */
static bool take_line(struct dp_agent *agent, struct dp_wire *wire, const struct dp_control *line)
{
	const struct dp_link *link = &agent->link;
	bool hello = dp_hex_number(wire->in.held + DP_CONTROL_HEAD, 2) == DP_CMD_HELLO;
	bool session = line->check == wire->crc && wire->seed == link->seed && link->opened;

	if (!session && line->check != wire->hello_crc)
		return false;
	if (line->bytes > 0 && hello != session)
		queue_request(agent, wire, line, hello);
	return true;
}

/* The newline of a damaged request. Its number is where it was received, whatever came behind. */
static void refuse_line(struct dp_agent *agent, struct dp_wire *wire)
{
	wire->nak_seq = (uint8_t)dp_hex_number(wire->in.held + 2, 2);
	wire->nak = 1;
	dp_stream_changed(agent); /* a NAK that is being built has another number */
	dp_wake(agent);
}

static void end_of_line(struct dp_agent *agent, struct dp_wire *wire)
{
	size_t count = wire->in.used;
	struct dp_control line;

	if (count > DP_NUMBERED &&
	    !(dp_control_read(wire->in.held, count, &line) && take_line(agent, wire, &line)))
		refuse_line(agent, wire);
	dp_splitter_take(&wire->in);
	wire->of_request = DP_OF_NO_REQUEST;
}

/* Bytes that are no request, or no longer one. Up to the newline of a request nothing is text. */
static void no_request(struct dp_agent *agent, struct dp_wire *wire, unsigned com, size_t count)
{
	if (!dp_receives_request(wire)) {
		to_console(&agent->board->com[com], wire->in.held, count);
		return;
	}
	if (count > DP_NUMBERED)
		wire->of_request = DP_OF_NUMBERED_REQUEST;
	if (wire->in.held[count - 1] != '\n')
		return;
	if (wire->of_request == DP_OF_NUMBERED_REQUEST)
		refuse_line(agent, wire);
	wire->of_request = DP_OF_NO_REQUEST;
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
		part_of_line(agent, wire);
		break;
	case DP_SPLIT_CONSOLE:
		no_request(agent, wire, com, count);
		break;
	case DP_SPLIT_FRAME:
		end_of_line(agent, wire);
		break;
	}
}
