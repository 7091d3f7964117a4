/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions of the PowerPC port that firmware with its own vectors passes to the agent:
 * dprobes_hit.h. Also for the assembler. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

/* 1: BookE (440, e500): IVPR and IVORs, DEAR and ESR. 0: classic (604, 750): vectors at fixed
 * offsets, DAR and DSISR. */
#ifndef DP_PPC_BOOKE
#define DP_PPC_BOOKE 1
#endif

/* Exception classes: argument of dp_port_exception, one per vector. */
#define DP_CLASS_PROGRAM   1
#define DP_CLASS_DATA      2
#define DP_CLASS_ALIGNMENT 3
#define DP_CLASS_FLOAT     4
#define DP_CLASS_MACHINE   5 /* machine check: of the agent's own accesses */
#define DP_CLASS_TLB       6 /* BookE: data TLB miss */
#define DP_CLASSES         (5 + DP_PPC_BOOKE)

#ifndef __ASSEMBLER__
#include <stdint.h>
/* The interrupted context. With own_vectors the firmware fills all but entry_msr, and resumes
 * with pc, msr and the registers. */
struct dp_frame {
	uint32_t r[32];
	uint32_t cr, xer, lr, ctr;
	uint32_t pc, msr;           /* SRR0 and SRR1 */
	uint32_t address, syndrome; /* DEAR and ESR, or DAR and DSISR */
	uint32_t entry_msr;         /* of the exception's handler */
	uint32_t unused[3];         /* a stack is aligned to 16 bytes */
};
#endif
#endif
