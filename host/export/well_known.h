/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of well_known.def. */
#ifndef DPH_WELL_KNOWN_H
#define DPH_WELL_KNOWN_H

#include <stddef.h>

enum dph_role {
	DPH_ROLE_NONE,
	DPH_ROLE_SWITCH,
	DPH_ROLE_INTERRUPT,
	DPH_ROLE_QUEUE,
};

struct dph_well_known {
	const char *kernel, *function, *probe;
	enum dph_role role;
	const char *subject, *name, *value; /* expressions of D; empty: none */
};

extern const struct dph_well_known dph_well_known[];
extern const size_t dph_well_known_count;

/* Return the row of a probe in a function; null: the function is not well known. */
const struct dph_well_known *dph_well_known_at(const char *function, const char *probe);

#endif
