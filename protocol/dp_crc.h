/* SPDX-License-Identifier: BSD-2-Clause */
/* The two checks of the wire and of objects. */
#ifndef DP_CRC_H
#define DP_CRC_H

#include "dp_agents.h"

#include <stddef.h>
#include <stdint.h>

/* 0: bit by bit, byte by byte, and a loop for digits (dp_frame.c): 228 bytes of text less (Thumb-2)
 * and two to three times as slow. */
#ifndef DP_CRC_TABLE
#define DP_CRC_TABLE DP_KNOB(0, 1, 1)
#endif

/* CRC-32 (ISO-HDLC, as in zlib): start with 0, feed pieces in order; the value is final after
 * each piece. Any context. */
uint32_t dp_crc32(uint32_t crc, const void *data, size_t bytes);

/* CRC-16 (polynomial 0x1021, not reflected): start with DP_CRC16_START. The data may begin and end
 * anywhere. Any context. */
#define DP_CRC16_START 0xffffu
uint16_t dp_crc16(uint16_t start, const void *data, size_t bytes);

#endif
