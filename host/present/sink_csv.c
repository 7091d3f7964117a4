/* SPDX-License-Identifier: BSD-2-Clause */
/* The format csv prints a header line, then one row a reading. Columns depend on the table only.
 * Quotes as in RFC 4180, lines end with a newline. A list inside a reading gives one row an
 * element. */
#include "readings.h"

#include "base/hex.h"
#include "base/plain.h"
#include "base/pool.h"
#include "base/utf8.h"
#include "json.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct column {
	char *header;
	const char *name;          /* of the field */
	enum dp_reading_kind kind; /* of the list's elements; DP_READING_KINDS: outside of lists */
	char *cell;                /* null: empty */
};

struct csv {
	struct column *columns;
	size_t count, capacity;
	enum dp_reading_kind inside; /* kind of the part that is visited, or DP_READING_KINDS */
	bool element;                /* the part is an element of a list */
	unsigned rows;               /* of this reading */
	FILE *out;
};

/* --- columns -------------------------------------------------------------------------------------
 */

static bool is_header(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->count; i++)
		if (strcmp(csv->columns[i].header, name) == 0)
			return true;
	return false;
}

static void add_column(struct csv *csv, enum dp_reading_kind kind, const char *name, char *header)
{
	csv->columns = dph_grow(csv->columns, &csv->capacity, csv->count, sizeof *csv->columns);
	csv->columns[csv->count++] = (struct column){.header = header, .name = name, .kind = kind};
}

/* Columns of the elements of a list: with the prefix where the name is taken. */
static void add_list(struct csv *csv, const struct dph_reading_field *list)
{
	const struct dph_reading_field *f = dph_reading_fields(list->kind);

	for (; f->name != NULL; f++)
		add_column(csv, list->kind, f->name,
			   is_header(csv, f->name) ? dph_print("%s%s", list->prefix, f->name)
						   : dph_strdup(f->name));
}

/* Kinds of one table share the columns that have the same name. */
static void add_kind(struct csv *csv, enum dp_reading_kind kind)
{
	const struct dph_reading_field *f = dph_reading_fields(kind);

	for (; f->name != NULL; f++)
		if (f->prefix != NULL)
			add_list(csv, f);
		else if (!is_header(csv, f->name))
			add_column(csv, DP_READING_KINDS, f->name, dph_strdup(f->name));
}

/* --- cells ---------------------------------------------------------------------------------------
 */

static bool needs_quotes(const char *text)
{
	const size_t bytes = strlen(text);

	return bytes == 0 || strpbrk(text, ",\"\r\n") != NULL || text[0] == ' ' ||
	       text[bytes - 1] == ' ';
}

static void put_cell(FILE *out, const char *text)
{
	if (!needs_quotes(text)) {
		dph_plain_print_lines(text, out);
		return;
	}
	putc('"', out);
	for (const char *quote; (quote = strchr(text, '"')) != NULL; text = quote + 1) {
		char *front = dph_strndup(text, (size_t)(quote - text));

		dph_plain_print_lines(front, out);
		fputs("\"\"", out);
		free(front);
	}
	dph_plain_print_lines(text, out);
	putc('"', out);
}

static char *joined(const struct dp_value *value)
{
	char *list = dph_strdup("");

	for (size_t i = 0; i < value->count; i++) {
		const char *blank = i == 0 ? "" : " ";
		char *longer = value->form == DP_VALUE_NUMBERS
				       ? dph_print("%s%s%" PRIu64, list, blank, value->numbers[i])
				       : dph_print("%s%s%s", list, blank, value->texts[i]);

		free(list);
		list = longer;
	}
	return list;
}

static char *cell_of(const struct dp_value *value)
{
	switch (value->form) {
	case DP_VALUE_NUMBER:
		return dph_print("%" PRIu64, value->number);
	case DP_VALUE_SIGNED:
		return dph_print("%" PRId64, (int64_t)value->number);
	case DP_VALUE_FLAG:
		return dph_strdup(value->number != 0 ? "true" : "false");
	case DP_VALUE_ADDRESS:
		return dph_print("0x%08" PRIx64, value->number);
	case DP_VALUE_SECONDS:
		return dph_print("%.9f", value->seconds);
	case DP_VALUE_STRING:
	case DP_VALUE_JSON:
		return dph_utf8_clean(value->text);
	case DP_VALUE_HEX:
		return dph_hex(dph_malloc(2 * value->count + 1), value->bytes, value->count);
	case DP_VALUE_NUMBERS:
	case DP_VALUE_STRINGS:
		return joined(value);
	default: /* no reading has one */
		break;
	}
	return dph_strdup("");
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static void clear(struct csv *csv, bool all)
{
	for (size_t i = 0; i < csv->count; i++)
		if (all || csv->columns[i].kind != DP_READING_KINDS) {
			free(csv->columns[i].cell);
			csv->columns[i].cell = NULL;
		}
}

static void put_row(struct csv *csv)
{
	for (size_t i = 0; i < csv->count; i++) {
		if (i > 0)
			putc(',', csv->out);
		if (csv->columns[i].cell != NULL)
			put_cell(csv->out, csv->columns[i].cell);
	}
	putc('\n', csv->out);
	csv->rows++;
}

static void on_value(void *context, const char *name, const struct dp_value *value)
{
	struct csv *csv = context;

	for (size_t i = 0; i < csv->count; i++)
		if (csv->columns[i].kind == csv->inside && strcmp(csv->columns[i].name, name) == 0)
			csv->columns[i].cell = cell_of(value);
}

static void on_open(void *context, const char *name, enum dp_reading_kind kind, char bracket)
{
	struct csv *csv = context;

	if (bracket != '{')
		return;
	csv->inside = kind;
	csv->element = name == NULL;
}

static void on_close(void *context, char bracket)
{
	struct csv *csv = context;

	if (bracket != '}')
		return;
	if (csv->element) {
		put_row(csv);
		clear(csv, false);
	}
	csv->inside = DP_READING_KINDS;
}

/* --- the sink ------------------------------------------------------------------------------------
 */

static bool begin(struct dp_sink *sink)
{
	struct csv *csv = sink->state;

	csv->out = sink->options.out;
	csv->inside = DP_READING_KINDS;
	for (int kind = 0; kind < DP_READING_KINDS; kind++)
		if (dp_reading_table((enum dp_reading_kind)kind) == sink->options.table)
			add_kind(csv, (enum dp_reading_kind)kind);
	for (size_t i = 0; i < csv->count; i++)
		fprintf(csv->out, "%s%s", i == 0 ? "" : ",", csv->columns[i].header);
	putc('\n', csv->out);
	return fflush(csv->out) == 0;
}

static bool reading(struct dp_sink *sink, enum dp_reading_kind kind, const void *view)
{
	struct csv *csv = sink->state;
	const struct dp_field_visitor visitor = {csv, on_value, on_open, on_close};

	if (dp_reading_table(kind) != sink->options.table)
		return dph_show_aside(sink, kind, view);
	csv->rows = 0;
	dp_reading_visit(kind, view, &visitor);
	if (csv->rows == 0)
		put_row(csv);
	clear(csv, true);
	return fflush(csv->out) == 0;
}

static bool record(struct dp_sink *sink, const struct dp_record_view *view)
{
	return reading(sink, DP_READING_RECORD, view);
}

static bool gap(struct dp_sink *sink, const struct dp_gap *view)
{
	return reading(sink, DP_READING_GAP, view);
}

static bool notice(struct dp_sink *sink, const struct dp_notice_view *view)
{
	return reading(sink, DP_READING_NOTICE, view);
}

static bool end(struct dp_sink *sink)
{
	struct csv *csv = sink->state;

	for (size_t i = 0; i < csv->count; i++)
		free(csv->columns[i].header);
	free(csv->columns);
	return true;
}

extern const struct dp_sink_kind dph_sink_csv;
const struct dp_sink_kind dph_sink_csv = {
	.name = "csv",
	.tables = 1u << DP_TABLE_RECORDS | 1u << DP_TABLE_PROGRAMS | 1u << DP_TABLE_VARIABLES |
		  1u << DP_TABLE_AGGREGATIONS | 1u << DP_TABLE_SYMBOLS | 1u << DP_TABLE_PORTS |
		  1u << DP_TABLE_HITS | 1u << DP_TABLE_VALUES | 1u << DP_TABLE_TASKS |
		  1u << DP_TABLE_PROFILE | 1u << DP_TABLE_FINDINGS,
	.templates = true,
	.state_bytes = sizeof(struct csv),
	.begin = begin,
	.record = record,
	.gap = gap,
	.notice = notice,
	.reading = reading,
	.end = end,
};
