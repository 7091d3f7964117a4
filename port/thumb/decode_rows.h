/* SPDX-License-Identifier: BSD-2-Clause */
/* The decode tables of ARM's instruction sets: how a row is written, and how it becomes bytes. For
 * the files that include a table. ROW(insn[31:28], [27:24], .. [3:0], arch, treatment, "what");
 * ROW16 has the columns [15:12] to [3:0]. A column has four bits: hexadecimal; or binary, x any; or
 * _ any; or a register: P not pc, S neither sp nor pc, Z zero (should be). An instruction with only
 * registers wrong is unpredictable. arch: 5, 6, 7: from this architecture on; 5_ONLY. CHECK looks
 * at the registers only: with valid registers the next rows decide. GROUP: a condition of the rows
 * up to the next GROUP. A row has g where the row adds nothing to the condition. A group of _ alone
 * ends a group. */
#ifndef DECODE_ROWS_H
#define DECODE_ROWS_H

#include "decode_nibble.h"
#include "dp_errors.h"
#include "thumb_decode.h"

#define ARCH_5         0
#define ARCH_6         1
#define ARCH_7         2
#define ARCH_5_ONLY    3
#define ONE_TRAP       (DP_ARM_FIRST_ACTION + DP_ARM_ONE_TRAP)
#define MEMORY         (DP_ARM_FIRST_ACTION + DP_ARM_MEMORY)
#define TWO_TRAP       (DP_ARM_FIRST_ACTION + DP_ARM_TWO_TRAP)
#define REWRITE        (DP_ARM_FIRST_ACTION + DP_ARM_REWRITE)
#define NOP            (DP_ARM_FIRST_ACTION + DP_ARM_NOP)
#define EMULATE(class) DP_ARM_##class
#define REFUSE(reason) (DP_ARM_FIRST_REFUSAL + DP_REFUSE_##reason)
#define CHECK          (DP_ARM_FIRST_REFUSAL + DP_REFUSE_NOTHING)

/* A row: the action, the nibbles of the instruction to look at (bit 7: the highest), and a byte
 * for each of these nibbles.  decode_nibble.h, thumb_decode.h */
#define HAS(nibble) (sizeof((uint8_t[]){NIBBLE_##nibble 0}) > 1)
#define PACK(a, b, c, d, e, f, g, h, arch, treat)                                                  \
	ARCH_##arch << 6 | (treat),                                                                \
		HAS(a) << 7 | HAS(b) << 6 | HAS(c) << 5 | HAS(d) << 4 | HAS(e) << 3 |              \
			HAS(f) << 2 | HAS(g) << 1 | HAS(h),                                        \
		NIBBLE_##a NIBBLE_##b NIBBLE_##c NIBBLE_##d NIBBLE_##e NIBBLE_##f NIBBLE_##g       \
			NIBBLE_##h

#endif
