/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dp_formats holds the formats of an object and the names of its firmware. */
#ifndef DPH_PRESENT_FORMATS_H
#define DPH_PRESENT_FORMATS_H

#include <dprobes/formats.h>
#include <dprobes/host.h>

#include "format/format.h"
#include "format/totals.h"
#include "tables/registers.h"
#include "trends.h"

enum {
	DPH_MAPS_MAX = 32
};

struct dp_formats {
	struct dph_pool pool;
	struct dph_formats formats;
	struct dp_program_info program;
	const struct dph_cpu *cpu;
	const struct dp_image *image;
	struct dp_debuginfo *debug; /* null: no image */
	const char **names;         /* of each point: short, whole; null: not asked for yet */
	unsigned map_count, map_words[DPH_MAPS_MAX]; /* of an entry of each map; 0: it has none */
	unsigned *flow;            /* calls around the next record of each CPU: option flowindent */
	struct dph_total *totals;  /* of each aggregation */
	struct dph_trends *trends; /* of each aggregation: --live */
	uint32_t *drops;           /* of each array: stores without a place */
	uint32_t *told;            /* of each array: those that were printed */
};

/* Do what a record asks of the aggregations.
 * context: the struct dp_formats. */
void dph_formats_act(void *context, FILE *out, const struct dph_format_act *act);

/* Print the total of an aggregation: a reading for each key.
 * index: below the number of aggregations.
 * most: this many keys with the largest values; 0: all. */
void dph_formats_tell_total(const struct dp_formats *formats, size_t index, size_t most,
			    struct dp_sink *sink);
/* Print the picture of a distribution. */
void dph_formats_show_picture(const struct dp_formats *formats, FILE *out,
			      const struct dph_format_aggregation *a,
			      const struct dph_aggregated *row);

/* The values of a record as a JSON array, from the heap; null: it has none. */
char *dph_formats_args(const struct dph_format_record *record);

/* A record without data: it names addresses. */
struct dph_format_record dph_formats_namer(const struct dp_formats *formats);

#endif
