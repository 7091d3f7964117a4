/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of the firmware's text on a line of the agent. A writer reserves room, copies with
 * interrupts open, and releases its text when no other writer copies. The writer sends the bytes
 * that the transmitter takes at once, and dp_poll sends the rest. */
#include "dp_agent.h"
#include "dp_lock.h"
#include "dp_stream_line.h"
#include "dp_wire.h"

#if DP_WITH_SHARED_LINE
enum {
	DP_ALL_WRITERS = 0xff /* writers that copy will not finish: their room is sent unchanged */
};

/* End the copies of this many writers. The last writer releases the text. */
static void end_writers(struct dp_text *text, unsigned count)
{
	dp_irq irq = dp_lock_take();

	if (text->writers > count) {
		text->writers = (uint8_t)(text->writers - count);
	} else {
		text->writers = 0;
		text->committed = text->head;
	}
	dp_lock_give(irq);
}

/* Reserve room, when the transmitter has made enough. wait: also while it is full. Less than
 * `count` only when it is dead, or full and nobody waits. returns: how many characters; *at: their
 * place. */
static unsigned reserve(const struct dp_com *com, struct dp_wire *wire, unsigned count, bool wait,
			uint16_t *at)
{
	struct dp_text *text = &wire->text;
	const uint32_t first = wait ? DP_PUT_SPINS : 1;

	for (uint32_t spins = first;; spins--) {
		dp_irq irq = dp_lock_take();
		unsigned room = DP_CONSOLE_BYTES - (unsigned)(uint16_t)(text->head - text->tail);

		if (spins == 0 && count > room)
			count = room;
		if (count <= room) {
			*at = text->head;
			text->head = (uint16_t)(text->head + count);
			text->writers++;
		}
		dp_lock_give(irq);
		if (count <= room)
			return count;
		if (dp_transmit_some(com, wire, DP_CONSOLE_BYTES) > 0)
			spins = first + 1;
	}
}

static void drop(struct dp_agent *agent, size_t count)
{
	dp_irq irq = dp_lock_take();

	agent->text_dropped += (uint32_t)count;
	dp_lock_give(irq);
}

/* At most DP_CONSOLE_BYTES. returns: how many were taken. */
static unsigned write_piece(const struct dp_com *com, struct dp_wire *wire, const uint8_t *from,
			    unsigned count, bool wait)
{
	uint16_t at;
	unsigned taken = reserve(com, wire, count, wait, &at);

	for (unsigned i = 0; i < taken; i++)
		wire->text.bytes[(at + i) % DP_CONSOLE_BYTES] = from[i];
	end_writers(&wire->text, 1);
	return taken;
}

void dp_console_write(struct dp_agent *agent, enum dp_com_index index, const void *text,
		      size_t bytes)
{
	const struct dp_com *com = &agent->board->com[index];
	struct dp_wire *wire = &agent->wire[index];
	const uint8_t *from = text;
	bool wait = dp_port_unmasked();

	if (!com->put)
		return;
	while (bytes > 0) {
		unsigned piece = bytes < DP_CONSOLE_BYTES ? (unsigned)bytes : DP_CONSOLE_BYTES;
		unsigned taken = write_piece(com, wire, from, piece, wait);

		from += taken;
		bytes -= taken;
		if (taken < piece) { /* a dead line takes one time-out */
			drop(agent, bytes);
			if (wait) /* a task may have been ended while it copied */
				end_writers(&wire->text, DP_ALL_WRITERS);
			break;
		}
	}
	while (wire->text.tail != wire->text.committed &&
	       dp_transmit_some(com, wire, DP_CONSOLE_BYTES) > 0)
		;
}

void dp_console_flush(struct dp_agent *agent, enum dp_com_index index)
{
	struct dp_wire *wire = &agent->wire[index];
	struct dp_text *text = &wire->text;

	end_writers(text, DP_ALL_WRITERS);
	if (!dp_transmit_flush(agent, index))
		return;
	for (uint32_t spins = 0; text->tail != text->committed && spins < DP_PUT_SPINS; spins++)
		if (dp_transmit_some(&agent->board->com[index], wire, 1) > 0)
			spins = 0;
}
#endif
