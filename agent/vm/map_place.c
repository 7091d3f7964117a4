/* SPDX-License-Identifier: BSD-2-Clause */
/* The places of a program's maps behind its variables. */
#include "dp_map.h"

#include "dp_bytes.h"
#include "dp_object.h"

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + 7) & ~7u;
}

static bool has_entries(unsigned kind)
{
	return kind < DP_MAP_SCALE || (DP_SPECULATES && kind == DP_MAP_SPECULATION);
}

/* Of the buffers, behind the entry that counts. */
static uint32_t buffers_bytes(const uint8_t *row)
{
	uint32_t count = dp_get_u32(row + DP_MAP_B) & 0xff;

	if (!DP_SPECULATES || row[DP_MAP_KIND] != DP_MAP_SPECULATION)
		return 0;
	return count * (DP_SPEC_BUFFER_BYTES + dp_get_u32(row + DP_MAP_A));
}

static uint32_t marks_bytes(const uint8_t *row)
{
	return round_up(dp_get_u16(row + DP_MAP_PLACES) * (uint32_t)sizeof(uint16_t));
}

static uint32_t entries_bytes(const uint8_t *row)
{
	uint32_t words = row[DP_MAP_KEYS] + (uint32_t)row[DP_MAP_VALUES];

	return round_up(dp_get_u16(row + DP_MAP_PLACES) * words * (uint32_t)sizeof(dp_word));
}

uint32_t dp_maps_bytes(const uint8_t *rows, unsigned count)
{
	uint32_t bytes = round_up(count * (uint32_t)sizeof(struct dp_map));

	for (; count-- > 0; rows += DP_MAP_BYTES)
		if (has_entries(rows[DP_MAP_KIND]))
			bytes += marks_bytes(rows) + entries_bytes(rows) + buffers_bytes(rows);
	return bytes;
}

static void read_row(const uint8_t *row, struct dp_map *map)
{
	map->kind = row[DP_MAP_KIND];
	map->flags = row[DP_MAP_FLAG_BITS];
	map->keys = row[DP_MAP_KEYS];
	map->values = row[DP_MAP_VALUES];
	map->places = dp_get_u16(row + DP_MAP_PLACES);
	map->of = row[DP_MAP_OF];
	map->at = row[DP_MAP_AT];
	map->a = dp_get_u32(row + DP_MAP_A);
	map->b = dp_get_u32(row + DP_MAP_B);
	map->c = dp_get_u32(row + DP_MAP_C);
}

void dp_maps_place(const uint8_t *rows, unsigned count, struct dp_map *maps)
{
	uint32_t at = round_up(count * (uint32_t)sizeof(struct dp_map));
	struct dp_map *map = maps;

	for (; count-- > 0; rows += DP_MAP_BYTES, map++) {
		read_row(rows, map);
		if (!has_entries(map->kind))
			continue;
		map->marks = at;
		at += marks_bytes(rows);
		map->entries = at;
		at += entries_bytes(rows);
		if (!DP_SPECULATES || map->kind != DP_MAP_SPECULATION)
			continue;
		*(uint16_t *)(void *)((uint8_t *)maps + map->marks) = DP_MAP_USED;
		map->c = at;
		at += buffers_bytes(rows);
	}
}
