/* SPDX-License-Identifier: BSD-2-Clause */
/* The hold separates frames from console text and holds back bytes that may become a frame.
 * PROTOCOL.md 3.1, the host's side.
 * A candidate longer than its marker is held until a byte does not fit, or for a second without
 * a byte. A marker alone may be a prompt and is held for 50 ms. The hold shows older bytes and
 * still matches them: a pause of the target loses no line.
 * After an opening in the middle of a frame the first bytes have no marker. Digits before a
 * newline are the rest of a frame when they are DPH_TAIL_DIGITS or more; the hold omits them. */
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

/* Zero but the listener is a good start: a line that was just opened. */
struct dph_hold {
	struct dph_hold_listener listener;
	struct dp_splitter splitter;
	unsigned quiet_ms;         /* time without the rest of the held bytes */
	size_t shown;              /* held bytes that the console has already */
	bool begun;                /* the first bytes have been classified */
	size_t tail_bytes;         /* bytes that may be the rest of a frame */
	uint8_t tail[DP_LINE_MAX]; /* those */
};

/* Take bytes as they came. */
void dph_hold_bytes(struct dph_hold *hold, const uint8_t *bytes, size_t count);

/* ms were spent looking for bytes, and none came. The caller's clock is the only one. */
void dph_hold_quiet(struct dph_hold *hold, unsigned ms);

/* The line has ended: the held bytes are text. */
void dph_hold_end(struct dph_hold *hold);

/* Return whether bytes that may become a frame are missing on the console. */
bool dph_hold_waits(const struct dph_hold *hold);

#endif
