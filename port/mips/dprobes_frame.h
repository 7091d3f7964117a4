/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions of the MIPS32 port that firmware with its own vectors passes to the agent:
 * dprobes_hit.h. Also for the assembler. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

/* Exception classes: argument of dp_port_exception, one per vector. */
#define DP_CLASS_GENERAL 1
#define DP_CLASS_REFILL  2 /* TLB refill: offset 0 */
#define DP_CLASSES       2

#ifndef __ASSEMBLER__
#include <stdint.h>

/* The registers that a caught abort overwrites, and only another abort can write. */
struct dp_fault_status {
	uint32_t badvaddr, context, entryhi;
};

/* The interrupted context. With own_vectors the firmware fills the frame, and resumes with epc
 * and the registers. */
struct dp_frame {
	uint32_t r[32];
	uint32_t hi, lo;
	uint32_t status; /* EXL as the context had it: 0 */
	uint32_t cause;  /* bit 31, BD: epc is the branch, pc is behind it */
	uint32_t epc;
	struct dp_fault_status fault;
	/* The jump at epc when its delay slot has a probe as well; 0: look in memory. Here, because
	 * hits nest. The port sets it. */
	uint32_t jump;
	uint32_t zero;
};
#endif
#endif
