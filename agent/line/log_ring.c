/* SPDX-License-Identifier: BSD-2-Clause */
/* The log ring: binary records, written in a hit, converted to hex when they are sent. The head
 * of a record is the struct as it is. Head and body begin at words. */
#include "dp_log_ring.h"

#include "dp_lock.h"

enum {
	DP_MASK = DP_RING_BYTES - 1
};

/* From and to multiples of 4. */
static uint32_t put_units(struct dp_ring *ring, uint32_t at, const void *units, unsigned bytes)
{
	const dp_ring_unit *from = units;

	for (; bytes > 0; bytes -= 4, at += 4)
		*(dp_ring_unit *)(void *)&ring->bytes[at & DP_MASK] = *from++;
	return at;
}

uint32_t dp_ring_put(struct dp_ring *ring, uint32_t at, const void *bytes, unsigned count)
{
	const uint8_t *f = bytes;

	if (((at | (uintptr_t)f) & 3) == 0) {
		unsigned units = count & ~3u;

		at = put_units(ring, at, f, units);
		f += units;
		count -= units;
	}
	while (count-- > 0)
		ring->bytes[at++ & DP_MASK] = *f++;
	return at;
}

void dp_ring_void(struct dp_ring *ring, uint32_t at, unsigned probe)
{
	uint32_t behind = at;
	struct dp_record *record = dp_ring_new_head(ring, at);

	do {
		record->kind = DP_RING_VOID;
		behind = dp_ring_behind(behind, record);
		record = dp_ring_new_head(ring, behind);
	} while (DP_WITH_LANGUAGE && behind != ring->committed && record->probe == probe &&
		 record->kind == DP_RECORD_TRACE);
	if (behind == ring->head) /* void ones at the end would take room until the next record */
		ring->head = ring->committed = at;
}

const struct dp_record *dp_ring_peek(const struct dp_ring *ring, uint32_t *at)
{
	while ((int32_t)(dp_ring_committed(ring) - *at) > 0) {
		const struct dp_record *head = dp_ring_head(ring, *at);

		dp_ring_barrier();
		if (head->kind != DP_RING_VOID)
			return head;
		*at = dp_ring_behind(*at, head);
	}
	return NULL;
}

uint32_t dp_ring_end(const struct dp_ring *ring)
{
	const struct dp_record *record;
	dp_irq irq = dp_lock_take(); /* a hit may send records */
	uint32_t number = ring->next.number, at = ring->next.at;

	dp_lock_give(irq);
	for (; (record = dp_ring_peek(ring, &at)); number++)
		at = dp_ring_behind(at, record);
	return number;
}
