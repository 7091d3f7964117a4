/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of the flight recorder: whatever its bytes are, the intact records lie in the ring, have
 * the right check, share no byte, and can be printed. Input: u8 target and repairs, u32 position
 * behind the newest record, u8 bytes that came meanwhile, then the ring, filled up with zeros. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_flight_ring.h"
#include "stream/flight.h"

enum {
	SIZE = 1024,
	HEAD = 6
};

#define REQUIRE(what) ((what) ? (void)0 : abort())

static unsigned told;

static void on_record(void *context, const struct dp_log_record *record)
{
	REQUIRE(record->bytes <= SIZE);
	dp_print_record(context, record);
	told++;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	dp_print_gap(context, gap);
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context, (void)notice;
}

static void meaning(void *context, const struct dph_flight_record *record,
		    struct dp_probe_meaning *of)
{
	(void)context;
	of->known = true;
	of->items = record->items;
	of->point = record->point;
}

/* A search finds no check by chance: give each record with a right position the right check. */
static void repair(uint8_t *ring)
{
	for (uint32_t at = 0; at + DP_FLIGHT_HEAD_BYTES <= SIZE; at += 4) {
		uint8_t *p = ring + at;
		const uint32_t body = dp_get_u16(p + DP_FLIGHT_LENGTH);

		if (dp_get_u32(p + DP_FLIGHT_AT) % SIZE == at &&
		    body <= SIZE - at - DP_FLIGHT_HEAD_BYTES)
			dp_put_u32(p + DP_FLIGHT_CHECK, dp_crc32(dp_crc32(0, p, DP_FLIGHT_CHECK),
								 p + DP_FLIGHT_HEAD_BYTES, body));
	}
}

static void check(const struct dph_flight_bytes *ring, const struct dph_flight *found)
{
	for (size_t i = 0; i < found->count; i++) {
		const struct dph_flight_record *r = &found->list[i];
		const uint32_t place = r->at % SIZE;

		REQUIRE(r->body == ring->bytes + place + DP_FLIGHT_HEAD_BYTES);
		REQUIRE(place + r->whole <= SIZE);
		const struct dph_flight_record *before = i == 0 ? NULL : r - 1;

		REQUIRE(before == NULL ||
			dp_flight_before(dp_flight_behind(before->at, before->whole), r->at) >= 0);
		REQUIRE(dp_flight_before(dp_flight_behind(r->at, r->whole), ring->end) >= 0);
		REQUIRE(dp_flight_before(r->at, ring->latest) <= SIZE);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[SIZE];
	static FILE *null;
	struct dph_flight_bytes ring = {.bytes = bytes, .size = SIZE};
	struct dph_flight found;

	if (size < HEAD)
		return 0;
	if (null == NULL)
		null = fopen("/dev/null", "we");
	memset(bytes, 0, sizeof bytes);
	memcpy(bytes, data + HEAD, size - HEAD < SIZE ? size - HEAD : SIZE);
	if (data[0] & 1)
		repair(bytes);
	ring.end = dp_get_u32(data + 1);
	ring.latest = dp_flight_behind(ring.end, data[5] * 4u);
	dph_flight_find(&ring, &found);
	check(&ring, &found);
	struct dp_record_style style = {.out = null, .word_bytes = data[0] & 2 ? 8 : 4};
	const struct dp_records_listener listener = {&style, on_record, on_gap, on_notice};

	told = 0;
	REQUIRE(dph_flight_tell(found.list, found.count, style.word_bytes, data[0] & 4, &listener,
				meaning));
	REQUIRE(told <= found.count);
	dph_flight_free(&found);
	return 0;
}
