/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions of the RISC-V port that firmware with its own vectors passes to the agent:
 * dprobes_hit.h. Also for the assembler. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

#define DP_CLASS_EXCEPTION 1 /* mcause says which: argument of dp_port_exception */

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "dprobes_cpu.h"

/* The interrupted context. With own_vectors the firmware fills all, and resumes with pc, mstatus
 * and the registers. */
struct dp_frame {
	DPROBES_WORD x[32]; /* x[0] is 0 */
	DPROBES_WORD pc, mstatus, mcause, mtval;
};
#endif
#endif
