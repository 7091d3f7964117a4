/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions return the names of the fields of a reading for a header line, without a
 * reading. */
#ifndef DPH_READINGS_H
#define DPH_READINGS_H

#include <dprobes/record_sink.h>

struct dph_reading_field {
	const char *name;
	const char *prefix;        /* null: a value; else a list, and the prefix of its columns */
	enum dp_reading_kind kind; /* of the list's elements */
};

/* The fields of a kind in the order of the table; the last one has no name. */
const struct dph_reading_field *dph_reading_fields(enum dp_reading_kind kind);

#endif
