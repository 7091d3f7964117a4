/* SPDX-License-Identifier: BSD-2-Clause */
#include "plot.h"

#include "base/plain.h"
#include "base/pool.h"

#include <stdlib.h>

enum {
	COLUMNS = 60,
	ROWS = 8,
	LABEL = 12 /* characters of a number at the edge */
};

struct dph_plot *dph_plots_new(size_t count)
{
	struct dph_plot *plots = dph_malloc((count + 1) * sizeof *plots);

	for (size_t i = 0; i < count; i++)
		plots[i] = (struct dph_plot){0};
	return plots;
}

void dph_plots_free(struct dph_plot *plots, size_t count)
{
	for (size_t i = 0; plots != NULL && i < count; i++)
		free(plots[i].list);
	free(plots);
}

void dph_plot_add(struct dph_plot *plot, double number)
{
	plot->list = dph_grow(plot->list, &plot->capacity, plot->count, sizeof *plot->list);
	plot->list[plot->count++] = number;
}

static size_t columns_of(const struct dph_plot *plot)
{
	return plot->count < COLUMNS ? plot->count : COLUMNS;
}

/* The first number of a column; of column `columns` the end. */
static size_t first_of(const struct dph_plot *plot, size_t column)
{
	return column * plot->count / columns_of(plot);
}

static void find_limits(const double *list, size_t count, double *least, double *most)
{
	*least = *most = list[0];
	for (size_t i = 1; i < count; i++) {
		*least = list[i] < *least ? list[i] : *least;
		*most = list[i] > *most ? list[i] : *most;
	}
}

static unsigned row_of(double number, double least, double most)
{
	const double share = most > least ? (number - least) / (most - least) : 0;

	return (unsigned)(share * (ROWS - 1) + 0.5);
}

/* A column reaches from its least number to its largest. */
static void print_cell(const struct dph_plot *plot, size_t column, unsigned row, double least,
		       double most, FILE *out)
{
	const size_t first = first_of(plot, column), end = first_of(plot, column + 1);
	double low, high;

	find_limits(plot->list + first, end - first, &low, &high);
	putc(row >= row_of(low, least, most) && row <= row_of(high, least, most) ? '*' : ' ', out);
}

static void print_mark(const struct dph_plot *plot, size_t mark, FILE *out)
{
	size_t column = 0;

	if (mark >= plot->count)
		return;
	while (first_of(plot, column + 1) <= mark)
		column++;
	fprintf(out, "%*s  %*s^ trigger\n", LABEL, "", (int)column, "");
}

void dph_plot_print(const struct dph_plot *plot, const char *title, size_t mark, FILE *out)
{
	double least, most;

	dph_plain_print(title, out);
	if (plot->count == 0) {
		fputs(": no value\n", out);
		return;
	}
	fprintf(out, ": %zu value(s)\n", plot->count);
	find_limits(plot->list, plot->count, &least, &most);
	for (unsigned row = ROWS; row-- > 0;) {
		if (row == ROWS - 1 || row == 0)
			fprintf(out, "%*.10g |", LABEL, row == 0 ? least : most);
		else
			fprintf(out, "%*s |", LABEL, "");
		for (size_t column = 0; column < columns_of(plot); column++)
			print_cell(plot, column, row, least, most, out);
		fputs("|\n", out);
	}
	print_mark(plot, mark, out);
}
