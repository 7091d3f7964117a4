/* SPDX-License-Identifier: BSD-2-Clause */
/* The function adds a map to a program. The agent's verifier checks the row; this file checks that
 * the numbers fit it. */
#include "fault.h"

static const struct dph_place nowhere = {.line = NULL};

static bool fits(const struct dph_map *map)
{
	return map->kind < DP_MAP_KINDS && map->flags <= DP_MAP_FLAGS &&
	       map->keys <= DP_MAP_KEYS_MAX && map->values <= DP_MAP_WORDS_MAX &&
	       map->places <= UINT16_MAX && map->of < DPH_MAX_MAPS && map->at <= DP_MAP_WORDS_MAX;
}

size_t dph_ir_map(struct dph_program *p, const struct dph_map *map)
{
	if (p->map_count == DPH_MAX_MAPS) {
		dph_ir_refuse(p, nowhere, "there are more than %d maps", DPH_MAX_MAPS);
		return DPH_IR_NONE;
	}
	if (!fits(map)) {
		dph_ir_refuse(p, nowhere, "map %zu has a number that no object holds",
			      p->map_count);
		return DPH_IR_NONE;
	}
	p->maps = dph_grow(p->maps, &p->map_capacity, p->map_count, sizeof(*p->maps));
	p->maps[p->map_count] = *map;
	return p->map_count++;
}
