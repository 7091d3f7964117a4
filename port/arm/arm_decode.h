/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder chooses the plan for a displaced ARM instruction. Pure C, target and host.
 * port/README.md 4
 * Sources: ARM ARM (DDI 0406C) chapters A5 (A32) and A6 (Thumb), ARMv5 ARM (DDI 0100I). */
#ifndef ARM_DECODE_H
#define ARM_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* Code that an agent may be built without: probes in A32 or in Thumb code (-DDP_ARM_WITH_A32=0).
 * The port refuses such probes (DP_ERR_LEFT_OUT). */
#ifndef DP_ARM_WITH_A32
#define DP_ARM_WITH_A32 1
#endif
#ifndef DP_ARM_WITH_THUMB
#define DP_ARM_WITH_THUMB 1
#endif
/* And the instructions that compilers seldom make: without them common_a32.def and common_t32.def
 * decide, which refuse them (DP_REFUSE_UNSUPPORTED). */
#ifndef DP_ARM_WITH_RARE
#define DP_ARM_WITH_RARE 1
#endif

enum dp_arm_action {
	DP_ARM_ONE_TRAP, /* copy and jump back: can neither fault nor leave the slot */
	DP_ARM_MEMORY,   /* may fault: ONE_TRAP if the hit can be withdrawn, else TWO_TRAP */
	DP_ARM_TWO_TRAP, /* copy and second trap */
	DP_ARM_REWRITE,  /* copy with PC as base, or the new CPSR, replaced by r0; second trap */
	DP_ARM_NOP,      /* has no effect that an emulation could miss */
	DP_ARM_EMULATE,  /* in C; detail: enum dp_arm_class */
	DP_ARM_REFUSE,   /* detail: enum dp_refusal */
};

/* Classes that are emulated. A_ A32, T_ 16-bit Thumb, W_ 32-bit Thumb. */
enum dp_arm_class {
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
	DP_ARM_T_BCOND,
	DP_ARM_T_B,
	DP_ARM_T_BX, /* bx, blx register */
	DP_ARM_T_CBZ,
	DP_ARM_T_LITERAL,
	DP_ARM_T_ADR,
	DP_ARM_T_HIGH, /* add, mov with PC */
	DP_ARM_T_POP,  /* with PC */
	DP_ARM_T_IT,
	DP_ARM_T_CPS,
	DP_ARM_W_BCOND,
	DP_ARM_W_BRANCH,  /* b.w, bl, blx label */
	DP_ARM_W_LITERAL, /* ldr, ldrb, ldrh, ldrsb, ldrsh */
	DP_ARM_W_DUAL,    /* ldrd literal */
	DP_ARM_W_ADR,
	DP_ARM_W_LDM, /* with PC */
	DP_ARM_W_LDR, /* to PC */
	DP_ARM_W_TBB, /* tbb, tbh */
	DP_ARM_W_MRS,
	DP_ARM_W_MSR, /* flags only */
	DP_ARM_W_CPS, /* interrupt mask only */
	DP_ARM_CLASSES,
};

struct dp_arm_plan {
	uint8_t action; /* enum dp_arm_action */
	uint8_t detail;
	uint8_t table; /* enum dp_arm_table and row that decided: for tests */
	uint8_t row;
};

/* Decode one instruction. insn: A32 word, Thumb halfword, or first halfword << 16 | second.
 * architecture: 5, 6 or 7 (6T2 counts as 7). */
struct dp_arm_plan dp_arm_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture);

/* Does the instruction open a window of exclusive access (1: load-exclusive), close one (-1:
 * store-exclusive, clrex), or neither (0)? */
int dp_arm_window(uint32_t insn, bool thumb);

/* `bx pc` at an address of 2 modulo 4 leaves Thumb for the middle of an A32 instruction.  DDI 0406C
 * A8.8.27 */
static inline bool dp_arm_leaves_for_half_a_word(uint32_t insn, uint32_t address)
{
	return insn == 0x4778 && address & 2;
}

/* Bytes of the Thumb instruction that begins with this halfword. */
static inline unsigned dp_arm_thumb_bytes(uint32_t halfword)
{
	return halfword >= 0xe800 ? 4 : 2;
}

/* The tables. A row has a treatment, a byte with a bit for each nibble that the row looks at
 * (bit 7: the highest nibble), and a byte for each such nibble: mask and value, or 0 and an enum
 * dp_arm_reg. A 16-bit instruction is in the four highest nibbles.
 * Treatment:
 *     bits 7:6 the first architecture less 5, 3 = none but 5; bits 5:0 a class to emulate;
 *     or DP_ARM_FIRST_ACTION + one of the first five actions;
 *     or DP_ARM_FIRST_REFUSAL + reason; without a reason: check the registers, then go on;
 *     or DP_ARM_GROUP: no row, but a condition of the rows up to the next group. */
enum {
	DP_ARM_FIRST_ACTION = 31,
	DP_ARM_FIRST_REFUSAL = 36,
	DP_ARM_GROUP = 63
};
enum dp_arm_table {
	DP_ARM_TABLE_A32,
	DP_ARM_TABLE_T16,
	DP_ARM_TABLE_T32,
	DP_ARM_TABLES
};
enum dp_arm_reg {
	DP_ARM_NOPC = 1,
	DP_ARM_NOSPPC,
	DP_ARM_ZERO
};
extern const uint8_t *const dp_arm_table[DP_ARM_TABLES];

#endif
