/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of functions, where clauses with entry(e) keep their values. */
#ifndef DPH_D_ENTERED_H
#define DPH_D_ENTERED_H

#include "point.h"

/* Add the point at the entry of each function that has a point with such a clause. Says where a
 * point stands in no function. */
void dph_d_enter_functions(struct d_front *d);

#endif
