/* SPDX-License-Identifier: BSD-2-Clause */
/* Send lines, and the text of the firmware. Each com sends one line at a time. A line is built in
 * the order NAK, notices, sync, records (answers: command.c), and goes behind the text that the
 * firmware had written by then.
 *
 * dp_poll builds a line with interrupts open, from a copy of the stream's state. A hit may come at
 * any time, send lines of its own and so make the copy void: the line is then built again. */
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

static bool peek_digits(const struct dp_agent *agent, struct dp_draft *draft, struct digits *d)
{
	d->record = dp_ring_peek(&agent->ring, &draft->tail);
	if (!d->record)
		return false;
	d->time = dp_record_time(agent, d->record);
	d->header_count = (unsigned)dp_record_put(d->record, d->header);
	d->count = d->header_count + 2u * d->record->bytes;
	return true;
}

static void put_digits(const struct dp_agent *agent, const struct dp_draft *draft,
		       const struct digits *d, unsigned from, unsigned count)
{
	for (; count-- > 0; from++) {
		unsigned k = from - d->header_count;

		if (from < d->header_count)
			dp_line_put(draft->line, d->header[from], 1);
		else
			dp_line_put(draft->line,
				    dp_ring_byte(&agent->ring, draft->tail, k / 2) >>
					    (k % 2 ? 0 : 4),
				    1);
	}
}

static void record_done(struct dp_draft *draft, const struct digits *d)
{
	dp_record_told(draft, d->time);
	draft->tail = dp_ring_behind(draft->tail, d->record);
	draft->sent++;
	if (HAS_PIECES) {
		draft->stream.piece = 0;
		draft->stream.piece_digits = 0;
	}
}

static void build_piece(const struct dp_agent *agent, struct dp_draft *draft,
			const struct digits *d)
{
	struct dp_stream *stream = &draft->stream;
	struct dp_line *line = dp_stream_begin(draft, DP_FRAME_PIECE);
	unsigned from = stream->piece_digits, left = d->count - from;
	unsigned now = left < PIECE_ROOM ? left : PIECE_ROOM;

	dp_line_put(line, now == left, 1);
	dp_line_put(line, stream->piece++, 2);
	put_digits(agent, draft, d, from, now);
	stream->piece_digits = (uint16_t)(from + now);
	if (now == left)
		record_done(draft, d);
}

/* As many waiting records as one line holds, or a piece of a long one; or the time of the next. */
static bool build_records(struct dp_agent *agent, struct dp_draft *draft)
{
	struct dp_line *line = NULL;
	struct digits d;

	while (peek_digits(agent, draft, &d)) {
		if (draft->stream.piece == 0 && dp_time_is_far(draft, d.time)) {
			if (line)
				break;
			dp_sync_line(agent, draft, d.time);
			return true;
		}
		if (HAS_PIECES && !line && d.count > RECORD_ROOM) {
			build_piece(agent, draft, &d);
			dp_line_end(draft->line);
			return true;
		}
		if (!line)
			line = dp_stream_begin(draft, DP_FRAME_RECORDS);
		if (d.count > dp_line_room(line))
			break;
		put_digits(agent, draft, &d, 0, d.count);
		record_done(draft, &d);
	}
	if (!line)
		return false;
	dp_line_end(line);
	dp_line_told(draft);
	return true;
}

/* --- choosing --- */

static bool build_nak(struct dp_wire *wire, struct dp_draft *draft)
{
	if (!wire->nak)
		return false;
	dp_line_begin(draft->line, DP_FRAME_NAK);
	dp_line_put(draft->line, wire->nak_seq, 2);
	dp_line_end(draft->line);
	draft->done = &wire->nak;
	return true;
}

/* Build the next line of a wire. A record in pieces is finished first; only sync and notice lines
 * may come between. */
static bool build_next(struct dp_agent *agent, struct dp_wire *wire, unsigned com,
		       struct dp_draft *draft)
{
	const struct dp_transmit *t = &agent->transmit;

	if (build_nak(wire, draft) || dp_owner_line(agent, wire, draft))
		return true;
	if (t->target == DP_COM_NONE)
		return com == DP_COM1 && dp_boot_line(agent, draft);
	return com == t->target && (dp_status_line(agent, draft) || build_records(agent, draft));
}

/* A request of this wire, or a typed one, wants the transmitter for its answer. */
static bool request_waits(const struct dp_wire *wire)
{
	return wire->tail != wire->head || dp_typed_waits(wire);
}

/* --- characters --- */

/* How much text of the firmware goes before anything else. */
static unsigned text_first(const struct dp_wire *wire)
{
#if DP_WITH_SHARED_LINE
	const struct dp_text *text = &wire->text;

	return (uint16_t)((dp_line_under_way(wire) ? text->first : text->committed) - text->tail);
#else
	(void)wire;
	return 0;
#endif
}

/* Does text or a line wait to be sent? */
static bool characters_wait(const struct dp_wire *wire)
{
	return text_first(wire) > 0 || dp_line_under_way(wire);
}

/* returns: how many of the bytes the transmitter took. */
static unsigned offer(const struct dp_com *com, const void *bytes, unsigned count, unsigned most)
{
	if (count > most)
		count = most;
	if (count > 1 && com->write)
		return (unsigned)com->write(com->ctx, bytes, count);
	return com->put(com->ctx, *(const uint8_t *)bytes);
}

unsigned dp_transmit_some(const struct dp_com *com, struct dp_wire *wire, unsigned most)
{
	dp_irq irq = dp_port_mask();
	unsigned count = text_first(wire);

	if (count > 0) {
#if DP_WITH_SHARED_LINE
		unsigned at = wire->text.tail % DP_CONSOLE_BYTES, row = DP_CONSOLE_BYTES - at;

		count = offer(com, wire->text.bytes + at, count < row ? count : row, most);
		wire->text.tail = (uint16_t)(wire->text.tail + count);
#endif
	} else if (dp_line_under_way(wire)) {
		const struct dp_line *line = dp_line_now(wire);

		count = offer(com, line->text + wire->sent, line->used - (unsigned)wire->sent,
			      most);
		wire->sent = (uint8_t)(wire->sent + count);
	}
	dp_port_unmask(irq);
	return count;
}

/* --- in dp_poll --- */

/* Begin the next line, if there is one and the wire is free. */
static void begin_line(struct dp_agent *agent, unsigned number)
{
	struct dp_wire *wire = &agent->wire[number];
	struct dp_draft draft;

	do {
		if (dp_line_under_way(wire) || request_waits(wire))
			return;
		dp_draft_begin(agent, &draft, dp_line_spare(wire));
		if (!build_next(agent, wire, number, &draft))
			return;
	} while (!dp_draft_send(agent, wire, &draft)); /* a hit sent lines of its own */
}

static bool pump_wire(struct dp_agent *agent, unsigned number)
{
	struct dp_wire *wire = &agent->wire[number];
	unsigned count = 1;

	DP_NEAR(wire);
	begin_line(agent, number);
	while (wire->may_send > 0 && count > 0) {
		bool under_way = dp_line_under_way(wire);

		count = dp_transmit_some(&agent->board->com[number], wire, wire->may_send);
		wire->may_send = (uint16_t)(wire->may_send - count);
		if (under_way && !dp_line_under_way(wire))
			begin_line(agent, number);
	}
	return wire->may_send == 0 || characters_wait(wire) || request_waits(wire);
}

bool dp_transmit_pump(struct dp_agent *agent)
{
	bool left = false;

	for (unsigned i = 0; i < DP_LINES; i++)
		if (agent->board->com[i].put)
			left |= pump_wire(agent, i);
	return left;
}

/* --- in hits, which wait --- */

bool dp_transmit_flush(struct dp_agent *agent, unsigned com)
{
	struct dp_wire *wire = &agent->wire[com];

	for (uint32_t spins = 0; dp_line_under_way(wire); spins++) {
		if (spins >= DP_PUT_SPINS)
			return false;
		if (dp_transmit_some(&agent->board->com[com], wire, 1) > 0)
			spins = 0;
	}
	return true;
}

void dp_transmit_records(struct dp_agent *agent)
{
	unsigned com = agent->transmit.target;
	struct dp_draft draft;

	if (com >= DP_LINES)
		return;
	while (dp_transmit_flush(agent, com)) {
		struct dp_wire *wire = &agent->wire[com];

		dp_draft_begin(agent, &draft, dp_line_reuse(wire));
		if (!build_next(agent, wire, com, &draft))
			return;
		dp_draft_send(agent, wire, &draft);
	}
}
