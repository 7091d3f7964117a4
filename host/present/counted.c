/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations that the host counts: each hit records its keys, a call stack among them. Stacks of
 * equal functions, offsets and lines are one key. */
#define _GNU_SOURCE
#include "formats.h"

#include "base/plain.h"
#include "stack_text.h"
#include "value_text.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEY_WORDS = sizeof(((struct dph_aggregated *)0)->keys) / sizeof(uint64_t)
};

/* The number of a text among those of the program and of earlier keys. */
static size_t number_of(struct dp_formats *formats, const char *text)
{
	struct dph_formats *f = &formats->formats;
	const size_t known = dph_name_index_find(&formats->counted, 0, text);
	if (known != DPH_NAME_NONE)
		return known;
	while (formats->text_room <= f->text_count) {
		const bool fresh = formats->texts == NULL;
		/* NOLINTNEXTLINE(bugprone-sizeof-expression): the array holds pointers */
		formats->texts = dph_grow(formats->texts, &formats->text_room, f->text_count,
					  sizeof(*formats->texts));
		if (fresh && f->text_count > 0)
			memcpy(formats->texts, f->texts, f->text_count * sizeof(*formats->texts));
	}
	formats->texts[f->text_count] = dph_pool_copy(&formats->pool, text, strlen(text));
	f->texts = formats->texts;
	dph_name_index_add(&formats->counted, 0, f->texts[f->text_count], f->text_count);
	return f->text_count++;
}

/* A line for each function, without indentation and without the last newline. */
static void strip(char *lines)
{
	char *to = lines;
	for (const char *at = lines; *at; at += *at == '\n') {
		at += strspn(at, " ");
		for (; *at && *at != '\n'; at++)
			*to++ = *at;
		if (*at && at[1])
			*to++ = '\n';
	}
	*to = '\0';
}

static size_t number_of_stack(struct dp_formats *formats, const struct dp_value *stack)
{
	char *lines = dph_stack_text(formats->debug, formats->cpu, stack);
	strip(lines);
	const size_t number = number_of(formats, lines);
	free(lines);
	return number;
}

static size_t number_of_text(struct dp_formats *formats, const struct dp_value *value)
{
	char *text = dph_value_text(value);
	dph_plain_replace(text);
	const size_t number = number_of(formats, text);
	free(text);
	return number;
}

/* Put the words of a key; the high word of two stands first. Returns their number. */
static unsigned put_key(struct dp_formats *formats, const struct dph_format_field *field,
			const struct dp_value *value, uint64_t *words)
{
	const unsigned word_bits = 8 * formats->program.word_bytes;
	if (field->form == DPH_FIELD_STACK)
		words[0] = number_of_stack(formats, value);
	else if (field->form == DPH_FIELD_TEXT)
		words[0] = number_of_text(formats, value);
	else if (dph_format_key_words(field, formats->program.word_bytes) == 1)
		words[0] = word_bits == 64 ? value->number : (uint32_t)value->number;
	else {
		words[0] = value->number >> word_bits;
		words[1] = (uint32_t)value->number;
		return 2;
	}
	return 1;
}

static uint64_t put_bucket(const struct dp_formats *formats, int64_t bucket)
{
	return formats->program.word_bytes == 8 ? (uint64_t)bucket : (uint32_t)bucket;
}

/* A key that is a stack has a stack in the record, and no other key has. A damaged object may say
 * otherwise. */
static bool are_keys(const struct dph_format_aggregation *a, const struct dph_action *action)
{
	bool good = action->count == a->key_count + dph_aggregate_has_value(a);
	for (size_t i = 0; good && i < action->count; i++)
		good = (action->values[i]->form == DP_VALUE_STACK) ==
		       (i < a->key_count && a->keys[i].form == DPH_FIELD_STACK);
	return good;
}

void dph_formats_count(struct dp_formats *formats, const struct dph_action *action)
{
	struct dph_total *total = &formats->totals[action->aggregation];
	const struct dph_format_aggregation *a = total->aggregation;
	const unsigned word_bytes = formats->program.word_bytes;
	uint64_t words[KEY_WORDS];
	unsigned at = 0;
	if (!dph_aggregate_of_host(a) || !are_keys(a, action) ||
	    dph_aggregate_key_words(a, word_bytes) > KEY_WORDS)
		return;
	for (size_t i = 0; i < a->key_count; i++)
		at += put_key(formats, &a->keys[i], action->values[i], words + at);
	const int64_t value =
		action->count > a->key_count ? (int64_t)action->values[a->key_count]->number : 1;
	if (a->function >= DPH_AGGREGATE_quantize)
		words[at] = put_bucket(formats, dph_aggregate_bucket_of(a, value));
	dph_total_count(total, words, value);
}
