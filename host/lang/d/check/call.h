/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of D's functions. */
#ifndef DPH_D_CALL_H
#define DPH_D_CALL_H

#include "check.h"
#include "lang/d/read/functions.h"

/* Find the function that the node calls. Complains, and returns null: there is no such function
 * here, or it takes another number of arguments. */
const struct d_function *dph_d_check_function(const struct dph_d_check *c,
					      const struct d_node *node);

/* Check a call of `return` as a statement: the point, and the value for the function's result.
 * Returns false: said. */
bool dph_d_check_return(const struct dph_d_check *c, const struct d_node *node);

#endif
