/* SPDX-License-Identifier: BSD-2-Clause */
/* The search of empty logs finds code of a verified object that logs words without a push, or
 * records without data. */
#ifndef DPH_EMPTY_H
#define DPH_EMPTY_H

#include <dprobes/host.h>

struct dph_empty {
	uint32_t *offsets; /* of instructions in the code, rising */
	size_t count, capacity;
};

/* Find `log` instructions that take more words than any way to them has pushed. */
void dph_find_unpushed(const struct dp_object_file *object, struct dph_empty *found);

/* Find `exit` instructions that some way reaches with nothing logged. */
void dph_find_silent(const struct dp_object_file *object, struct dph_empty *found);

void dph_empty_free(struct dph_empty *found);

#endif
