/* SPDX-License-Identifier: BSD-2-Clause */
/* A task's registers on PowerPC, and where arch_ppc.S finds them. */
#ifndef DEMO_ARCH_CPU_H
#define DEMO_ARCH_CPU_H

#define CONTEXT_CR    128
#define CONTEXT_LR    132
#define CONTEXT_CTR   136
#define CONTEXT_XER   140
#define CONTEXT_PC    144
#define CONTEXT_MSR   148
#define CONTEXT_BYTES 152

/* Vector numbers: IVORn on BookE, n * 0x100 on classic CPUs, which have some more that nothing here
 * turns on. */
#define VECTORS 16
#if DP_PPC_BOOKE
#define VECTOR_EXTERNAL    4
#define VECTOR_SYSTEM_CALL 8
#define VECTOR_DECREMENTER 10
#define SPR_ADDRESS        61 /* DEAR */
#define SPR_SYNDROME       62 /* ESR */
#else
#define VECTOR_EXTERNAL    5
#define VECTOR_SYSTEM_CALL 12
#define VECTOR_DECREMENTER 9
#define SPR_ADDRESS        19 /* DAR */
#define SPR_SYNDROME       18 /* DSISR */
#endif

#ifndef __ASSEMBLER__
#include <stdint.h>

struct arch_context {
	uint32_t r[32];
	uint32_t cr, lr, ctr, xer;
	uint32_t pc;
	uint32_t msr;
};
#endif
#endif
