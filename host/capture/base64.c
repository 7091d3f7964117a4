/* SPDX-License-Identifier: BSD-2-Clause */
/* Four characters are three bytes; '=' fills the last four. */
#include "base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void dph_base64_line(const uint8_t *bytes, size_t count, char *text)
{
	for (size_t i = 0; i < count; i += 3, text += 4) {
		const size_t here = count - i < 3 ? count - i : 3;
		uint32_t group = 0;

		for (size_t k = 0; k < 3; k++)
			group = group << 8 | (k < here ? bytes[i + k] : 0u);
		for (size_t k = 0; k < 4; k++)
			text[k] = k <= here ? digits[group >> (18 - 6 * k) & 63] : '=';
	}
	*text = '\0';
}

/* The value of a digit; 64: no digit. */
static unsigned value_of(char digit)
{
	const char *at = digit != '\0' ? strchr(digits, digit) : NULL;

	return at != NULL ? (unsigned)(at - digits) : 64;
}

/* Decode four characters. Returns the number of bytes; 0: they do not fit. */
static size_t read_group(const char *text, uint8_t *bytes)
{
	const size_t here = text[2] == '=' && text[3] == '=' ? 1 : text[3] == '=' ? 2 : 3;
	uint32_t group = 0;

	for (size_t k = 0; k < 4; k++) {
		const unsigned value = k <= here ? value_of(text[k]) : 0;

		if (value > 63)
			return 0;
		group = group << 6 | value;
	}
	for (size_t k = 0; k < here; k++)
		bytes[k] = (uint8_t)(group >> (16 - 8 * k));
	return here;
}

bool dph_base64_read(const char *text, size_t count, uint8_t *bytes, size_t *read)
{
	*read = 0;
	for (size_t i = 0; i + 4 <= count; i += 4) {
		const size_t here = read_group(text + i, bytes + *read);

		if (here == 0 || (here < 3 && i + 4 < count))
			return false;
		*read += here;
	}
	return count % 4 == 0;
}
