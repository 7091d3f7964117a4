/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines out. One line per com is in the works; when it is out the next thing to say is chosen:
 * answers first (command.c puts them straight in), then NAK, notices, sync, records.  A hit may
 * come between any two characters, so line and position change only with interrupts masked. */
#include "dp_core.h"
#include "dp_memory.h"

enum {
	PUT_SPINS = 2000000, /* polls of a transmitter that takes nothing, then it counts as dead */
	LINES_PER_SYNC = 64, /* where there is no clock to sync by */
	RECORD_ROOM = DP_STREAM_NIBBLES - 3, /* digits behind stream and line number */
	PIECE_ROOM = DP_STREAM_NIBBLES - 6,
};

uint64_t dp_now(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->ticks() : dp_port_ticks();
}

uint32_t dp_tick_hz(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->tick_hz : dp_port_tick_hz();
}

bool dp_transmit_idle(const struct dp_agent *agent, uint8_t com)
{
	return agent->transmit.sent[com] >= agent->transmit.line[com].used;
}

void dp_transmit_answer(struct dp_agent *agent, uint8_t com, uint8_t seq,
			const struct dp_answer *answer, uint32_t session)
{
	struct dp_transmit *t = &agent->transmit;
	uint32_t seed =
		session == 0 ? dp_frame_seed(0, 0) : dp_frame_seed(DP_PROTOCOL_VERSION, session);

	t->line[com].used = (uint8_t)dp_frame_put_control(t->line[com].text, DP_FRAME_ANSWER, seq,
							  answer->payload, answer->bytes, seed);
	t->sent[com] = 0;
}

/* --- stream lines --- */

static struct dp_line *begin_stream(struct dp_agent *agent, uint8_t com, enum dp_frame_type type)
{
	struct dp_transmit *t = &agent->transmit;
	struct dp_line *line = &t->line[com];

	dp_line_begin(line, type);
	dp_line_put(line, dp_port_cpu_number(), 1);
	dp_line_put(line, t->seq++, 2);
	return line;
}

static void end_stream(struct dp_agent *agent, uint8_t com)
{
	dp_line_end(&agent->transmit.line[com]);
	agent->transmit.sent[com] = 0;
}

static void put_u64(struct dp_line *line, uint64_t value)
{
	dp_line_put(line, (uint32_t)(value >> 32), 8);
	dp_line_put(line, (uint32_t)value, 8);
}

static void build_sync(struct dp_agent *agent, uint8_t com, uint64_t ticks)
{
	struct dp_transmit *t = &agent->transmit;
	const struct dp_ring *ring = &agent->ring;
	struct dp_line *line = begin_stream(agent, com, DP_FRAME_SYNC);

	t->told = ticks;
	t->lines_since_sync = 0;
	put_u64(line, ticks);
	dp_line_put(line, dp_tick_hz(agent), 8);
	dp_line_put(line, agent->boot, 4);
	dp_line_put(line, ring->sent, 8);
	dp_line_put(line, ring->dropped, 8);
	dp_line_put(line, ring->missed, 8);
	dp_line_put(line, ring->withdrawn, 8);
	end_stream(agent, com);
}

/* Digit k of the peeked record: header digits, then two per body byte. */
struct digits {
	uint8_t header[DP_RECORD_HEADER_DIGITS_MAX];
	uint8_t header_count;
	uint16_t count;
	uint64_t time;
};

static uint8_t digit_at(const struct dp_ring *ring, const struct digits *d, uint16_t k)
{
	uint8_t byte;

	if (k < d->header_count)
		return d->header[k];
	k = (uint16_t)(k - d->header_count);
	byte = dp_ring_byte(ring, k / 2);
	return k % 2 == 0 ? byte >> 4 : byte & 15;
}

/* The whole time of a record: what its head keeps, and of now what that leaves out. */
static uint64_t time_of(const struct dp_agent *agent, const struct dp_log_head *head)
{
	const uint64_t mask = 0xffffffffffff;
	uint64_t now = dp_now(agent);

	return now - ((now - ((uint64_t)head->ticks_high << 32 | head->ticks)) & mask);
}

static bool peek_digits(struct dp_agent *agent, struct digits *d)
{
	struct dp_log_head head;
	struct dp_record record;

	if (!dp_ring_peek(&agent->ring, &head))
		return false;
	record = (struct dp_record){
		.kind = head.kind,
		.flags = head.flags,
		.probe = head.probe,
		.major = head.major,
		.minor = head.minor,
		.ticks = head.ticks & ((1u << DP_TICK_BITS) - 1),
		.bytes = head.bytes,
	};
	d->time = time_of(agent, &head);
	d->header_count = (uint8_t)dp_record_put(&record, d->header);
	d->count = (uint16_t)(d->header_count + 2 * head.bytes);
	return true;
}

static void put_digits(struct dp_agent *agent, struct dp_line *line, const struct digits *d,
		       uint16_t from, uint16_t count)
{
	for (uint16_t k = 0; k < count; k++)
		dp_line_put(line, digit_at(&agent->ring, d, (uint16_t)(from + k)), 1);
}

static void record_done(struct dp_agent *agent, const struct digits *d)
{
	agent->transmit.told = d->time;
	dp_ring_next(&agent->ring);
	agent->ring.sent++;
	agent->transmit.piece = 0;
	agent->transmit.piece_digits = 0;
}

static void build_piece(struct dp_agent *agent, uint8_t com, const struct digits *d)
{
	struct dp_transmit *t = &agent->transmit;
	struct dp_line *line = begin_stream(agent, com, DP_FRAME_PIECE);
	uint16_t left = (uint16_t)(d->count - t->piece_digits);
	uint16_t now = left < PIECE_ROOM ? left : PIECE_ROOM;

	dp_line_put(line, now == left, 1);
	dp_line_put(line, t->piece++, 2);
	put_digits(agent, line, d, t->piece_digits, now);
	t->piece_digits = (uint16_t)(t->piece_digits + now);
	end_stream(agent, com);
	if (now == left)
		record_done(agent, d);
}

/* Would a receiver that knows the last time told take the record's 20 bits for another time? */
static bool time_is_far(const struct dp_agent *agent, const struct digits *d)
{
	const uint64_t half = 1u << (DP_TICK_BITS - 1);

	return d->time - agent->transmit.told + half - 1 >= 2 * half - 1;
}

/* As many waiting records as one line holds, or a piece of a long one; or the time of the next. */
static bool build_records(struct dp_agent *agent, uint8_t com)
{
	struct dp_line *line = NULL;
	struct digits d;

	while (peek_digits(agent, &d)) {
		if (agent->transmit.piece == 0 && time_is_far(agent, &d)) {
			if (line != NULL)
				break;
			build_sync(agent, com, d.time);
			return true;
		}
		if (line == NULL && d.count > RECORD_ROOM) {
			build_piece(agent, com, &d);
			return true;
		}
		if (line == NULL)
			line = begin_stream(agent, com, DP_FRAME_RECORDS);
		if (d.count > DP_STREAM_NIBBLES + 2u - line->used)
			break;
		put_digits(agent, line, &d, 0, d.count);
		record_done(agent, &d);
	}
	if (line == NULL)
		return false;
	end_stream(agent, com);
	agent->transmit.lines_since_sync++;
	return true;
}

/* --- notices and NAK --- */

bool dp_notice(struct dp_agent *agent, enum dp_notice number, const uint8_t *arguments,
	       uint8_t bytes)
{
	struct dp_transmit *t = &agent->transmit;
	bool taken = false;
	dp_irq irq = dp_port_mask();

	for (unsigned i = 0; i < sizeof(t->notice) / sizeof(t->notice[0]); i++) {
		struct dp_notice_out *out = &t->notice[i];

		if (out->number != 0)
			continue;
		out->number = (uint8_t)number;
		out->bytes = bytes;
		dp_copy(out->arguments, arguments, bytes);
		taken = true;
		break;
	}
	dp_port_unmask(irq);
	return taken;
}

static bool build_notice(struct dp_agent *agent, uint8_t com)
{
	struct dp_transmit *t = &agent->transmit;

	for (unsigned i = 0; i < sizeof(t->notice) / sizeof(t->notice[0]); i++) {
		struct dp_notice_out *out = &t->notice[i];
		struct dp_line *line;

		if (out->number == 0)
			continue;
		line = begin_stream(agent, com, DP_FRAME_NOTICE);
		dp_line_put(line, out->number, 2);
		for (uint8_t k = 0; k < out->bytes; k++)
			dp_line_put(line, out->arguments[k], 2);
		out->number = 0;
		end_stream(agent, com);
		return true;
	}
	return false;
}

static bool build_nak(struct dp_agent *agent, uint8_t com)
{
	struct dp_line *line = &agent->transmit.line[com];

	if (!agent->link.nak[com])
		return false;
	agent->link.nak[com] = 0;
	dp_line_begin(line, DP_FRAME_NAK);
	dp_line_put(line, agent->link.nak_seq[com], 2);
	end_stream(agent, com);
	return true;
}

/* --- choosing --- */

static bool sync_is_due(const struct dp_agent *agent)
{
	const struct dp_transmit *t = &agent->transmit;
	uint32_t hz = dp_tick_hz(agent);

	if (t->sync_due)
		return true;
	if (t->lines_since_sync >= LINES_PER_SYNC && hz == 0)
		return true;
	if (hz == 0 || agent->arena_used == 0)
		return false;
	return dp_now(agent) - t->sync_at >= hz;
}

static void report_lost_lines(struct dp_agent *agent)
{
	uint8_t arguments[2] = {(uint8_t)(agent->link.lines_lost >> 8),
				(uint8_t)agent->link.lines_lost};

	if (agent->link.lines_lost > 0 &&
	    dp_notice(agent, DP_NOTICE_LINE_LOST, arguments, sizeof(arguments)))
		agent->link.lines_lost = 0;
}

/* Put the next line into the empty buffer of com. A record in pieces is finished first, but for the
 * lines that may stand between. Interrupts masked. */
static bool build_next(struct dp_agent *agent, uint8_t com)
{
	const struct dp_transmit *t = &agent->transmit;

	if (build_nak(agent, com))
		return true;
	if (com != t->target && !(t->target == DP_COM_NONE && com == DP_COM1 && !t->boot_told))
		return false;
	if (t->target == DP_COM_NONE) {
		agent->transmit.boot_told = 1;
		return build_notice(agent, com);
	}
	report_lost_lines(agent);
	if (build_notice(agent, com))
		return true;
	if (sync_is_due(agent) && t->piece == 0) {
		agent->transmit.sync_due = 0;
		agent->transmit.sync_at = dp_now(agent);
		build_sync(agent, com, agent->transmit.sync_at);
		return true;
	}
	return build_records(agent, com);
}

/* A request of this line wants the transmitter for its answer. */
static bool request_waits(const struct dp_agent *agent, uint8_t com)
{
	const struct dp_link *link = &agent->link;

	return link->queue_tail != link->queue_head &&
	       link->queue[link->queue_tail % DP_RX_LINES].com == com;
}

/* One character, or the next line. Returns false when nothing can be done right now. */
static bool send_one(struct dp_agent *agent, uint8_t com, bool wait, bool *left)
{
	struct dp_transmit *t = &agent->transmit;
	const struct dp_com *port = &agent->board->com[com];
	dp_irq irq;
	bool moved = false;

	if (!port->put)
		return false;
	irq = dp_port_mask();
	if (!dp_transmit_idle(agent, com) ||
	    ((wait || !request_waits(agent, com)) && build_next(agent, com))) {
		*left = true;
		if (port->put(port->ctx, (uint8_t)t->line[com].text[t->sent[com]])) {
			t->sent[com]++;
			moved = true;
		}
	}
	dp_port_unmask(irq);
	return moved;
}

static bool pump_com(struct dp_agent *agent, uint8_t com, bool wait)
{
	uint32_t spins = 0;
	bool left;

	do {
		left = false;
		if (send_one(agent, com, wait, &left))
			spins = 0;
		else if (!wait || ++spins > PUT_SPINS)
			break;
	} while (left);
	return left;
}

bool dp_transmit_pump(struct dp_agent *agent, bool wait)
{
	bool left = false;

	for (uint8_t com = 0; com < DP_COMS; com++)
		left |= pump_com(agent, com, wait);
	return left;
}

/* --- the firmware's own text --- */

static void put_waiting(const struct dp_com *port, uint8_t byte)
{
	uint32_t spins = 0;

	while (!port->put(port->ctx, byte) && ++spins < PUT_SPINS)
		;
}

void dp_transmit_flush(struct dp_agent *agent, uint8_t com)
{
	struct dp_transmit *t = &agent->transmit;

	while (!dp_transmit_idle(agent, com))
		put_waiting(&agent->board->com[com], (uint8_t)t->line[com].text[t->sent[com]++]);
}

void dp_console_write(struct dp_agent *agent, enum dp_com_index com, const void *text, size_t bytes)
{
	const struct dp_com *port = &agent->board->com[com];
	const uint8_t *p = text;

	if (!port->put)
		return;
	while (bytes-- > 0) {
		dp_irq irq = dp_port_mask();

		dp_transmit_flush(agent, (uint8_t)com);
		put_waiting(port, *p++);
		dp_port_unmask(irq);
	}
}
