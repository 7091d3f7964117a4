/* SPDX-License-Identifier: BSD-2-Clause */
/* The reporter adds messages about a program, each with a place of its source. */
#ifndef DPH_REPORT_H
#define DPH_REPORT_H

#include "source.h"

/* Where the complaints of one compilation go. */
struct dph_report {
	struct dph_source *source;
	struct dp_messages *messages;
};

/* Add a message: the sentence at the place, as dph_source_message does. */
void dph_say(const struct dph_report *report, enum dp_severity severity, struct dph_place place,
	     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* dph_messages_full of the program; dph_say adds nothing then. */
bool dph_report_full(const struct dph_report *report);

/* dph_say for a structure with a member `report`: a compilation, a front end. */
#define dph_error(c, place, ...)   dph_say(&(c)->report, DP_ERROR, place, __VA_ARGS__)
#define dph_warning(c, place, ...) dph_say(&(c)->report, DP_WARNING, place, __VA_ARGS__)
#define dph_note(c, place, ...)    dph_say(&(c)->report, DP_NOTE, place, __VA_ARGS__)

#endif
