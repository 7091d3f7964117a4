/* SPDX-License-Identifier: BSD-2-Clause */
/* Escape sequences in console text that arrives in pieces: which bytes belong to one. ECMA-48. */
#ifndef DPH_ESCAPE_H
#define DPH_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DPH_ESCAPE_BYTES = 40 /* longer sequences do not occur: their rest is text */
};

enum dph_escape_part {
	DPH_ESCAPE_NONE,   /* the byte is text */
	DPH_ESCAPE_INSIDE, /* the byte belongs to a sequence that goes on */
	DPH_ESCAPE_END,    /* the byte ends a sequence */
	DPH_ESCAPE_COLOR   /* the byte ends a sequence that sets colours (SGR) */
};

/* Start with all zero. */
struct dph_escape {
	size_t bytes; /* of the sequence so far; 0: text */
	bool control; /* a control sequence: ESC [ */
	bool plain;   /* of digits, ; and : alone */
};

enum dph_escape_part dph_escape_next(struct dph_escape *escape, uint8_t byte);

#endif
