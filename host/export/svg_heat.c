/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts by row and time, as colours. */
#define _GNU_SOURCE
#include "svg_heat.h"

#include "svg_draw.h"

#include "base/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CELL = 16,    /* height of a row */
	HEADING = 34, /* above the first row */
	SCALE = 34,   /* below the last one */
	LEGEND = 24,
	LEAST_NS = 1000 /* width of a column at first */
};

/* Two columns become one. */
static void widen(struct dph_heat *heat)
{
	heat->width *= 2;
	for (size_t i = 0; i < heat->names.count && i < DPH_HEAT_ROWS; i++) {
		double *cells = heat->rows[i].cells;

		for (size_t k = 0; k < DPH_HEAT_COLUMNS / 2; k++)
			cells[k] = cells[2 * k] + cells[2 * k + 1];
		for (size_t k = DPH_HEAT_COLUMNS / 2; k < DPH_HEAT_COLUMNS; k++)
			cells[k] = 0;
	}
}

void dph_heat_add(struct dph_heat *heat, const char *name, double order, uint64_t ns, double count)
{
	size_t row;

	if (!heat->any) {
		heat->any = true;
		heat->first = heat->latest = ns;
		heat->width = LEAST_NS;
	}
	if (ns < heat->first)
		ns = heat->first;
	if (ns > heat->latest)
		heat->latest = ns;
	while ((ns - heat->first) / heat->width >= DPH_HEAT_COLUMNS)
		widen(heat);
	row = heat->names.count < DPH_HEAT_ROWS ? dph_intern(&heat->names, name)
						: dph_name_index_find(&heat->names.index, 0, name);
	if (row == DPH_NAME_NONE) {
		heat->left_out++;
		return;
	}
	heat->rows[row].order = order;
	heat->rows[row].cells[(ns - heat->first) / heat->width] += count;
}

double dph_heat_height(const struct dph_heat *heat)
{
	return heat->any ? HEADING + (double)heat->names.count * CELL + SCALE + LEGEND : 0;
}

static int compare(const void *a, const void *b, void *heat)
{
	const struct dph_heat *h = heat;
	const size_t left = *(const size_t *)a, right = *(const size_t *)b;
	const double by = h->rows[right].order - h->rows[left].order;

	if (by != 0)
		return by < 0 ? -1 : 1;
	return strcmp(h->names.names[left], h->names.names[right]);
}

static double most_of(const struct dph_heat *heat)
{
	double most = 1;

	for (size_t i = 0; i < heat->names.count; i++)
		for (size_t k = 0; k < DPH_HEAT_COLUMNS; k++)
			most = heat->rows[i].cells[k] > most ? heat->rows[i].cells[k] : most;
	return most;
}

/* From light to dark by the logarithm: one is seen beside a thousand. */
static const char *colour_of(double count, double most, char *room)
{
	const double part = most > 1 ? 0.15 + 0.85 * log(count) / log(most) : 1;
	const double share = part < 0.15 ? 0.15 : part;

	snprintf(room, 8, "#%02x%02x%02x", (unsigned)(247 - share * 239),
		 (unsigned)(251 - share * 203), (unsigned)(255 - share * 148));
	return room;
}

static void draw_row(const struct dph_heat *heat, FILE *out, size_t row, double y, double most)
{
	const double used = (double)(heat->latest - heat->first) / (double)heat->width + 1;
	const double columns = used < DPH_HEAT_COLUMNS ? ceil(used) : DPH_HEAT_COLUMNS;
	const double width = (DPH_SVG_RIGHT - DPH_SVG_LEFT) / columns;
	const double *cells = heat->rows[row].cells;
	char room[8];

	dph_svg_text(out, DPH_SVG_LEFT - 8, y + 12, "end", DPH_SVG_LABEL, heat->names.names[row]);
	for (size_t k = 0; k < DPH_HEAT_COLUMNS && (double)k < columns; k++) {
		char *title;

		if (cells[k] <= 0)
			continue;
		title = dph_print("%s: %.0f at %.6f s", heat->names.names[row], cells[k],
				  (double)(heat->first + k * heat->width) / 1e9);
		dph_svg_rect(out, DPH_SVG_LEFT + (double)k * width, y, width, CELL - 1,
			     colour_of(cells[k], most, room), title);
		free(title);
	}
}

static void draw_legend(const struct dph_heat *heat, FILE *out, double y, double most)
{
	char text[128], room[8];
	double x = DPH_SVG_LEFT;

	snprintf(text, sizeof text, "in %.6f s:", (double)heat->width / 1e9);
	dph_svg_text(out, x, y + 12, "start", 40, text);
	x += 120;
	for (double count = 1; count < most * 10; count *= 10) {
		const double shown = count < most ? count : most;

		dph_svg_rect(out, x, y + 2, 20, 12, colour_of(shown, most, room), NULL);
		snprintf(text, sizeof text, "%.0f", shown);
		dph_svg_text(out, x + 24, y + 12, "start", 40, text);
		x += 80;
	}
	snprintf(text, sizeof text, "%zu more that found no row", heat->left_out);
	if (heat->left_out > 0)
		dph_svg_text(out, x, y + 12, "start", 60, text);
}

void dph_heat_draw(const struct dph_heat *heat, FILE *out, double y, const char *heading)
{
	const double most = most_of(heat);
	const double top = y + HEADING;
	const double bottom = top + (double)heat->names.count * CELL;
	const uint64_t columns = (heat->latest - heat->first) / heat->width + 1;
	size_t rows[DPH_HEAT_ROWS];

	for (size_t i = 0; i < heat->names.count; i++)
		rows[i] = i;
	qsort_r(rows, heat->names.count, sizeof *rows, compare, (void *)(uintptr_t)heat);
	dph_svg_heading(out, y + 18, heading);
	dph_svg_scale(out, top, bottom, (double)heat->first,
		      (double)(heat->first + columns * heat->width));
	for (size_t i = 0; i < heat->names.count; i++)
		draw_row(heat, out, rows[i], top + (double)i * CELL, most);
	draw_legend(heat, out, bottom + SCALE - 8, most);
}

void dph_heat_free(struct dph_heat *heat)
{
	dph_interned_free(&heat->names);
}
