/* SPDX-License-Identifier: BSD-2-Clause */
/* Names are found by an index, and never go away before the end. */
#include "interned.h"

#include "base/pool.h"

#include <stdlib.h>

size_t dph_intern_in(struct dph_interned *interned, size_t scope, const char *name)
{
	const size_t found = dph_name_index_find(&interned->index, scope, name);

	if (found != DPH_NAME_NONE)
		return found;
	interned->names = dph_grow(interned->names, &interned->room, interned->count,
				   sizeof *interned->names);
	interned->names[interned->count] = dph_strdup(name);
	dph_name_index_add(&interned->index, scope, interned->names[interned->count],
			   interned->count);
	return interned->count++;
}

size_t dph_intern(struct dph_interned *interned, const char *name)
{
	return dph_intern_in(interned, 0, name);
}

void dph_interned_free(struct dph_interned *interned)
{
	for (size_t i = 0; i < interned->count; i++)
		free(interned->names[i]);
	free(interned->names);
	free(interned->index.entries);
	*interned = (struct dph_interned){0};
}
