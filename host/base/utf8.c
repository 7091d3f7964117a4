/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of UTF-8 decodes one character and rejects malformed bytes. */
#include "utf8.h"

#include "pool.h"

#include <string.h>

unsigned dph_utf8(const char *text, uint32_t *value)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)text;
	unsigned bytes = p[0] < 0x80 ? 1 : 0;

	*value = p[0];
	if (p[0] >= 0xc0 && p[0] < 0xf8) {
		bytes = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
		*value = p[0] & (0x7fu >> bytes);
	}
	for (unsigned i = 1; i < bytes; i++) {
		if ((p[i] & 0xc0) != 0x80) /* also the end of the text */
			return 0;
		*value = *value << 6 | (p[i] & 0x3f);
	}
	if (bytes > 1 &&
	    (*value < least[bytes] || *value > 0x10ffff || (*value >= 0xd800 && *value < 0xe000)))
		return 0;
	return bytes;
}

unsigned dph_utf8_plain(const char *text)
{
	uint32_t value;
	const unsigned bytes = dph_utf8(text, &value);

	return value >= DPH_UTF8_BYTE + 0x80 && value <= DPH_UTF8_BYTE + 0xff ? 0 : bytes;
}

char *dph_utf8_clean(const char *text)
{
	char *clean = dph_malloc(3 * strlen(text) + 1), *to = clean;

	while (*text != '\0') {
		const unsigned bytes = dph_utf8_plain(text);
		const uint32_t value = DPH_UTF8_BYTE + (unsigned char)*text;

		for (unsigned i = 0; i < bytes; i++)
			*to++ = *text++;
		if (bytes > 0)
			continue;
		*to++ = (char)(0xe0 | value >> 12);
		*to++ = (char)(0x80 | (value >> 6 & 0x3f));
		*to++ = (char)(0x80 | (value & 0x3f));
		text++;
	}
	*to = '\0';
	return clean;
}
