/* SPDX-License-Identifier: BSD-2-Clause */
/* Speculations: records that wait in buffers of the program until a handler commits or discards
 * them. The host compiles this code for each word size, as the interpreter. PROTOCOL.md 2.6 */
#ifndef DP_SPEC_H
#define DP_SPEC_H

#include "dp_map.h"
#include "dp_object.h"

#define dp_spec_step   DP_VM_NAME(dp_spec_step)
#define dp_spec_oldest DP_VM_NAME(dp_spec_oldest)
#define dp_spec_pass   DP_VM_NAME(dp_spec_pass)

#if DP_SPECULATES
enum dp_spec_state {
	DP_SPEC_FREE,
	DP_SPEC_OPEN,
	DP_SPEC_COMMITTED
};

/* A buffer; its bytes lie behind it. Positions count bytes, modulo 2^16. A record is a head of
 * DP_SPEC_HEAD_BYTES and its data, both in units of 4 bytes, which go round at the end. */
struct dp_spec_buffer {
	uint16_t state;   /* enum dp_spec_state */
	uint16_t records; /* from `tail` to `head` */
	uint16_t tail, head;
};

/* A record of a committed buffer. Its data are in two parts where they go round. */
struct dp_spec_record {
	uint8_t probe;  /* its number */
	uint16_t bytes; /* of data */
	uint64_t ticks;
	const uint8_t *part[2];
	uint16_t part_bytes[2];
};

/* The number of buffers of the map. */
static inline unsigned dp_spec_buffers(const struct dp_map *map)
{
	return map->kind == DP_MAP_SPECULATION ? map->b & 0xff : 0;
}

/* Buffer `index` of the map; maps: of the program. */
static inline struct dp_spec_buffer *dp_spec_buffer(struct dp_map *maps, const struct dp_map *map,
						    unsigned index)
{
	uint8_t *first = (uint8_t *)maps + map->c;

	return (struct dp_spec_buffer *)(void *)(first + index * (DP_SPEC_BUFFER_BYTES + map->a));
}

/* Execute an instruction of the part SPECULATE with the map of that index. */
enum dp_next dp_spec_step(struct dp_run *run, unsigned op, unsigned index);

/* The oldest record of the buffer. context: interrupts masked, or HIT.
 * returns: false: the buffer is not committed. */
bool dp_spec_oldest(const struct dp_map *map, const struct dp_spec_buffer *buffer,
		    struct dp_spec_record *record);
/* Drop the oldest record of the committed buffer, which is free behind its last one. */
void dp_spec_pass(const struct dp_map *map, struct dp_spec_buffer *buffer);
#else
static inline enum dp_next dp_spec_step(struct dp_run *run, unsigned op, unsigned index)
{
	(void)run, (void)op, (void)index;
	return DP_NEXT_GO;
}
#endif

#endif
