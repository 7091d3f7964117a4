/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that a trace uses again and again: each gets a number. */
#ifndef DPH_INTERNED_H
#define DPH_INTERNED_H

#include "base/name_index.h"

/* Start with all zero; dph_interned_free frees the names. */
struct dph_interned {
	char **names; /* by number */
	size_t count, room;
	struct dph_name_index index;
};

/* Return the number of the name, from 0. An equal name has an equal number. */
size_t dph_intern(struct dph_interned *interned, const char *name);
/* The same, and a different number in each scope. */
size_t dph_intern_in(struct dph_interned *interned, size_t scope, const char *name);
void dph_interned_free(struct dph_interned *interned);

#endif
