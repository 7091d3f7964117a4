/* SPDX-License-Identifier: BSD-2-Clause */
/* The histogram of a picture: a bar for each key of an aggregation, and for each bucket of a
 * distribution. */
#ifndef DPH_SVG_BARS_H
#define DPH_SVG_BARS_H

#include "interned.h"

#include <dprobes/readings.h>

#include <stdio.h>

enum {
	DPH_BARS_MAX = 400
};

struct dph_bar {
	size_t group; /* name of an aggregation, or of a distribution with its keys */
	double value;
	char *text; /* of the value */
};

struct dph_bars {
	struct dph_interned groups, names; /* of groups; of bars in a group */
	struct dph_bar bars[DPH_BARS_MAX];
	size_t left_out;
};

/* Take what an aggregation has; an earlier value of the key is replaced. */
void dph_bars_add(struct dph_bars *bars, const struct dp_aggregation_view *view);
/* Return the text of a bucket: "[16, 32)". The caller frees it. */
char *dph_bars_bucket(const struct dp_bucket_view *bucket);
/* Return the name of an aggregation with the keys: "@a[x, 1]". The caller frees it. */
char *dph_bars_key(const struct dp_aggregation_view *view);
/* Return the height of the picture's part; 0: there is nothing to draw. */
double dph_bars_height(const struct dph_bars *bars);
void dph_bars_draw(const struct dph_bars *bars, FILE *out, double y);
void dph_bars_free(struct dph_bars *bars);

#endif
