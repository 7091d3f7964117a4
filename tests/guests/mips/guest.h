/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and the C files share, and what common/
 * must know of the CPU. */
#ifndef GUEST_H
#define GUEST_H

/* Offsets in struct state. */
#define STATE_HI       128
#define STATE_LO       132
#define STATE_PC       136
#define STATE_STATUS   140
#define STATE_CAUSE    144
#define STATE_BADVADDR 148
#define STATE_CONTEXT  152
#define STATE_ENTRYHI  156
#define STATE_VECTOR   160
#define STATE_FCR31    164
#define STATE_FP       168
#define STATE_BYTES    200
/* Failures tell the words from STATE_PC to here in any case. */
#define STATE_TOLD_LAST STATE_CAUSE

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#include "mips_port.h"

#define GUEST_AGENT dp_mips     /* the port's pointer to its state, null before it is attached */
#define END         0x0000000cu /* syscall: what control meets wherever it goes */
#define NOP         0u
#define ADDED       0x27180001u /* addiu $24, $24, 1: the second word of what is no jump */
/* For sites.c. */
#define SAMPLE_ADD         ADDED
#define SAMPLE_LOAD        0x8cc20000u /* lw $2, 0($6) */
#define SAMPLE_RETURN      0x03e00008u /* jr $31 */
#define SAMPLE_LINKED      0xc0c20000u /* ll $2, 0($6) */
#define SAMPLE_CONDITIONAL 0xe0c20000u /* sc $2, 0($6) */
#ifndef HOLE                           /* where an access fails */
#define HOLE 0xdead0000u
#endif
#define LAST_WORD 0x80fffffcu /* of RAM */
enum {
	NESTED_SITES = 1
};
#define TAKES_AWAY 1 /* the site in a delay slot */

/* Flags of a case, behind those of oracle.h. */
enum {
	CASE_JUMP = 8,
	CASE_FPU = 16,
	CASE_BAD_DELAY = 32 /* refused with DP_ERR_BAD_DELAY_SLOT */
};

/* Registers before an instruction, and at the exception that ended it. pc: before, where to go;
 * after, EPC. */
struct state {
	uint32_t r[32], hi, lo, pc, status, cause, badvaddr, context, entryhi;
	uint32_t vector; /* 1 general, 2 TLB refill */
	uint32_t fcr31, fp[8];
};
_Static_assert(sizeof(struct state) == STATE_BYTES, "start.S");

/* Load the registers from `in`, go to in->pc with in->status, and come back with the state at the
 * next exception in *out. */
void run(const struct state *in, struct state *out);
extern uint32_t has_fpu;

static inline bool is_fpu_insn(uint32_t insn)
{
	return insn >> 26 == 0x11 || (insn & 0xfc00003f) == 1;
}

/* An instruction was executed: for the coverage gate. */
void note_insn(uint32_t insn);
#endif
#endif
