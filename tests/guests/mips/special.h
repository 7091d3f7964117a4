/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of the MIPS guest besides its cases. */
#ifndef SPECIAL_H
#define SPECIAL_H

/* All that are made once. */
void special_checks(void);
/* The TLB's instructions, plain and probed. */
void tlb_checks(void);

#endif
