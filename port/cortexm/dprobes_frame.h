/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions of the Cortex-M port that firmware with its own vectors passes to the agent:
 * dprobes_hit.h. Also for the assembler. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

/* Exception classes: argument of dp_port_exception, and dp_frame.exception. The CPU's numbers. */
#define DP_CLASS_HARD    3
#define DP_CLASS_MEMORY  4
#define DP_CLASS_BUS     5
#define DP_CLASS_USAGE   6
#define DP_CLASS_MONITOR 12

#ifndef __ASSEMBLER__
#include <stdint.h>

/* The interrupted context. */
struct dp_frame {
	uint32_t r[16]; /* r[13]: before the exception; r[15]: the instruction that was interrupted
			 */
	uint32_t xpsr;
	uint32_t primask, control;
	uint32_t exc_return; /* link value of the exception: which stack, and the form of its frame
			      */
	uint32_t hardware;   /* where the CPU has stored r0 to r3, r12, lr, pc, xpsr */
	uint32_t handler;    /* the firmware's own handler of the exception that came */
	uint32_t exception;  /* the exception to report: DP_CLASS_* */
	uint32_t limit;      /* ARMv8-M: of the stack pointer */
};
#endif
#endif
