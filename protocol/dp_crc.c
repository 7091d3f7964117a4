/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute the CRC-32 and the CRC-16 of the wire and of objects. */
#include "dp_crc.h"

#include "dp_bytes.h"

#if DP_CRC_TABLE
/* Four bits at a time: 64 bytes of table, the size and speed a small CPU wants. */
static const uint32_t crc32_nibble[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t add_byte(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	crc = (crc >> 4) ^ crc32_nibble[crc & 15];
	return (crc >> 4) ^ crc32_nibble[crc & 15];
}
#else
static uint32_t add_byte(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	for (unsigned bit = 8; bit > 0; bit--)
		crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	return crc;
}
#endif

uint32_t dp_crc32(uint32_t crc, const void *data, size_t bytes)
{
	const uint8_t *p = data;

	crc = ~crc;
	while (bytes-- > 0)
		crc = add_byte(crc, *p++);
	return ~crc;
}

/* The bytes up to `end`. The remainder is in the low 16 bits of crc. The bits above do not count.
 */
static uint32_t add_bytes(uint32_t crc, const uint8_t *p, const uint8_t *end)
{
	for (; p != end; p++) {
		uint32_t x = (crc >> 8 ^ *p) & 0xff;

		x ^= x >> 4;
		crc = crc << 8 ^ x << 12 ^ x << 5 ^ x;
	}
	return crc;
}

#if DP_CRC_TABLE
/* Words without a table: 3.5 instructions a byte in place of 10 (Cortex-A9). s is the quotient:
 * s = w ^ s >> 4 ^ s >> 11 ^ s >> 16, since x^16 = x^12 + x^5 + 1. An instruction of ARM shifts and
 * combines, so the sums are nested. */
static uint32_t add_words(uint32_t crc, const uint8_t *p, const uint8_t *end)
{
	do {
		uint32_t s = dp_get_u32(__builtin_assume_aligned(p, 4)) ^ crc << 16;

		s ^= s >> 16;
		s ^= (s ^ s >> 14) >> 8;
		s ^= (s ^ (s ^ s >> 5) >> 7) >> 4;
		crc = s ^ (s ^ s << 7) << 5;
		p += 4;
	} while (p != end);
	return crc;
}
#endif

uint16_t dp_crc16(uint16_t start, const void *data, size_t bytes)
{
	const uint8_t *p = data, *end = p + bytes;
	uint32_t crc = start;

#if DP_CRC_TABLE
	if (bytes >= 8) {
		const uint8_t *first = p + (-(uintptr_t)p & 3); /* at a word */
		const uint8_t *last = end - ((uintptr_t)end & 3);

		crc = add_words(add_bytes(crc, p, first), first, last);
		p = last;
	}
#endif
	return (uint16_t)add_bytes(crc, p, end);
}
