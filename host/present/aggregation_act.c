/* SPDX-License-Identifier: BSD-2-Clause */
/* Actions of records on aggregations: printa, clear, trunc, normalize and denormalize. */
#define _GNU_SOURCE
#include "formats.h"

#include "base/plain.h"
#include "conversion_text.h"
#include "format/compute.h"
#include "stack_text.h"
#include "text.h"
#include "value_text.h"

#include <stdlib.h>
#include <string.h>

/* The rows of the aggregations of one printa. */
struct printing {
	const struct dp_formats *formats;
	const struct dph_format_act *act;
	struct dph_aggregated *rows[DPH_ACT_AGGREGATIONS];
	size_t counts[DPH_ACT_AGGREGATIONS];
	FILE *out;
	size_t key_width; /* characters of the widest keys, in columns */
	size_t owner;     /* the aggregation that has the keys which are printed */
};

static const struct dph_format_aggregation *aggregation(const struct printing *p, size_t n)
{
	return &p->formats->formats.aggregations[p->act->aggregations[n]];
}

/* The row of these keys; null: the aggregation has none. */
static const struct dph_aggregated *row_of(const struct printing *p, size_t n, const uint64_t *keys)
{
	for (size_t i = 0; i < p->counts[n]; i++)
		if (memcmp(p->rows[n][i].keys, keys, sizeof(p->rows[n][i].keys)) == 0)
			return &p->rows[n][i];
	return NULL;
}

static bool is_numeric(char kind)
{
	return strchr("diuoxXc", kind) != NULL;
}

static void print_value(const struct printing *p, const struct dph_conversion *c, size_t n,
			const uint64_t *keys)
{
	const struct dph_format_aggregation *a = aggregation(p, n);
	const struct dph_aggregated *row = row_of(p, n, keys);
	if (row && row->bucket_count)
		dph_formats_show_picture(p->formats, p->out, a, row);
	else
		dph_put_integer(p->out, c, row ? (uint64_t)row->value : 0);
}

static void print_key(const struct printing *p, const struct dph_conversion *c,
		      const struct dph_format_field *field, const uint64_t *key)
{
	const struct dph_format_record namer = dph_formats_namer(p->formats);
	struct dph_pool pool = {0};
	if (is_numeric(c->kind)) {
		const uint64_t number = dph_format_key_number(field, key, namer.word_bytes);
		const uint64_t plain = dph_format_narrow(number, field->bytes, false);
		dph_put_integer(p->out, c, strchr("uoxX", c->kind) ? plain : number);
		return;
	}
	const struct dp_value value = dph_format_key(&namer, &pool, field, key);
	char *text = dph_value_text(&value);
	if (c->kind == 'k' && value.form == DP_VALUE_STACK) {
		putc('\n', p->out);
		dph_put_stack_lines(p->out, text);
	} else {
		dph_put_padded(p->out, c, text);
	}
	free(text);
	dph_pool_free(&pool);
}

/* Print the format once, for these keys. The compiler has checked the conversions; an object may
 * have others. */
static void print_row(struct printing *p, const uint64_t *keys)
{
	const struct dph_format_aggregation *owner = aggregation(p, p->owner);
	const char *at = p->act->text;
	const unsigned word_bytes = dph_formats_namer(p->formats).word_bytes;
	const uint64_t *const all = keys;
	size_t value = 0, key = 0;
	struct dph_conversion c;
	while (dph_conversion_next(&at, &c)) {
		fwrite(c.text, 1, c.bytes, p->out);
		if (!c.kind)
			return;
		if (c.kind == '%')
			putc('%', p->out);
		else if (c.aggregated && is_numeric(c.kind))
			print_value(p, &c, value < p->act->count - 1 ? value++ : value, all);
		else if (!c.aggregated && key < owner->key_count) {
			print_key(p, &c, &owner->keys[key], keys);
			keys += dph_format_key_words(&owner->keys[key++], word_bytes);
		}
	}
}

/* --- columns ------------------------------------------------------------------------------- */

/* The functions of a stack stand in lines of their own. From the heap. */
static char *with_stack(const char *before, const char *lines)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	if (!out)
		return dph_strdup(before);
	fprintf(out, "%s%s", before, *before ? "\n" : "");
	dph_put_stack_lines(out, lines);
	fclose(out);
	return text;
}

/* "  key  key", from the heap */
static char *keys_text(const struct printing *p, const uint64_t *keys)
{
	const struct dph_format_aggregation *owner = aggregation(p, p->owner);
	const struct dph_format_record namer = dph_formats_namer(p->formats);
	struct dph_pool pool = {0};
	char *text = dph_strdup("");
	for (size_t i = 0; i < owner->key_count; i++) {
		const struct dp_value value = dph_format_key(&namer, &pool, &owner->keys[i], keys);
		char *key = dph_value_text(&value);
		char *longer = value.form == DP_VALUE_STACK ? with_stack(text, key)
							    : dph_print("%s  %s", text, key);
		free(key);
		free(text);
		text = longer;
		keys += dph_format_key_words(&owner->keys[i], namer.word_bytes);
	}
	dph_pool_free(&pool);
	return text;
}

/* Characters of the last line. */
static size_t width_of(const char *text)
{
	const char *line = strrchr(text, '\n');
	return strlen(line ? line + 1 : text);
}

static void measure_row(struct printing *p, const uint64_t *keys)
{
	char *text = keys_text(p, keys);
	const size_t width = width_of(text);
	p->key_width = width > p->key_width ? width : p->key_width;
	free(text);
}

/* The keys, a value of each aggregation, then the pictures of distributions. */
static void print_columns(struct printing *p, const uint64_t *keys)
{
	char *text = keys_text(p, keys), value[DPH_VALUE_ROOM];
	dph_plain_print_lines(text, p->out);
	fprintf(p->out, "%*s", (int)(p->key_width - width_of(text)), "");
	free(text);
	for (size_t n = 0; n < p->act->count; n++) {
		const struct dph_aggregated *row = row_of(p, n, keys);
		const struct dph_total *total = &p->formats->totals[p->act->aggregations[n]];
		dph_aggregation_value_text(value, sizeof(value), row ? row->value : 0,
					   row && row->is_unsigned,
					   dph_formats_has_units(p->formats, total));
		fprintf(p->out, "  %*s", DPH_VALUE_COLUMNS, value);
	}
	putc('\n', p->out);
	for (size_t n = 0; n < p->act->count; n++) {
		const struct dph_aggregated *row = row_of(p, n, keys);
		if (row && row->bucket_count)
			dph_formats_show_picture(p->formats, p->out, aggregation(p, n), row);
	}
}

/* Keys in the order of one aggregation, the first one without an option, then those that it
 * lacks. */
static void print_rows(struct printing *p, void (*print)(struct printing *p, const uint64_t *keys))
{
	const size_t count = p->act->count, decides = p->formats->formats.order.position % count;
	for (size_t turn = 0; turn < count; turn++) {
		const size_t n = (decides + turn) % count;
		p->owner = n;
		for (size_t i = 0; i < p->counts[n]; i++) {
			bool done = false;
			for (size_t before = 0; before < turn && !done; before++)
				done = row_of(p, (decides + before) % count, p->rows[n][i].keys);
			if (!done)
				print(p, p->rows[n][i].keys);
		}
	}
}

/* By the format, or in columns without one. */
static void print_joined(struct dp_formats *formats, FILE *out, const struct dph_format_act *act)
{
	struct printing p = {.formats = formats, .act = act, .out = out};
	for (size_t n = 0; n < act->count; n++)
		p.rows[n] = dph_total_rows(&formats->totals[act->aggregations[n]], &p.counts[n]);
	if (*act->text) {
		print_rows(&p, print_row);
	} else {
		print_rows(&p, measure_row);
		putc('\n', out);
		print_rows(&p, print_columns);
	}
	for (size_t n = 0; n < act->count; n++)
		dph_aggregated_free(p.rows[n], p.counts[n]);
}

static void print_as_at_the_end(struct dp_formats *formats, FILE *out,
				const struct dph_format_act *act)
{
	const struct dp_sink_options options = {.out = out, .table = DP_TABLE_AGGREGATIONS};
	struct dp_sink *sink = dp_sink_open(dp_sink_kinds[0], &options);
	for (size_t n = 0; sink && n < act->count; n++)
		dph_formats_tell_total(formats, act->aggregations[n], 0, sink);
	dp_sink_close(sink);
}

static void act_on(struct dph_total *total, const struct dph_format_act *act)
{
	if (act->kind == DPH_ACTION_CLEAR)
		dph_total_clear(total);
	else if (act->kind == DPH_ACTION_TRUNC)
		dph_total_trunc(total, act->number);
	else
		dph_total_normalize(total, act->kind == DPH_ACTION_NORMALIZE ? act->number : 1);
}

void dph_formats_act(struct dp_formats *formats, FILE *out, const struct dph_format_act *act)
{
	if (!act->count)
		return;
	if (act->kind != DPH_ACTION_PRINTA) {
		for (size_t n = 0; n < act->count; n++)
			act_on(&formats->totals[act->aggregations[n]], act);
		return;
	}
	for (size_t n = 0; n < act->count; n++)
		formats->totals[act->aggregations[n]].printed = true;
	if (*act->text || act->count > 1)
		print_joined(formats, out, act);
	else
		print_as_at_the_end(formats, out, act);
}
