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
	DP_NUMBERED = 4,      /* characters of a line up to its sequence number */
	DP_SURELY = 2 + 2 * 4 /* characters that begin a request and nothing else */
};

/* A stopped target takes no text: the kernel stands where it was hit. */
static void to_console(const struct dp_com *com, const uint8_t *bytes, size_t count)
{
	if (DP_WITH_SHARED_LINE && com->console_in && !dp_halted(dp_the_agent))
		for (size_t i = 0; i < count; i++)
			com->console_in(com->ctx, bytes[i]);
}

/* Are these characters, `~Q` and digits, of a request? A host that has no session yet sends HELLO.
 * The firmware's own data has so many digits behind `~Q` once in 2^48 bytes. */
static bool is_request(const struct dp_agent *agent, size_t characters)
{
	return characters >= DP_SURELY || (characters > 1 && agent->link.opened);
}

void dp_receive_end(struct dp_agent *agent, unsigned com)
{
	struct dp_wire *wire = &agent->wire[com];
	size_t count = is_request(agent, wire->in.used) ? 0 : wire->in.used;

	dp_splitter_take(&wire->in); /* console_in may come back with a byte */
	wire->damaged = 0;
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

	if (used == 2)
		begin_line(agent, wire);
	wire->crc = dp_control_crc(wire->crc, line, used);
	wire->hello_crc = dp_control_crc(wire->hello_crc, line, used);
	if (wire->place)
		dp_control_payload(wire->place->payload, line, used);
}

/* The ages and the count of lost lines belong to both lines. A line of a session that has ended
 * since its check is dropped. */
static void queue_request(struct dp_agent *agent, struct dp_wire *wire,
			  const struct dp_control *line, bool hello, enum dp_request_how how)
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
		request->how = (uint8_t)how;
		request->bytes = line->bytes;
		request->age = link->age++;
		wire->head++;
	}
	dp_lock_give(irq);
	dp_wake(agent);
}

_Static_assert(DP_CMD_HELLO < 10, "is_hello compares one digit");

/* Digits have one spelling: a comparison takes 30 instructions less than the number. */
static bool is_hello(const uint8_t *command)
{
	return command[0] == '0' && command[1] == '0' + DP_CMD_HELLO;
}

/* A line with the session's seed, or HELLO with the seed of all versions; any other line with that
 * seed checks, but is dropped. Every other line of a sealed session waits for dp_poll, which
 * computes its seal.
 * returns: false when the check is wrong. */
static bool take_line(struct dp_agent *agent, struct dp_wire *wire, const struct dp_control *line)
{
	const struct dp_link *link = &agent->link;
	bool hello = is_hello(wire->in.held + DP_CONTROL_HEAD);
	bool session = line->check == wire->crc && wire->seed == link->seed && link->opened;
	bool later = dp_link_sealed(link) && line->bytes > 0 && !hello; /* dp_poll checks it */

	if (!session && !later && line->check != wire->hello_crc)
		return false;
	if (line->bytes > 0 && (later || hello != session))
		queue_request(agent, wire, line, hello,
			      session || hello ? DP_REQUEST_CHECKED : DP_REQUEST_UNCHECKED);
	return true;
}

void dp_receive_refuse(struct dp_agent *agent, struct dp_wire *wire, uint8_t seq)
{
	dp_irq irq = dp_lock_take();

	wire->nak_seq = seq;
	wire->nak = 1;
	dp_stream_changed(agent); /* a NAK that is being built has another number */
	dp_lock_give(irq);
}

/* The end of a damaged request. Its number is where it was received, whatever came behind. */
static void refuse_line(struct dp_agent *agent, struct dp_wire *wire, size_t count)
{
	const uint8_t *number = wire->in.held + 2;

	if (count <= DP_NUMBERED || dp_hex_digit(number[0]) > 15 || dp_hex_digit(number[1]) > 15)
		return;
	dp_receive_refuse(agent, wire, (uint8_t)dp_hex_number(number, 2));
	dp_wake(agent);
}

static void end_of_line(struct dp_agent *agent, struct dp_wire *wire, unsigned com)
{
	size_t count = wire->in.used;
	struct dp_control line;

	dp_splitter_take(&wire->in); /* console_in may come back with a byte */
	if (!is_request(agent, count - 1))
		to_console(&agent->board->com[com], wire->in.held, count);
	else if (!(dp_control_read(wire->in.held, count, &line) && take_line(agent, wire, &line)))
		refuse_line(agent, wire, count);
}

static bool is_unprintable(uint8_t byte)
{
	return byte < 0x20 || byte > 0x7e;
}

/* Another byte of a damaged request. The request ends with the end of a line, which a person may
 * have typed, where it is longer than a line, or where another request begins. Two unprintable
 * bytes side by side are no noise but data of the firmware, which gets all of it.
 * returns: false when the byte is of no damaged request. */
static bool damaged_next(struct dp_agent *agent, struct dp_wire *wire, unsigned com, uint8_t byte)
{
	uint8_t *held = wire->in.held;
	size_t count = wire->damaged, text;

	wire->damaged = 0; /* console_in may come back with a byte */
	if (count == 0 || count == DP_LINE_MAX)
		return false;
	if (byte == DP_FRAME_REQUEST && held[count - 1] == DP_FRAME_MARK) {
		dp_splitter_next(&wire->in, DP_FRAME_MARK, 0, &text);
		return false;
	}
	held[count++] = byte;
	if (byte == '\n' || byte == '\r')
		refuse_line(agent, wire, count);
	else if (is_unprintable(byte) && is_unprintable(held[count - 2]))
		to_console(&agent->board->com[com], held, count);
	else
		wire->damaged = (uint8_t)count;
	return true;
}

/* Bytes that are no request, or a damaged one. byte: the last received. */
static void no_request(struct dp_agent *agent, struct dp_wire *wire, unsigned com, size_t count,
		       uint8_t byte)
{
	bool marked = byte == DP_FRAME_MARK; /* it stands behind them, and is held */
	size_t before = marked ? count : count - 1;

	if (count < 2 || wire->in.held[1] != DP_FRAME_REQUEST || !is_request(agent, before)) {
		to_console(&agent->board->com[com], wire->in.held, count);
	} else {
		dp_splitter_take(&wire->in);
		wire->damaged = (uint8_t)before;
		damaged_next(agent, wire, com, byte);
	}
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
	DP_NEAR(wire); /* 68 bytes of text less (Thumb-2), 96 less (MIPS) */
	if (dp_typed_next(wire, byte))
		dp_wake(agent);
	if (damaged_next(agent, wire, com, byte))
		return;
	if (DP_WITH_STREAM) /* there is a clock */
		wire->quiet = 0;
	switch (dp_splitter_next(&wire->in, byte, DP_FRAME_LETTER(DP_FRAME_REQUEST), &count)) {
	case DP_SPLIT_HELD:
		part_of_line(agent, wire);
		agent->poll_due = 1; /* dp_poll ends what is held */
		break;
	case DP_SPLIT_CONSOLE:
		no_request(agent, wire, com, count, byte);
		break;
	case DP_SPLIT_FRAME:
		end_of_line(agent, wire, com);
		break;
	}
}
