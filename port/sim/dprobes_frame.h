/* SPDX-License-Identifier: BSD-2-Clause */
/* The interrupted context of the simulated CPU. */
#ifndef DPROBES_FRAME_H
#define DPROBES_FRAME_H

#include <stdint.h>

#include "dp_regs.h"

/* Registers by row of the table in force (dp_sim.regs), lowest word first. */
enum {
	DP_SIM_ROWS_MAX = 128
};
/* No more: a plan reaches 255 words of the frame, among them the registers up to row 31. */
#define DP_SIM_STACK_BYTES 24
struct dp_frame {
	uint64_t stack[DP_SIM_STACK_BYTES / 8]; /* words of the stack, one behind the other */
	uint64_t word[DP_SIM_ROWS_MAX][DP_REG_WORDS_MAX];
};
#endif
