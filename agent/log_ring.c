/* SPDX-License-Identifier: BSD-2-Clause */
/* The log ring: binary records, written in a hit, turned to hex when they are sent. The head of a
 * record is the struct as it is. */
#include "dp_core.h"

enum {
	HEAD_BYTES = sizeof(struct dp_record),
	VOID = 0xff /* kind: not to be sent */
};

/* At the head of the ring, and in place. */
static void ring_write(struct dp_ring *ring, uint32_t at, const void *from, unsigned count)
{
	const uint8_t *f = from;

	while (count-- > 0)
		ring->bytes[at++ & (DP_RING_BYTES - 1)] = *f++;
}

static void read_head(const struct dp_ring *ring, uint32_t at, struct dp_record *record)
{
	uint8_t *t = (uint8_t *)record;

	for (unsigned i = 0; i < HEAD_BYTES; i++)
		t[i] = ring->bytes[at++ & (DP_RING_BYTES - 1)];
}

bool dp_ring_begin(struct dp_ring *ring, const struct dp_record *record)
{
	if (HEAD_BYTES + (uint32_t)record->bytes > DP_RING_BYTES - (ring->head - ring->tail)) {
		ring->dropped++;
		return false;
	}
	dp_ring_put(ring, record, HEAD_BYTES);
	return true;
}

void dp_ring_put(struct dp_ring *ring, const void *bytes, unsigned count)
{
	ring_write(ring, ring->head, bytes, count);
	ring->head += count;
}

void dp_ring_commit(struct dp_ring *ring)
{
	ring->committed = ring->head;
}

void dp_ring_abort(struct dp_agent *agent)
{
	struct dp_ring *ring = &agent->ring;
	uint32_t at = ring->committed;

	while (at != ring->head) {
		struct dp_record record;

		read_head(ring, at, &record);

		if (agent->probe[record.probe].logonfault)
			record.flags |= DP_RECORD_FAULTED;
		else
			record.kind = VOID;
		ring_write(ring, at, &record, HEAD_BYTES);
		at += HEAD_BYTES + (uint32_t)record.bytes;
	}
	dp_ring_commit(ring);
}

bool dp_ring_peek(struct dp_ring *ring, struct dp_record *record)
{
	while (ring->tail != ring->committed) {
		read_head(ring, ring->tail, record);
		if (record->kind != VOID)
			return true;
		ring->tail += HEAD_BYTES + (uint32_t)record->bytes;
	}
	return false;
}

uint8_t dp_ring_byte(const struct dp_ring *ring, unsigned index)
{
	return ring->bytes[(ring->tail + HEAD_BYTES + index) & (DP_RING_BYTES - 1)];
}

void dp_ring_next(struct dp_ring *ring, const struct dp_record *record)
{
	ring->tail += HEAD_BYTES + (uint32_t)record->bytes;
	ring->sent++;
}
