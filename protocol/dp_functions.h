/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of functions: where the code of an image changes. The host writes the table into the
 * image, the agent finds instruction boundaries by it. PROTOCOL.md section 8.
 *
 *  0 u8[3] "DPF"
 *  3 u8    format, 1
 *  4 u32   CRC-32 of the bytes from 8 to the end of the entries
 *  8 u32   bytes of header and entries
 * 12 u32   entries
 * 16 u32   unit: bytes that a difference counts
 * 20 u64   linked address of the first entry
 * 28       entries: ULEB128 of difference * 4 + kind, ascending
 *
 * An entry is an address, counted from the entry before; its kind holds up to the next entry. The
 * first difference is 0. Kind: an instruction set (enum dp_isa), or DP_FUNCTIONS_DATA. Code begins
 * with an instruction at each entry. Numbers are big-endian. */
#ifndef DP_FUNCTIONS_H
#define DP_FUNCTIONS_H

#define DP_FUNCTIONS_MAGIC   "DPF\1"
#define DP_FUNCTIONS_SECTION "dprobes_functions"
enum {
	DP_FUNCTIONS_CRC = 4,
	DP_FUNCTIONS_BYTES_AT = 8,
	DP_FUNCTIONS_COUNT = 12,
	DP_FUNCTIONS_UNIT = 16,
	DP_FUNCTIONS_BASE = 20,
	DP_FUNCTIONS_HEADER_BYTES = 28,
	DP_FUNCTIONS_KIND = 3, /* mask */
	DP_FUNCTIONS_DATA = 3,
	/* Where instructions have several lengths, an entry comes at least this often. */
	DP_FUNCTIONS_REACH = 4096,
};

#endif
