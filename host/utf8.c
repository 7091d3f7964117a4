/* SPDX-License-Identifier: BSD-2-Clause */
#include "utf8.h"

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
