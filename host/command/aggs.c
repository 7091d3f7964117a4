/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations are read as a whole, and printed later: the program may have been removed by then.
 */
#include "aggs.h"

#include "base/pool.h"

#include <stdlib.h>

struct dph_aggs {
	struct dp_map_entries *list; /* of each aggregation */
	size_t count;
};

static size_t aggregation_count(const struct dp_formats *formats)
{
	struct dp_aggregation_info info;
	unsigned count = 0;

	while (formats != NULL && dp_formats_aggregation(formats, count, &info))
		count++;
	return count;
}

bool dph_aggs_read(struct dp_session *session, uint8_t program, const struct dp_formats *formats,
		   struct dph_aggs **aggs)
{
	const size_t count = aggregation_count(formats);

	*aggs = NULL;
	if (count == 0)
		return true;
	*aggs = dph_malloc(sizeof **aggs);
	(*aggs)->list = dph_malloc(count * sizeof *(*aggs)->list);
	for (; (*aggs)->count < count; (*aggs)->count++) {
		struct dp_map_entries *entries = &(*aggs)->list[(*aggs)->count];
		struct dp_aggregation_info info = {0};

		dp_formats_aggregation(formats, (unsigned)(*aggs)->count, &info);
		entries->each = info.words;
		if (!dp_session_map(session, program, info.map, DP_MAP_LOOK, entries)) {
			dp_map_entries_free(entries); /* a part is no table */
			return false;
		}
	}
	return true;
}

void dph_aggs_tell(const struct dph_aggs *aggs, const struct dp_formats *formats,
		   struct dp_sink *sink)
{
	for (size_t i = 0; aggs != NULL && i < aggs->count; i++)
		dp_formats_tell_aggregation(formats, (unsigned)i, aggs->list[i].words,
					    aggs->list[i].count, aggs->list[i].dropped, sink);
}

void dph_aggs_free(struct dph_aggs *aggs)
{
	if (aggs == NULL)
		return;
	for (size_t i = 0; i < aggs->count; i++)
		dp_map_entries_free(&aggs->list[i]);
	free(aggs->list);
	free(aggs);
}
