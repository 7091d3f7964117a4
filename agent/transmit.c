/* SPDX-License-Identifier: BSD-2-Clause */
/* Send lines. Each com sends one line at a time; after the last character the agent chooses the
 * next line: answers first (command.c writes them straight in), then NAK, notices, sync,
 * records.
 *
 * A hit may come between any two characters, so line and position change only with interrupts
 * masked. */
#include "dp_transmit.h"

#include "dp_build.h"
#include "dp_items.h"
#include "dp_log_ring.h"
#include "dp_owner.h"
#include "dp_status_lines.h"
#include "dp_stream_line.h"
#include "dp_typed_line.h"

enum {
	RECORD_ROOM = DP_STREAM_NIBBLES - DP_STREAM_HEAD, /* digits behind stream and line number */
	PIECE_ROOM = RECORD_ROOM - 3,
	BODY_BYTES = DP_WITH_LANGUAGE && DP_TRACE_MAX > DP_LOG_MAX + DP_ITEM_BYTES
			     ? DP_TRACE_MAX
			     : DP_LOG_MAX + DP_ITEM_BYTES,
	/* else every record fits one line */
	HAS_PIECES = DP_RECORD_HEADER_DIGITS_MAX + 2 * BODY_BYTES > RECORD_ROOM,
};

/* --- records --- */

/* The peeked record as digits: the digits of its header, then two per body byte. */
struct digits {
	const struct dp_record *record;
	uint8_t header[DP_RECORD_HEADER_DIGITS_MAX];
	unsigned header_count, count;
	uint64_t time;
};

static bool peek_digits(struct dp_agent *agent, struct digits *d)
{
	d->record = dp_ring_peek(&agent->ring);
	if (!d->record)
		return false;
	d->time = dp_record_time(agent, d->record);
	d->header_count = (unsigned)dp_record_put(d->record, d->header);
	d->count = d->header_count + 2u * d->record->bytes;
	return true;
}

static void put_digits(struct dp_agent *agent, struct dp_line *line, const struct digits *d,
		       unsigned from, unsigned count)
{
	for (; count-- > 0; from++) {
		unsigned k = from - d->header_count;

		if (from < d->header_count)
			dp_line_put(line, d->header[from], 1);
		else
			dp_line_put(line, dp_ring_byte(&agent->ring, k / 2) >> (k % 2 ? 0 : 4), 1);
	}
}

static void record_done(struct dp_agent *agent, const struct digits *d)
{
	dp_record_told(agent, d->time);
	dp_ring_next(&agent->ring, d->record);
	if (HAS_PIECES) {
		agent->transmit.piece = 0;
		agent->transmit.piece_digits = 0;
	}
}

static void build_piece(struct dp_agent *agent, struct dp_wire *wire, const struct digits *d)
{
	struct dp_transmit *t = &agent->transmit;
	struct dp_line *line = dp_stream_begin(agent, wire, DP_FRAME_PIECE);
	unsigned from = t->piece_digits, left = d->count - from;
	unsigned now = left < PIECE_ROOM ? left : PIECE_ROOM;

	dp_line_put(line, now == left, 1);
	dp_line_put(line, t->piece++, 2);
	put_digits(agent, line, d, from, now);
	t->piece_digits = (uint16_t)(from + now);
	if (now == left)
		record_done(agent, d);
}

/* As many waiting records as one line holds, or a piece of a long one; or the time of the next. */
static bool build_records(struct dp_agent *agent, struct dp_wire *wire)
{
	struct dp_line *line = NULL;
	struct digits d;

	while (peek_digits(agent, &d)) {
		if (agent->transmit.piece == 0 && dp_time_is_far(agent, d.time)) {
			if (line)
				break;
			dp_sync_line(agent, wire, d.time);
			return true;
		}
		if (HAS_PIECES && !line && d.count > RECORD_ROOM) {
			build_piece(agent, wire, &d);
			dp_stream_end(wire);
			return true;
		}
		if (!line)
			line = dp_stream_begin(agent, wire, DP_FRAME_RECORDS);
		if (d.count > dp_line_room(line))
			break;
		put_digits(agent, line, &d, 0, d.count);
		record_done(agent, &d);
	}
	if (!line)
		return false;
	dp_stream_end(wire);
	dp_line_told(agent);
	return true;
}

/* --- choosing --- */

static bool build_nak(struct dp_wire *wire)
{
	if (!wire->nak)
		return false;
	wire->nak = 0;
	dp_line_begin(&wire->out, DP_FRAME_NAK);
	dp_line_put(&wire->out, wire->nak_seq, 2);
	dp_stream_end(wire);
	return true;
}

/* Write the next line into the empty buffer of a wire. A record in pieces is finished first;
 * only sync and notice lines may come between. Interrupts masked. */
static bool build_next(struct dp_agent *agent, struct dp_wire *wire, unsigned com)
{
	struct dp_transmit *t = &agent->transmit;

	if (build_nak(wire) || dp_owner_line(agent, wire))
		return true;
	if (t->target == DP_COM_NONE)
		return com == DP_COM1 && dp_boot_line(agent, wire);
	return com == t->target && (dp_status_line(agent, wire) || build_records(agent, wire));
}

/* A request of this wire, or a typed one, wants the transmitter for its answer. */
static bool request_waits(const struct dp_wire *wire)
{
	return wire->tail != wire->head || dp_typed_waits(wire);
}

bool dp_transmit_one(const struct dp_com *com, struct dp_wire *wire)
{
	if (!dp_transmit_under_way(wire) ||
	    !com->put(com->ctx, (uint8_t)wire->out.text[wire->sent]))
		return false;
	wire->sent++;
	return true;
}

/* Send one character, or begin the next line. Returns false when nothing can be done right now. */
static bool send_one(struct dp_agent *agent, struct dp_wire *wire, unsigned number, bool wait,
		     bool *left)
{
	dp_irq irq = dp_port_mask();
	bool moved;

	*left = dp_transmit_under_way(wire) ||
		((wait || !request_waits(wire)) && build_next(agent, wire, number));
	moved = dp_transmit_one(&agent->board->com[number], wire);
	dp_port_unmask(irq);
	return moved;
}

/* wait: until everything is out; else the characters that this dp_poll may still send. */
static bool pump_wire(struct dp_agent *agent, unsigned number, bool wait)
{
	struct dp_wire *wire = &agent->wire[number];
	uint32_t spins = 0;
	bool left;

	DP_NEAR(wire);
	do {
		if (!wait && wire->may_send == 0)
			return true; /* the next dp_poll looks what is left */
		if (send_one(agent, wire, number, wait, &left)) {
			spins = 0;
			wire->may_send -= !wait; /* a hit that waits does not use up dp_poll's */
		} else if (!wait || ++spins > DP_PUT_SPINS) {
			break;
		}
	} while (left);
	return left || request_waits(wire);
}

bool dp_transmit_pump(struct dp_agent *agent, bool wait)
{
	bool left = false;

	for (unsigned i = 0; i < DP_LINES; i++)
		if (agent->board->com[i].put)
			left |= pump_wire(agent, i, wait);
	return left;
}

/* --- waiting, in hits --- */

bool dp_transmit_flush(struct dp_agent *agent, unsigned com)
{
	struct dp_wire *wire = &agent->wire[com];

	for (uint32_t spins = 0; dp_transmit_under_way(wire); spins++) {
		if (spins >= DP_PUT_SPINS)
			return false;
		if (dp_transmit_one(&agent->board->com[com], wire))
			spins = 0;
	}
	return true;
}
