/* SPDX-License-Identifier: BSD-2-Clause */
/* A task's registers on ARM. arch_arm.S knows these offsets. */
#ifndef DEMO_ARCH_CPU_H
#define DEMO_ARCH_CPU_H

#include <stdint.h>

/* Tasks run in System mode, so r13 and r14 are the User bank and STM/LDM ^ reach them from every
 * exception mode. */
struct arch_context {
	uint32_t r[14]; /* r0..r12, sp */
	uint32_t lr;
	uint32_t pc;
	uint32_t cpsr;
};

#endif
