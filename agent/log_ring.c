/* SPDX-License-Identifier: BSD-2-Clause */
/* The log ring: binary records, written in a hit, turned to hex when they are sent. */
#include "dp_core.h"
#include "dp_memory.h"

_Static_assert(sizeof(struct dp_log_head) == 16, "the head is copied as it is");

static void ring_write(struct dp_ring *ring, uint32_t at, const void *from, uint16_t count)
{
	const uint8_t *f = from;

	while (count-- > 0)
		ring->bytes[at++ & (DP_RING_BYTES - 1)] = *f++;
}

static void ring_read(const struct dp_ring *ring, uint32_t at, void *to, uint16_t count)
{
	uint8_t *t = to;

	while (count-- > 0)
		*t++ = ring->bytes[at++ & (DP_RING_BYTES - 1)];
}

bool dp_ring_begin(struct dp_ring *ring, const struct dp_log_head *head)
{
	uint32_t need = sizeof(*head) + head->bytes;

	if (need > DP_RING_BYTES - (ring->head - ring->tail)) {
		ring->dropped++;
		return false;
	}
	ring_write(ring, ring->head, head, sizeof(*head));
	ring->head += sizeof(*head);
	return true;
}

void dp_ring_put(struct dp_ring *ring, const void *bytes, uint16_t count)
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
		struct dp_log_head head;

		ring_read(ring, at, &head, sizeof(head));
		if (agent->probe[head.probe].logonfault) {
			head.flags |= DP_RECORD_FAULTED;
		} else {
			head.state = DP_LOG_VOID;
		}
		ring_write(ring, at, &head, sizeof(head));
		at += (uint32_t)sizeof(head) + head.bytes;
	}
	ring->committed = ring->head;
}

bool dp_ring_peek(struct dp_ring *ring, struct dp_log_head *head)
{
	while (ring->tail != ring->committed) {
		ring_read(ring, ring->tail, head, sizeof(*head));
		if (head->state != DP_LOG_VOID)
			return true;
		ring->tail += (uint32_t)sizeof(*head) + head->bytes;
	}
	return false;
}

uint8_t dp_ring_byte(const struct dp_ring *ring, uint16_t index)
{
	return ring->bytes[(ring->tail + sizeof(struct dp_log_head) + index) & (DP_RING_BYTES - 1)];
}

void dp_ring_next(struct dp_ring *ring)
{
	struct dp_log_head head;

	ring_read(ring, ring->tail, &head, sizeof(head));
	ring->tail += (uint32_t)sizeof(head) + head.bytes;
}
