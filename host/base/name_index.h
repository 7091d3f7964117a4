/* SPDX-License-Identifier: BSD-2-Clause */
/* The index finds names fast: labels, procedures and strings of a program, which may have 100,000
 * of them. */
#ifndef DPH_NAME_INDEX_H
#define DPH_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#define DPH_NAME_NONE ((size_t)-1)

/* Start with all zero; free(entries) when done. fold: upper and lower case are the same. */
struct dph_name_index {
	bool fold;
	struct dph_name_entry *entries;
	size_t count, capacity;
};

/* Remember the value of a name within a scope, such as a label's routine. name: valid as long as
 * the index. A name that is there keeps its first value. */
void dph_name_index_add(struct dph_name_index *index, size_t scope, const char *name, size_t value);

/* The value of the name, or DPH_NAME_NONE. */
size_t dph_name_index_find(const struct dph_name_index *index, size_t scope, const char *name);

#endif
