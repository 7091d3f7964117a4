/* SPDX-License-Identifier: BSD-2-Clause */
/* This file applies the rules of frame_hold.h byte by byte. */
#include "frame_hold.h"

#include <string.h>

#define HEARD "ZKRSPYNrsp" /* types of frames that the host listens to */

/* Bytes are text for certain; the console has `shown` of them. */
static void settle(struct dph_hold *hold, const uint8_t *bytes, size_t count)
{
	const struct dph_hold_listener *listener = &hold->listener;
	const size_t shown = hold->shown;

	hold->shown = 0;
	if (count > shown && listener->console != NULL)
		listener->console(listener->context, bytes + shown, count - shown);
	if (count > 0 && listener->settled != NULL)
		listener->settled(listener->context, bytes, count);
}

/* --- the first bytes -----------------------------------------------------------------------------
 */

static bool may_be_tail(const struct dph_hold *hold, uint8_t byte)
{
	const bool type = hold->tail_bytes == 0 && byte != '\0' && strchr(HEARD, byte) != NULL;

	return (type || dp_hex_digit(byte) < 16) && hold->tail_bytes < sizeof hold->tail;
}

/* Return whether the byte belongs to a line from before the opening. */
static bool is_tail(struct dph_hold *hold, uint8_t byte)
{
	uint8_t text[sizeof hold->tail];
	const size_t count = hold->tail_bytes;

	if (may_be_tail(hold, byte)) {
		hold->tail[hold->tail_bytes++] = byte;
		return true;
	}
	hold->begun = true;
	hold->tail_bytes = 0;
	if (byte == '\n' && count >= DPH_TAIL_DIGITS) {
		hold->shown = 0;
		return true;
	}
	memcpy(text, hold->tail, count);
	settle(hold, text, count);
	return false;
}

/* --- everything behind ---------------------------------------------------------------------------
 */

static void line_held(struct dph_hold *hold)
{
	uint8_t line[DP_LINE_MAX];
	const size_t count = dp_splitter_flush(&hold->splitter, line), shown = hold->shown;

	hold->shown = 0; /* the listener may receive more bytes */
	if (hold->listener.line(hold->listener.context, line, count))
		return;
	hold->shown = shown;
	settle(hold, line, count);
}

static void take_byte(struct dph_hold *hold, uint8_t byte)
{
	uint8_t text[DP_LINE_MAX];
	size_t count = 0;

	if (!hold->begun && is_tail(hold, byte))
		return;
	switch (dp_splitter_feed(&hold->splitter, byte, HEARD, text, &count)) {
	case DP_SPLIT_HELD:
		break;
	case DP_SPLIT_CONSOLE:
		settle(hold, text, count);
		break;
	case DP_SPLIT_FRAME:
		line_held(hold);
		break;
	}
}

void dph_hold_bytes(struct dph_hold *hold, const uint8_t *bytes, size_t count)
{
	if (count > 0)
		hold->quiet_ms = 0;
	for (size_t i = 0; i < count; i++)
		take_byte(hold, bytes[i]);
}

/* --- pauses --------------------------------------------------------------------------------------
 */

/* The held bytes, of a frame or of the rest of a frame. */
static const uint8_t *held(const struct dph_hold *hold, size_t *count)
{
	*count = hold->begun ? hold->splitter.used : hold->tail_bytes;
	return hold->begun ? hold->splitter.held : hold->tail;
}

bool dph_hold_waits(const struct dph_hold *hold)
{
	size_t count;

	held(hold, &count);
	return count > hold->shown;
}

/* A prompt may be a marker; a word of a few digits is no frame's rest that would be left out. */
static unsigned patience_ms(const struct dph_hold *hold, size_t count)
{
	const size_t least = hold->begun ? 2 : DPH_TAIL_DIGITS;

	return count < least ? DPH_HOLD_PROMPT_MS : DPH_HOLD_FRAME_MS;
}

void dph_hold_quiet(struct dph_hold *hold, unsigned ms)
{
	const struct dph_hold_listener *listener = &hold->listener;
	const size_t shown = hold->shown;
	size_t count;
	const uint8_t *bytes = held(hold, &count);

	hold->quiet_ms += ms;
	if (count <= shown || hold->quiet_ms < patience_ms(hold, count))
		return;
	hold->shown = count;
	if (listener->console != NULL)
		listener->console(listener->context, bytes + shown, count - shown);
}

void dph_hold_end(struct dph_hold *hold)
{
	uint8_t text[DP_LINE_MAX];
	size_t count;

	memcpy(text, held(hold, &count), sizeof text);
	hold->begun = true;
	hold->tail_bytes = 0;
	dp_splitter_take(&hold->splitter);
	if (count > hold->shown && hold->listener.console != NULL)
		hold->listener.console(hold->listener.context, text + hold->shown,
				       count - hold->shown);
	hold->shown = 0;
}
