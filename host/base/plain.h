/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain text may reach a terminal: no control characters (C0, DEL, C1) and no malformed UTF-8.
 * Names and texts of a target or a file may contain escape sequences, which steer the reader's
 * terminal. */
#ifndef DPH_PLAIN_H
#define DPH_PLAIN_H

#include "escape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Return the bytes of the character that text begins with.
 * plain: receives whether the character may reach a terminal. A tab may, a newline may not. */
unsigned dph_plain_character(const char *text, bool *plain);

/* Print a name. A dot stands for each character that is not plain. */
void dph_plain_print(const char *name, FILE *out);

/* The same for a text of several lines: newlines are plain, too. */
void dph_plain_print_lines(const char *text, FILE *out);

/* Put a dot in place of each character of a name that is not plain. */
void dph_plain_replace(char *name);

/* Console text that arrives in pieces. Start with all zero. Newline, return, tab, backspace and
 * bell are plain here, and escape sequences that set colours (SGR). A character of several bytes
 * waits for its last byte, an escape sequence too; other sequences are left out. */
struct dph_plain_filter {
	char held[8];
	size_t count;
	struct dph_escape escape;
	uint8_t sequence[DPH_ESCAPE_BYTES + 1];
	size_t sequence_bytes;
	bool colored; /* the last sequence has set a colour */
};

enum {
	DPH_PLAIN_MORE = 8 + DPH_ESCAPE_BYTES /* bytes that the filter may have held */
};
/* Filter `count` bytes into `out`, which has room for count + DPH_PLAIN_MORE bytes. Return the
 * bytes in `out`. */
size_t dph_plain_filter(struct dph_plain_filter *filter, const uint8_t *bytes, size_t count,
			uint8_t *out);

#endif
