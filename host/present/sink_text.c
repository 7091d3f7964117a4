/* SPDX-License-Identifier: BSD-2-Clause */
/* The format text prints sentences for people. */
#include "text.h"

/* A row of the list of printers: cast to the type of the kind's view. */
#define PRINTER(function, type)                                                                    \
	static void print_##function(FILE *out, const void *view)                                  \
	{                                                                                          \
		const type *typed = view;                                                          \
                                                                                                   \
		dph_show_##function(out, typed);                                                   \
	}
PRINTER(record, struct dp_record_view)
PRINTER(gap, struct dp_gap)
PRINTER(notice, struct dp_notice_view)
PRINTER(program, struct dp_installed_view)
PRINTER(counts, struct dp_counts_view)
PRINTER(variable, struct dp_variable_view)
PRINTER(aggregation, struct dp_aggregation_view)
PRINTER(map_drop, struct dp_map_drop_view)
PRINTER(inserted, struct dp_inserted_view)
PRINTER(removed, struct dp_removed_view)
PRINTER(info, struct dp_info_view)
PRINTER(text, struct dp_text_view)
PRINTER(symbol, struct dp_symbol_view)
PRINTER(place, struct dp_place_view)
PRINTER(port, struct dp_port_view)
PRINTER(check, struct dp_check_view)
PRINTER(templates, struct dp_templates_view)
PRINTER(hit, struct dph_hit_view)
PRINTER(skipped, struct dph_skipped_view)
PRINTER(variables, struct dph_variables_view)
PRINTER(value, struct dph_value_view)
PRINTER(task, struct dph_task_view)
PRINTER(profile, struct dph_profile_view)
PRINTER(finding, struct dph_finding_view)

/* Null: the kind is printed with the reading around it. */
static void (*const printers[DP_READING_KINDS])(FILE *out, const void *view) = {
	[DP_READING_RECORD] = print_record,
	[DP_READING_GAP] = print_gap,
	[DP_READING_NOTICE] = print_notice,
	[DP_READING_PROGRAM] = print_program,
	[DP_READING_COUNTS] = print_counts,
	[DP_READING_VARIABLE] = print_variable,
	[DP_READING_INSERTED] = print_inserted,
	[DP_READING_REMOVED] = print_removed,
	[DP_READING_INFO] = print_info,
	[DP_READING_TEXT] = print_text,
	[DP_READING_SYMBOL] = print_symbol,
	[DP_READING_PLACE] = print_place,
	[DP_READING_PORT] = print_port,
	[DP_READING_CHECK] = print_check,
	[DP_READING_TEMPLATES] = print_templates,
	[DP_READING_HIT] = print_hit,
	[DP_READING_AGGREGATION] = print_aggregation,
	[DP_READING_MAP_DROP] = print_map_drop,
	[DP_READING_SKIPPED] = print_skipped,
	[DP_READING_VARIABLES] = print_variables,
	[DP_READING_VALUE] = print_value,
	[DP_READING_TASK] = print_task,
	[DP_READING_PROFILE] = print_profile,
	[DP_READING_FINDING] = print_finding,
};

/* Does the reading only report the effect of the command? */
static bool is_talk(enum dp_reading_kind kind)
{
	const enum dp_table table = dp_reading_table(kind);

	return table == DP_TABLE_COUNTS || table == DP_TABLE_CHANGES;
}

/* Any reading as text. quiet: nothing about insertions, removals and counts. False: the output
 * failed. */
static bool show_reading(FILE *out, enum dp_reading_kind kind, const void *view, bool quiet)
{
	if (printers[kind] == NULL || (quiet && is_talk(kind)))
		return true;
	printers[kind](out, view);
	return !ferror(out);
}

bool dph_show_aside(const struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	const enum dp_table table = dp_reading_table(kind);

	/* Aggregations are data of the program; a program that was removed has no others. */
	if (sink->options.aside != NULL && table != DP_TABLE_PEOPLE &&
	    (!sink->options.quiet || table == DP_TABLE_AGGREGATIONS))
		show_reading(sink->options.aside, kind, view, false);
	return true;
}

/* Return whether the reading is beside the topic of the output. */
static bool is_beside(const struct dp_sink *sink, enum dp_reading_kind kind)
{
	const enum dp_table table = dp_reading_table(kind);

	if (table == DP_TABLE_AGGREGATIONS) /* data of a program, as its records are */
		return false;
	return table != sink->options.table && table != DP_TABLE_PEOPLE;
}

struct text {
	bool headed; /* the names of the columns are printed */
};

static bool live(struct dp_sink *sink)
{
	return fflush(sink->options.out) == 0;
}

static bool record(struct dp_sink *sink, const struct dp_record_view *view)
{
	struct text *text = sink->state;

	if (view->own && view->columns != NULL && !text->headed)
		fprintf(sink->options.out, "%s\n", view->column_names);
	text->headed = text->headed || view->own;
	dph_show_record(sink->options.out, view);
	return live(sink);
}

/* Losses and notices are no data. Where both outputs are one file, the data before them comes
 * first. */
static FILE *aside(struct dp_sink *sink)
{
	live(sink);
	return sink->options.aside != NULL ? sink->options.aside : sink->options.out;
}

static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	dph_show_gap(aside(sink), view);
	return live(sink);
}

static bool notice(struct dp_sink *sink, const struct dp_notice_view *view)
{
	dph_show_notice(aside(sink), view);
	return live(sink);
}

static bool reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	if (kind == DP_READING_MAP_DROP)
		return show_reading(aside(sink), kind, view, false);
	if (sink->options.quiet && is_beside(sink, kind))
		return true;
	return show_reading(sink->options.out, kind, view, sink->options.quiet);
}

extern const struct dp_sink_kind dph_sink_text;
const struct dp_sink_kind dph_sink_text = {
	.name = "text",
	.tables = ~0u,
	.templates = true,
	.state_bytes = sizeof(struct text),
	.record = record,
	.gap = gap,
	.notice = notice,
	.reading = reading,
};
