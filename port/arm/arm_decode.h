/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder chooses the plan for a displaced ARM instruction. Pure C, target and host.
 * port/README.md 4
 * Sources: ARM ARM (DDI 0406C) chapters A5 (A32) and A6 (Thumb), ARMv5 ARM (DDI 0100I). */
#ifndef DP_ARM_DECODE_H
#define DP_ARM_DECODE_H

#include "thumb/thumb_decode.h"

/* Code that an agent may be built without: probes in A32 code (-DDP_ARM_WITH_A32=0). The port
 * refuses such probes (DP_ERR_LEFT_OUT). */
#ifndef DP_ARM_WITH_A32
#define DP_ARM_WITH_A32 1
#endif

/* Classes that are emulated, besides those of Thumb. A_ A32, W_ 32-bit Thumb. */
enum dp_arm_class {
	DP_ARM_W_MRS = DP_THUMB_CLASSES,
	DP_ARM_W_MSR,        /* flags only */
	DP_ARM_A_BRANCH,     /* b, bl */
	DP_ARM_A_BLX,        /* blx label */
	DP_ARM_A_BX,         /* bx, blx register */
	DP_ARM_A_DATA,       /* data processing that reads or writes PC */
	DP_ARM_A_LOAD_STORE, /* ldr, str, ldrb, strb with PC in it */
	DP_ARM_A_EXTRA,      /* halfword, signed and doubleword with PC as base */
	DP_ARM_A_BLOCK,      /* ldm, stm with PC in the list */
	DP_ARM_A_MRS,
	DP_ARM_A_MSR, /* flags only, register or immediate */
	DP_ARM_A_CPS, /* interrupt mask only */
	DP_ARM_CLASSES,
};

/* Decode one instruction. insn: A32 word, Thumb halfword, or first halfword << 16 | second.
 * architecture: 5, 6 or 7 (6T2 counts as 7). */
struct dp_arm_plan dp_arm_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture);

/* Return what becomes of a plan of DP_ARM_EMULATE where the site has a slot (dp_thumb_out). */
enum dp_arm_action dp_arm_out(uint32_t insn, unsigned class);

/* Does the instruction open a window of exclusive access (1: load-exclusive), close one (-1:
 * store-exclusive, clrex), or neither (0)? */
int dp_arm_window(uint32_t insn, bool thumb);

/* b, bl of A32 with a condition: a probe fires whether the branch is taken or not. */
static inline bool dp_arm_is_conditional_branch(uint32_t insn)
{
	return (insn & 0x0e000000) == 0x0a000000 && insn >> 28 < 14;
}

/* The tables, by number. */
enum dp_arm_table {
	DP_ARM_TABLE_A32, /* coprocessor instructions of Thumb-2 too */
	DP_ARM_TABLE_T16,
	DP_ARM_TABLE_T32,
	DP_ARM_TABLE_SYSTEM, /* dp_thumb_is_system */
	DP_ARM_TABLES
};
extern const uint8_t *const dp_arm_table[DP_ARM_TABLES];

#endif
