/* SPDX-License-Identifier: BSD-2-Clause */
/* A task's registers on RISC-V, and where arch_riscv.S finds them. */
#ifndef DEMO_ARCH_CPU_H
#define DEMO_ARCH_CPU_H

/* In words. */
#define CONTEXT_PC      32
#define CONTEXT_MSTATUS 33
#define CONTEXT_WORDS   34

#ifndef __ASSEMBLER__
#include <stdint.h>

struct arch_context {
	union {
		uintptr_t x[32];
		struct {
			uintptr_t zero, lr; /* x1, ra: the return address */
		};
	};
	uintptr_t pc, mstatus;
};
#endif
#endif
