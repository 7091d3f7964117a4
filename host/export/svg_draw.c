/* SPDX-License-Identifier: BSD-2-Clause */
/* A writer for the few elements of SVG that the pictures have. */
#include "svg_draw.h"

#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MARKS_MAX = 10,  /* of a scale, behind its first */
	LEAST_NS = 1000, /* of a scale whose items have one time */
};

void dph_svg_begin(FILE *out, double height)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
		"viewBox=\"0 0 %d %.0f\" font-family=\"DejaVu Sans, sans-serif\" "
		"font-size=\"11\">\n",
		DPH_SVG_WIDTH, height, DPH_SVG_WIDTH, height);
	dph_svg_rect(out, 0, 0, DPH_SVG_WIDTH, height, "#ffffff", NULL);
}

void dph_svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

/* A character that XML does not have is a dot. */
static void put_escaped(FILE *out, const char *text, size_t most)
{
	char *clean = dph_utf8_clean(text);
	size_t shown = 0;

	for (const char *at = clean; *at != '\0'; at++) {
		if (((unsigned char)*at & 0xc0) != 0x80 && shown++ == most) {
			fputs("...", out);
			break;
		}
		if (*at == '<')
			fputs("&lt;", out);
		else if (*at == '>')
			fputs("&gt;", out);
		else if (*at == '&')
			fputs("&amp;", out);
		else
			putc((unsigned char)*at < ' ' || *at == 0x7f ? '.' : *at, out);
	}
	free(clean);
}

void dph_svg_rect(FILE *out, double x, double y, double width, double height, const char *colour,
		  const char *title)
{
	fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"", x, y,
		width, height, colour);
	if (title == NULL) {
		fputs("/>\n", out);
		return;
	}
	fputs("><title>", out);
	put_escaped(out, title, (size_t)-1);
	fputs("</title></rect>\n", out);
}

void dph_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour)
{
	fprintf(out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\"/>\n", x1,
		y1, x2, y2, colour);
}

void dph_svg_text(FILE *out, double x, double y, const char *anchor, size_t most, const char *text)
{
	fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">", x, y, anchor);
	put_escaped(out, text, most);
	fputs("</text>\n", out);
}

void dph_svg_heading(FILE *out, double y, const char *text)
{
	fprintf(out, "<text x=\"10\" y=\"%.2f\" font-size=\"14\" font-weight=\"bold\">", y);
	put_escaped(out, text, (size_t)-1);
	fputs("</text>\n", out);
}

/* The distance of two marks: 1, 2 or 5 times a power of ten, and at most ten of them. */
static double step_of(double span)
{
	const double power = pow(10, floor(log10(span / 10)));
	const double steps[] = {1, 2, 5, 10};
	size_t i = 0;

	while (i < 3 && steps[i] * power * 10 < span)
		i++;
	return steps[i] * power;
}

void dph_svg_scale(FILE *out, double top, double y, double first_ns, double last_ns)
{
	const double span = last_ns > first_ns ? last_ns - first_ns : LEAST_NS;
	const double step = step_of(span);
	const double width = DPH_SVG_RIGHT - DPH_SVG_LEFT;
	const int digits = step >= 1e9 ? 0 : step >= 1e6 ? 3 : step >= 1e3 ? 6 : 9;
	char text[48];

	dph_svg_line(out, DPH_SVG_LEFT, y, DPH_SVG_RIGHT, y, "#444444");
	/* Steps that are added to a large time may not change it. */
	for (int i = 0; i <= MARKS_MAX; i++) {
		const double at = (ceil(first_ns / step) + i) * step;
		const double x = DPH_SVG_LEFT + (at - first_ns) / span * width;

		if (at > last_ns)
			break;
		dph_svg_line(out, x, top, x, y + 4, "#dddddd");
		snprintf(text, sizeof text, "%.*f s", digits, at / 1e9);
		dph_svg_text(out, x, y + 16, "middle", 40, text);
	}
}
