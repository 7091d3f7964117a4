/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of the keys of an aggregation. */
#define _GNU_SOURCE
#include "format.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEY_WORDS = sizeof(((struct dph_aggregated *)0)->keys) / sizeof(uint64_t)
};

struct sorting {
	const struct dph_formats *formats;
	const struct dph_format_aggregation *aggregation;
	unsigned word_bytes;
	unsigned at[KEY_WORDS + 1]; /* first word of each key */
};

static const char *text_numbered(const struct dph_formats *formats, uint64_t number)
{
	return number < formats->text_count ? formats->texts[number] : "";
}

static int compare_numbers(uint64_t a, uint64_t b, bool is_signed)
{
	if (is_signed)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static int compare_key(const struct sorting *s, unsigned key, const uint64_t *a, const uint64_t *b)
{
	const struct dph_format_field *field = &s->aggregation->keys[key];
	const unsigned first = s->at[key], end = s->at[key + 1];
	if (field->form == DPH_FIELD_TEXT || field->form == DPH_FIELD_STACK)
		return strcmp(text_numbered(s->formats, a[first]),
			      text_numbered(s->formats, b[first]));
	if (field->form == DPH_FIELD_WORDS)
		return compare_numbers(dph_format_key_number(field, a + first, s->word_bytes),
				       dph_format_key_number(field, b + first, s->word_bytes),
				       field->is_signed);
	for (unsigned i = first; i < end; i++)
		if (a[i] != b[i])
			return compare_numbers(a[i], b[i], field->is_signed);
	return 0;
}

static int compare_keys(const struct sorting *s, const uint64_t *a, const uint64_t *b)
{
	const unsigned count = (unsigned)s->aggregation->key_count;
	for (unsigned i = 0; i < count; i++) {
		const int order = compare_key(s, (s->formats->order.key % count + i) % count, a, b);
		if (order)
			return order;
	}
	return 0;
}

static int compare(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	const struct dph_aggregated *x = a, *y = b;
	const int keys = compare_keys(s, x->keys, y->keys);
	const int values = dph_aggregated_compare(x, y);
	const int order = s->formats->order.by_key ? keys ? keys : values : values ? values : keys;
	return s->formats->order.reversed ? -order : order;
}

void dph_format_sort(const struct dph_formats *formats, const struct dph_format_aggregation *a,
		     unsigned word_bytes, struct dph_aggregated *rows, size_t count)
{
	struct sorting s = {.formats = formats, .aggregation = a, .word_bytes = word_bytes};
	for (size_t i = 0; i < a->key_count; i++) {
		s.at[i + 1] = s.at[i] + dph_format_key_words(&a->keys[i], word_bytes);
		if (s.at[i + 1] > KEY_WORDS)
			return;
	}
	qsort_r(rows, count, sizeof(*rows), compare, &s);
}
