/* SPDX-License-Identifier: BSD-2-Clause */
/* The index is a hash table with open addressing, at most half full. */
#define _GNU_SOURCE
#include "name_index.h"

#include "pool.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct dph_name_entry {
	const char *name; /* null: free */
	size_t scope, value;
};

enum {
	FIRST_CAPACITY = 64 /* a power of two */
};

/* FNV-1a, 64 bits. */
static uint64_t hash(const struct dph_name_index *index, size_t scope, const char *name)
{
	uint64_t h = 0xcbf29ce484222325u ^ scope;
	for (; *name; name++) {
		const unsigned char c = (unsigned char)*name;
		h = (h ^ (unsigned char)(index->fold ? tolower(c) : c)) * 0x100000001b3u;
	}
	return h ^ h >> 32;
}

static bool same(const struct dph_name_index *index, const struct dph_name_entry *entry,
		 size_t scope, const char *name)
{
	return entry->scope == scope &&
	       (index->fold ? strcasecmp(entry->name, name) : strcmp(entry->name, name)) == 0;
}

/* The entry that has the name, or the free one where it belongs. */
static struct dph_name_entry *place(const struct dph_name_index *index, size_t scope,
				    const char *name)
{
	size_t i = (size_t)hash(index, scope, name) & (index->capacity - 1);
	while (index->entries[i].name && !same(index, &index->entries[i], scope, name))
		i = (i + 1) & (index->capacity - 1);
	return &index->entries[i];
}

static void grow(struct dph_name_index *index)
{
	const struct dph_name_index old = *index;
	index->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
	index->entries = dph_malloc(index->capacity * sizeof(*index->entries));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.entries[i].name)
			*place(index, old.entries[i].scope, old.entries[i].name) = old.entries[i];
	free(old.entries);
}

void dph_name_index_add(struct dph_name_index *index, size_t scope, const char *name, size_t value)
{
	if (index->count * 2 >= index->capacity)
		grow(index);
	struct dph_name_entry *entry = place(index, scope, name);
	if (entry->name)
		return;
	*entry = (struct dph_name_entry){name, scope, value};
	index->count++;
}

size_t dph_name_index_find(const struct dph_name_index *index, size_t scope, const char *name)
{
	if (!index->count)
		return DPH_NAME_NONE;
	const struct dph_name_entry *entry = place(index, scope, name);
	return entry->name ? entry->value : DPH_NAME_NONE;
}
