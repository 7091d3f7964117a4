/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of enumerators, the constants of C's enum types. */
#ifndef DPH_ENUMERATOR_H
#define DPH_ENUMERATOR_H

#include "debuginfo.h"
#include "type.h"

/* The values of one enumerator's name. */
struct dph_enumerated {
	int64_t value, other;         /* other: of another enum, and differs */
	struct dph_meanings meanings; /* the files of both; other null: all are equal */
};

/* Find the value of an enumerator of file scope. A unit that has the address of `within` comes
 * first, and alone where it has the name.
 * Returns false: no unit has one of this name. */
bool dph_enumerator_named(struct dp_debuginfo *debug, const char *name,
			  const struct dph_within *within, struct dph_enumerated *found);

#endif
