/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the host applies to the texts of keys, before it adds up the entries: keys that
 * become equal are one. */
#include "compute.h"
#include "printing.h"
#include "totals.h"

#include <stdlib.h>
#include <string.h>

bool dph_key_function_is(enum dph_function function)
{
	return dph_function_is_text(function) && strcmp(dph_function_arguments(function), "s") == 0;
}

/* The words of a text, its first byte in the highest bits of the first word, become the words of
 * what the function makes of the text. */
static void apply(enum dph_function function, uint64_t *words, size_t bytes, unsigned word_bytes)
{
	const struct dph_format_field field = {.function = function, .operand_count = 1};
	const size_t count = (bytes + word_bytes - 1) / word_bytes;
	uint8_t text[DPH_FORMAT_CHARACTERS_MAX + sizeof(*words)] = {0};
	struct dph_tokens tokens = {0};
	uint64_t number;
	for (size_t i = 0; i < count; i++)
		dph_format_put_word(text + i * word_bytes, words[i], word_bytes);
	text[bytes] = 0;
	const struct dph_computed operand = {.text = (const char *)text,
					     .bytes = strlen((const char *)text)};
	char *made = dph_compute(&field, &operand, &tokens, &number);
	const size_t length = strlen(made);
	for (size_t i = 0; i < count; i++) {
		words[i] = 0;
		for (size_t at = i * word_bytes; at < (i + 1) * word_bytes; at++)
			words[i] = words[i] << 8 |
				   (at < length && at < bytes ? (uint8_t)made[at] : 0u);
	}
	free(made);
	free(tokens.text);
}

/* The first word of a key in an entry. */
static size_t first_word(const struct dph_total *total, uint32_t key)
{
	size_t at = 0;
	for (uint32_t i = 0; i < key; i++)
		at += dph_format_key_words(&total->aggregation->keys[i], total->word_bytes);
	return at;
}

void dph_total_take(struct dph_total *total, const uint64_t *words, size_t count, uint32_t dropped)
{
	const struct dph_format_aggregation *a = total->aggregation;
	if (!a->key_function_count || !dph_total_fits(total) || !count) {
		dph_total_add(total, words, count, dropped);
		return;
	}
	const size_t bytes = count * total->each * sizeof(*words);
	uint64_t *made = dph_malloc(bytes);
	memcpy(made, words, bytes);
	for (size_t i = 0; i < a->key_function_count; i++) {
		const struct dph_format_key_function *f = &a->key_functions[i];
		const size_t at = first_word(total, f->key);
		for (size_t n = 0; n < count; n++)
			apply(f->function, made + n * total->each + at, a->keys[f->key].bytes,
			      total->word_bytes);
	}
	dph_total_add(total, made, count, dropped);
	free(made);
}
