/* SPDX-License-Identifier: BSD-2-Clause */
/* The heat map of a picture: a row for each probe, or for each bucket of a distribution, and a
 * column for each stretch of time. Columns grow with the time, so that the memory does not. */
#ifndef DPH_SVG_HEAT_H
#define DPH_SVG_HEAT_H

#include "interned.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	DPH_HEAT_COLUMNS = 128,
	DPH_HEAT_ROWS = 80
};

struct dph_heat_row {
	double order; /* rows with less stand lower; equal ones in the order of their names */
	double cells[DPH_HEAT_COLUMNS];
};

struct dph_heat {
	struct dph_interned names; /* of the rows */
	struct dph_heat_row rows[DPH_HEAT_ROWS];
	size_t left_out; /* rows that found no room */
	bool any;
	uint64_t first, latest, width; /* of a column, ns */
};

/* Add to the row of this name, at a time. */
void dph_heat_add(struct dph_heat *heat, const char *name, double order, uint64_t ns, double count);
/* Return the height of the picture's part; 0: there is nothing to draw. */
double dph_heat_height(const struct dph_heat *heat);
void dph_heat_draw(const struct dph_heat *heat, FILE *out, double y, const char *heading);
void dph_heat_free(struct dph_heat *heat);

#endif
