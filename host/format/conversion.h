/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions of a printf format. */
#ifndef DPH_CONVERSION_H
#define DPH_CONVERSION_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
