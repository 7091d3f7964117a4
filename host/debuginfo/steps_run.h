/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator runs steps on recorded registers and memory. */
#ifndef DPH_STEPS_RUN_H
#define DPH_STEPS_RUN_H

#include "location.h"

struct dph_unwind;

/* Run checked steps, as dph_steps_done returns them.
 * u: gives registers and memory; receives `why` on failure.
 * value: receives the top of the stack.
 * Returns false: a register or memory is not recorded, or the steps divide by zero. */
bool dph_steps_run(struct dph_unwind *u, struct dph_steps steps, uint64_t *value);

/* Read a word of the target. Returns false, with u->why: the word is not in the recorded memory. */
bool dph_unwind_word(struct dph_unwind *u, uint64_t address, unsigned bytes, uint64_t *value);

/* Fill u->why. Returns false, for the caller to return. */
__attribute__((format(printf, 2, 3))) bool dph_unwind_fail(struct dph_unwind *u, const char *format,
							   ...);

#endif
