/* SPDX-License-Identifier: BSD-2-Clause */
/* The search finds the row of an address in a list that is sorted by addresses. */
#ifndef DPH_SORTED_H
#define DPH_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Index of the first row whose key is greater than `limit`; `count`: no row's is. rows: `count`
 * rows of `row_bytes` each, sorted by the uint64_t at `key_offset` of a row; NULL when count is 0.
 */
size_t dph_first_above(const void *rows, size_t count, size_t row_bytes, size_t key_offset,
		       uint64_t limit);

/* The same for an array of `type`, sorted by its member `key`. */
#define DPH_FIRST_ABOVE(rows, count, type, key, limit)                                             \
	dph_first_above((rows), (count), sizeof(type), offsetof(type, key), (limit))

#endif
