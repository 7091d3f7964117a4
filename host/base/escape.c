/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the ends of escape sequences. */
#include "escape.h"

enum {
	ESCAPE = 0x1b
};

/* A byte behind ESC. Only a control sequence has more than two bytes here. */
static enum dph_escape_part second(struct dph_escape *escape, uint8_t byte)
{
	escape->control = escape->plain = byte == '[';
	if (escape->control || (byte >= 0x20 && byte < 0x30))
		return DPH_ESCAPE_INSIDE;
	escape->bytes = 0;
	return byte >= 0x30 && byte < 0x7f ? DPH_ESCAPE_END : DPH_ESCAPE_NONE;
}

/* A parameter or the final byte. */
static enum dph_escape_part further(struct dph_escape *escape, uint8_t byte)
{
	if (byte >= 0x20 && byte < (escape->control ? 0x40 : 0x30) &&
	    escape->bytes < DPH_ESCAPE_BYTES) {
		escape->plain &= (byte >= '0' && byte <= '9') || byte == ';' || byte == ':';
		return DPH_ESCAPE_INSIDE;
	}
	escape->bytes = 0;
	if (byte < 0x30 || byte >= 0x7f)
		return DPH_ESCAPE_NONE;
	return escape->control && escape->plain && byte == 'm' ? DPH_ESCAPE_COLOR : DPH_ESCAPE_END;
}

enum dph_escape_part dph_escape_next(struct dph_escape *escape, uint8_t byte)
{
	if (byte == ESCAPE) {
		*escape = (struct dph_escape){.bytes = 1};
		return DPH_ESCAPE_INSIDE;
	}
	if (escape->bytes == 0)
		return DPH_ESCAPE_NONE;
	return ++escape->bytes == 2 ? second(escape, byte) : further(escape, byte);
}
