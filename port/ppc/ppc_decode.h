/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder chooses the plan for a displaced PowerPC instruction. Pure C, target and host.
 * port/README.md 4
 * Source: Power ISA 2.03 books I to III-E and the PowerPC 1.10 user instruction set. */
#ifndef DP_PPC_DECODE_H
#define DP_PPC_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum dp_ppc_action {
	DP_PPC_ONE_TRAP, /* copy and branch back: can neither fault nor leave the slot */
	DP_PPC_MEMORY,   /* may fault: ONE_TRAP if the hit can be withdrawn, else TWO_TRAP */
	DP_PPC_TWO_TRAP, /* copy and second trap */
	DP_PPC_NOP,      /* has no effect that an emulation could miss */
	DP_PPC_EMULATE,  /* in C; detail: enum dp_ppc_class */
	DP_PPC_REFUSE,   /* detail: enum dp_refusal */
	/* The port makes this of EMULATE, for sites with a slot: the copy itself branches out of
	 * the slot, in one trap. EMULATE where the hit cannot leave. */
	DP_PPC_OUT,
};

enum dp_ppc_class {
	DP_PPC_MFMSR, /* privileged: a copy in user mode */
	DP_PPC_MTMSR,
	DP_PPC_WRTEE,
	DP_PPC_WRTEEI,
	DP_PPC_B, /* b ba bl bla */
	DP_PPC_BC,
	DP_PPC_BCLR,
	DP_PPC_BCCTR,
	DP_PPC_CLASSES,
};

struct dp_ppc_plan {
	uint8_t action; /* enum dp_ppc_action */
	uint8_t detail;
	uint8_t row; /* that decided: for tests */
};

/* Decode one instruction. sprg: the SPR that is the port's own (DP_PPC_SPRG). */
struct dp_ppc_plan dp_ppc_decode(uint32_t insn, unsigned sprg);

/* Does a copy of the emulated instruction do the same: bclr, bcctr without link? */
static inline bool dp_ppc_goes_out(uint32_t insn, unsigned class)
{
	return class >= DP_PPC_BCLR && !(insn & 1);
}

/* Does the instruction open a window of reserved access (1: lwarx and relatives), close one (-1:
 * stwcx. and relatives), or neither (0)? */
int dp_ppc_window(uint32_t insn);

/* tw and twi, conditional or not. */
bool dp_ppc_is_trap(uint32_t insn);

/* Number of the special purpose register of mfspr, mtspr, mftb. */
static inline unsigned dp_ppc_spr(uint32_t insn)
{
	return (insn >> 16 & 31) | (insn >> 6 & 0x3e0);
}

/* The table, for tests. */
struct dp_ppc_row {
	uint32_t value;
	uint8_t mask;  /* enum dp_ppc_mask */
	uint8_t treat; /* action << 5 | detail */
	uint8_t check; /* enum dp_ppc_check: condition on the operands */
};
enum dp_ppc_check {
	DP_PPC_ANY,
	DP_PPC_UPDATE,      /* RA is written: not r0, nor the one that is loaded */
	DP_PPC_UPDATE_BASE, /* RA is written: not r0 */
	DP_PPC_MULTIPLE,    /* lmw: RA is not among those loaded */
	DP_PPC_STRING,      /* lswi: the same */
	DP_PPC_STRING_X,    /* lswx: the first is neither RA nor RB */
	DP_PPC_ONE_FIELD,   /* mfocrf mtocrf: one field of CR */
	DP_PPC_COUNT,       /* bcctr: does not decrement */
	DP_PPC_TRAP,        /* tw twi: conditional */
	DP_PPC_SPR_READ,    /* the register is not one that the trap overwrites */
	DP_PPC_SPR_WRITE,   /* nor one that the agent lives by */
};
extern const struct dp_ppc_row dp_ppc_rows[];
extern const uint8_t dp_ppc_row_count;
uint32_t dp_ppc_row_mask(const struct dp_ppc_row *row);

#endif
