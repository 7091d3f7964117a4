/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of the flight recorder, as it lies in memory that survives a reset. PROTOCOL.md 9
 *
 * The ring's size is a power of two. A record has a position, which counts the bytes of the ring
 * since the ring was cleared, modulo 2^32, and lies at its position modulo the size. A record is in
 * one part: where it does not fit before the end of the ring, it begins at the next multiple of the
 * size. Head, then body: what a record line has of a body (PROTOCOL.md 4). Numbers have the order
 * of the wire. A record ends at a multiple of 4. */
#ifndef DP_FLIGHT_RING_H
#define DP_FLIGHT_RING_H

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

#endif
