/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for the instructions that leave a function. */
#ifndef DPH_D_EXITS_H
#define DPH_D_EXITS_H

#include "lang/d/read/front.h"

/* tail: the function is left by a branch to another one, and its result is not known yet.
 * phase: of a probe on a return, DP_PHASE_*. */
typedef void dph_d_exit(void *context, uint64_t address, bool tail, unsigned phase);

/* Call `visit` for each instruction that leaves the function or its cold part. Returns false where
 * the tables do not know the instruction set. */
bool dph_d_exits(const struct d_front *d, const struct dp_symbol *function, dph_d_exit *visit,
		 void *context);

typedef void dph_d_instruction(void *context, uint64_t address);

/* Call `visit` for each instruction of the function. Data among the code is passed. */
void dph_d_instructions(const struct d_front *d, const struct dp_symbol *function,
			dph_d_instruction *visit, void *context);

#endif
