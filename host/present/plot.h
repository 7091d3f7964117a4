/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as a picture of characters: a column for one number, or for several next to one another.
 */
#ifndef DPH_PRESENT_PLOT_H
#define DPH_PRESENT_PLOT_H

#include <stddef.h>
#include <stdio.h>

/* Start with all zero. */
struct dph_plot {
	double *list;
	size_t count, capacity;
};

/* Make plots; null: none. */
struct dph_plot *dph_plots_new(size_t count);
void dph_plots_free(struct dph_plot *plots, size_t count);

void dph_plot_add(struct dph_plot *plot, double number);
/* Print the picture, with the least and the largest number at its edge.
 * mark: index of a number whose column is marked below; `count` or more: none. */
void dph_plot_print(const struct dph_plot *plot, const char *title, size_t mark, FILE *out);

#endif
