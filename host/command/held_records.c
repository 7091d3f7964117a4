/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of records in the order of their arrival. */
#include "held_records.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

void dph_held_add(struct dph_held *held, const struct dp_log_record *record)
{
	uint8_t *data = dph_malloc(record->bytes + 1);

	if (record->bytes > 0)
		memcpy(data, record->data, record->bytes);
	held->list = dph_grow(held->list, &held->capacity, held->count, sizeof *held->list);
	held->list[held->count] = *record;
	held->list[held->count++].data = data;
}

void dph_held_drop(struct dph_held *held, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((void *)(uintptr_t)held->list[i].data);
	held->count -= count;
	if (held->count > 0)
		memmove(held->list, held->list + count, held->count * sizeof *held->list);
}

void dph_held_free(struct dph_held *held)
{
	dph_held_drop(held, held->count);
	free(held->list);
}
