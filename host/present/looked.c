/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of the firmware as text: a line each, or the lines of a dump. */
#define _GNU_SOURCE
#include "looked.h"

#include "json.h"
#include "text.h"
#include "trends.h"
#include "value_json.h"
#include "value_text.h"

#include "base/plain.h"
#include "base/pool.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_BYTES = 16,  /* of a dump */
	COLUMN_LEAST = 8, /* width of a column */
	SECONDS_WIDTH = 9
};

static void put_number(FILE *out, const struct dph_value_view *view, const uint8_t *bytes)
{
	for (unsigned i = 0; i < view->width; i++)
		fprintf(out, "%02x", bytes[view->big_endian ? i : view->width - 1 - i]);
}

/* The bytes of one line, as columns that are equally wide in each line. */
static void put_columns(FILE *out, const struct dph_value_view *view, const uint8_t *bytes,
			size_t count)
{
	const unsigned each = view->width > 0 ? view->width : 1;

	for (size_t at = 0; at < LINE_BYTES; at += each) {
		fputs(at == LINE_BYTES / 2 ? "  " : " ", out);
		if (at + each > count)
			fprintf(out, "%*s", (int)(2 * each), "");
		else if (view->width > 0)
			put_number(out, view, bytes + at);
		else
			fprintf(out, "%02x", bytes[at]);
	}
}

static void put_line(FILE *out, const struct dph_value_view *view, size_t from, size_t count)
{
	const uint8_t *bytes = view->value->bytes + from;

	fprintf(out, "%08" PRIx64 " ", view->address + from);
	put_columns(out, view, bytes, count);
	fputs("  |", out);
	for (size_t i = 0; i < count; i++)
		putc(isprint(bytes[i]) ? bytes[i] : '.', out);
	fputs("|\n", out);
}

static void put_dump(FILE *out, const struct dph_value_view *view)
{
	for (size_t from = 0; from < view->value->count; from += LINE_BYTES) {
		const size_t left = view->value->count - from;

		put_line(out, view, from, left < LINE_BYTES ? left : LINE_BYTES);
	}
}

static char *hex_text(const struct dp_value *value)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	dph_print_hex(out, value->bytes, value->count);
	fclose(out);
	return text;
}

void dph_show_value(FILE *out, const struct dph_value_view *view)
{
	if (view->value->form == DP_VALUE_HEX && view->why == NULL) {
		put_dump(out, view);
		return;
	}
	dph_plain_print(view->name, out);
	fputs(view->why != NULL ? " = <" : " = ", out);
	if (view->why != NULL)
		dph_plain_print(view->why, out);
	else
		dph_put_value(out, view->value);
	fputs(view->why != NULL ? ">\n" : "\n", out);
}

/* --- readings -------------------------------------------------------------------------------- */

static void tell(struct dp_sink *sink, const struct dph_value_view *view)
{
	struct dph_value_view made = *view;
	const bool hex = view->value->form == DP_VALUE_HEX;
	char *text = NULL, *json = NULL;

	if (view->why == NULL) {
		made.text = text = hex ? hex_text(view->value) : dph_value_text(view->value);
		made.json = json = dph_value_json(view->value);
	}
	dp_sink_reading(sink, DP_READING_VALUE, &made);
	free(text);
	free(json);
}

/* A column is as wide as its name. */
static int width_of(const struct dph_value_view *view)
{
	const int columns = (int)strlen(view->name);

	return columns < COLUMN_LEAST ? COLUMN_LEAST : columns;
}

static void put_cell(FILE *out, const struct dph_value_view *view, const char *text)
{
	const int columns = (int)strlen(text), width = width_of(view);

	fprintf(out, "  %*s", columns < width ? width - columns : 0, "");
	dph_plain_print(text, out);
}

static void put_head(FILE *out, const struct dph_value_view *views, size_t count)
{
	fprintf(out, "%*s", SECONDS_WIDTH, "seconds");
	for (size_t i = 0; i < count; i++)
		put_cell(out, &views[i], views[i].name);
	putc('\n', out);
}

static void put_row(FILE *out, const struct dph_value_view *views, size_t count)
{
	fprintf(out, "%*.3f", SECONDS_WIDTH, views[0].seconds);
	for (size_t i = 0; i < count; i++) {
		const struct dp_value *value = views[i].value;
		char *text = views[i].why != NULL          ? dph_strdup("?")
			     : value->form == DP_VALUE_HEX ? hex_text(value)
							   : dph_value_text(value);

		put_cell(out, &views[i], text != NULL ? text : "?");
		free(text);
	}
	putc('\n', out);
	fflush(out);
}

/* A value as a number of a line of readings. Returns false: it is none. */
static bool as_reading(const struct dp_value *value, double *reading)
{
	switch (value->form) {
	case DP_VALUE_SIGNED:
	case DP_VALUE_ENUM: /* as dph_put_value prints them */
	case DP_VALUE_CHARACTER:
		*reading = (double)(int64_t)value->number;
		return true;
	case DP_VALUE_FLOAT:
		*reading = value->seconds;
		return true;
	case DP_VALUE_NUMBER:
	case DP_VALUE_FLAG:
		*reading = (double)value->number;
		return true;
	default:
		return false;
	}
}

static void put_live(FILE *out, const struct dph_value_view *view)
{
	char line[DPH_TREND_ROOM];
	double reading;

	if (view->why != NULL || !as_reading(view->value, &reading)) {
		dph_show_value(out, view);
		return;
	}
	dph_trend_append(view->trend, reading);
	dph_trend_line(view->trend, line);
	dph_plain_print(view->name, out);
	fputs(" = ", out);
	dph_put_value(out, view->value);
	fprintf(out, "  %s\n", line);
}

/* --live */
static void put_all_live(FILE *out, const struct dph_value_view *views, size_t count)
{
	if (isatty(fileno(out)))
		fputs("\033[H\033[J", out);
	for (size_t i = 0; i < count; i++)
		put_live(out, &views[i]);
	fflush(out);
}

void dph_values_tell(struct dp_sink *sink, const struct dph_value_view *views, size_t count,
		     bool *headed)
{
	if (count > 0 && views[0].trend != NULL && sink->kind == dp_sink_kinds[0]) {
		put_all_live(sink->options.out, views, count);
		return;
	}
	if (count > 0 && views[0].timed && sink->kind == dp_sink_kinds[0]) {
		if (!*headed)
			put_head(sink->options.out, views, count);
		*headed = true;
		put_row(sink->options.out, views, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		tell(sink, &views[i]);
}
