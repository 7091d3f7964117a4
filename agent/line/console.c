/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of the firmware's text on a line of the agent. A writer copies its text to the end of
 * the queue, and masks interrupts for a piece at a time. A writer that comes between two pieces
 * takes the place, and the first writer begins again. So no writer waits for one that was
 * interrupted or has ended. The writer sends the bytes that the transmitter takes at once, and
 * dp_poll sends the rest. */
#include "dp_agent.h"
#include "dp_lock.h"
#include "dp_stream_line.h"
#include "dp_wire.h"

#if DP_WITH_SHARED_LINE
enum {
	DP_COPY_BYTES = 16, /* in one stretch */
	DP_COPY_LOSSES = 4  /* a writer that has lost its place so often copies in one stretch */
};

struct writer {
	const uint8_t *from;
	unsigned count, done;
	unsigned losses;
	uint32_t turn; /* when it has the place, this is the queue's turn */
};

/* context: interrupts masked. */
static unsigned room_of(const struct dp_text *text)
{
	return DP_CONSOLE_BYTES - (unsigned)(uint16_t)(text->committed - text->tail);
}

/* Copy a piece, from the beginning when another writer has taken the place. less: of a text that
 * does not fit, take what fits. returns: false without room. */
static bool copy_piece(struct dp_text *text, struct writer *w, bool less)
{
	unsigned piece, room;
	dp_irq irq = dp_lock_take();

	if (w->done == 0 || w->turn != text->turn) {
		w->losses += w->done > 0;
		w->done = 0;
		w->turn = ++text->turn;
		room = room_of(text);
		if (w->count > room) {
			text->wanted |= less;
			w->count = less ? room : w->count;
			dp_lock_give(irq);
			return less;
		}
	}
	piece = w->count - w->done;
	if (piece > DP_COPY_BYTES && w->losses < DP_COPY_LOSSES)
		piece = DP_COPY_BYTES;
	for (; piece > 0; piece--, w->done++)
		text->bytes[(text->committed + w->done) % DP_CONSOLE_BYTES] = w->from[w->done];
	if (w->done == w->count)
		text->committed = (uint16_t)(text->committed + w->count);
	dp_lock_give(irq);
	return true;
}

static void drop(struct dp_agent *agent, size_t count)
{
	dp_irq irq = dp_lock_take();

	agent->text_dropped += (uint32_t)count;
	dp_lock_give(irq);
}

/* At most DP_CONSOLE_BYTES. wait: also while the queue is full. returns: how many were taken; less
 * than `count` only when the transmitter is dead, or the queue is full and nobody waits. */
static unsigned write_piece(const struct dp_com *com, struct dp_wire *wire, const uint8_t *from,
			    unsigned count, bool wait)
{
	struct writer w = {.from = from, .count = count};
	const uint32_t first = wait ? DP_PUT_SPINS : 1;
	uint32_t spins = first;

	while (w.done < w.count) {
		if (copy_piece(&wire->text, &w, spins == 0))
			continue;
		spins = dp_transmit_some(com, wire, DP_CONSOLE_BYTES) > 0 ? first : spins - 1;
	}
	return w.count;
}

/* Does a writer wait for room? */
static bool waits(const struct dp_board *board)
{
	return board->console_waits || (!board->console_ready && dp_port_unmasked());
}

/* dp_poll sends the rest, and calls console_ready. */
static void note_work(struct dp_agent *agent, const struct dp_text *text)
{
	if (text->wanted || text->tail != text->committed)
		agent->poll_due = 1;
}

size_t dp_console_write(struct dp_agent *agent, enum dp_com_index index, const void *text,
			size_t bytes)
{
	const struct dp_board *board = agent->board;
	const struct dp_com *com = &board->com[index];
	struct dp_wire *wire = &agent->wire[index];
	const uint8_t *from = text;
	bool wait = waits(board);
	size_t left = bytes;

	if (!com->put)
		return 0;
	while (left > 0) {
		unsigned piece = left < DP_CONSOLE_BYTES ? (unsigned)left : DP_CONSOLE_BYTES;
		unsigned taken = write_piece(com, wire, from, piece, wait);

		from += taken;
		left -= taken;
		if (taken < piece) /* a dead line takes one time-out */
			break;
	}
	if (left > 0 && !board->console_ready) /* else the firmware keeps them */
		drop(agent, left);
	while (wire->text.tail != wire->text.committed &&
	       dp_transmit_some(com, wire, DP_CONSOLE_BYTES) > 0)
		;
	note_work(agent, &wire->text);
	return bytes - left;
}

/* Characters that fit. want: without room, call console_ready when there is room. */
static unsigned look_for_room(struct dp_text *text, bool want)
{
	dp_irq irq = dp_lock_take();
	unsigned room = room_of(text);

	text->wanted |= want && room == 0;
	dp_lock_give(irq);
	return room;
}

unsigned dp_console_room(struct dp_agent *agent, enum dp_com_index index)
{
	const struct dp_com *com = &agent->board->com[index];
	struct dp_wire *wire = &agent->wire[index];
	unsigned room;

	if (!com->put)
		return 0;
	if (look_for_room(&wire->text, false) == 0)
		dp_transmit_some(com, wire, DP_CONSOLE_BYTES);
	room = look_for_room(&wire->text, true);
	note_work(agent, &wire->text);
	return room;
}

bool dp_console_tell_room(struct dp_agent *agent)
{
	bool told = false;

	for (unsigned i = 0; i < DP_LINES; i++) {
		struct dp_text *text = &agent->wire[i].text;

		if (!text->wanted || look_for_room(text, false) < DP_CONSOLE_BYTES / 4)
			continue;
		text->wanted = 0;
		if (agent->board->console_ready) {
			agent->board->console_ready(i);
			told = true;
		}
	}
	return told;
}

void dp_console_flush(struct dp_agent *agent, enum dp_com_index index)
{
	struct dp_wire *wire = &agent->wire[index];
	struct dp_text *text = &wire->text;

	if (!dp_transmit_flush(agent, index))
		return;
	for (uint32_t spins = 0; text->tail != text->committed && spins < DP_PUT_SPINS; spins++)
		if (dp_transmit_some(&agent->board->com[index], wire, 1) > 0)
			spins = 0;
}
#endif
