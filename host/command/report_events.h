/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of a capture do to a record stream what they did when the capture was written. */
#ifndef DPH_REPORT_EVENTS_H
#define DPH_REPORT_EVENTS_H

#include "recording.h"
#include "run_end.h"

#include "capture/capture.h"

struct dph_report {
	const struct dph_cli *cli;
	struct dph_stream stream;
	struct dph_lines lines;
	struct dph_run_end end;
	struct dp_object_file *next_object; /* waits for its program */
	struct dp_object_file *object;      /* of the program that the stream knows */
	bool placed;                        /* the images have their places */
	bool begun;                         /* the facts of a target have come */
	bool stopped, removed;              /* the end of a run has begun; is complete */
	bool mapped;                        /* the counts of aggregations have come */
	bool several;                       /* --name would choose between programs */
	bool ended;                         /* the end line has come: */
	uint64_t lines_there, texts_there, events_there;
};

void dph_report_free(struct dph_report *report);

/* Take a fact. Returns false when its value means nothing. */
bool dph_report_fact(struct dph_report *report, const char *key, char *value);
/* Take an object for the next program. Returns false when it is none. */
bool dph_report_object(struct dph_report *report, const struct dph_captured_entry *entry);
/* Take an event. Returns false when it is none, or does not fit. */
bool dph_report_event(struct dph_report *report, char *text);

#endif
