/* SPDX-License-Identifier: BSD-2-Clause */
/* The hold separates frames from console text and holds back bytes that may become a frame.
 * PROTOCOL.md 3.1, the host's side.
 *
 * A candidate that is more than its marker is held until a byte does not fit, or for a second
 * without a byte. A marker alone may be a prompt and is held for 50 ms. What was held longer is
 * shown, and is matched all the same: a pause of the target loses no line.
 *
 * The first bytes of a line that was opened in the middle of a frame have no marker. Digits that
 * only a newline follows are the rest of a frame when they are DPH_TAIL_DIGITS or more, and are
 * left out. */
#ifndef DPH_FRAME_HOLD_H
#define DPH_FRAME_HOLD_H

#include "dp_frame.h"

enum {
	DPH_HOLD_PROMPT_MS = 50,
	DPH_HOLD_FRAME_MS = 1000,
	DPH_TAIL_DIGITS = 8,
};

struct dph_hold_listener {
	void *context;
	/* Text for the console, in order, each byte once. */
	void (*console)(void *context, const uint8_t *bytes, size_t count);
	/* The same bytes when they are known to be no part of a frame; never earlier than console.
	 */
	void (*settled)(void *context, const uint8_t *bytes, size_t count);
	/* A complete line, from marker to newline. True: a frame; false: text. The bytes are the
	 * callee's until it returns. */
	bool (*line)(void *context, const uint8_t *line, size_t bytes);
};

/* All zero but the listener is a good start: a line that was just opened. */
struct dph_hold {
	struct dph_hold_listener listener;
	struct dp_splitter splitter;
	unsigned quiet_ms;         /* looked for the rest of what is held, in vain */
	size_t shown;              /* of what is held: the console has these bytes already */
	bool begun;                /* the first bytes have been told apart */
	size_t tail_bytes;         /* of what may be the rest of a frame */
	uint8_t tail[DP_LINE_MAX]; /* those */
};

/* Take bytes as they came. */
void dph_hold_bytes(struct dph_hold *hold, const uint8_t *bytes, size_t count);

/* ms were spent looking for bytes, and none came. The caller's clock is the only one. */
void dph_hold_quiet(struct dph_hold *hold, unsigned ms);

/* The line has ended: what is held is text. */
void dph_hold_end(struct dph_hold *hold);

/* Is there something that the console lacks, because it may become a frame? */
bool dph_hold_waits(const struct dph_hold *hold);

#endif
