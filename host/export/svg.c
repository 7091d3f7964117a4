/* SPDX-License-Identifier: BSD-2-Clause */
/* The export svg: a picture of the records over time, and of the aggregations. */
#define _GNU_SOURCE
#include "exports.h"
#include "label.h"
#include "svg_bars.h"
#include "svg_draw.h"
#include "svg_heat.h"
#include "svg_timeline.h"

#include "base/pool.h"

#include <stdlib.h>

struct svg {
	struct dph_tracks tracks;
	struct dph_timeline timeline;
	struct dph_heat records, distributions;
	struct dph_bars bars;
	struct dph_interned buckets; /* of distributions; their latest values: */
	double *values;
	size_t value_room;
	char *labels[UINT8_MAX + 1]; /* of the probes; null: not known */
};

/* --- tracks --- */

static void on_track(void *context, size_t track, enum dph_track_kind kind, const char *name)
{
	struct svg *svg = context;

	(void)track;
	dph_timeline_track(&svg->timeline, kind, name);
}

static void on_begin(void *context, size_t track, uint64_t ns, const char *name,
		     const struct dp_record_view *record)
{
	struct svg *svg = context;

	(void)record;
	dph_timeline_begin(&svg->timeline, track, ns, name);
}

static void on_end(void *context, size_t track, uint64_t ns, const struct dp_record_view *record)
{
	struct svg *svg = context;

	(void)record;
	dph_timeline_end(&svg->timeline, track, ns);
}

static void on_instant(void *context, size_t track, uint64_t ns, const char *name,
		       const struct dp_record_view *record)
{
	struct svg *svg = context;

	(void)record;
	dph_timeline_instant(&svg->timeline, track, ns, name);
}

static void on_number(void *context, size_t track, uint64_t ns, const struct dp_value *value)
{
	(void)context;
	(void)track;
	(void)ns;
	(void)value;
}

/* --- the sink --- */

static bool begin(struct dp_sink *sink)
{
	struct svg *svg = sink->state;
	const struct dph_track_listener to = {svg,    on_track,   on_begin,
					      on_end, on_instant, on_number};

	dph_tracks_init(&svg->tracks, &to);
	return true;
}

static bool point(struct dp_sink *sink, const struct dp_point_view *view)
{
	struct svg *svg = sink->state;

	dph_tracks_point(&svg->tracks, view);
	free(svg->labels[view->number & UINT8_MAX]);
	svg->labels[view->number & UINT8_MAX] = NULL;
	return true;
}

static bool record(struct dp_sink *sink, const struct dp_record_view *view)
{
	struct svg *svg = sink->state;
	char **label = &svg->labels[view->record->head.probe];

	dph_tracks_record(&svg->tracks, view);
	if (*label == NULL)
		*label = dph_label_of(view, false);
	dph_heat_add(&svg->records, *label, 0, svg->tracks.clock.latest, 1);
	return true;
}

static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	struct svg *svg = sink->state;

	dph_tracks_gap(&svg->tracks, view);
	return true;
}

static bool notice(struct dp_sink *sink, const struct dp_notice_view *view)
{
	struct svg *svg = sink->state;

	dph_tracks_notice(&svg->tracks, sink, view);
	return true;
}

static bool console(struct dp_sink *sink, const uint8_t *text, size_t count)
{
	struct svg *svg = sink->state;

	dph_tracks_console(&svg->tracks, sink, text, count);
	return true;
}

/* What a bucket has more than at the reading before. A value that the program has cleared begins
 * anew. */
static double more_of(struct svg *svg, const char *name, double value)
{
	const size_t before = svg->buckets.count;
	const size_t at = dph_intern(&svg->buckets, name);
	double more = value;

	if (at == before) {
		svg->values = dph_grow(svg->values, &svg->value_room, at, sizeof *svg->values);
		svg->values[at] = 0;
	}
	if (value >= svg->values[at])
		more = value - svg->values[at];
	svg->values[at] = value;
	return more;
}

static void add_distribution(struct svg *svg, const struct dp_aggregation_view *view, uint64_t ns)
{
	char *key = dph_bars_key(view);

	for (size_t i = 0; i < view->bucket_count; i++) {
		const struct dp_bucket_view *bucket = &view->buckets[i];
		char *text = dph_bars_bucket(bucket);
		char *name = dph_print("%s %s", key, text);
		const double more = more_of(svg, name, (double)bucket->value);

		if (more > 0)
			dph_heat_add(&svg->distributions, name,
				     bucket->below         ? -1e30
				     : bucket->is_unsigned ? (double)(uint64_t)bucket->low
							   : (double)bucket->low,
				     ns, more);
		free(name);
		free(text);
	}
	free(key);
}

static bool reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	struct svg *svg = sink->state;

	if (kind != DP_READING_AGGREGATION)
		return true;
	dph_bars_add(&svg->bars, view);
	add_distribution(svg, view, dph_trace_time_of_item(&svg->tracks.clock, sink));
	return true;
}

static void draw(struct svg *svg, FILE *out)
{
	const double timeline = dph_timeline_close(&svg->timeline);
	const double records = dph_heat_height(&svg->records);
	const double distributions = dph_heat_height(&svg->distributions);
	const double bars = dph_bars_height(&svg->bars);
	const double height = timeline + records + distributions + bars;
	double y = 0;

	dph_svg_begin(out, height > 0 ? height + 10 : 40);
	if (height == 0)
		dph_svg_text(out, 10, 24, "start", 80, "There are no records and no aggregations.");
	if (timeline > 0)
		dph_timeline_draw(&svg->timeline, out, y);
	y += timeline;
	if (records > 0)
		dph_heat_draw(&svg->records, out, y, "Records over time");
	y += records;
	if (distributions > 0)
		dph_heat_draw(&svg->distributions, out, y, "Distributions over time");
	y += distributions;
	if (bars > 0)
		dph_bars_draw(&svg->bars, out, y);
	dph_svg_end(out);
}

static bool end(struct dp_sink *sink)
{
	struct svg *svg = sink->state;

	dph_tracks_end(&svg->tracks, sink);
	draw(svg, sink->options.out);
	dph_tracks_free(&svg->tracks);
	dph_timeline_free(&svg->timeline);
	dph_heat_free(&svg->records);
	dph_heat_free(&svg->distributions);
	dph_bars_free(&svg->bars);
	dph_interned_free(&svg->buckets);
	free(svg->values);
	for (size_t i = 0; i <= UINT8_MAX; i++)
		free(svg->labels[i]);
	return fflush(sink->options.out) == 0;
}

extern const struct dp_sink_kind dph_export_svg;
const struct dp_sink_kind dph_export_svg = {
	.name = "svg",
	.tables = 1u << DP_TABLE_RECORDS | 1u << DP_TABLE_AGGREGATIONS,
	.state_bytes = sizeof(struct svg),
	.begin = begin,
	.record = record,
	.gap = gap,
	.notice = notice,
	.reading = reading,
	.end = end,
	.point = point,
	.console = console,
};
