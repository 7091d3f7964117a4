/* SPDX-License-Identifier: BSD-2-Clause */
/* The decode tables of ARM's instruction sets: how a row is written, and how it becomes bytes. For
 * the files that include a table.
 * DP_ROW(insn[31:28], [27:24], .. [3:0], arch, treatment, "what")
 * DP_DP_ROW16 has the columns [15:12] to [3:0].
 * A column has four bits: hexadecimal; or binary, x any; or _ any; or a register: P not pc,
 * S neither sp nor pc, Z zero (should be). An instruction with only registers wrong is
 * unpredictable.
 * arch: 5, 6, 7: from this architecture on; 5_ONLY.
 * DP_CHECK looks at the registers only: with valid registers the next rows decide.
 * DP_GROUP: a condition of the rows up to the next group. A row has g where the row adds nothing to
 * the condition. A group of _ alone ends a group. */
#ifndef DP_DECODE_ROWS_H
#define DP_DECODE_ROWS_H

#include "decode_nibble.h"
#include "dp_errors.h"
#include "thumb_decode.h"

#define DP_ARCH_5         0
#define DP_ARCH_6         1
#define DP_ARCH_7         2
#define DP_ARCH_5_ONLY    3
#define DP_ONE_TRAP       (DP_ARM_FIRST_ACTION + DP_ARM_ONE_TRAP)
#define DP_MEMORY         (DP_ARM_FIRST_ACTION + DP_ARM_MEMORY)
#define DP_TWO_TRAP       (DP_ARM_FIRST_ACTION + DP_ARM_TWO_TRAP)
#define DP_REWRITE        (DP_ARM_FIRST_ACTION + DP_ARM_REWRITE)
#define DP_NOP            (DP_ARM_FIRST_ACTION + DP_ARM_NOP)
#define DP_EMULATE(class) DP_ARM_##class
#define DP_REFUSE(reason) (DP_ARM_FIRST_REFUSAL + DP_REFUSE_##reason)
#define DP_CHECK          (DP_ARM_FIRST_REFUSAL + DP_REFUSE_NOTHING)

/* A row: the action, the nibbles of the instruction to look at (bit 7: the highest), and a byte
 * for each of these nibbles.  decode_nibble.h, thumb_decode.h */
#define DP_HAS(nibble) (sizeof((uint8_t[]){DP_NIBBLE_##nibble 0}) > 1)
#define DP_PACK(a, b, c, d, e, f, g, h, arch, treat)                                               \
	DP_ARCH_##arch << 6 | (treat),                                                             \
		DP_HAS(a) << 7 | DP_HAS(b) << 6 | DP_HAS(c) << 5 | DP_HAS(d) << 4 |                \
			DP_HAS(e) << 3 | DP_HAS(f) << 2 | DP_HAS(g) << 1 | DP_HAS(h),              \
		DP_NIBBLE_##a DP_NIBBLE_##b DP_NIBBLE_##c DP_NIBBLE_##d DP_NIBBLE_##e              \
			DP_NIBBLE_##f DP_NIBBLE_##g DP_NIBBLE_##h

#endif
