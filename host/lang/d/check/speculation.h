/* SPDX-License-Identifier: BSD-2-Clause */
/* Which statements go with speculate and commit in a clause. */
#ifndef DPH_D_CHECK_SPECULATION_H
#define DPH_D_CHECK_SPECULATION_H

#include "check.h"

/* Does the record of the clause go to a speculation? */
bool dph_d_speculates(const struct d_clause *clause);
/* Check the order of the statements of the clause. Returns false: the error is said. */
bool dph_d_check_speculation(struct d_front *d, const struct d_clause *clause);

#endif
