/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations are read as a whole: the totals keep what was taken from the target. */
#include "aggs.h"

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
	return true;
}
