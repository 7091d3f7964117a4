/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder chooses the plan for a displaced MIPS32 instruction. Pure C, target and host.
 * port/README.md 4
 * Source: MIPS32 Architecture Volume II (MD00086 2.62), appendix A. */
#ifndef DP_MIPS_DECODE_H
#define DP_MIPS_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum dp_mips_action {
	DP_MIPS_ONE_TRAP, /* copy and jump back: can neither fault nor leave the slot */
	DP_MIPS_MEMORY,   /* may fault: ONE_TRAP if the hit can be withdrawn, else TWO_TRAP */
	DP_MIPS_TWO_TRAP, /* copy and second trap */
	DP_MIPS_NOP,      /* has no effect that an emulation could miss */
	DP_MIPS_EMULATE,  /* in C; detail: enum dp_mips_class */
	DP_MIPS_JUMP,     /* in C, and the delay slot after it; detail: enum dp_mips_class */
	DP_MIPS_REFUSE,   /* detail: enum dp_refusal */
};

enum dp_mips_class {
	DP_MIPS_NO_CLASS, /* a copy, or nothing */
	DP_MIPS_SIMPLE,   /* addiu addu or: in a delay slot; elsewhere a copy is cheaper */
	DP_MIPS_MFC0_STATUS,
	DP_MIPS_MFC0_CAUSE, /* pending interrupts are true; the exception's code reads 0 */
	DP_MIPS_MTC0_STATUS,
	DP_MIPS_DI_EI,
	DP_MIPS_J,      /* j jal */
	DP_MIPS_JR,     /* jr jalr */
	DP_MIPS_BRANCH, /* beq bne blez bgtz and their likely forms */
	DP_MIPS_REGIMM, /* bltz bgez, linking and likely forms */
	DP_MIPS_BC1,
	DP_MIPS_CLASSES,
};

struct dp_mips_plan {
	uint8_t action; /* enum dp_mips_action */
	uint8_t detail;
	uint8_t row; /* that decided: for tests */
};

/* Decode one instruction. release: of the architecture, 1 to 5. */
struct dp_mips_plan dp_mips_decode(uint32_t insn, unsigned release);

/* Is the word after this one a delay slot? Also true of branches that are refused. */
bool dp_mips_has_delay_slot(uint32_t insn);

/* Does the instruction open a window of linked access (1: ll), close one (-1: sc), or neither (0)?
 */
static inline int dp_mips_window(uint32_t insn)
{
	return (insn >> 26 == 0x30) - (insn >> 26 == 0x38);
}

/* The table, for tests. */
struct dp_mips_row {
	uint32_t value;
	uint8_t mask;  /* enum dp_mips_mask */
	uint8_t treat; /* action << 5 | detail */
	uint8_t arch;  /* first release that has it */
	uint8_t check; /* enum dp_mips_check: condition on the registers */
};
enum dp_mips_check {
	DP_MIPS_ANY,
	DP_MIPS_RS_NOT_RD, /* jalr overwrites its target */
	DP_MIPS_RS_NOT_RA, /* a link that its own condition reads */
};
extern const struct dp_mips_row dp_mips_rows[];
extern const uint8_t dp_mips_row_count;
uint32_t dp_mips_row_mask(const struct dp_mips_row *row);

#endif
