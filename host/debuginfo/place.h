/* SPDX-License-Identifier: BSD-2-Clause */
/* A line has one place in each function, and in each inlined instance of a function: the lowest
 * address there. Candidates are the addresses of a line. */
#ifndef DPH_PLACE_H
#define DPH_PLACE_H

#include "debuginfo.h"

#include <dprobes/host.h>

struct dph_candidate {
	uint64_t address;
	const void *instance; /* entry of the function or inlined instance */
	const char *function, *within;
	unsigned outer;
};

/* Return the candidate at an address of the line. */
struct dph_candidate dph_candidate_at(struct dp_debuginfo *debug, uint64_t address, unsigned line);

/* Is the instance among the candidates? */
bool dph_candidate_seen(const struct dph_candidate *list, size_t count, const void *instance);

struct dp_code_place dph_candidate_place(const struct dph_candidate *candidate);

#endif
