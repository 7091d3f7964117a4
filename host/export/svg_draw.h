/* SPDX-License-Identifier: BSD-2-Clause */
/* Rectangles, lines and texts of a picture in SVG. Lengths are pixels. */
#ifndef DPH_SVG_DRAW_H
#define DPH_SVG_DRAW_H

#include <stdio.h>

enum {
	DPH_SVG_WIDTH = 1200,
	DPH_SVG_LEFT = 240,   /* of a plot: labels stand before it */
	DPH_SVG_RIGHT = 1180, /* end of a plot */
	DPH_SVG_ROW = 18,     /* height of a row of text */
	DPH_SVG_LABEL = 33,   /* characters that fit before a plot */
};

void dph_svg_begin(FILE *out, double height);
void dph_svg_end(FILE *out);
/* colour: "#rrggbb". title: shown where the pointer rests; null: none. */
void dph_svg_rect(FILE *out, double x, double y, double width, double height, const char *colour,
		  const char *title);
void dph_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour);
/* anchor: "start", "middle" or "end". most: characters to print; a longer text ends with "...". */
void dph_svg_text(FILE *out, double x, double y, const char *anchor, size_t most, const char *text);
/* The heading of a part of the picture. */
void dph_svg_heading(FILE *out, double y, const char *text);
/* A scale of times below a plot whose bottom is y, from first_ns to last_ns. */
void dph_svg_scale(FILE *out, double top, double y, double first_ns, double last_ns);

#endif
