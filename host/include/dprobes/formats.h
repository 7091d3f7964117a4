/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of a program print the data of its records as the program says. Objects of D
 * programs have formats; objects of RPN programs have none. */
#ifndef DPROBES_FORMATS_H
#define DPROBES_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_formats;
struct dp_image;
struct dp_object_file;

/* Read the formats of an object.
 * image: the firmware, which names addresses; may be null; stays open until dp_formats_close.
 * Returns the formats, which dp_formats_close closes; null: the object has none. */
struct dp_formats *dp_formats_open(const struct dp_object_file *object,
				   const struct dp_image *image);
void dp_formats_close(struct dp_formats *formats);

/* Return whether the program asks for its own output alone (`#pragma D option quiet`). */
bool dp_formats_quiet(const struct dp_formats *formats);

/* A record of the program. */
struct dp_formats_record {
	unsigned point; /* index as dp_object_point counts */
	const uint8_t *data;
	size_t bytes;
	bool exception; /* an exception ended the handler */
	bool budget;    /* the step budget ended the handler */
	bool seconds_known;
	double seconds; /* time of the record */
};

/* Print the data of a record.
 * status: receives the status of an exit action; else stays.
 * Returns the text, which the caller frees; null: the data is not as the formats say. */
char *dp_formats_text(const struct dp_formats *formats, const struct dp_formats_record *record,
		      int *status);

/* Return the name of a probe: "fbt:demo:queue_put:entry" or, short, "queue_put:entry". The text is
 * valid until dp_formats_close; null: no such point. */
const char *dp_formats_probe(const struct dp_formats *formats, unsigned point, bool whole);

/* An aggregation of a D program: a map of the target, and how its entries are printed. */
struct dp_aggregation_info {
	const char *name; /* without the @; may be empty */
	uint8_t map;      /* index in the section MAPS of the object */
	unsigned words;   /* of an entry, keys and values */
};
/* Describe an aggregation.
 * index: from 0.
 * Returns false: the program has no more. */
bool dp_formats_aggregation(const struct dp_formats *formats, unsigned index,
			    struct dp_aggregation_info *info);

/* Add the entries of an aggregation that were taken from the target to its total.
 * index: from 0.
 * words: of all entries, as many each as dp_aggregation_info says.
 * dropped: updates that found no place since the program was installed. */
void dp_formats_add(struct dp_formats *formats, unsigned index, const uint64_t *words,
		    size_t entries, uint32_t dropped);

/* Find the map of an array, or of the variables of tasks.
 * index: from 0.
 * map: receives the index in the section MAPS of the object.
 * Returns false: the program has no more. */
bool dp_formats_array(const struct dp_formats *formats, unsigned index, uint8_t *map);
/* Keep how many stores of an array found no place since the program was installed. */
void dp_formats_drop(struct dp_formats *formats, unsigned index, uint32_t dropped);

/* Does a record of this point act on aggregations (printa, clear, trunc, normalize)? Add the
 * entries that the target has before the record is printed. */
bool dp_formats_acts(const struct dp_formats *formats, unsigned point);

struct dp_sink;
/* Print the totals: a reading for each key.
 * all: also those that a record has printed by printa.
 * most: of each aggregation, this many keys with the largest values; 0: all keys. */
void dp_formats_tell_totals(const struct dp_formats *formats, bool all, unsigned long most,
			    struct dp_sink *sink);
/* Print all totals with the rate of each count and sum, and its readings of before.
 * now_ms: of a clock that only goes forward. */
void dp_formats_tell_live(struct dp_formats *formats, uint64_t now_ms, unsigned long most,
			  struct dp_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
