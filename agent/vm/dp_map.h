/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps are tables of a program that its handlers fill and the host reads. Open addressing: an entry
 * is at the home of its key or at one of the next places, without a free place in between. The host
 * compiles this code for each word size, as the interpreter. PROTOCOL.md 2.3 */
#ifndef DP_MAP_H
#define DP_MAP_H

#include "dp_run.h"

#define dp_maps_bytes DP_VM_NAME(dp_maps_bytes)
#define dp_maps_place DP_VM_NAME(dp_maps_place)
#define dp_map_step   DP_VM_NAME(dp_map_step)
#define dp_map_remove DP_VM_NAME(dp_map_remove)
#define dp_map_close  DP_VM_NAME(dp_map_close)
#define dp_map_bucket DP_VM_NAME(dp_map_bucket)
#define dp_map_find   DP_VM_NAME(dp_map_find)
#define dp_map_count  DP_VM_NAME(dp_map_count)

/* A map of an installed program: its row of the section MAPS as numbers. */
struct dp_map {
	uint8_t kind, flags, keys, values; /* DP_MAP_*; the last two in words */
	uint8_t of, at;                    /* VIEW */
	uint16_t places;
	/* SCALE. SPECULATION: a and b; c: bytes from the first map to the buffers. */
	uint32_t a, b, c;
	uint32_t dropped; /* updates that found no place */
	/* Bytes from the program's first map to the marks of the places and to their entries. Mark
	 * 0: the place is free; DP_MAP_GAP: its entry was taken; else DP_MAP_USED and 15 bits of
	 * the key's hash. */
	uint32_t marks, entries;
};
enum {
	DP_MAP_GAP = 1, /* entries behind it may be at home before it: it is not free yet */
	DP_MAP_USED = 0x8000
};

/* The bytes that `count` rows of a checked section MAPS need on the target. */
uint32_t dp_maps_bytes(const uint8_t *rows, unsigned count);
/* Fill in the maps at `maps`: 8-byte aligned, dp_maps_bytes long, cleared. */
void dp_maps_place(const uint8_t *rows, unsigned count, struct dp_map *maps);

/* Places, marks and entries of a map. A view has those of its array. */
struct dp_map_storage {
	const struct dp_map *map;
	uint16_t *mark;
	dp_word *entry;
	unsigned mask, words; /* places - 1; words of an entry */
};
void dp_map_find(struct dp_map_storage *in, struct dp_map *maps, const struct dp_map *map);

/* Close a gap: let it change places with an entry behind it that may move there, or free the place.
 * Between two steps handlers may use the map. looks: the places that were looked at are added.
 * context: interrupts masked, or HIT. returns: whether there is still a gap, at *place then. */
bool dp_map_close(const struct dp_map_storage *in, unsigned *place, unsigned *looks);
/* Free a place that has an entry. Returns the places that it looked at. */
unsigned dp_map_remove(const struct dp_map_storage *in, unsigned place);

/* Execute `push map`, `pop map`, `add map` or `bucket` with the map of that index. */
enum dp_next dp_map_step(struct dp_run *run, unsigned op, unsigned index);

/* Count as `add map` does, where the map COUNT has an entry of the keys. returns: false: there is
 * none, and nothing has changed. */
bool dp_map_count(struct dp_map *maps, unsigned index, const dp_word *keys);

/* rpn_bucket.c: the bucket of a value; is_signed: the value's sign counts. */
dp_word dp_map_bucket(const struct dp_map *scale, uint64_t value, bool is_signed);

#endif
