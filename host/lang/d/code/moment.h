/* SPDX-License-Identifier: BSD-2-Clause */
/* `timestamp` has one value in a clause: a clause that reads it twice keeps it. */
#ifndef DPH_D_MOMENT_H
#define DPH_D_MOMENT_H

#include "lower.h"

/* Begin the code of a clause: keep the clock where the clause reads it more than once, also by the
 * values and the predicate of a declared probe. provided: the probe; null: it is none. */
void dph_d_moment_begin(struct d_lower *l, const struct d_provided *provided,
			const struct d_clause *clause);
/* Push the clock of the clause. */
void dph_d_moment_push(struct d_lower *l);

/* Is the value nanoseconds: a timestamp, a sum or difference of timestamps, or a variable with such
 * a value? */
bool dph_d_is_time(const struct d_front *d, const struct d_node *node);

#endif
