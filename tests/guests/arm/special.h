/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of the ARM guest besides its cases. */
#ifndef SPECIAL_H
#define SPECIAL_H

#include "guest.h"

/* The port's stack. guard: below it, where nobody may write. */
struct private_stack {
	uint64_t guard[2 * DP_PORT_STACK_BYTES / 8], stack[DP_PORT_STACK_BYTES / 8];
};
extern struct private_stack private_stack;

/* All that are made once. */
void special_checks(void);
/* Aborts that are not the instruction's. */
void abort_checks(void);

/* Vectors run, of A32 and of Thumb. */
extern unsigned vectors_run[2];
/* Run what is to be measured, when tests/lib/tools/arm_vectors.py is there to do so. */
void measure_vectors(void);

#endif
