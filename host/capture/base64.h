/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes as characters: base64 of RFC 4648. */
#ifndef DPH_BASE64_H
#define DPH_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DPH_BASE64_BYTES = 57, /* of a line, which then has 76 characters */
	DPH_BASE64_CHARS = 76,
};

/* Encode at most DPH_BASE64_BYTES bytes.
 * text: receives the characters and a NUL; DPH_BASE64_CHARS + 1. */
void dph_base64_line(const uint8_t *bytes, size_t count, char *text);

/* Decode a line.
 * bytes: receives at most count / 4 * 3 bytes.
 * Returns false when a character does not fit. */
bool dph_base64_read(const char *text, size_t count, uint8_t *bytes, size_t *read);

#endif
