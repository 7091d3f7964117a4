/* SPDX-License-Identifier: BSD-2-Clause */
/* The search takes the newest records first: bytes of an older round that look like a record lie in
 * one of them, or are older than the ring reaches. */
#include "flight.h"

#include "dp_flight_ring.h"
#include "record_out.h"

#include <stdlib.h>
#include <string.h>

/* --- one record --- */

/* Is there an intact record at the place, that the firmware has not overwritten since? */
static bool is_intact(const struct dph_flight_bytes *ring, uint32_t place)
{
	const uint32_t at = dp_get_u32(ring->bytes + place + DP_FLIGHT_AT);
	const uint32_t bytes = dp_flight_intact(ring->bytes, ring->size, place);

	return bytes != 0 && dp_flight_before(dp_flight_behind(at, bytes), ring->end) >= 0 &&
	       dp_flight_before(at, ring->latest) <= (int32_t)ring->size;
}

static void read_record(const uint8_t *p, struct dph_flight_record *r)
{
	*r = (struct dph_flight_record){
		.at = dp_get_u32(p + DP_FLIGHT_AT),
		.program = dp_get_u32(p + DP_FLIGHT_PROGRAM),
		.boot = dp_get_u16(p + DP_FLIGHT_BOOT),
		.point = p[DP_FLIGHT_POINT],
		.items = p[DP_FLIGHT_ITEMS],
		.ticks = (uint64_t)dp_get_u16(p + DP_FLIGHT_TICKS_HIGH) << 32 |
			 dp_get_u32(p + DP_FLIGHT_TICKS),
		.head = {.kind = p[DP_FLIGHT_KIND],
			 .flags = p[DP_FLIGHT_FLAGS],
			 .probe = (uint8_t)dp_get_u16(p + DP_FLIGHT_NUMBER),
			 .major = dp_get_u16(p + DP_FLIGHT_MAJOR),
			 .minor = dp_get_u16(p + DP_FLIGHT_MINOR),
			 .ticks = dp_get_u32(p + DP_FLIGHT_TICKS),
			 .bytes = dp_get_u16(p + DP_FLIGHT_LENGTH)},
		.body = p + DP_FLIGHT_HEAD_BYTES,
	};
	r->whole = dp_flight_whole(r->head.bytes);
}

/* --- all --- */

static int newest_first(const void *a, const void *b)
{
	const struct dph_flight_record *x = a, *y = b;

	return x->at == y->at ? 0 : dp_flight_before(x->at, y->at) > 0 ? 1 : -1;
}

static void collect(const struct dph_flight_bytes *ring, struct dph_flight *flight)
{
	/* one a place: copies of records may lie in the bodies of others */
	flight->list = calloc(ring->size / 4, sizeof *flight->list);
	for (uint32_t place = 0; flight->list != NULL && place + DP_FLIGHT_HEAD_BYTES <= ring->size;
	     place += 4)
		if (is_intact(ring, place))
			read_record(ring->bytes + place, &flight->list[flight->count++]);
}

/* Leave out what overlaps a newer record, and put the oldest first. */
static void put_in_order(struct dph_flight *flight)
{
	size_t kept = 0;

	if (flight->count == 0)
		return;
	qsort(flight->list, flight->count, sizeof *flight->list, newest_first);
	for (size_t i = 0; i < flight->count; i++) {
		const struct dph_flight_record *r = &flight->list[i];

		if (kept == 0 || dp_flight_before(dp_flight_behind(r->at, r->whole),
						  flight->list[kept - 1].at) >= 0)
			flight->list[kept++] = *r;
	}
	flight->count = kept;
	for (size_t i = 0; i < kept / 2; i++) {
		const struct dph_flight_record other = flight->list[i];

		flight->list[i] = flight->list[kept - 1 - i];
		flight->list[kept - 1 - i] = other;
	}
}

static void note_gap(struct dph_flight *flight, uint32_t at, uint32_t bytes, size_t behind)
{
	if (flight->gaps++ == 0) {
		flight->gap_at = at;
		flight->gap_behind = behind;
	}
	flight->gap_bytes += bytes;
}

/* A record that does not fit before the end of the ring begins at the next round. */
static bool is_rest_of_round(uint32_t size, uint32_t at, const struct dph_flight_record *next)
{
	const int32_t left = dp_flight_before(at, next->at);

	return next->at % size == 0 && left >= 0 && left < (int32_t)size &&
	       left < (int32_t)next->whole;
}

static void find_gaps(const struct dph_flight_bytes *ring, struct dph_flight *flight)
{
	uint32_t at = ring->size; /* where the records of a cleared ring begin */

	flight->older = ring->latest - ring->size > ring->size;
	for (size_t i = 0; i < flight->count; i++) {
		const struct dph_flight_record *r = &flight->list[i];

		if (r->at != at && !is_rest_of_round(ring->size, at, r) &&
		    (i > 0 || !flight->older))
			note_gap(flight, at, (uint32_t)dp_flight_before(at, r->at), i);
		at = dp_flight_behind(r->at, r->whole);
	}
	if (flight->count > 0 && at != ring->end)
		note_gap(flight, at, (uint32_t)dp_flight_before(at, ring->end), flight->count);
}

/* Does the place have the position of the record that would begin there? */
static bool begins(const struct dph_flight_bytes *ring, uint32_t at)
{
	return at % ring->size + DP_FLIGHT_HEAD_BYTES <= ring->size &&
	       dp_get_u32(ring->bytes + at % ring->size + DP_FLIGHT_AT) == at;
}

void dph_flight_find(const struct dph_flight_bytes *ring, struct dph_flight *flight)
{
	*flight = (struct dph_flight){0};
	if (ring->size < DP_FLIGHT_HEAD_BYTES || (ring->size & (ring->size - 1)) != 0)
		return;
	collect(ring, flight);
	put_in_order(flight);
	find_gaps(ring, flight);
	flight->begun =
		ring->end == ring->latest &&
		(begins(ring, ring->end) ||
		 begins(ring, dp_flight_behind(ring->end, ring->size - ring->end % ring->size)));
}

void dph_flight_free(struct dph_flight *flight)
{
	free(flight->list);
	*flight = (struct dph_flight){0};
}

/* --- telling --- */

static struct dph_kept *keep(const struct dph_flight_record *r)
{
	struct dph_kept *kept = malloc(sizeof *kept + r->head.bytes);

	if (kept == NULL)
		return NULL;
	*kept = (struct dph_kept){.head = r->head, .told = DPH_TOLD_WHOLE, .time = r->ticks};
	memcpy(kept->body, r->body, r->head.bytes);
	return kept;
}

bool dph_flight_tell(const struct dph_flight_record *list, size_t count, unsigned word_bytes,
		     bool big_endian, const struct dp_records_listener *listener,
		     dph_flight_meaning *meaning)
{
	struct dph_kept *kept = NULL;
	struct dph_out *out = calloc(1, sizeof *out);

	if (out == NULL)
		return false;
	*out = (struct dph_out){
		.word_bytes = word_bytes, .big_endian = big_endian, .listener = *listener};
	for (size_t i = 0; i < count && (kept = keep(&list[i])) != NULL; i++) {
		struct dp_probe_meaning *of = &out->meanings[list[i].head.probe];

		*of = (struct dp_probe_meaning){0};
		meaning(listener->context, &list[i], of);
		dph_out_record(out, 0, kept, false);
		dph_out_release(out, 0);
	}
	dph_out_free(out);
	free(out);
	return count == 0 || kept != NULL;
}
