/* SPDX-License-Identifier: BSD-2-Clause */
/* The reading VALUE: a value of the firmware that was looked at. */
#ifndef DPH_LOOKED_H
#define DPH_LOOKED_H

#include <dprobes/record_sink.h>

struct dph_trend;

struct dph_value_view {
	const char *name; /* the expression */
	const char *why;  /* why there is no value; null: there is one */
	const struct dp_value *value;
	bool in_memory; /* at `address` */
	uint64_t address;
	bool timed; /* read `seconds` after the first one */
	double seconds;
	unsigned width; /* HEX: the bytes are numbers of this width; 0: bytes */
	bool big_endian;
	/* Not null: the values of a reading are a line each, with their readings so far. */
	struct dph_trend *trend;
	const char *text, *json; /* of the value; dph_value_tell makes them */
};

/* Print the values of one reading of all expressions. Values with times are rows of a table in the
 * format text, or lines with their trends, which on a terminal stand where they stood before.
 * headed: whether the table has its first line; the function sets it. */
void dph_values_tell(struct dp_sink *sink, const struct dph_value_view *views, size_t count,
		     bool *headed);

#endif
