/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest that runs single instructions: what start.S and the C files share, and what common/ must
 * know of the CPU. */
#ifndef GUEST_H
#define GUEST_H

/* Offsets in struct state. */
#define STATE_SP         52
#define STATE_LR         56
#define STATE_PC         60
#define STATE_XPSR       64
#define STATE_CLASS      68
#define STATE_PRIMASK    72
#define STATE_BASEPRI    76
#define STATE_CONTROL    80
#define STATE_HANDLER    84
#define STATE_ENABLED    88
#define STATE_PRIORITIES 92
#define STATE_CFSR       96
#define STATE_HFSR       100
#define STATE_MMFAR      104
#define STATE_BFAR       108
#define STATE_EXC_RETURN 112
#define STATE_FP_ACTIVE  116
#define STATE_FPSCR      120
#define STATE_S          128
#define STATE_BYTES      192
/* Failures tell the words from STATE_PC to here in any case. */
#define STATE_TOLD_LAST STATE_CFSR

/* Offset in `runner`, and its bits: fault status is not cleared; the next run has no stack; a fault
 * has no frame. */
#define RUNNER_FLAGS       12
#define RUNNER_KEEP_STATUS 1
#define RUNNER_NO_STACK    2
#define RUNNER_NO_FRAME    4

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stdint.h>

#include "cortexm_port.h"

#define GUEST_AGENT        dp_cortexm /* the port's pointer to its state, null before it is attached */
#define HOLE               0xa0000000u /* where an access fails */
#define LAST_WORD          0u
#define VECTOR_END         0xde00de00u /* undefined at each half: what control meets wherever it goes */
#define VECTOR_STACK_WORDS 24          /* of the data, at its end: exceptions write there */
/* For sites.c: words in memory. */
#define SAMPLE_ADD         0x0601f106u /* add.w r6, r6, #1 */
#define SAMPLE_LOAD        0x2000f8d6u /* ldr.w r2, [r6] */
#define SAMPLE_RETURN      0xbf004770u /* bx lr; nop */
#define SAMPLE_LINKED      0x2f00e856u /* ldrex r2, [r6] */
#define SAMPLE_CONDITIONAL 0x2300e846u /* strex r3, r2, [r6] */
enum {
	NESTED_SITES = 3 /* callee's instructions */
};

/* For common/oracle.h. holds: a register, and 16 times what it holds, HOLDS_* of kinds.inc
 * (tests/guests/arm/shapes.py); bytes: of the instruction. */
#define CASE_MEMBERS                                                                               \
	uint16_t holds[3];                                                                         \
	uint8_t bytes;
#define SECOND_STAYS    0
#define EXTENT_BYTES    0
#define STARTS_MAX      (8 * 16 + 16) /* pairs of ITSTATE and flags; levels */
#define FEW_STARTS(all) ((all) < 6 ? (all) : (all) < 42 ? 6u : (all) / 7 + 1)
/* Branches by up to 4 MiB end in it. */
#define CODE_WORDS  0x300000
#define CODE_FILLED 4096
#define CODE_AT     0x180000
#define CODE_PLACE  __attribute__((section(".probed"), aligned(4096)))
#define DATA_PLACE  __attribute__((section(".fixed.field"), aligned(4096)))
#define DATA_MARGIN 1088 /* what offsets of 12 bits reach */

/* Flags of a case, behind those of oracle.h. */
enum {
	CASE_NO_IT = 16,   /* not inside an IT block */
	CASE_LAST_IT = 32, /* only last in an IT block */
	CASE_ALIGNED = 64, /* not at 2 mod 4 */
};

/* Registers before an instruction, and at the exception that ended it. */
struct state {
	uint32_t r[13], sp, lr, pc, xpsr, class, primask, basepri, control;
	uint32_t handler;    /* before: the instruction runs in a handler, that of SVC */
	uint32_t enabled;    /* SHCSR: which faults have handlers of their own */
	uint32_t priorities; /* SHPR1 */
	uint32_t cfsr, hfsr, mmfar, bfar, exc_return;
	uint32_t fp_active; /* before: FP belongs to the context */
	uint32_t fpscr, zero;
	uint32_t s[16];
};
_Static_assert(sizeof(struct state) == STATE_BYTES, "start.S");

/* Load the registers from `in`, go to in->pc at its level, and come back with the state at the next
 * fault in *out. */
void run(const struct state *in, struct state *out);
extern uint32_t runner[];
#endif
#endif
