/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and main.c share. GUEST_BAMBOO, GUEST_E500 or
 * GUEST_40P says which board it is for. */
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

#define READ_ONLY 0x20000000
#define LOW_CODE  0x6000 /* where bca leads to */

/* vectors.txt: tests/tools/ppc_vectors.py */
#define VECTOR_CODE 0x00200000
#define VECTOR_DATA 0x00300000

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

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
