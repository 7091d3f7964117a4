/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of the flight recorder, as it lies in memory that survives a reset. PROTOCOL.md 9
 *
 * The ring's size is a power of two. A record has a position, which counts the bytes of the ring
 * since the ring was cleared, and lies at its position modulo the size. Behind the first 2^31
 * bytes bit 31 of positions stays 1, and the bits below it count on modulo 2^31. A record is in one
 * part: where it does not fit before the end of the ring, it begins at the next multiple of the
 * size. Head, then body: what a record line has of a body (PROTOCOL.md 4). Numbers have the order
 * of the wire. A record ends at a multiple of 4. */
#ifndef DP_FLIGHT_RING_H
#define DP_FLIGHT_RING_H

#include "dp_bytes.h"
#include "dp_crc.h"

enum {
	DP_FLIGHT_AT = 0,         /* u32 position */
	DP_FLIGHT_PROGRAM = 4,    /* u32 CRC-32 of the program's object */
	DP_FLIGHT_TICKS_HIGH = 8, /* u16 bits 32 to 47 of the tick count */
	DP_FLIGHT_BOOT = 10,      /* u16 number of the start of the agent */
	DP_FLIGHT_TICKS = 12,     /* u32 tick count */
	DP_FLIGHT_LENGTH = 16,    /* u16 bytes of the body */
	DP_FLIGHT_POINT = 18,     /* u8 probe point of the program */
	DP_FLIGHT_ITEMS = 19,     /* u8 items of the program's records (items.def) */
	DP_FLIGHT_MAJOR = 20,     /* u16 codes, with the flag CODES */
	DP_FLIGHT_MINOR = 22,     /* u16 */
	DP_FLIGHT_KIND = 24,      /* u8 record_kinds.def */
	DP_FLIGHT_FLAGS = 25,     /* u8 */
	DP_FLIGHT_NUMBER = 26,    /* u16 probe number at that time */
	DP_FLIGHT_CHECK = 28,     /* u32 CRC-32 of the head before it, and of the body */
	DP_FLIGHT_HEAD_BYTES = 32
};

/* Bytes of a record with its head. */
static inline uint32_t dp_flight_whole(uint32_t body)
{
	return DP_FLIGHT_HEAD_BYTES + ((body + 3) & ~3u);
}

/* The position so many bytes behind the position. */
static inline uint32_t dp_flight_behind(uint32_t at, uint32_t bytes)
{
	return (at + bytes) | (at & 0x80000000u);
}

/* How far the first position lies before the second, which is less than 2^30 away. */
static inline int32_t dp_flight_before(uint32_t first, uint32_t second)
{
	uint32_t bytes = (second - first) & 0x7fffffffu;

	return bytes < 0x40000000u ? (int32_t)bytes : (int32_t)(bytes | 0x80000000u);
}

static inline uint32_t dp_flight_check(const uint8_t *record, uint32_t body)
{
	return dp_crc32(dp_crc32(0, record, DP_FLIGHT_CHECK), record + DP_FLIGHT_HEAD_BYTES, body);
}

/* Bytes of the intact record at a place of the ring of so many bytes; 0: there is none. */
static inline uint32_t dp_flight_intact(const uint8_t *ring, uint32_t size, uint32_t place)
{
	const uint8_t *record = ring + place;
	uint32_t body = dp_get_u16(record + DP_FLIGHT_LENGTH);

	if (dp_get_u32(record + DP_FLIGHT_AT) % size != place ||
	    dp_flight_whole(body) > size - place ||
	    dp_get_u32(record + DP_FLIGHT_CHECK) != dp_flight_check(record, body))
		return 0;
	return dp_flight_whole(body);
}

#endif
