/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of the ARM guest besides its cases. */
#ifndef SPECIAL_H
#define SPECIAL_H

/* Aborts that are not the instruction's. */
void abort_checks(void);

/* Vectors run, of A32 and of Thumb. */
extern unsigned vectors_run[2];
/* Run what is to be measured, when tests/lib/tools/arm_vectors.py is there to do so. */
void measure_vectors(void);

#endif
