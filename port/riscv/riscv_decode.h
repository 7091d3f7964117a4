/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder chooses the plan for a displaced RISC-V instruction. Pure C, target and host.
 * port/README.md 4
 * Source: RISC-V Unprivileged ISA 20191213, Privileged ISA 20211203. */
#ifndef DP_RISCV_DECODE_H
#define DP_RISCV_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum dp_riscv_action {
	DP_RISCV_ONE_TRAP, /* copy and jump back: can neither fault nor leave the slot */
	DP_RISCV_MEMORY,   /* may fault: ONE_TRAP if the hit can be withdrawn, else TWO_TRAP */
	DP_RISCV_TWO_TRAP, /* copy and second trap */
	DP_RISCV_NOP,      /* has no effect that an emulation could miss */
	DP_RISCV_EMULATE,  /* in C; detail: enum dp_riscv_class */
	/* The port makes this of EMULATE, for sites with a slot: the copy itself jumps out of the
	 * slot, in one trap. EMULATE where the site is late. */
	DP_RISCV_OUT,
	DP_RISCV_REFUSE, /* detail: enum dp_refusal */
};

enum dp_riscv_class {
	DP_RISCV_AUIPC,
	DP_RISCV_STATUS, /* csrr* of mstatus */
	DP_RISCV_VECTOR, /* a read of mtvec */
	DP_RISCV_JAL,    /* from here on: control goes elsewhere */
	DP_RISCV_JALR,
	DP_RISCV_BRANCH,
	DP_RISCV_C_JAL,
	DP_RISCV_C_J,
	DP_RISCV_C_JR,
	DP_RISCV_C_JALR,
	DP_RISCV_C_BRANCH,
	DP_RISCV_CLASSES,
};

/* What the CPU is: bits of the parameter `cpu`. */
enum dp_riscv_cpu {
	DP_RISCV_IS_64 = 1,
	DP_RISCV_HAS_D = 2, /* c.fsdsp is a store; else Zcmp and Zcmt may have its encodings */
};

struct dp_riscv_plan {
	uint8_t action; /* enum dp_riscv_action */
	uint8_t detail;
	uint8_t row; /* that decided, those of 16 bits behind those of 32: for tests */
};

/* Decode one instruction.
 * insn: the first parcel lowest; of a 16-bit instruction only the low half counts.
 * cpu: enum dp_riscv_cpu. */
struct dp_riscv_plan dp_riscv_decode(uint32_t insn, unsigned cpu);

/* Return the length of the instruction that begins with this parcel; 0: longer than 32 bits.
 * Unprivileged ISA 1.5 */
static inline unsigned dp_riscv_bytes(uint32_t parcel)
{
	if ((parcel & 3) != 3)
		return 2;
	return (parcel & 0x1c) != 0x1c ? 4 : 0;
}

/* Does a copy of the emulated instruction do the same: jalr x0, c.jr? */
static inline bool dp_riscv_goes_out(uint32_t insn, unsigned class)
{
	return class == DP_RISCV_C_JR || (class == DP_RISCV_JALR && (insn & 0xf80) == 0);
}

/* Return 1: the instruction opens a window of reserved access (lr); -1: closes one (sc); 0:
 * neither. */
int dp_riscv_window(uint32_t insn);

/* ebreak or c.ebreak */
static inline bool dp_riscv_is_break(uint32_t insn)
{
	return (insn & 0xffff) == 0x9002 || insn == 0x00100073;
}

/* Is it a csrrw, csrrs, csrrc or one of their immediate forms? */
static inline bool dp_riscv_is_csr(uint32_t insn)
{
	return (insn & 0x7f) == 0x73 && (insn & 0x3000) != 0;
}

/* Does the CSR instruction write its register? Privileged ISA 2.1 */
static inline bool dp_riscv_writes_csr(uint32_t insn)
{
	return (insn & 0x2000) == 0 || (insn & 0xf8000) != 0;
}

/* Return the number of the CSR instruction's register. */
static inline unsigned dp_riscv_csr(uint32_t insn)
{
	return insn >> 20;
}

/* Return the distance to the target of jal, a branch, and their 16-bit forms.
 * class: the instruction's. */
int32_t dp_riscv_distance(uint32_t insn, unsigned class);

/* The table, for tests. */
struct dp_riscv_row {
	uint32_t mask, value;
	uint8_t treat; /* action << 5 | detail */
	uint8_t check; /* enum dp_riscv_check: condition on CPU and operands */
};
enum dp_riscv_check {
	DP_RISCV_ANY,
	DP_RISCV_32,
	DP_RISCV_64,
	DP_RISCV_UNARY,   /* not all numbers of the field rs2 have an operation */
	DP_RISCV_64_WORD, /* 64, and the same */
	DP_RISCV_64_SUB,  /* 64, and funct3 is 0 or 5 */
	DP_RISCV_D,
	DP_RISCV_CSR, /* the register decides */
};
extern const struct dp_riscv_row dp_riscv_rows[];
extern const uint8_t dp_riscv_row_count;

#endif
