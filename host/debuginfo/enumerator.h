/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of enumerators, the constants of C's enum types. */
#ifndef DPH_ENUMERATOR_H
#define DPH_ENUMERATOR_H

#include "debuginfo.h"

/* Find the value of an enumerator of file scope.
 * address: the unit that has it comes first; 0: none does.
 * Returns false: no unit has one of this name. */
bool dph_enumerator_named(struct dp_debuginfo *debug, const char *name, uint64_t address,
			  int64_t *value);

#endif
