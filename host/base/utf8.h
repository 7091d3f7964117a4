/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of UTF-8 decodes characters of texts from outside: files, names, lines of a target. */
#ifndef DPH_UTF8_H
#define DPH_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* Read the UTF-8 character at the start of text, which a NUL ends.
 * Returns the number of its bytes, and the character's number; 0: the bytes are no UTF-8. */
unsigned dph_utf8(const char *text, uint32_t *value);

/* Return how many bytes of the first character of text a printer copies unchanged; 0: the
 * printer writes the first byte as the character DPH_UTF8_BYTE + byte.
 * The result is 0 for bytes that are no UTF-8, and for the characters DPH_UTF8_BYTE + 0x80..0xff
 * themselves. A reader can therefore restore the bytes. */
enum {
	DPH_UTF8_BYTE = 0xef00
};
unsigned dph_utf8_plain(const char *text);

/* A copy of text that is UTF-8. free() it. */
char *dph_utf8_clean(const char *text);

/* Return whether the character is a control character (C0, DEL, C1). Control characters steer a
 * terminal. */
static inline bool dph_is_control(uint32_t value)
{
	return value < 0x20 || (value >= 0x7f && value <= 0x9f);
}

#endif
