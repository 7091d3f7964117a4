/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables of a firing (this->) begin as 0 where a clause may read them before it assigns them. */
#ifndef DPH_D_FRESH_H
#define DPH_D_FRESH_H

#include "lang/d/check/check.h"
#include "lang/d/code/lower.h"

/* Store 0 in the variables that the clauses may read first, at the begin of a handler.
 * matches: clauses of the handler. Warns of a variable whose first assignment stands behind. */
void dph_d_fresh(const struct dph_d_check *check, struct d_lower *l, const struct d_match *matches);

#endif
