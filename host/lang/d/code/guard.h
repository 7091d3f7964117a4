/* SPDX-License-Identifier: BSD-2-Clause */
/* A guard ends a clause that faults, and lets the next clause run. The guard is an exception
 * handler of RPN around the code of the clause. */
#ifndef DPH_D_GUARD_H
#define DPH_D_GUARD_H

#include "lower.h"

/* A clause at the end of a handler's code. */
struct d_guard {
	unsigned clause;      /* its number in the program */
	size_t start, body;   /* instructions at which the predicate and the statements begin */
	bool overflows;       /* the record may have no room for all data */
	bool alone;           /* the point has no other clause: the exception ends the handler */
	bool flagged, errors; /* the handler has D_TEMP_RECORDED; it has ERROR clauses */
};

/* Can the handler fault?
 * overflows: as in struct d_guard. */
bool dph_d_can_fault(const struct d_code *code, bool overflows);

/* Guard the clause. The code of a fault stands behind the clause and runs on with what follows.
 * next: label behind the code of the fault.
 * Returns whether the clause can fault. */
bool dph_d_guard(struct d_lower *l, const struct d_guard *guard, size_t next);

/* n addr -- ; log a text of at most n bytes. A fault is no fault of the clause: the instruction has
 * logged the fault in place of the text. */
void dph_d_log_caught(struct d_lower *l);

#endif
