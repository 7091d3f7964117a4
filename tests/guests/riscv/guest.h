/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and the C files share, and what common/ must
 * know of the CPU. GUEST_VECTORED: mtvec is a table. */
#ifndef GUEST_H
#define GUEST_H

/* Offsets in struct state, in words of the CPU. */
#define WORD_OF_PC      32
#define WORD_OF_MSTATUS 33
#define WORD_OF_MCAUSE  34
#define WORD_OF_MTVAL   35
#define WORD_OF_FCSR    36
#define WORDS_BEFORE_FP 38
#define STATE_PC        (WORD_OF_PC * __riscv_xlen / 8)
/* Failures tell the words from STATE_PC to here in any case. */
#define STATE_TOLD_LAST (WORD_OF_MTVAL * __riscv_xlen / 8)

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#include "riscv_port.h"

#define GUEST_AGENT dp_riscv    /* the port's pointer to its state, null before it is attached */
#define END         0u          /* undefined at each half: what control meets wherever it goes */
#define NOP         0x00000013u /* addi x0, x0, 0 */
#define ADDED       0x001c0c13u /* addi s8, s8, 1: the second instruction of every case */
#define HOLE        0x90000000u /* no memory */
/* For sites.c. */
#define SAMPLE_ADD         0x10150513u /* addi a0, a0, 0x101: its second half is an instruction too */
#define SAMPLE_LOAD        0x00062383u /* lw t2, 0(a2) */
#define SAMPLE_LINKED      0x100623afu /* lr.w t2, (a2) */
#define SAMPLE_CONDITIONAL 0x187623afu /* sc.w t2, t2, (a2) */
#define SAMPLE_TRAP_BYTES  2
#define LAST_WORD          0x81fffffcu /* 32 MB */
enum {
	NESTED_SITES = 5
};
#define FEW_STARTS(all) ((all) < 3 ? (all) : 3u)

/* Flags of a case, behind those of oracle.h. */
enum {
	CASE_TIME = 8,    /* rd gets a value that is never the same twice */
	CASE_VECTOR = 16, /* rd gets mtvec, which without a probe is the agent's */
};

/* Registers before an instruction, and at the exception that ended it. pc: before, where to go;
 * after, mepc. */
struct state {
	DPROBES_WORD x[32], pc, mstatus, mcause, mtval, fcsr, unused;
	uint64_t fp[8]; /* f8 to f15 */
};
_Static_assert(offsetof(struct state, fp) == WORDS_BEFORE_FP * sizeof(DPROBES_WORD), "start.S");

/* Load the registers from `in`, go to in->pc with in->mstatus, and come back with the state at the
 * next exception in *out. */
void run(const struct state *in, struct state *out);

extern DPROBES_WORD firmware_mtvec; /* before the agent started */

/* The handler, and where it has saved what a trap overwrites. */
extern const uint8_t handler[], handler_has_saved[];
/* Handlers that no agent can be put in front of. */
extern const char swapping_handler[];
#endif
#endif
