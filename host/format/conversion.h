/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions of a printf format. */
#ifndef DPH_CONVERSION_H
#define DPH_CONVERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	DPH_WIDTH_MAX = 1000 /* of widths and precisions */
};

/* A printf format, piece by piece. */
struct dph_conversion {
	const char *text; /* literal text before the conversion, with escapes already replaced */
	size_t bytes;
	bool minus, plus, space, hash, zero, quote;
	bool aggregated;                 /* @: of printa, a value of an aggregation */
	bool star_width, star_precision; /* the value is an argument */
	int width, precision;            /* -1: none */
	char kind;                       /* 0: only text is left */
	const char *start;               /* the '%' */
	size_t length;                   /* of the conversion as written */
};

/* Read the next piece.
 * at: moves behind the piece.
 * Returns false for a conversion that is cut short. */
bool dph_conversion_next(const char **at, struct dph_conversion *conversion);

/* Print a text with the width and precision of the conversion. */
void dph_put_padded(FILE *out, const struct dph_conversion *c, const char *text);
/* Print a number; a negative precision is none. */
void dph_put_integer(FILE *out, const struct dph_conversion *c, uint64_t value);
/* Print nanoseconds since 1970 as local time. %Y: "1999 Dec 31 23:59:59"; %T: as mail has it. */
void dph_put_day_time(FILE *out, const struct dph_conversion *c, int64_t ns);
void dph_put_float(FILE *out, const struct dph_conversion *c, double value);

#endif
