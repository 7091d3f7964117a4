/* SPDX-License-Identifier: BSD-2-Clause */
/* The log ring: binary records, from a hit to the transmitter. */
#ifndef DP_LOG_RING_H
#define DP_LOG_RING_H

#include "dp_state.h"

/* The ring is an array of bytes, and the head of a record in the ring is accessed as a struct.
 * With writer and reader in one view (LTO), the compiler could assume that the accesses never
 * meet. The compiler could also move accesses past the index that hands a record over. No access
 * moves past this barrier. */
static inline void dp_ring_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* Append a record with room for a body of `bytes`. returns: its head, of which only `bytes` is set;
 * null (and counted) when it does not fit. */
struct dp_record *dp_ring_begin(struct dp_ring *ring, unsigned bytes);
/* Where the body of a record just begun goes, for dp_ring_put. */
static inline uint32_t dp_ring_body(const struct dp_ring *ring, const struct dp_record *record)
{
	return (uint32_t)((const uint8_t *)(record + 1) - ring->bytes);
}
/* Write a piece of a body. returns: where the next one goes. */
uint32_t dp_ring_put(struct dp_ring *ring, uint32_t at, const void *bytes, unsigned count);
static inline void dp_ring_commit(struct dp_ring *ring)
{
	dp_ring_barrier();
	ring->committed = ring->head;
}
/* The displaced instruction faulted: void the uncommitted records, except records of probes with
 * logonfault. */
void dp_ring_abort(struct dp_agent *agent);

/* The first record behind *at that is not void, where it stands in the ring; null: there is none.
 * Sets *at to its place. A reader that a hit has overtaken reads bytes of newer records. */
const struct dp_record *dp_ring_peek(const struct dp_ring *ring, uint32_t *at);
/* Of the body of the record at that place. */
uint8_t dp_ring_byte(const struct dp_ring *ring, uint32_t at, unsigned index);
/* returns: the place behind the record at that place. */
uint32_t dp_ring_behind(uint32_t at, const struct dp_record *record);

#endif
