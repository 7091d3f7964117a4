/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of a program print the data of its records as the program says. Objects of D
 * programs have formats; objects of RPN programs have none. */
#ifndef DPROBES_FORMATS_H
#define DPROBES_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
/* Print times of aggregations with units, as the option `units` of the program does. */
void dp_formats_use_units(struct dp_formats *formats);

/* A record of the program. */
struct dp_formats_record {
	unsigned point; /* index as dp_object_point counts */
	const uint8_t *data;
	size_t bytes;
	bool exception; /* an exception ended the handler */
	bool budget;    /* the step budget ended the handler */
	bool seconds_known;
	double seconds;   /* time of the record */
	int64_t began_ns; /* when the agent began, in ns since 1970; 0: not known */
};

/* Print the data of a record.
 * status: receives the status of an exit action; else stays.
 * Returns the text, which the caller frees; null: the data is not as the formats say. */
char *dp_formats_text(const struct dp_formats *formats, const struct dp_formats_record *record,
		      int *status);

/* Return the values that a record has as a JSON array of objects: "name", the expression as it is
 * written; "type"; "value". The caller frees the text; null: there are no values. */
char *dp_formats_args(const struct dp_formats *formats, const struct dp_formats_record *record);

/* Return the name of a probe: "fbt:demo:queue_put:entry" or, short, "queue_put:entry". The text is
 * valid until dp_formats_close; null: no such point. */
const char *dp_formats_probe(const struct dp_formats *formats, unsigned point, bool whole);

/* Return "  -> queue_put" for the record of a program with the option flowindent, and count the
 * call or the return. cpu: of the record. The caller frees the text; null: the program has no such
 * option. */
char *dp_formats_flow(const struct dp_formats *formats, unsigned point, unsigned cpu);

/* Return whether the point may be left out where the agent refuses it: only globs match it. */
bool dp_formats_optional(const struct dp_formats *formats, unsigned point);

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

/* An array of a D program, or the variables of its tasks: a map of the target. */
struct dp_array_info {
	const char *name; /* "x", "self->x"; "self->": the variables without keys */
	uint8_t map;      /* index in the section MAPS of the object */
	unsigned words;   /* of an entry, keys and values */
};
/* Describe an array.
 * index: from 0.
 * Returns false: the program has no more. */
bool dp_formats_array(const struct dp_formats *formats, unsigned index, struct dp_array_info *info);
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

/* Write the totals, and add totals that were written for the same object. Restore adds nothing when
 * the file is damaged. */
void dp_formats_save(const struct dp_formats *formats, FILE *file);
void dp_formats_restore(struct dp_formats *formats, FILE *file);

/* Return whether the program counts and records no values. */
bool dp_formats_counts(const struct dp_formats *formats);

/* Return whether updates or stores found no place on the target. */
bool dp_formats_dropped(const struct dp_formats *formats);

/* Print the drops that were not printed yet: a reading for each aggregation and array. */
void dp_formats_tell_drops(struct dp_formats *formats, struct dp_sink *sink);

/* Return how often the program wants its aggregations to be taken from the target, in ms; 0: it has
 * no aggregations. */
uint64_t dp_formats_aggrate_ms(const struct dp_formats *formats);

/* Return whether the variables of the program have names. Objects of older versions have none. */
bool dp_formats_named(const struct dp_formats *formats);
/* Print the variables without keys: a reading for each.
 * program: its name.
 * words: program variables, from the first on. */
void dp_formats_tell_variables(const struct dp_formats *formats, const char *program,
			       const uint64_t *words, size_t count, struct dp_sink *sink);
/* Print an array: a reading for each value of each entry.
 * index: from 0.
 * words: of all entries, as many each as dp_array_info says. */
void dp_formats_tell_array(const struct dp_formats *formats, unsigned index, const char *program,
			   const uint64_t *words, size_t entries, struct dp_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
