/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations are read as a whole: the totals keep what was taken from the target. */
#include "aggs.h"

/* The stores of arrays that found no place. */
static bool read_drops(struct dp_session *session, uint8_t program, struct dp_formats *formats)
{
	uint32_t dropped;
	uint8_t map;

	for (unsigned i = 0; dp_formats_array(formats, i, &map); i++) {
		if (!dp_session_map_dropped(session, program, map, &dropped))
			return false;
		dp_formats_drop(formats, i, dropped);
	}
	return true;
}

bool dph_aggs_read(struct dp_session *session, uint8_t program, struct dp_formats *formats,
		   enum dp_map_how how)
{
	struct dp_aggregation_info info;

	for (unsigned i = 0; formats != NULL && dp_formats_aggregation(formats, i, &info); i++) {
		struct dp_map_entries entries = {.each = info.words};
		const bool good = dp_session_map(session, program, info.map, how, &entries);

		if (good || how != DP_MAP_LOOK) /* a part that was looked at is no table */
			dp_formats_add(formats, i, entries.words, entries.count, entries.dropped);
		dp_map_entries_free(&entries);
		if (!good)
			return false;
	}
	return formats == NULL || read_drops(session, program, formats);
}
