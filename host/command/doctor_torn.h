/* SPDX-License-Identifier: BSD-2-Clause */
/* This header finds torn lines of the agent in the console's text: a frame that firmware text has
 * cut is no frame, so the session hands its bytes over as text. */
#ifndef DPH_DOCTOR_TORN_H
#define DPH_DOCTOR_TORN_H

#include "dp_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_torn {
	size_t bytes;   /* of text in all */
	size_t no_text; /* bytes among them that no text has */
	size_t torn;    /* beginnings of frames among them */
	unsigned seen;  /* characters of a beginning; 0: none */
};

enum {
	DPH_TORN_BEGINNING = 6 /* mark, type and four digits */
};

/* Take bytes of the console that no frame contains. */
static inline void dph_torn_take(struct dph_torn *torn, const uint8_t *bytes, size_t count)
{
	torn->bytes += count;
	for (size_t i = 0; i < count; i++) {
		const uint8_t c = bytes[i];
		const bool digit = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
		const bool letter = c >= 'A' && c <= 'Z';

		torn->no_text += c >= 0x7f || c == 0 || (c > '\r' && c < ' ' && c != 0x1b);
		if (c == DP_FRAME_MARK)
			torn->seen = 1;
		else if (torn->seen == 0 || !(torn->seen == 1 ? letter : digit))
			torn->seen = 0;
		else if (++torn->seen == DPH_TORN_BEGINNING) {
			torn->torn++;
			torn->seen = 0;
		}
	}
}

#endif
