/* SPDX-License-Identifier: BSD-2-Clause */
/* The simple interface keeps console text until the user takes it. */
#ifndef DPH_SIMPLE_CONSOLE_H
#define DPH_SIMPLE_CONSOLE_H

#include "base/pool.h"

enum {
	DPH_CONSOLE_MAX = 1 << 20, /* bytes; older text is dropped */
};

/* Add text of the target. NUL bytes are left out: the user's text is a string. */
void dph_console_add(struct dph_bytes *console, const unsigned char *text, size_t count);

/* Return a copy of at most the latest DPH_CONSOLE_MAX bytes, which the caller frees. Older text is
 * dropped. */
char *dph_console_copy(struct dph_bytes *console);
/* Drop the oldest bytes. */
void dph_console_drop(struct dph_bytes *console, size_t count);
/* The same copy, and empty the console. */
char *dph_console_take(struct dph_bytes *console);

#endif
