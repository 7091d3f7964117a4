/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of a program define how the host prints the data of its records. Objects of D
 * programs have formats; objects of RPN programs have none. */
#ifndef DPROBES_FORMATS_H
#define DPROBES_FORMATS_H

#include "values.h"

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

/* Return whether the program suppresses the host's columns (`#pragma D option quiet`). */
bool dp_formats_quiet(const struct dp_formats *formats);
/* Return whether records are indented by calls (`#pragma D option flowindent`). */
bool dp_formats_has_flow(const struct dp_formats *formats);
/* Print times of aggregations with units, as the option `units` of the program does. */
void dp_formats_use_units(struct dp_formats *formats);
/* Print the next tables of aggregations with a head, and bars behind the values, for a terminal.
 * Tables of dp_formats_tell_live have a head in any case. */
void dp_formats_use_heads(struct dp_formats *formats);
/* Set how long the program has run, for the heads. */
void dp_formats_ran(struct dp_formats *formats, double seconds);

/* A record of the program. */
struct dp_formats_record {
	unsigned point; /* index as dp_object_point counts */
	const uint8_t *data;
	size_t bytes;
	bool exception;          /* an exception ended the handler */
	uint16_t exception_code; /* exceptions.def; 0: not known */
	uint64_t parameter;      /* of the exception, its first one */
	bool budget;             /* the step budget ended the handler */
	bool seconds_known;
	double seconds;   /* time of the record */
	int64_t began_ns; /* when the agent began, in ns since 1970; 0: not known */
	bool again;       /* the record was read before: the host counts nothing */
};

/* Print the data of a record.
 * status: receives the status of an exit action; else stays.
 * Returns the text, which the caller frees; null: the data does not fit the formats. */
char *dp_formats_text(const struct dp_formats *formats, const struct dp_formats_record *record,
		      int *status);

/* Return the values of a record as a JSON array of objects: "name", the expression in the source;
 * "type"; "value". The caller frees the text; null: no values. */
char *dp_formats_args(const struct dp_formats *formats, const struct dp_formats_record *record);

/* Describe the values of a point's records: struct dp_record_view has the values.
 * count: receives the number of fields.
 * Returns the fields, valid until dp_formats_close; null: no such point. */
const struct dp_field *dp_formats_fields(const struct dp_formats *formats, unsigned point,
					 size_t *count);

/* A function of a call stack. */
struct dp_stack_function {
	const char *name; /* null: none is known */
	uint64_t address; /* of the instruction; of a caller, behind the call */
	const char *file; /* null: not known */
	unsigned line;    /* 0: not known */
	bool inlined;     /* into the next function of the stack */
};
typedef void dp_stack_visit(void *context, const struct dp_stack_function *function);

/* Visit the functions of a recorded call stack, the innermost first.
 * stack: a value of that form.
 * Returns null, or why no caller of the last function is known: a text, which the caller frees. */
char *dp_formats_stack(const struct dp_formats *formats, const struct dp_value *stack,
		       dp_stack_visit *visit, void *context);

/* Return the name of an enumerator of an ENUM value's type, valid until dp_formats_close; null: the
 * type has no enumerator with this index.
 * index: from 0.
 * number: receives its value, in two's complement if *is_signed. */
const char *dp_value_enumerator(const struct dp_value *value, size_t index, uint64_t *number,
				bool *is_signed);

/* Return the name of a probe: "fbt:demo:queue_put:entry" or, short, "queue_put:entry". The text is
 * valid until dp_formats_close; null: no such point. */
const char *dp_formats_probe(const struct dp_formats *formats, unsigned point, bool whole);

/* Return "  -> queue_put" for the record of a program with the option flowindent, and count the
 * call or the return.
 * cpu: of the record.
 * Returns the text, which the caller frees; null: the program lacks the option. */
char *dp_formats_flow(const struct dp_formats *formats, unsigned point, unsigned cpu);

/* Return whether the point may be left out if the agent refuses it: only globs match the point. */
bool dp_formats_optional(const struct dp_formats *formats, unsigned point);

/* An aggregation of a D program: a map of the target. */
struct dp_aggregation_info {
	const char *name; /* without the @; may be empty */
	uint8_t map;      /* index in the section MAPS of the object */
	unsigned words;   /* of an entry, keys and values */
	bool of_host;     /* the host counts it by the records: the target has no map of it */
};
/* Describe an aggregation.
 * index: from 0.
 * Returns false when the program has no aggregation with this index. */
bool dp_formats_aggregation(const struct dp_formats *formats, unsigned index,
			    struct dp_aggregation_info *info);

/* Add entries of the target to the total of an aggregation.
 * index: from 0.
 * words: of all entries, `words` of dp_aggregation_info each.
 * dropped: number of updates without a free place since the installation. */
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
 * Returns false when the program has no array with this index. */
bool dp_formats_array(const struct dp_formats *formats, unsigned index, struct dp_array_info *info);
/* Set the number of stores of an array without a free place since the installation. Behind the
 * arrays come the three numbers of dp_formats_drop_speculation. */
void dp_formats_drop(struct dp_formats *formats, unsigned index, uint32_t dropped);
/* Return whether the program has speculations.
 * map: receives the index in the section MAPS of the object. */
bool dp_formats_speculation(const struct dp_formats *formats, uint8_t *map);
/* Set the numbers of records that found no room in their speculation, and of the times that
 * speculation() found no free buffer.
 * words: of the map's entry: because none was free, because one waited to be sent.
 * Returns the index of the first number. */
unsigned dp_formats_drop_speculation(struct dp_formats *formats, uint32_t dropped,
				     const uint64_t *words);
/* Return how many numbers dp_formats_drop takes. */
unsigned dp_formats_drops(const struct dp_formats *formats);

/* Return whether a record of this point acts on aggregations (printa, clear, trunc, normalize). The
 * caller adds the target's entries (dp_formats_add) before it prints the record. */
bool dp_formats_acts(const struct dp_formats *formats, unsigned point);

struct dp_sink;
/* Print the totals: a reading for each key.
 * all: also totals that printa has printed.
 * most: of each aggregation, this many keys with the largest values; 0: all keys. */
void dp_formats_tell_totals(const struct dp_formats *formats, bool all, unsigned long most,
			    struct dp_sink *sink);
/* Print all totals with the rate of each count and sum, and its earlier readings.
 * now_ms: of a monotonic clock. */
void dp_formats_tell_live(struct dp_formats *formats, uint64_t now_ms, unsigned long most,
			  struct dp_sink *sink);

/* Write the totals, or add the totals that were written for the same object. Restore adds nothing
 * when the file is damaged. */
void dp_formats_save(const struct dp_formats *formats, FILE *file);
void dp_formats_restore(struct dp_formats *formats, FILE *file);

/* Return whether the program counts and records no values. */
bool dp_formats_counts(const struct dp_formats *formats);

/* Return whether a hit of a probe of the firmware may send a record that the program asks for.
 * BEGIN and END run once. */
bool dp_formats_records(const struct dp_formats *formats);

/* Return whether the target dropped updates or stores. */
bool dp_formats_dropped(const struct dp_formats *formats);

/* Print the drops that were not printed yet: a reading for each aggregation and array. */
void dp_formats_tell_drops(struct dp_formats *formats, struct dp_sink *sink);

/* Return the interval at which the host reads the program's aggregations, in ms; 0: the program has
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
 * words: of all entries, `words` of dp_array_info each. */
void dp_formats_tell_array(const struct dp_formats *formats, unsigned index, const char *program,
			   const uint64_t *words, size_t entries, struct dp_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
