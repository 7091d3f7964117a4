/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and main.c share. */
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

#ifndef __ASSEMBLER__
#include <stdint.h>

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
void say(const char *text);
_Noreturn void stop(int status);
#endif
#endif
