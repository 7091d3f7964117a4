/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines out. One line per com is in the works; when it is out the next thing to say is chosen:
 * answers first (command.c puts them straight in), then NAK, notices, sync, records.  A hit may
 * come between any two characters, so line and position change only with interrupts masked. */
#include "dp_core.h"
#include "dp_form.h"
#include "dp_memory.h"

enum {
	PUT_SPINS = 2000000, /* polls of a transmitter that takes nothing, then it counts as dead */
	LINES_PER_SYNC = 64, /* where there is no clock to sync by */
	RECORD_ROOM = DP_STREAM_NIBBLES - 3, /* digits behind stream and line number */
	PIECE_ROOM = DP_STREAM_NIBBLES - 6,
	ITEM_BYTES = DP_WITH_ITEMS ? 21 + 2 * sizeof(dp_word) : 0, /* items.def */
	BODY_BYTES = DP_WITH_TRACES && DP_TRACE_MAX > DP_LOG_MAX + ITEM_BYTES
			     ? DP_TRACE_MAX
			     : DP_LOG_MAX + ITEM_BYTES,
	/* else every record fits one line */
	HAS_PIECES = DP_RECORD_HEADER_DIGITS_MAX + 2 * BODY_BYTES > RECORD_ROOM,
};

/* --- stream lines --- */

static bool is_idle(const struct dp_wire *wire)
{
	return wire->sent >= wire->out.used;
}

static struct dp_line *begin_stream(struct dp_agent *agent, struct dp_wire *wire,
				    enum dp_frame_type type)
{
	dp_line_begin(&wire->out, type);
	dp_line_put(&wire->out, dp_port_cpu_number(), 1);
	dp_line_put(&wire->out, agent->transmit.seq++, 2);
	return &wire->out;
}

DP_APART static void end_stream(struct dp_wire *wire)
{
	dp_line_end(&wire->out);
	wire->sent = 0;
}

static void put_bytes(struct dp_line *line, const uint8_t *bytes, unsigned count)
{
	while (count-- > 0)
		dp_line_put(line, *bytes++, 2);
}

static void build_sync(struct dp_agent *agent, struct dp_wire *wire, uint64_t ticks)
{
	static const uint8_t form[] = {
		DP_FORM_IN(0),
		DP_FORM_U64(struct dp_agent, told),
		DP_FORM_U32(struct dp_agent, hz),
		DP_FORM_U16(struct dp_agent, boot),
		DP_FORM_IN(1),
		DP_FORM_U32(struct dp_ring, sent),
		DP_FORM_U32(struct dp_ring, dropped),
		DP_FORM_U32(struct dp_ring, missed),
		DP_FORM_U32(struct dp_ring, withdrawn),
		DP_FORM_END,
	};
	const void *bases[] = {agent, &agent->ring};
	struct dp_answer numbers;

	agent->told = ticks;
	agent->hz = dp_tick_hz(agent);
	agent->transmit.lines_since_sync = 0;
	numbers.bytes = 0;
	dp_give(&numbers, form, bases);
	put_bytes(begin_stream(agent, wire, DP_FRAME_SYNC), numbers.payload, numbers.bytes);
	end_stream(wire);
}

/* The peeked record as digits: those of its header, then two per body byte. */
struct digits {
	const struct dp_record *record;
	uint8_t header[DP_RECORD_HEADER_DIGITS_MAX];
	unsigned header_count, count;
	uint64_t time;
};

/* The whole time of a record: what its head keeps, and of now what that leaves out. */
static uint64_t time_of(const struct dp_agent *agent, const struct dp_record *record)
{
	const uint64_t mask = 0xffffffffffff;
	uint64_t now = dp_now(agent);

	return now - ((now - ((uint64_t)record->ticks_high << 32 | record->ticks)) & mask);
}

static bool peek_digits(struct dp_agent *agent, struct digits *d)
{
	d->record = dp_ring_peek(&agent->ring);
	if (!d->record)
		return false;
	if (DP_WITH_TIMES)
		d->time = time_of(agent, d->record);
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
	if (DP_WITH_TIMES)
		agent->told = d->time;
	dp_ring_next(&agent->ring, d->record);
	if (HAS_PIECES) {
		agent->transmit.piece = 0;
		agent->transmit.piece_digits = 0;
	}
}

static void build_piece(struct dp_agent *agent, struct dp_wire *wire, const struct digits *d)
{
	struct dp_transmit *t = &agent->transmit;
	struct dp_line *line = begin_stream(agent, wire, DP_FRAME_PIECE);
	unsigned from = t->piece_digits, left = d->count - from;
	unsigned now = left < PIECE_ROOM ? left : PIECE_ROOM;

	dp_line_put(line, now == left, 1);
	dp_line_put(line, t->piece++, 2);
	put_digits(agent, line, d, from, now);
	t->piece_digits = (uint16_t)(from + now);
	if (now == left)
		record_done(agent, d);
}

/* Would a receiver that knows the last time told take the record's 20 bits for another time? */
static bool time_is_far(const struct dp_agent *agent, const struct digits *d)
{
	const uint64_t half = 1u << (DP_TICK_BITS - 1);

	return d->time - agent->told + half - 1 >= 2 * half - 1;
}

/* As many waiting records as one line holds, or a piece of a long one; or the time of the next. */
static bool build_records(struct dp_agent *agent, struct dp_wire *wire)
{
	struct dp_line *line = NULL;
	struct digits d;

	while (peek_digits(agent, &d)) {
		if (DP_WITH_TIMES && agent->transmit.piece == 0 && time_is_far(agent, &d)) {
			if (line)
				break;
			build_sync(agent, wire, d.time);
			return true;
		}
		if (HAS_PIECES && !line && d.count > RECORD_ROOM) {
			build_piece(agent, wire, &d);
			end_stream(wire);
			return true;
		}
		if (!line)
			line = begin_stream(agent, wire, DP_FRAME_RECORDS);
		if (d.count > dp_line_room(line))
			break;
		put_digits(agent, line, &d, 0, d.count);
		record_done(agent, &d);
	}
	if (!line)
		return false;
	end_stream(wire);
	if (DP_WITH_TIMES)
		agent->transmit.lines_since_sync++;
	return true;
}

/* --- notices and NAK --- */

static bool build_notice(struct dp_agent *agent, struct dp_wire *wire)
{
	struct dp_notice_out *out = dp_notice_find(agent, true);

	if (!out)
		return false;
	put_bytes(begin_stream(agent, wire, DP_FRAME_NOTICE), out->body, out->bytes);
	out->bytes = 0;
	end_stream(wire);
	return true;
}

static bool build_nak(struct dp_wire *wire)
{
	if (!wire->nak)
		return false;
	wire->nak = 0;
	dp_line_begin(&wire->out, DP_FRAME_NAK);
	dp_line_put(&wire->out, wire->nak_seq, 2);
	end_stream(wire);
	return true;
}

/* --- choosing --- */

static bool sync_is_due(const struct dp_agent *agent)
{
	const struct dp_transmit *t = &agent->transmit;
	uint32_t hz = dp_tick_hz(agent);

	if (t->sync_due)
		return true;
	if (hz == 0)
		return t->lines_since_sync >= LINES_PER_SYNC;
	return agent->arena_used != 0 && dp_now(agent) - agent->sync_at >= hz;
}

static void report_lost_lines(struct dp_agent *agent)
{
	if (agent->link.lines_lost > 0 &&
	    dp_notice_put(agent, DP_NOTICE_LINE_LOST, DP_WIDTHS(2), agent->link.lines_lost))
		agent->link.lines_lost = 0;
}

/* Put the next line into the empty buffer of a wire. A record in pieces is finished first, but for
 * the lines that may stand between. Interrupts masked. */
static bool build_next(struct dp_agent *agent, struct dp_wire *wire, unsigned com)
{
	struct dp_transmit *t = &agent->transmit;

	DP_NEAR(t);
	if (build_nak(wire))
		return true;
	if (DP_WITH_NOTICES && t->target == DP_COM_NONE && com == DP_COM1 && !t->boot_told) {
		t->boot_told = 1;
		return build_notice(agent, wire);
	}
	if (com != t->target)
		return false;
	if (DP_WITH_NOTICES) {
		report_lost_lines(agent);
		if (build_notice(agent, wire))
			return true;
	}
	if (DP_WITH_TIMES && sync_is_due(agent) && t->piece == 0) {
		t->sync_due = 0;
		agent->sync_at = dp_now(agent);
		build_sync(agent, wire, agent->sync_at);
		return true;
	}
	return build_records(agent, wire);
}

/* A request of this wire wants the transmitter for its answer. */
static bool request_waits(const struct dp_wire *wire)
{
	return wire->tail != wire->head;
}

/* One character, or the next line. Returns false when nothing can be done right now. */
static bool send_one(struct dp_agent *agent, struct dp_wire *wire, unsigned number, bool wait,
		     bool *left)
{
	const struct dp_com *com = &agent->board->com[number];
	dp_irq irq = dp_port_mask();
	bool moved = false;

	*left = !is_idle(wire) ||
		((wait || !request_waits(wire)) && build_next(agent, wire, number));
	if (*left && com->put(com->ctx, (uint8_t)wire->out.text[wire->sent])) {
		wire->sent++;
		moved = true;
	}
	dp_port_unmask(irq);
	return moved;
}

static bool pump_wire(struct dp_agent *agent, unsigned number, bool wait)
{
	struct dp_wire *wire = &agent->wire[number];
	uint32_t spins = 0;
	bool left;

	DP_NEAR(wire);
	do {
		if (send_one(agent, wire, number, wait, &left))
			spins = 0;
		else if (!wait || ++spins > PUT_SPINS)
			break;
	} while (left);
	return left || request_waits(wire);
}

bool dp_transmit_pump(struct dp_agent *agent, bool wait)
{
	bool left = false;

	wait = DP_WITH_SYNC && wait;
	for (unsigned i = 0; i < DP_LINES; i++)
		if (agent->board->com[i].put)
			left |= pump_wire(agent, i, wait);
	return left;
}

/* --- waiting: for the console, and in hits --- */

#if DP_WITH_CONSOLE || DP_WITH_STORM
bool dp_transmit_put(const struct dp_com *com, uint8_t byte)
{
	for (uint32_t spins = 0; spins < PUT_SPINS; spins++)
		if (com->put(com->ctx, byte))
			return true;
	return false;
}

bool dp_transmit_flush(struct dp_agent *agent, unsigned com)
{
	struct dp_wire *wire = &agent->wire[com];

	for (; !is_idle(wire); wire->sent++)
		if (!dp_transmit_put(&agent->board->com[com], (uint8_t)wire->out.text[wire->sent]))
			return false;
	return true;
}
#endif
