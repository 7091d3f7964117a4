/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the target, as far as it was read. */
#include "memory.h"

#include <stdlib.h>

/* A place with all of the bytes; null: there is none. */
static const struct dp_read_place *place_with(const struct dph_look_memory *memory,
					      uint64_t address, size_t bytes)
{
	for (size_t i = 0; i < memory->count; i++) {
		const struct dp_read_place *place = &memory->places[i];
		const uint64_t at = address - place->address;
		if (at <= place->bytes && bytes <= place->bytes - at)
			return place;
	}
	return NULL;
}

static void want(struct dph_look_memory *memory, uint64_t address, size_t bytes)
{
	memory->places =
		dph_grow(memory->places, &memory->capacity, memory->count, sizeof(*memory->places));
	memory->places[memory->count++] = (struct dp_read_place){
		.address = address,
		.bytes = bytes,
		.data = dph_pool_take(&memory->pool, bytes + 1),
	};
}

const uint8_t *dph_look_bytes(struct dph_look_memory *memory, uint64_t address, size_t bytes,
			      size_t *have)
{
	const struct dp_read_place *place = place_with(memory, address, bytes);
	*have = 0;
	if (!place) {
		want(memory, address, bytes);
		return NULL;
	}
	const size_t at = (size_t)(address - place->address);
	const size_t known = place->have > at ? place->have - at : 0;
	*have = known < bytes ? known : bytes;
	return *have == bytes ? place->data + at : NULL;
}

const uint8_t *dph_look_known(const struct dph_look_memory *memory, uint64_t address, size_t bytes)
{
	const struct dp_read_place *place = place_with(memory, address, bytes);
	const size_t at = place ? (size_t)(address - place->address) : 0;
	return place && place->have >= at && place->have - at >= bytes ? place->data + at : NULL;
}

bool dph_look_failed(const struct dph_look_memory *memory, uint64_t address, size_t bytes)
{
	const struct dp_read_place *place = place_with(memory, address, bytes);
	return place && (size_t)(place - memory->places) < memory->tried &&
	       address - place->address + bytes > place->have;
}

void dph_look_forget_memory(struct dph_look_memory *memory)
{
	memory->count = memory->tried = 0;
	dph_pool_next_job(&memory->pool);
}

void dph_look_free_memory(struct dph_look_memory *memory)
{
	free(memory->places);
	dph_pool_free(&memory->pool);
	*memory = (struct dph_look_memory){0};
}
