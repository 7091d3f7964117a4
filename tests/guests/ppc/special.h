/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of the PowerPC guest besides its cases. */
#ifndef SPECIAL_H
#define SPECIAL_H

/* All that are made once. */
void special_checks(void);
/* An interrupt at every point of a hit: some cases, with the decrementer moving through them. */
void sweep(void);

#endif
