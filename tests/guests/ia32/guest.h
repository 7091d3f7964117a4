/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and the C files share, and what common/ must
 * know of the CPU. */
#ifndef GUEST_H
#define GUEST_H

/* Offsets in struct state, in bytes. */
#define STATE_PC        32
#define STATE_EFLAGS    36
#define STATE_VECTOR    40
#define STATE_ERROR     44
#define STATE_CR2       48
#define STATE_LIVE_IF   52
#define STATE_SEGMENTS  56
#define STATE_STACK     72
#define STATE_X87       112
#define STATE_XMM       220
#define STATE_TOLD_LAST (STATE_STACK - 4)
#define STACK_KEPT      10 /* words from esp on */
#define STACK_WORDS     512

#define HOLE 0x90000000 /* no page */

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#include "ia32_port.h"

#define GUEST_AGENT dp_ia32 /* the port's pointer to its state, null before it is attached */

struct guest_insn {
	uint8_t bytes[15], count;
};
#define CASE_INSN struct guest_insn
/* Room in front for a slot's distance, ends of one byte: int1. */
#define END_BYTE 0xf1u
/* lea 1(%ebp), %ebp: the second instruction of every case */
#define ADDED                                                                                      \
	{                                                                                          \
		{0x8d, 0x6d, 0x01}, 3                                                              \
	}
/* For sites.c; the lowest byte first. */
#define SAMPLE_ADD        0x01c08366u /* add $1, %ax: its second half is an instruction too */
#define SAMPLE_LOAD       0x0026448bu /* mov 0(%esi), %eax by SIB and displacement */
#define SAMPLE_TRAP_BYTES 1
#define LAST_WORD         0x01fffffcu /* 32 MB */
enum {
	NESTED_SITES = 3
};

/* Flags of a case, behind those of oracle.h. */
enum {
	CASE_EBP = 8,    /* changes ebp itself */
	CASE_TIME = 16,  /* eax and edx get what is never the same twice */
	CASE_COUNT = 32, /* ecx counts elements */
	CASE_BELOW = 64, /* leaves words below the stack as they were */
};

/* Registers before an instruction, and at the exception that ended it. */
struct state {
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t pc, eflags, vector, error, cr2;
	uint32_t live_if; /* of the handler */
	uint32_t gs, fs, es, ds;
	uint32_t stack[STACK_KEPT];
	uint32_t x87[27]; /* as FNSAVE has it: SDM 1, figure 8-9 */
	uint32_t xmm[8];  /* xmm0, xmm1 */
};
_Static_assert(offsetof(struct state, pc) == STATE_PC && offsetof(struct state, xmm) == STATE_XMM &&
		       offsetof(struct state, stack) == STATE_STACK,
	       "start.S");

/* Load the registers from `in`, go to in->pc with in->eflags, and come back with the state at the
 * next exception in *out. */
void run(const struct state *in, struct state *out);

extern uint32_t case_stack[STACK_WORDS];
extern uint32_t guest_idt[];
#endif
#endif
