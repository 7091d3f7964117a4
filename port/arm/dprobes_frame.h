/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions of the ARM port that firmware with its own vectors passes to the agent: dprobes_hit.h.
 * Also for the assembler. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

/* Exception classes: argument of dp_port_exception, and dp_frame.exception. */
#define DP_CLASS_UNDEFINED 1
#define DP_CLASS_PREFETCH  2
#define DP_CLASS_DATA      3
#define DP_CLASSES         3

#ifndef __ASSEMBLER__
#include <stdint.h>

/* The interrupted context. */
struct dp_frame {
	uint32_t r[16]; /* of the interrupted mode; r[15]: the instruction that was interrupted */
	uint32_t cpsr;
	/* The agent runs in abort mode: the firmware's registers of that mode. */
	uint32_t abt_sp, abt_lr, abt_spsr;
	/* Where and how the firmware's own handler is entered. */
	uint32_t chain, chain_lr;
	uint32_t exception; /* the exception to report: DP_CLASS_*; an emulated load can turn
			       UNDEFINED (our trap) into DATA */
	uint32_t unused;    /* the frame is a multiple of 8 bytes, as stacks are */
};
#endif
#endif
