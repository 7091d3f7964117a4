/* SPDX-License-Identifier: BSD-2-Clause */
/* A sink hears of a probe and its fields before the first record of the probe. */
#include "sink_points.h"

#include <dprobes/formats.h>

#include "base/pool.h"

#include <string.h>

enum {
	NUMBERS = UINT8_MAX + 1
};

/* The meanings of the probe numbers, as the sink knows them. */
struct dp_sink_points {
	struct dp_probe_meaning meanings[NUMBERS];
};

static bool are_equal(const struct dp_probe_meaning *a, const struct dp_probe_meaning *b)
{
	return a->items == b->items && a->program == b->program && a->point == b->point &&
	       a->major == b->major && a->minor == b->minor && a->address == b->address &&
	       strcmp(a->name, b->name) == 0;
}

static bool tell(struct dp_sink *sink, const struct dp_record_view *record)
{
	const struct dp_probe_meaning *probe = record->record->probe;
	struct dp_point_view point = {
		.probe = probe,
		.number = record->record->head.probe,
		.word_bytes = record->word_bytes,
		.hz = record->hz,
	};

	if (record->formats != NULL) {
		point.name = dp_formats_probe(record->formats, probe->point, true);
		point.fields = dp_formats_fields(record->formats, probe->point, &point.field_count);
	}
	return sink->kind->point(sink, &point);
}

bool dph_sink_point(struct dp_sink *sink, const struct dp_record_view *record)
{
	const struct dp_log_record *r = record->record;
	struct dp_probe_meaning *known;

	if (sink->kind->point == NULL || r->probe == NULL)
		return true;
	if (sink->told == NULL)
		sink->told = dph_malloc(sizeof *sink->told);
	known = &sink->told->meanings[r->head.probe];
	if (known->known && are_equal(known, r->probe))
		return true;
	*known = *r->probe;
	known->known = true;
	return tell(sink, record);
}
