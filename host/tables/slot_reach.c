/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparison of slots and text with the reach of the CPU: DP_REACH of port/ports.def. */
#include "slot_reach.h"

#include "dp_object.h"

#include <stddef.h>

static const struct {
	unsigned cpu;
	uint64_t distance, region;
} rows[] = {
#define DP_REACH(distance, region) {DP_ROWS_OF, distance, region},
#include "ports.def"
};

/* Bytes between the two addresses that are farthest apart. */
static uint64_t farthest(struct dph_span a, struct dph_span b)
{
	const uint64_t first = a.first < b.first ? a.first : b.first;
	const uint64_t last = a.last > b.last ? a.last : b.last;

	return last - first;
}

bool dph_slots_reach(unsigned cpu, struct dph_span slots, struct dph_span text)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].cpu != cpu)
			continue;
		if (rows[i].distance != 0 && farthest(slots, text) >= rows[i].distance)
			return false;
		if (rows[i].region != 0 &&
		    slots.first / rows[i].region != text.last / rows[i].region)
			return false;
		return rows[i].region == 0 ||
		       slots.last / rows[i].region == text.first / rows[i].region;
	}
	return true;
}
