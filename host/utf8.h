/* SPDX-License-Identifier: BSD-2-Clause */
/* Characters of texts that were written elsewhere: files, names, lines of a target. */
#ifndef DPH_UTF8_H
#define DPH_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* How many bytes the UTF-8 character has that text (which a NUL ends) begins with, and its number;
 * 0: it is none. */
unsigned dph_utf8(const char *text, uint32_t *value);

/* Is it a control character (C0, DEL, C1)? These steer a terminal. */
static inline bool dph_is_control(uint32_t value)
{
	return value < 0x20 || (value >= 0x7f && value <= 0x9f);
}

#endif
