/* SPDX-License-Identifier: BSD-2-Clause */
/* A task's registers on MIPS32, and where arch_mips.S finds them. */
#ifndef DEMO_ARCH_CPU_H
#define DEMO_ARCH_CPU_H

#define CONTEXT_HI     128
#define CONTEXT_LO     132
#define CONTEXT_PC     136
#define CONTEXT_STATUS 140

#ifndef __ASSEMBLER__
#include <stdint.h>

/* k0 and k1 are the exception entry's: not saved. */
struct arch_context {
	uint32_t r[31];
	uint32_t lr; /* $31, the return address */
	uint32_t hi, lo;
	uint32_t pc;
	uint32_t status; /* with EXL = 0 */
};
#endif
#endif
