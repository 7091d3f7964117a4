/* SPDX-License-Identifier: BSD-2-Clause */
/* What the decoders of ARM's instruction sets share, and the tables of Thumb. Pure C, target and
 * host. Nothing here knows a profile: a port adds tables for coprocessors and for the instructions
 * of status registers, and chooses the table of an instruction.  port/README.md 4
 * Source: ARM ARM (DDI 0406C) chapter A6 (Thumb). */
#ifndef DP_THUMB_DECODE_H
#define DP_THUMB_DECODE_H

#include "dp_agents.h"

#include <stdbool.h>
#include <stdint.h>

/* Code that an agent may be built without: probes in Thumb code (-DDP_ARM_WITH_THUMB=0). The port
 * refuses such probes (DP_ERR_LEFT_OUT). */
#ifndef DP_ARM_WITH_THUMB
#define DP_ARM_WITH_THUMB 1
#endif
/* And the instructions that compilers seldom make: without them common_t32.def and the port's
 * common tables decide, which refuse them (DP_REFUSE_UNSUPPORTED). */
#ifndef DP_ARM_WITH_RARE
#define DP_ARM_WITH_RARE DP_KNOB(0, 0, 1)
#endif

enum dp_arm_action {
	DP_ARM_ONE_TRAP, /* copy and jump back: can neither fault nor leave the slot */
	DP_ARM_MEMORY,   /* may fault: ONE_TRAP if the hit can be withdrawn, else TWO_TRAP */
	DP_ARM_TWO_TRAP, /* copy and second trap */
	DP_ARM_REWRITE,  /* copy with PC as base, or the new CPSR, replaced by r0; second trap */
	DP_ARM_NOP,      /* has no effect that an emulation could miss */
	DP_ARM_EMULATE,  /* in C; detail: enum dp_thumb_class, or a class of the port */
	DP_ARM_REFUSE,   /* detail: enum dp_refusal */
	/* A port makes these of EMULATE, for sites with a slot: the copy itself jumps out of the
	 * slot, in one trap. EMULATE where the hit cannot leave. */
	DP_ARM_OUT,        /* cannot fault */
	DP_ARM_OUT_MEMORY, /* may fault: only if the hit can be withdrawn */
};

/* Classes of Thumb that are emulated. T_ 16 bits, W_ 32 bits. */
enum dp_thumb_class {
	DP_ARM_T_BCOND,
	DP_ARM_T_B,
	DP_ARM_T_BX, /* bx, blx register */
	DP_ARM_T_CBZ,
	DP_ARM_T_LITERAL,
	DP_ARM_T_ADR,
	DP_ARM_T_HIGH, /* add, mov with PC */
	DP_ARM_T_POP,  /* with PC */
	DP_ARM_T_IT,
	DP_ARM_T_CPS, /* interrupt mask only; the port emulates it */
	DP_ARM_W_CPS, /* the same */
	DP_ARM_W_BCOND,
	DP_ARM_W_BRANCH,  /* b.w, bl, blx label */
	DP_ARM_W_LITERAL, /* ldr, ldrb, ldrh, ldrsb, ldrsh */
	DP_ARM_W_DUAL,    /* ldrd literal */
	DP_ARM_W_ADR,
	DP_ARM_W_LDM,     /* with PC */
	DP_ARM_W_LDR,     /* to PC */
	DP_ARM_W_TBB,     /* tbb, tbh */
	DP_THUMB_CLASSES, /* the port's own classes begin here */
};

enum {
	DP_ARM_SP = 13,
	DP_ARM_LR = 14,
	DP_ARM_PC = 15
};

struct dp_arm_plan {
	uint8_t action; /* enum dp_arm_action */
	uint8_t detail;
	uint8_t table; /* the port's number of the table, and row that decided: for tests */
	uint8_t row;
};

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
enum dp_arm_reg {
	DP_ARM_NOPC = 1,
	DP_ARM_NOSPPC,
	DP_ARM_ZERO
};

/* Find the row of an instruction, the first one that matches.
 * insn: 32 bits; a 16-bit instruction in the upper half.
 * rows: the table. table: its number, for the plan.
 * architecture: 5, 6 or 7 (6T2 counts as 7). */
struct dp_arm_plan dp_arm_look_up(uint32_t insn, const uint8_t *rows, unsigned table,
				  unsigned architecture);

extern const uint8_t dp_thumb_t16[], dp_thumb_t32[];

/* Return the bytes of the Thumb instruction that begins with this halfword. */
static inline unsigned dp_thumb_bytes(uint32_t halfword)
{
	return halfword >= 0xe800 ? 4 : 2;
}

/* Is a 32-bit Thumb instruction (first halfword << 16 | second) one of a coprocessor? The port's
 * table decides. */
static inline bool dp_thumb_is_coprocessor(uint32_t insn)
{
	return insn >> 24 >= 0xec && insn >> 24 <= 0xee;
}

/* Is the instruction one of status registers: msr, bxj, a return from an exception, mrs? The port's
 * table decides. */
static inline bool dp_thumb_is_system(uint32_t insn)
{
	return (insn & 0xff80d000) == 0xf3808000 && (insn & 0x00600000) != 0x00200000;
}

/* Return whether a Thumb instruction opens a window of exclusive access (1: load-exclusive), closes
 * a window (-1: store-exclusive, clrex), or neither (0). */
int dp_thumb_window(uint32_t insn);

/* cbz, cbnz: the only branches whose condition is no flag. */
static inline bool dp_thumb_is_cbz(uint32_t insn)
{
	return (insn & 0xfffff500) == 0xb100;
}

/* Return DP_ARM_OUT or DP_ARM_OUT_MEMORY for an emulated instruction whose copy does the same: it
 * writes PC, and neither reads PC nor links. Any other class stays DP_ARM_EMULATE. */
static inline enum dp_arm_action dp_thumb_out(uint32_t insn, unsigned class)
{
	bool of_register = (insn >> 3 & 15) != DP_ARM_PC;

	switch (class) {
	case DP_ARM_T_BX: /* not blx */
		return of_register && !(insn & 0x80) ? DP_ARM_OUT : DP_ARM_EMULATE;
	case DP_ARM_T_HIGH: /* mov pc, rN */
		return of_register && (insn & 0xff87) == 0x4687 ? DP_ARM_OUT : DP_ARM_EMULATE;
	case DP_ARM_T_POP:
	case DP_ARM_W_LDM:
		return DP_ARM_OUT_MEMORY;
	case DP_ARM_W_LDR:
		return (insn >> 16 & 15) != DP_ARM_PC ? DP_ARM_OUT_MEMORY : DP_ARM_EMULATE;
	default:
		return DP_ARM_EMULATE;
	}
}

/* `bx pc` at an address of 2 modulo 4 leaves Thumb for the middle of an A32 instruction.  DDI 0406C
 * A8.8.27 */
static inline bool dp_thumb_leaves_for_half_a_word(uint32_t insn, uint32_t address)
{
	return insn == 0x4778 && address & 2;
}

#endif
