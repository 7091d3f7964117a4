/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs that an image carries, in a section that the agent reserves and `dprobes embed`
 * fills. PROTOCOL.md 9.
 *
 *  0 u8[3] "DPE"
 *  3 u8    format, 1
 *  4 u32   CRC-32 of the bytes from 8 to the end of the programs
 *  8 u32   bytes of header and programs
 * 12 u32   programs
 * 16       the programs
 *
 * A program:
 *  0 u32   bytes of the object
 *  4 u32   CRC-32 of the object
 *  8 u8    options of COMMIT
 *  9 u8    items of COMMIT
 * 10 u8[2] 0
 * 12       the object, and zeros up to a multiple of 4
 *
 * Numbers are big-endian. */
#ifndef DP_EMBED_H
#define DP_EMBED_H

#define DP_EMBED_MAGIC   "DPE\1"
#define DP_EMBED_SECTION "dprobes_embedded"
enum {
	DP_EMBED_CRC = 4,
	DP_EMBED_BYTES_AT = 8,
	DP_EMBED_COUNT = 12,
	DP_EMBED_HEADER_BYTES = 16,

	DP_EMBEDDED_BYTES = 0, /* of a program */
	DP_EMBEDDED_CRC = 4,
	DP_EMBEDDED_OPTIONS = 8,
	DP_EMBEDDED_ITEMS = 9,
	DP_EMBEDDED_HEAD_BYTES = 12,

	DP_EMBED_STARTS_MAX = 3 /* starts in a row without dprobes_poll that arm the programs */
};

#endif
