/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dp_formats holds the formats of an object and the names of its firmware. */
#ifndef DPH_PRESENT_FORMATS_H
#define DPH_PRESENT_FORMATS_H

#include <dprobes/formats.h>
#include <dprobes/host.h>

#include "base/name_index.h"
#include "format/format.h"
#include "format/totals.h"
#include "tables/registers.h"
#include "trends.h"

enum {
	DPH_MAPS_MAX = 32
};

/* The fields of a point. */
struct dph_described {
	bool known;
	const struct dp_field *fields;
	size_t count;
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
	double seconds;            /* that the program has run: of heads */
	bool heads;                /* of tables of aggregations, with bars */
	struct dp_record_made *waiting; /* memory for the values of the next records */
	struct dph_described *fields;   /* of each point */
	struct dph_name_index counted;  /* texts of keys that the host counts by: their numbers */
	const char **texts;             /* of the formats, with those; null: there is none */
	size_t text_room;
};

/* counted.c: do an update of an aggregation that the host counts. */
void dph_formats_count(struct dp_formats *formats, const struct dph_action *action);

/* Do what a record asks of the aggregations, which may print. */
void dph_formats_act(struct dp_formats *formats, FILE *out, const struct dph_format_act *act);

/* Print the total of an aggregation: a reading for each key.
 * index: below the number of aggregations.
 * most: this many keys with the largest values; 0: all. */
void dph_formats_tell_total(const struct dp_formats *formats, size_t index, size_t most,
			    struct dp_sink *sink);
/* Return the values of an aggregation with their keys as words; dph_formats_rows_free frees them.
 * index: below the number of aggregations.
 * dropped: receives the number of updates that found no place on the target. */
struct dph_aggregated *dph_formats_rows(const struct dp_formats *formats, size_t index,
					size_t *count, uint64_t *dropped);
void dph_formats_rows_free(struct dph_aggregated *rows, size_t count);
/* Return the first key of a row as text, from the heap; and the number of its words, which stand
 * before those of the other keys. index: of an aggregation with keys. */
char *dph_formats_first_key(const struct dp_formats *formats, size_t index,
			    const struct dph_aggregated *row);
unsigned dph_formats_first_words(const struct dp_formats *formats, size_t index);
/* Do the values of the aggregation have units? A value that the program has divided is no time. */
bool dph_formats_has_units(const struct dp_formats *formats, const struct dph_total *total);
/* Print the picture of a distribution. */
void dph_formats_show_picture(const struct dp_formats *formats, FILE *out,
			      const struct dph_format_aggregation *a,
			      const struct dph_aggregated *row);

/* A record without data: it names addresses. */
struct dph_format_record dph_formats_namer(const struct dp_formats *formats);
/* A record of the program, for dph_format_read. */
struct dph_format_record dph_formats_data(const struct dp_formats *formats,
					  const struct dp_formats_record *record);
/* Name an address, from the heap; null: the host does not know it. */
char *dph_formats_name(const struct dp_formats *formats, uint64_t address,
		       enum dph_address_text how);

#endif
