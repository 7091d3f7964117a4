/* SPDX-License-Identifier: BSD-2-Clause */
/* Spans of time on lanes. */
#include "svg_timeline.h"

#include "svg_draw.h"

#include "base/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SPANS_MAX = 8000,
	BAR = 14,     /* height of a slice */
	GAP = 6,      /* between two lanes */
	HEADING = 34, /* above the first lane */
	SCALE = 34,   /* below the last one */
	NO_SPAN = -1,
	NAMES_MAX = 10000 /* lines of a console may all differ */
};

static const char *const colours[] = {"#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2",
				      "#edc948", "#9c755f", "#ff9da7", "#86bc86", "#a0cbe8"};

static bool is_lane(const struct dph_lane *lane)
{
	return lane->kind != DPH_TRACK_VALUES;
}

/* --- spans --- */

static bool is_short(const struct dph_span *span, uint64_t least)
{
	return span->end - span->begin < least;
}

/* Make one span of neighbours in a lane that are shorter than a pixel and no farther apart. */
static void join(struct dph_timeline *timeline, uint64_t least)
{
	size_t kept = 0;

	for (size_t i = 0; i < timeline->lane_count; i++)
		for (size_t k = 0; k <= DPH_LANE_DEPTH; k++)
			timeline->lanes[i].latest[k] = (size_t)NO_SPAN;
	for (size_t i = 0; i < timeline->span_count; i++) {
		const struct dph_span span = timeline->spans[i];
		size_t *at = &timeline->lanes[span.lane].latest[span.depth];
		struct dph_span *before = *at != (size_t)NO_SPAN ? &timeline->spans[*at] : NULL;

		if (before != NULL && is_short(&span, least) && before->end >= before->begin &&
		    span.begin < before->end + least && span.end >= before->end &&
		    span.end - before->begin < 2 * least) {
			before->end = span.end;
			before->times += span.times;
			continue;
		}
		*at = kept;
		timeline->spans[kept++] = span;
	}
	timeline->span_count = kept;
}

static void add_span(struct dph_timeline *timeline, const struct dph_span *span)
{
	uint64_t least = (timeline->latest - timeline->first) / (DPH_SVG_RIGHT - DPH_SVG_LEFT);

	for (; timeline->span_count >= SPANS_MAX; least = 2 * least + 1)
		join(timeline, least);
	timeline->spans = dph_grow(timeline->spans, &timeline->span_room, timeline->span_count,
				   sizeof *timeline->spans);
	timeline->spans[timeline->span_count++] = *span;
}

static void see(struct dph_timeline *timeline, uint64_t ns)
{
	if (!timeline->any || ns < timeline->first)
		timeline->first = ns;
	if (!timeline->any || ns > timeline->latest)
		timeline->latest = ns;
	timeline->any = true;
}

/* The number of a name. Behind the most names all new ones have one. */
static size_t name_of(struct dph_timeline *timeline, const char *name)
{
	const size_t found = dph_name_index_find(&timeline->names.index, 0, name);

	if (found != DPH_NAME_NONE)
		return found;
	return dph_intern(&timeline->names, timeline->names.count < NAMES_MAX ? name : "...");
}

/* --- what comes --- */

void dph_timeline_track(struct dph_timeline *timeline, enum dph_track_kind kind, const char *name)
{
	timeline->lanes = dph_grow(timeline->lanes, &timeline->lane_room, timeline->lane_count,
				   sizeof *timeline->lanes);
	timeline->lanes[timeline->lane_count++] =
		(struct dph_lane){.kind = kind, .name = dph_strdup(name), .deepest = 1};
}

void dph_timeline_begin(struct dph_timeline *timeline, size_t track, uint64_t ns, const char *name)
{
	struct dph_lane *lane = &timeline->lanes[track];

	see(timeline, ns);
	if (lane->depth < DPH_LANE_DEPTH) {
		lane->begin[lane->depth] = ns;
		lane->function[lane->depth] = name_of(timeline, name);
	}
	lane->depth++;
	if (lane->depth > lane->deepest)
		lane->deepest = lane->depth < DPH_LANE_DEPTH ? lane->depth : DPH_LANE_DEPTH;
}

void dph_timeline_end(struct dph_timeline *timeline, size_t track, uint64_t ns)
{
	struct dph_lane *lane = &timeline->lanes[track];

	see(timeline, ns);
	if (lane->depth == 0)
		return;
	lane->depth--;
	if (lane->depth < DPH_LANE_DEPTH)
		add_span(timeline,
			 &(struct dph_span){
				 track, lane->depth, lane->function[lane->depth],
				 lane->begin[lane->depth],
				 ns > lane->begin[lane->depth] ? ns : lane->begin[lane->depth], 1});
}

void dph_timeline_instant(struct dph_timeline *timeline, size_t track, uint64_t ns,
			  const char *name)
{
	see(timeline, ns);
	add_span(timeline,
		 &(struct dph_span){track, DPH_LANE_DEPTH, name_of(timeline, name), ns, ns, 1});
}

/* --- the picture --- */

static double height_of(const struct dph_lane *lane)
{
	return (double)lane->deepest * BAR + GAP;
}

double dph_timeline_close(struct dph_timeline *timeline)
{
	double height = 0;

	for (size_t i = 0; i < timeline->lane_count; i++) {
		while (timeline->lanes[i].depth > 0)
			dph_timeline_end(timeline, i, timeline->latest);
		if (is_lane(&timeline->lanes[i]))
			height += height_of(&timeline->lanes[i]);
	}
	return timeline->span_count > 0 ? height + HEADING + SCALE : 0;
}

static double x_of(const struct dph_timeline *timeline, uint64_t ns)
{
	const double span = (double)(timeline->latest - timeline->first);

	return DPH_SVG_LEFT + (span > 0 ? (double)(ns - timeline->first) / span : 0) *
				      (DPH_SVG_RIGHT - DPH_SVG_LEFT);
}

static void draw_span(const struct dph_timeline *timeline, FILE *out, const struct dph_span *span,
		      double y)
{
	const double x = x_of(timeline, span->begin);
	const double width = x_of(timeline, span->end) - x;
	const char *name = timeline->names.names[span->name];
	const size_t fits = width > 30 ? (size_t)(width / 7) : 0;
	char *title = dph_print("%s: %.9f s, %.3f us%s%lu", name, (double)span->begin / 1e9,
				(double)(span->end - span->begin) / 1e3, ", times ", span->times);

	if (span->depth == DPH_LANE_DEPTH)
		dph_svg_rect(out, x - 1, y, width > 2 ? width : 2, BAR, "#d62728", title);
	else
		dph_svg_rect(out, x, y + (double)span->depth * BAR, width > 0.5 ? width : 0.5,
			     BAR - 2, colours[span->name % (sizeof colours / sizeof *colours)],
			     title);
	if (fits > 0 && span->depth < DPH_LANE_DEPTH)
		dph_svg_text(out, x + 3, y + (double)span->depth * BAR + 10, "start", fits, name);
	free(title);
}

static void draw_lane(const struct dph_timeline *timeline, FILE *out, size_t number, double y)
{
	const struct dph_lane *lane = &timeline->lanes[number];

	dph_svg_text(out, DPH_SVG_LEFT - 8, y + 11, "end", DPH_SVG_LABEL, lane->name);
	dph_svg_line(out, 10, y - 3, DPH_SVG_RIGHT, y - 3, "#eeeeee");
	for (size_t i = 0; i < timeline->span_count; i++)
		if (timeline->spans[i].lane == number)
			draw_span(timeline, out, &timeline->spans[i], y);
}

/* Lanes of one kind stand together. */
void dph_timeline_draw(const struct dph_timeline *timeline, FILE *out, double y)
{
	static const enum dph_track_kind order[] = {DPH_TRACK_INTERRUPT, DPH_TRACK_TASK,
						    DPH_TRACK_CPU,       DPH_TRACK_CONSOLE,
						    DPH_TRACK_NOTICES,   DPH_TRACK_GAPS};
	double bottom = y + HEADING;

	dph_svg_heading(out, y + 18, "Timeline");
	for (size_t i = 0; i < timeline->lane_count; i++)
		if (is_lane(&timeline->lanes[i]))
			bottom += height_of(&timeline->lanes[i]);
	dph_svg_scale(out, y + HEADING - 4, bottom, (double)timeline->first,
		      (double)timeline->latest);
	y += HEADING;
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < timeline->lane_count; i++)
			if (timeline->lanes[i].kind == order[k]) {
				draw_lane(timeline, out, i, y);
				y += height_of(&timeline->lanes[i]);
			}
}

void dph_timeline_free(struct dph_timeline *timeline)
{
	for (size_t i = 0; i < timeline->lane_count; i++)
		free(timeline->lanes[i].name);
	free(timeline->lanes);
	free(timeline->spans);
	dph_interned_free(&timeline->names);
}
