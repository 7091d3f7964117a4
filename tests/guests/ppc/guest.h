/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and the C files share, and what
 * common/ must know of the CPU. GUEST_BAMBOO, GUEST_E500 or GUEST_40P says which board it is for.
 */
#ifndef GUEST_H
#define GUEST_H

/* Offsets in struct state. */
#define STATE_CR       128
#define STATE_XER      132
#define STATE_LR       136
#define STATE_CTR      140
#define STATE_PC       144
#define STATE_MSR      148
#define STATE_ADDRESS  152
#define STATE_SYNDROME 156
#define STATE_VECTOR   160
#define STATE_FPSCR    164
#define STATE_FP       168 /* 8 doubles */
#define STATE_MAS      232
#define STATE_BYTES    256
/* Failures tell the words from STATE_PC to here in any case. */
#define STATE_TOLD_LAST STATE_VECTOR

#define READ_ONLY 0x20000000
#define LOW_CODE  0x6000 /* where bca leads to */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#include "ppc_port.h"

#define GUEST_AGENT dp_ppc      /* the port's pointer to its state, null before it is attached */
#define END         0x44000002u /* sc: what control meets wherever it goes */
#define NOP         0x60000000u
#define ADDED       0x3b180001u /* addi r24, r24, 1: the second word of every case */
#define HOLE        0xdead0000u
/* For sites.c. */
#define SAMPLE_ADD         ADDED
#define SAMPLE_LOAD        0x80460000u /* lwz r2, 0(r6) */
#define SAMPLE_RETURN      0x4e800020u /* blr */
#define SAMPLE_LINKED      0x7c403028u /* lwarx r2, 0, r6 */
#define SAMPLE_CONDITIONAL 0x7c40312du /* stwcx. r2, 0, r6 */
#ifdef GUEST_E500
#define IS_E500   true
#define LAST_WORD 0 /* 64 MB are mapped */
#else
#define IS_E500   false
#define LAST_WORD 0x00fffffcu /* mapped: 16 MB */
#endif
enum {
	NESTED_SITES = 5
};
#define FEW_STARTS(all) ((all) < 4 ? (all) : 4u)

/* Flags of a case, behind those of oracle.h. */
enum {
	CASE_TIME = 8,    /* rt gets a value that is never the same twice */
	CASE_VICTIM = 16, /* reads which TLB entry is next to go */
	CASE_TWO = 32     /* takes two traps: no interrupt comes between */
};

#if DP_PPC_BOOKE
enum {
	VECTOR_MACHINE = 1,
	VECTOR_ACCESS = 13, /* of data; here nothing is mapped */
	VECTOR_PROGRAM = 6,
	VECTOR_FLOAT = 7,
	VECTOR_SC = 8,
	VECTOR_TLB = 13,
	VECTOR_FETCH = 14
};
#define TRANSLATION 0u
#else
enum {
	VECTOR_MACHINE = 2,
	VECTOR_ACCESS = 3,
	VECTOR_PROGRAM = 7,
	VECTOR_SC = 12,
	VECTOR_TLB = 0xff,
	VECTOR_FETCH = 0xff
};
#define TRANSLATION 0x30u
#endif
#define NEVER (TRANSLATION ? 0x7fffffffu : 0) /* of decrementer_start */

/* Registers before an instruction, and at the exception that ended it. pc: before, where to go;
 * after, SRR0. */
struct state {
	uint32_t r[32], cr, xer, lr, ctr, pc, msr, address, syndrome;
	uint32_t vector; /* IVOR number, or offset / 0x100 */
	uint32_t fpscr, fp[16], mas[6];
};
_Static_assert(sizeof(struct state) == STATE_BYTES, "start.S");

/* Load the registers from `in`, go to in->pc with in->msr, and come back with the state at the next
 * exception in *out. */
void run(const struct state *in, struct state *out);
extern uint32_t has_fpu; /* set by main.c */
/* After so many ticks in a run it interrupts, once. 0: never (BookE). */
extern uint32_t decrementer_start;
extern uint32_t decrementer_count, decrementer_pc;
bool fake_machine_check(uint32_t pc);
void machine_check_elsewhere(struct state *out);
void put_vectors(uint32_t base);
#endif
#endif
