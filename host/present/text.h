/* SPDX-License-Identifier: BSD-2-Clause */
/* The text format has one function for each kind of reading. */
#ifndef DPH_TEXT_H
#define DPH_TEXT_H

#include <dprobes/host.h>
#include "found.h"
#include "looked.h"
#include "profiled.h"
#include "simulated.h"
#include "tasked.h"

void dph_show_record(FILE *out, const struct dp_record_view *record);
void dph_show_gap(FILE *out, const struct dp_gap *gap);
void dph_show_notice(FILE *out, const struct dp_notice_view *notice);
void dph_show_program(FILE *out, const struct dp_installed_view *program);
void dph_show_counts(FILE *out, const struct dp_counts_view *counts);
void dph_show_variable(FILE *out, const struct dp_variable_view *variable);
void dph_show_aggregation(FILE *out, const struct dp_aggregation_view *aggregation);
enum {
	DPH_VALUE_COLUMNS = 16, /* of an aggregated value */
	DPH_VALUE_ROOM = 32     /* bytes of its text */
};
/* "4.10 us" of nanoseconds; a number without units. */
void dph_aggregation_value_text(char *text, size_t room, int64_t value, bool is_unsigned,
				bool units);
/* The picture alone. */
void dph_show_distribution(FILE *out, const struct dp_aggregation_view *aggregation);
/* The kind of the drop in JSON. */
const char *dph_drop_kind(enum dp_map_drop kind);
void dph_show_map_drop(FILE *out, const struct dp_map_drop_view *drop);
void dph_show_inserted(FILE *out, const struct dp_inserted_view *inserted);
void dph_show_removed(FILE *out, const struct dp_removed_view *removed);
void dph_show_info(FILE *out, const struct dp_info_view *info);
void dph_show_text(FILE *out, const struct dp_text_view *text);
void dph_show_symbol(FILE *out, const struct dp_symbol_view *symbol);
void dph_show_place(FILE *out, const struct dp_place_view *place);
void dph_show_port(FILE *out, const struct dp_port_view *port);
void dph_show_check(FILE *out, const struct dp_check_view *check);
void dph_show_templates(FILE *out, const struct dp_templates_view *templates);
void dph_show_hit(FILE *out, const struct dph_hit_view *hit);
void dph_show_skipped(FILE *out, const struct dph_skipped_view *skipped);
void dph_show_variables(FILE *out, const struct dph_variables_view *variables);
void dph_show_task(FILE *out, const struct dph_task_view *view);
void dph_show_profile(FILE *out, const struct dph_profile_view *view);
void dph_show_value(FILE *out, const struct dph_value_view *view);
void dph_show_finding(FILE *out, const struct dph_finding_view *view);

/* Pieces of a record's line: "DProbes(3,9) pid=4", then " 01ff" where the record has data. */
void dph_show_record_head(FILE *out, const struct dp_record_view *record);
void dph_show_record_data(FILE *out, const struct dp_record_view *record);

/* The line of the instruction whose exception ended the handler. False: the record does not tell
 * it, or the program's object is not known. */
bool dph_exception_line(const struct dp_record_view *view, const char **file, unsigned *line);

/* A sentence for each flag of a record; the last one is null. */
struct dph_flag_sentence {
	unsigned flag; /* enum dp_record_flag */
	const char *sentence;
};
extern const struct dph_flag_sentence dph_flag_sentences[];

/* A reading that has no place in the data of a sink: text beside the data. */
bool dph_show_aside(const struct dp_sink *sink, enum dp_reading_kind kind, const void *view);

#endif
