/* SPDX-License-Identifier: BSD-2-Clause */
/* The timeline of a picture: a lane for each track, with its slices and instants. Slices too short
 * to be seen become one, so that the memory does not grow with the capture. */
#ifndef DPH_SVG_TIMELINE_H
#define DPH_SVG_TIMELINE_H

#include "tracks.h"

#include <stdio.h>

enum {
	DPH_LANE_DEPTH = 4 /* slices inside one another that are drawn */
};

struct dph_lane {
	enum dph_track_kind kind;
	char *name;
	size_t depth, deepest;
	uint64_t begin[DPH_LANE_DEPTH];
	size_t function[DPH_LANE_DEPTH];
	size_t latest[DPH_LANE_DEPTH + 1]; /* item, while items are joined; instants are last */
};

struct dph_span {
	size_t lane, depth, name;
	uint64_t begin, end; /* of an instant: equal */
	unsigned long times; /* spans that became this one */
};

struct dph_timeline {
	struct dph_lane *lanes;
	size_t lane_count, lane_room;
	struct dph_span *spans;
	size_t span_count, span_room;
	struct dph_interned names;
	uint64_t first, latest;
	bool any; /* something has come */
};

void dph_timeline_track(struct dph_timeline *timeline, enum dph_track_kind kind, const char *name);
void dph_timeline_begin(struct dph_timeline *timeline, size_t track, uint64_t ns, const char *name);
void dph_timeline_end(struct dph_timeline *timeline, size_t track, uint64_t ns);
void dph_timeline_instant(struct dph_timeline *timeline, size_t track, uint64_t ns,
			  const char *name);
/* End the open slices. Returns the height of the picture's part; 0: there is nothing to draw. */
double dph_timeline_close(struct dph_timeline *timeline);
void dph_timeline_draw(const struct dph_timeline *timeline, FILE *out, double y);
void dph_timeline_free(struct dph_timeline *timeline);

#endif
