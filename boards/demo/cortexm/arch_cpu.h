/* SPDX-License-Identifier: BSD-2-Clause */
/* A task's registers on Cortex-M. arch_cortexm.S knows these offsets. The CPU keeps the others on
 * the task's stack. */
#ifndef DEMO_ARCH_CPU_H
#define DEMO_ARCH_CPU_H

#include <stdint.h>

struct arch_context {
	uint32_t r[8]; /* r4..r11 */
	uint32_t psp;
	uint32_t exc_return;
	uint32_t basepri;
	uint32_t lr, pc; /* of the last interrupt or wait; also on the task's stack */
	uint32_t unused;
#ifdef __ARM_FP
	uint32_t s[16]; /* s16..s31 */
#endif
};

#endif
