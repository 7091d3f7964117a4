/* SPDX-License-Identifier: BSD-2-Clause */
/* The search finds the row of an address in a list that is sorted by addresses. */
#include "sorted.h"

#include <string.h>

size_t dph_first_above(const void *rows, size_t count, size_t row_bytes, size_t key_offset,
		       uint64_t limit)
{
	const char *keys = rows;
	size_t from = 0, to = count;
	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		uint64_t key;
		memcpy(&key, keys + middle * row_bytes + key_offset, sizeof key);
		if (key > limit)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}
