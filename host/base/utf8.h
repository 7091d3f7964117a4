/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of UTF-8 decodes characters of texts from outside: files, names, lines of a target. */
#ifndef DPH_UTF8_H
#define DPH_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* How many bytes the UTF-8 character has that text (which a NUL ends) begins with, and its number;
 * 0: it is none. */
unsigned dph_utf8(const char *text, uint32_t *value);

/* How many bytes of the character that text begins with go out as they are. 0: the byte stands for
 * itself alone, as the character DPH_UTF8_BYTE + byte. That holds for what is no UTF-8, and for the
 * characters DPH_UTF8_BYTE + 0x80..0xff themselves: the bytes can be told from the result. */
enum {
	DPH_UTF8_BYTE = 0xef00
};
unsigned dph_utf8_plain(const char *text);

/* A copy of text that is UTF-8. free() it. */
char *dph_utf8_clean(const char *text);

/* Is it a control character (C0, DEL, C1)? These steer a terminal. */
static inline bool dph_is_control(uint32_t value)
{
	return value < 0x20 || (value >= 0x7f && value <= 0x9f);
}

#endif
