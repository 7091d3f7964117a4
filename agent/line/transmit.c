/* SPDX-License-Identifier: BSD-2-Clause */
/* Send lines, and the text of the firmware. Each com sends one line at a time. The order of lines
 * is NAK, notices, sync, records (answers: command.c). A line follows the text that the firmware
 * has written before.
 *
 * dp_poll builds a line with interrupts open, from a copy of the stream's state. A hit may come at
 * any time and send its own lines, which makes the copy void: dp_poll then builds the line again.
 */
#include "dp_wire.h"

#include "dp_build.h"
#include "dp_lock.h"
#include "dp_owner.h"
#include "dp_record_line.h"
#include "dp_status_lines.h"
#include "dp_stream_line.h"
#include "dp_typed_line.h"

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

/* Records: first those that are sent again, but not in a hit, and not between the pieces of a new
 * one. A hit's lines may come between the pieces of one that is sent again: it begins anew. */
static bool build_records(struct dp_agent *agent, struct dp_draft *draft, bool in_hit)
{
	if (!in_hit && draft->next.piece == 0 && dp_again_line(agent, draft))
		return true;
	dp_again_anew(draft);
	return dp_new_line(agent, draft);
}

/* Build the next line of a wire. Only sync and notice lines come between the pieces of a record. */
static bool build_next(struct dp_agent *agent, struct dp_wire *wire, unsigned com,
		       struct dp_draft *draft, bool in_hit)
{
	const struct dp_transmit *t = &agent->transmit;

	if (build_nak(wire, draft) || dp_owner_line(agent, wire, draft))
		return true;
	if (t->target == DP_COM_NONE) /* the boot notice is of one stream */
		return com == DP_COM1 && DP_DRAFT_CPU(agent, draft) == agent->cpu &&
		       dp_boot_line(agent, draft);
	return com == t->target &&
	       (dp_status_line(agent, draft) || build_records(agent, draft, in_hit));
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

/* returns: how many of the bytes the transmitter took. The board's word counts up to `count`.
 * context: interrupts masked, so only so many bytes go at a time. */
static unsigned offer(const struct dp_com *com, const void *bytes, unsigned count, unsigned most)
{
	size_t taken;

	if (count > most)
		count = most;
	if (count > DP_WRITE_BYTES)
		count = DP_WRITE_BYTES;
	if (count <= 1 || !com->write)
		return com->put(com->ctx, *(const uint8_t *)bytes);
	taken = com->write(com->ctx, bytes, count);
	return taken < count ? (unsigned)taken : count;
}

unsigned dp_transmit_some(const struct dp_com *com, struct dp_wire *wire, unsigned most)
{
	dp_irq irq = dp_lock_take();
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
	if (count > 0)
		wire->dead = 0;
	dp_lock_give(irq);
	return count;
}

/* --- in dp_poll --- */

/* Build the next line in the spare one of the wire: that of the first CPU in turn that has one. */
static bool build_any(struct dp_agent *agent, unsigned com, struct dp_draft *draft)
{
	struct dp_wire *wire = &agent->wire[com];
	unsigned cpu = agent->transmit.turn;

	for (unsigned i = 0; i < DP_PORT_CPUS; i++) {
		dp_draft_of(agent, cpu, draft, dp_line_spare(wire));
		if (build_next(agent, wire, com, draft, false))
			return true;
		cpu = cpu + 1 < DP_PORT_CPUS ? cpu + 1 : 0;
	}
	return false;
}

/* May the wire have a line of its own? For a wire that has none, no copy of the stream is made. */
static bool may_begin(const struct dp_agent *agent, const struct dp_wire *wire, unsigned number)
{
	const unsigned target = agent->transmit.target;

	if (wire->nak || wire->taken)
		return true;
	if (target == DP_COM_NONE) /* the boot notice is of the first stream */
		return number == DP_COM1 && !agent->stream[0].boot_told;
	return number == target;
}

/* Begin the next line, if there is one and the wire is free. */
static void begin_line(struct dp_agent *agent, unsigned number)
{
	struct dp_wire *wire = &agent->wire[number];
	struct dp_draft draft;

	do {
		if (dp_line_under_way(wire) || request_waits(wire))
			return;
		if (!may_begin(agent, wire, number))
			return;
		if (!build_any(agent, number, &draft))
			return;
	} while (!dp_draft_send(agent, wire, &draft)); /* a hit sent lines of its own */
}

static bool pump_wire(struct dp_agent *agent, unsigned number)
{
	struct dp_wire *wire = &agent->wire[number];
	unsigned count;

	begin_line(agent, number);
	count = characters_wait(wire);
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
		if (spins >= (wire->dead ? 1 : DP_PUT_SPINS)) {
			wire->dead = 1;
			return false;
		}
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

		dp_draft_of(agent, dp_this_cpu(), &draft, dp_line_reuse(wire));
		if (!build_next(agent, wire, com, &draft, true))
			return;
		dp_draft_send(agent, wire, &draft);
	}
	agent->poll_due = 1; /* the rest of the line */
}
