/* SPDX-License-Identifier: BSD-2-Clause */
/* This file computes how much of the agent's arena a program takes. */
#include "arena.h"

#include "object_read.h"

#include "dp_bytes.h"
#include "dp_object.h"
#include "dp_rpn.h"

static uint32_t padded(uint32_t bytes)
{
	return (bytes + 7) & ~7u;
}

enum {
	MAP_BYTES = 32 /* of a map without its places: struct dp_map of the agent */
};

/* Memory of maps, as agent/vm/map_place.c lays them out. */
static uint32_t maps_bytes(const struct dp_object_file *object, const struct dph_section *maps)
{
	uint32_t bytes = maps->count * MAP_BYTES;

	for (uint32_t i = 0; i < maps->count; i++) {
		const uint8_t *row = maps->data + (size_t)i * DP_MAP_BYTES;
		const uint32_t words = row[DP_MAP_KEYS] + (uint32_t)row[DP_MAP_VALUES];
		const uint32_t places = dp_get_u16(row + DP_MAP_PLACES);

		if (row[DP_MAP_KIND] == DP_MAP_SPECULATION)
			bytes += (dp_get_u32(row + DP_MAP_B) & 0xff) *
				 (DP_SPEC_BUFFER_BYTES + dp_get_u32(row + DP_MAP_A));
		if (row[DP_MAP_KIND] < DP_MAP_SCALE || row[DP_MAP_KIND] == DP_MAP_SPECULATION)
			bytes += padded(places * 2) +
				 padded(places * words * object->data[DP_OBJ_WORD]);
	}
	return bytes;
}

uint32_t dph_memory_needed(const struct dp_object_file *object)
{
	struct dph_section maps;

	dph_section(object, DP_SECTION_MAPS, &maps);
	return padded(dp_get_u16(object->data + DP_OBJ_VARS) * object->data[DP_OBJ_WORD]) +
	       (maps.count > 0 ? padded(maps_bytes(object, &maps)) : 0);
}

uint32_t dph_arena_needed(const struct dp_object_file *object)
{
	struct dp_program_info program;
	uint32_t bits, variables;

	dp_object_program(object, &program);
	bits = (program.code_bytes + 7u) / 8;
	variables = dph_memory_needed(object);
	return padded(object->travelling) + (bits > variables ? bits : variables);
}
