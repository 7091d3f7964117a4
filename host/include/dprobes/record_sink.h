/* SPDX-License-Identifier: BSD-2-Clause */
/* A sink prints records, gaps, notices and readings as text, JSON, CSV or raw lines. A sink
 * belongs to one output and one table (enum dp_table). The caller does not depend on the format,
 * and a format does not depend on the command. dp_sink_kinds lists all formats. A program may
 * also define its own struct dp_sink_kind; dp_reading_visit names the fields of all data. */
#ifndef DPROBES_RECORD_SINK_H
#define DPROBES_RECORD_SINK_H

#include "records.h"
#include "values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_sink;

/* --- the input of a sink --- */

/* A record with the data that a format needs beside the record. */
struct dp_record_view {
	const struct dp_log_record *record;
	unsigned word_bytes; /* of the target */
	uint32_t hz;         /* of its ticks; 0: unknown */
	const char *desc;    /* of the record's template; null: none */
	char *text; /* the data as text of the template; null: no templates, or not made yet */
	const struct dp_image *names;        /* null: no names */
	const struct dp_object_file *object; /* the record's program; null: unknown */
	uint64_t *words;                     /* the data; null: not known to be words */
	char **word_texts;                   /* the words by name; null: no names */
	size_t word_count;
	uint64_t times;           /* number of equal records in this view; 0: one record */
	bool own;                 /* the program has formats: the text is the record */
	char *columns;            /* with `own`: printed before the text; null: none */
	const char *column_names; /* with `columns`: the line above the first record */
	char *args; /* with `own`: the values as a JSON array; null: none, or not made yet */
	int status; /* the program ends the run with this status; -1: the program does not */
	/* With `own`: the values, in the order in which the program prints them. */
	const struct dp_value *const *values;
	size_t value_count;
	const struct dp_formats *formats; /* of the record's program; null: none */
	struct dp_record_made *made;      /* private: what was made of the values */
	int64_t began_ns;                 /* when the agent began, in ns since 1970; 0: not known */
	bool left_out; /* with `own`: show nothing: a condition of the program is false, or */
	bool counted;  /* the host has counted what the record has: no more is in it */
};

/* Fill a view. The style, its pointers and the record stay valid until dp_record_view_free. The
 * members `text` and `args` stay null: the functions below make them. */
void dp_record_view_read(struct dp_record_view *view, const struct dp_record_style *style,
			 const struct dp_log_record *record);
/* Return the data as text of the program or of the template, made at the first call. The text is
 * valid until dp_record_view_free; null: no templates. */
const char *dp_record_view_text(const struct dp_record_view *view);
/* Return the values as a JSON array, in the same way; null: no values. */
const char *dp_record_view_args(const struct dp_record_view *view);
/* Fill a view, and its members `text` and `args`. */
void dp_record_view_fill(struct dp_record_view *view, const struct dp_record_style *style,
			 const struct dp_log_record *record);
void dp_record_view_free(struct dp_record_view *view);

struct dp_notice_view {
	const struct dp_notice_in *notice;
	unsigned word_bytes;          /* of the target */
	const struct dp_image *names; /* null: no names */
};

/* A probe, before its first record. */
struct dp_point_view {
	const struct dp_probe_meaning *probe; /* its program, point, codes, items and address */
	unsigned number;                      /* of the probe, in its records */
	unsigned word_bytes;                  /* of the target */
	uint32_t hz;                          /* of its ticks; 0: unknown */
	/* Of a D program: */
	const char *name;              /* "fbt:demo:queue_put:entry"; null: no D program */
	const struct dp_field *fields; /* of its records, in the order of their values */
	size_t field_count;
};

/* The kinds of readings. A reading is one object of named values. The comment names the view of
 * each kind; readings.h has the views. */
enum dp_reading_kind {
	DP_READING_RECORD,      /* struct dp_record_view */
	DP_READING_GAP,         /* struct dp_gap */
	DP_READING_NOTICE,      /* struct dp_notice_view */
	DP_READING_PROBE,       /* struct dp_probe_view, inside PROGRAM */
	DP_READING_PROGRAM,     /* struct dp_installed_view */
	DP_READING_COUNTS,      /* struct dp_counts_view */
	DP_READING_VARIABLE,    /* struct dp_variable_view */
	DP_READING_BUCKET,      /* struct dp_bucket_view, inside AGGREGATION */
	DP_READING_AGGREGATION, /* struct dp_aggregation_view */
	DP_READING_MAP_DROP,    /* struct dp_map_drop_view */
	DP_READING_INSERTED,    /* struct dp_inserted_view */
	DP_READING_REMOVED,     /* struct dp_removed_view */
	DP_READING_LIMITS,      /* struct dp_info_view, inside INFO */
	DP_READING_MODULE,      /* struct dp_module_answer, inside INFO */
	DP_READING_INFO,        /* struct dp_info_view */
	DP_READING_TEXT,        /* struct dp_text_view */
	DP_READING_SYMBOL,      /* struct dp_symbol_view */
	DP_READING_FRAME,       /* struct dp_code_frame, inside PLACE and TASK */
	DP_READING_IN_SCOPE,    /* struct dp_variable_text, inside PLACE */
	DP_READING_PLACE,       /* struct dp_place_view */
	DP_READING_PORT,        /* struct dp_port_view */
	DP_READING_ASSUMED,     /* struct dp_check_options, inside CHECK */
	DP_READING_CHECK,       /* struct dp_check_view */
	DP_READING_TEMPLATES,   /* struct dp_templates_view */
	DP_READING_HIT,         /* private: a simulated hit */
	DP_READING_SKIPPED,     /* private: a simulated hit that ran nothing */
	DP_READING_VARIABLES,   /* private: variables after simulated hits */
	DP_READING_NO_PLAN,     /* struct dp_no_plan, inside CHECK */
	DP_READING_VALUE,       /* private: a value that was looked at */
	DP_READING_TASK,        /* private: a task of the firmware */
	DP_READING_SHARE,       /* private: the samples of a function, inside PROFILE */
	DP_READING_PROFILE,     /* private: the table of 'dprobes top' */
	DP_READING_FINDING,     /* private: what a check of 'dprobes doctor' has found */
	DP_READING_KINDS,
};

/* The rows of one output belong to one table. */
enum dp_table {
	DP_TABLE_NONE,
	DP_TABLE_RECORDS,      /* RECORD, GAP, NOTICE */
	DP_TABLE_PROGRAMS,     /* PROGRAM */
	DP_TABLE_VARIABLES,    /* VARIABLE */
	DP_TABLE_AGGREGATIONS, /* AGGREGATION, MAP_DROP */
	DP_TABLE_SYMBOLS,      /* SYMBOL */
	DP_TABLE_PLACES,       /* PLACE */
	DP_TABLE_PORTS,        /* PORT */
	DP_TABLE_HITS,         /* HIT */
	DP_TABLE_COUNTS,       /* COUNTS */
	DP_TABLE_CHANGES,      /* INSERTED, REMOVED */
	DP_TABLE_INFO,         /* INFO, TEXT */
	DP_TABLE_CHECKS,       /* CHECK, TEMPLATES */
	DP_TABLE_PEOPLE,       /* SKIPPED, VARIABLES: for people, only in the text format */
	DP_TABLE_VALUES,       /* VALUE */
	DP_TABLE_TASKS,        /* TASK */
	DP_TABLE_PROFILE,      /* PROFILE */
	DP_TABLE_FINDINGS,     /* FINDING */
};

/* --- sinks --- */

struct dp_sink_options {
	FILE *out; /* the data */
	/* Text about readings of other tables; null: no such text. The format text also writes gaps
	 * and notices here; null: between the data. */
	FILE *aside;
	const char *folder; /* for a format that writes files into a folder; else null */
	enum dp_table table;
	bool quiet; /* print no text about insertions and removals, nor about other tables */
};

/* A format. A null function prints nothing. Each function returns false when the output failed. */
struct dp_sink_kind {
	const char *name;   /* a value of the option --format: "json" */
	unsigned tables;    /* bit n: the format can print table n of enum dp_table */
	bool templates;     /* the format prints the text of templates */
	size_t state_bytes; /* size of sink->state, which is zeroed */
	bool (*begin)(struct dp_sink *sink);
	bool (*line)(struct dp_sink *sink, const char *text, size_t count); /* as on the wire */
	bool (*record)(struct dp_sink *sink, const struct dp_record_view *record);
	bool (*gap)(struct dp_sink *sink, const struct dp_gap *gap);
	bool (*notice)(struct dp_sink *sink, const struct dp_notice_view *notice);
	bool (*reading)(struct dp_sink *sink, enum dp_reading_kind kind, const void *view);
	bool (*end)(struct dp_sink *sink);
	/* Called once for a probe, before its first record; again when the number of the probe gets
	 * another meaning. A record of a probe without a known meaning has no such call. */
	bool (*point)(struct dp_sink *sink, const struct dp_point_view *point);
	/* Text of the firmware's console. */
	bool (*console)(struct dp_sink *sink, const uint8_t *text, size_t count);
};

struct dp_sink {
	const struct dp_sink_kind *kind;
	struct dp_sink_options options;
	void *state;                 /* of the kind */
	struct dp_sink_points *told; /* private: the probes that the kind knows; null: none */
	/* When the item came, for a kind that has no time in the item. The host's clock tells it.
	 */
	double seconds;   /* since the agent began; negative: not known */
	int64_t began_ns; /* as in struct dp_record_view */
	uint32_t hz;      /* of the target's ticks; 0: unknown */
};

/* The list of formats; the first format is text. */
extern const struct dp_sink_kind *const dp_sink_kinds[];
extern const size_t dp_sink_kind_count;

/* Return the format of this name; null: no such format. */
const struct dp_sink_kind *dp_sink_kind_named(const char *name);
/* Return whether the format can print the table. */
static inline bool dp_sink_shows(const struct dp_sink_kind *kind, enum dp_table table)
{
	return (kind->tables >> table & 1) != 0;
}

/* Begin an output. The caller keeps the files.
 * Returns the sink, which dp_sink_close frees; null: out of memory. */
struct dp_sink *dp_sink_open(const struct dp_sink_kind *kind,
			     const struct dp_sink_options *options);
/* Print one item.
 * Returns false when the output failed. */
bool dp_sink_line(struct dp_sink *sink, const char *text, size_t count);
bool dp_sink_record(struct dp_sink *sink, const struct dp_record_view *record);
bool dp_sink_gap(struct dp_sink *sink, const struct dp_gap *gap);
bool dp_sink_notice(struct dp_sink *sink, const struct dp_notice_view *notice);
bool dp_sink_reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view);
bool dp_sink_console(struct dp_sink *sink, const uint8_t *text, size_t count);
/* End the output and free the sink.
 * sink: may be null.
 * Returns false when the output failed at any time. */
bool dp_sink_close(struct dp_sink *sink);

/* --- the fields of a reading --- */

struct dp_field_visitor {
	void *context;
	/* A field with a value. Fields without a value are left out. */
	void (*value)(void *context, const char *name, const struct dp_value *value);
	/* bracket '[': elements of `kind` follow; '{': the fields of one element follow.
	 * name: null for elements. */
	void (*open)(void *context, const char *name, enum dp_reading_kind kind, char bracket);
	void (*close)(void *context, char bracket);
};

/* Call the visitor for each field in the order of the table (readings.def). */
void dp_reading_visit(enum dp_reading_kind kind, const void *view,
		      const struct dp_field_visitor *visitor);

/* Return the table of a kind of readings; NONE: the kind occurs only inside another reading. */
enum dp_table dp_reading_table(enum dp_reading_kind kind);

#ifdef __cplusplus
}
#endif

#endif
