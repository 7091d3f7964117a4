/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of faults in the formats. */
#ifndef DPH_D_FAULT_PLACE_H
#define DPH_D_FAULT_PLACE_H

#include "lang/d/read/front.h"

/* Give each clause of the program its places, before handlers are made. */
void dph_d_clause_places(struct d_front *d);
/* The number of a place in the clause. asks: in its predicate. */
unsigned dph_d_fault_place(struct d_front *d, unsigned clause, bool asks, struct dph_place place);

#endif
