/* SPDX-License-Identifier: BSD-2-Clause */
/* The log ring: binary records, from a hit to the transmitter. */
#ifndef DP_LOG_RING_H
#define DP_LOG_RING_H

#include "dp_line_state.h"
#include "dp_memory.h"

/* The ring is an array of bytes, and the head of a record in the ring is accessed as a struct.
 * With writer and reader in one view (LTO), the compiler could assume that the accesses never
 * meet. The compiler could also move accesses past the index that hands a record over. No access
 * moves past this barrier. */
static inline void dp_ring_barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

/* What head and body of a record consist of. */
typedef uint32_t __attribute__((may_alias)) dp_ring_unit;
enum {
	DP_WORD_UNITS = DP_WORD_BITS / 32 /* of a dp_word */
};

/* Does the next record end before the end of the ring, so that its body is in one part? */
static inline bool dp_ring_has_whole(const struct dp_ring *ring, unsigned bytes)
{
	return (ring->head & (DP_RING_BYTES - 1)) + bytes <= DP_RING_BYTES - DP_RING_HEAD;
}

enum {
	DP_RING_VOID = 0xff /* kind: not to be sent */
};
/* The head at the place, for a writer. */
static inline struct dp_record *dp_ring_new_head(struct dp_ring *ring, uint32_t at)
{
	return (struct dp_record *)(void *)(ring->bytes + (at & (DP_RING_BYTES - 1)));
}

/* Take room for a record at the head of the ring. bytes: of the body, a multiple of 4. returns: the
 * head of the record, of which nothing is set; null when the record does not fit. Inlined: 14
 * instructions less for a hit that logs words (Cortex-A9). */
static inline __attribute__((__always_inline__)) struct dp_record *
dp_ring_take(struct dp_ring *ring, unsigned bytes)
{
	uint32_t at = ring->head;
	uint8_t *place = ring->bytes + (at & (DP_RING_BYTES - 1));

	at += DP_RING_HEAD + bytes;
	if (at - ring->kept > DP_RING_BYTES)
		return NULL;
	ring->head = at;
	return (struct dp_record *)(void *)place;
}

/* Where the body of a record just begun goes, for dp_ring_put. */
static inline uint32_t dp_ring_body(const struct dp_ring *ring, const struct dp_record *record)
{
	return (uint32_t)((const uint8_t *)(record + 1) - ring->bytes);
}

/* Write a piece of a body. returns: where the next one goes. */
uint32_t dp_ring_put(struct dp_ring *ring, uint32_t at, const void *bytes, unsigned count);

/* Write a word of a body, which begins at a unit. */
static inline void dp_ring_set_word(dp_ring_unit *to, dp_word value)
{
	const union {
		dp_word word;
		uint32_t unit[DP_WORD_UNITS];
	} ordered = {.word = DP_ORDER_WORD(value)};

	for (unsigned i = 0; i < DP_WORD_UNITS; i++)
		to[i] = ordered.unit[i];
}

/* Records up to the head are whole: dp_poll may send them, also on another CPU. */
static inline void dp_ring_commit(struct dp_ring *ring)
{
	dp_ring_barrier();
	if (DP_PORT_CPUS > 1)
		__atomic_store_n(&ring->committed, ring->head, __ATOMIC_RELEASE);
	else
		ring->committed = ring->head;
}

/* Where the whole records end. What is read of them is read after this. */
static inline uint32_t dp_ring_committed(const struct dp_ring *ring)
{
	if (DP_PORT_CPUS > 1)
		return __atomic_load_n(&ring->committed, __ATOMIC_ACQUIRE);
	return ring->committed;
}
/* Void the log record of the probe at the place, which waits to be sent, and the traces of its hit.
 */
void dp_ring_void(struct dp_ring *ring, uint32_t at, unsigned probe);

/* The first record behind *at that is not void, where it stands in the ring; null: there is none.
 * Sets *at to its place. A reader that a hit has overtaken reads bytes of newer records. */
const struct dp_record *dp_ring_peek(const struct dp_ring *ring, uint32_t *at);
/* The head at the place. A head may run past the end of the ring, into the room there, so that no
 * head is in two parts. */
static inline const struct dp_record *dp_ring_head(const struct dp_ring *ring, uint32_t at)
{
	return (const struct dp_record *)(const void *)(ring->bytes + (at & (DP_RING_BYTES - 1)));
}
/* Of the body of the record at `at`: the byte there, and the word, whose index is a multiple of 4.
 */
static inline uint8_t dp_ring_byte(const struct dp_ring *ring, uint32_t at, unsigned index)
{
	return ring->bytes[(at + DP_RING_HEAD + index) & (DP_RING_BYTES - 1)];
}

static inline uint32_t dp_ring_word(const struct dp_ring *ring, uint32_t at, unsigned index)
{
	at = (at + DP_RING_HEAD + index) & (DP_RING_BYTES - 1);
	return DP_ORDER_U32(*(const dp_ring_unit *)(const void *)&ring->bytes[at]);
}
/* returns: the number that the next record will have, when all committed ones have been sent. */
uint32_t dp_ring_end(const struct dp_ring *ring);
/* returns: the place behind the record at that place. */
static inline uint32_t dp_ring_behind(uint32_t at, const struct dp_record *record)
{
	return at + DP_RING_HEAD + ((record->bytes + 3u) & ~3u);
}

#endif
