/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute the CRC-32 of words, low byte first. */
#include "checksum.h"

/* Half a byte at a time: 16 entries instead of 256. */
static const uint32_t table[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t step(uint32_t crc, uint32_t byte)
{
	crc ^= byte;
	crc = crc >> 4 ^ table[crc & 15];
	return crc >> 4 ^ table[crc & 15];
}

uint32_t checksum_words(uint32_t crc, const uint32_t *words, size_t n)
{
	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		for (unsigned shift = 0; shift < 32; shift += 8)
			crc = step(crc, words[i] >> shift & 0xff);
	}
	return ~crc;
}

uint32_t checksum_bytes(uint32_t crc, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	crc = ~crc;
	while (n--)
		crc = step(crc, *p++);
	return ~crc;
}
