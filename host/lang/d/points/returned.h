/* SPDX-License-Identifier: BSD-2-Clause */
/* The point at which a function has returned because a clause said return(). */
#ifndef DPH_D_RETURNED_H
#define DPH_D_RETURNED_H

#include "point.h"

/* Let the clauses of `return` also run where the function returns by return(), of this program or
 * of another one: none of its return instructions runs then. An agent without that part gets none
 * for other programs. Behind the matches of all clauses. */
void dph_d_add_returned(struct d_front *d);

#endif
