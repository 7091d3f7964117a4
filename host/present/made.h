/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sink may ask of a record: values, which are read at once, and the texts that are made of
 * them on demand. */
#ifndef DPH_MADE_H
#define DPH_MADE_H

#include "formats.h"

#include <dprobes/record_sink.h>

/* Zero but for a pool with memory: ready for the next record. */
struct dp_record_made {
	struct dp_record_made *next; /* of those that wait for a record */
	struct dp_formats *formats;  /* of the record's program; null: templates print it */
	unsigned point;
	struct dph_pool pool; /* of the values */
	struct dph_recorded recorded;
	int status; /* the program ends the run with this status; -1: it does not */
	bool early; /* a handler that ended early has no data: the text says why */
	bool budget;
	uint16_t exception; /* that ended the handler; 0: not known */
	uint64_t parameter;
	struct dp_record_style style; /* of the templates */
	const struct dp_log_record *record;
	char *text, *args; /* null: not made yet, or there is none */
	bool text_made, args_made;
};

/* Read the record of a program and do what it asks of the aggregations.
 * Returns null: the data is not as the formats say. dph_made_free frees the result. */
struct dp_record_made *dph_made_read(const struct dp_formats *formats,
				     const struct dp_formats_record *record);
/* A record without formats. Null: without templates and names it has no text. */
struct dp_record_made *dph_made_plain(const struct dp_record_style *style,
				      const struct dp_log_record *record);
void dph_made_free(struct dp_record_made *made);
/* Free those of the formats that wait. */
void dph_made_free_all(struct dp_formats *formats);

/* The templates that may be asked: where codes or items are not known the data is only bytes. */
const struct dp_templates *dph_templates_for(const struct dp_record_style *style,
					     const struct dp_log_record *record);

/* The text of the record; the values as a JSON array. Valid until dph_made_free; null: none. */
const char *dph_made_text(struct dp_record_made *made);
const char *dph_made_args(struct dp_record_made *made);

#endif
