/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads whole aggregations: the totals keep the counts that were taken from the target.
 */
#include "aggs.h"

#include "recording.h"

#include "dp_object.h"

/* The records and speculations that found no room. */
static bool read_speculation(struct dp_session *session, uint8_t program,
			     struct dp_formats *formats, struct dph_capture *capture)
{
	struct dp_map_entries entries = {.each = DP_MAP_HOLDS_SPECULATION};
	uint8_t map;
	bool good;

	if (!dp_formats_speculation(formats, &map))
		return true;
	good = dp_session_map(session, program, map, DP_MAP_LOOK, &entries) && entries.count == 1;
	if (good) {
		const unsigned first =
			dp_formats_drop_speculation(formats, entries.dropped, entries.words);

		dph_recording_event(capture, DPH_EVENT_DROP, first, entries.dropped);
		dph_recording_event(capture, DPH_EVENT_DROP, first + 1, entries.words[0]);
		dph_recording_event(capture, DPH_EVENT_DROP, first + 2, entries.words[1]);
	}
	dp_map_entries_free(&entries);
	return good;
}

/* The stores of arrays that found no place. */
static bool read_drops(struct dp_session *session, uint8_t program, struct dp_formats *formats,
		       struct dph_capture *capture)
{
	struct dp_array_info info;
	uint32_t dropped;

	for (unsigned i = 0; dp_formats_array(formats, i, &info); i++) {
		if (!dp_session_map_dropped(session, program, info.map, &dropped))
			return false;
		dp_formats_drop(formats, i, dropped);
		dph_recording_event(capture, DPH_EVENT_DROP, i, dropped);
	}
	return read_speculation(session, program, formats, capture);
}

bool dph_aggs_read(struct dp_session *session, uint8_t program, struct dp_formats *formats,
		   enum dp_map_how how, struct dph_capture *capture)
{
	struct dp_aggregation_info info;

	for (unsigned i = 0; formats != NULL && dp_formats_aggregation(formats, i, &info); i++) {
		struct dp_map_entries entries = {.each = info.words};
		bool good;

		if (info.of_host)
			continue;
		good = dp_session_map(session, program, info.map, how, &entries);
		if (good || how != DP_MAP_LOOK) { /* a part that was looked at is no table */
			dp_formats_add(formats, i, entries.words, entries.count, entries.dropped);
			dph_recording_map(capture, i, entries.dropped, &entries);
		}
		dp_map_entries_free(&entries);
		if (!good)
			return false;
	}
	return formats == NULL || read_drops(session, program, formats, capture);
}

bool dph_arrays_tell(struct dp_session *session, uint8_t program, const char *name,
		     const struct dp_formats *formats, struct dp_sink *sink,
		     struct dph_capture *capture)
{
	struct dp_array_info info;

	for (unsigned i = 0; dp_formats_array(formats, i, &info); i++) {
		struct dp_map_entries entries = {.each = info.words};
		const bool good = dp_session_map(session, program, info.map, DP_MAP_LOOK, &entries);

		if (good)
			dph_recording_array(capture, i, &entries);
		if (good)
			dp_formats_tell_array(formats, i, name, entries.words, entries.count, sink);
		dp_map_entries_free(&entries);
		if (!good)
			return false;
	}
	return true;
}
