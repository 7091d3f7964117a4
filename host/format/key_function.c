/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the host applies to the texts and numbers of keys, before it adds up the entries:
 * keys that become equal are one. */
#include "compute.h"
#include "value_reader.h"
#include "totals.h"

#include <stdlib.h>
#include <string.h>

/* The letter of functions.def; 0: there is no such operand. */
static char letter_of(enum dph_function function, unsigned operand)
{
	const char *arguments = dph_function_arguments(function);
	for (; *arguments; arguments++)
		if (*arguments != '|' && operand-- == 0)
			return *arguments;
	return 0;
}

bool dph_key_function_of_number(enum dph_function function, unsigned operand)
{
	return operand == 0 && letter_of(function, operand) == 'n';
}

bool dph_key_function_is(enum dph_function function, unsigned operand)
{
	const char letter = letter_of(function, operand);
	return dph_function_is_text(function) &&
	       (letter == 's' || letter == 't' || dph_key_function_of_number(function, operand));
}

/* What the target counts by, and the constants of the program. */
static void set_operands(struct dph_computed *operands, const struct dph_format_key_function *f,
			 const struct dph_computed *counted)
{
	for (unsigned i = 0; i < f->operand_count; i++) {
		const char *text = f->operands[i].text;
		operands[i] = (struct dph_computed){.number = f->operands[i].number,
						    .text = text,
						    .bytes = text ? strlen(text) : 0};
	}
	operands[f->text] = *counted;
}

/* A number of 64 bits, its high word first. */
static uint64_t number_of(const uint64_t *words, size_t count, unsigned word_bytes)
{
	return word_bytes == 4 && count > 1 ? words[0] << 32 | (uint32_t)words[1] : words[0];
}

/* The words of a number, or of a text, its first byte in the highest bits of the first word, become
 * the words of what the function makes of them. */
static void apply(const struct dph_format_key_function *f, uint64_t *words, size_t bytes,
		  unsigned word_bytes)
{
	const struct dph_format_field field = {.function = f->function,
					       .operand_count = f->operand_count};
	struct dph_computed operands[DPH_OPERANDS_MAX] = {{0}};
	const size_t count = (bytes + word_bytes - 1) / word_bytes;
	uint8_t text[DPH_FORMAT_CHARACTERS_MAX + sizeof(*words)] = {0};
	struct dph_tokens tokens = {0};
	struct dph_computed counted = {.number = 0};
	uint64_t number;
	for (size_t i = 0; i < count; i++)
		dph_format_put_word(text + i * word_bytes, words[i], word_bytes);
	text[bytes] = 0;
	if (dph_key_function_of_number(f->function, f->text))
		counted.number = number_of(words, count, word_bytes);
	else
		counted = (struct dph_computed){.text = (const char *)text,
						.bytes = strlen((const char *)text)};
	set_operands(operands, f, &counted);
	char *made = dph_compute(&field, operands, &tokens, &number);
	const size_t length = made ? strlen(made) : 0;
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

/* Addresses that are shown as one symbol, or as one module, are one key. */
static void join_addresses(const struct dph_total *total, uint64_t *words, size_t count)
{
	const struct dph_format_aggregation *a = total->aggregation;
	for (uint32_t key = 0; key < a->key_count && total->start; key++) {
		const uint32_t type = a->keys[key].type;
		const size_t at = first_word(total, key);
		if (a->keys[key].form != DPH_FIELD_WORDS || type >= total->formats->type_count)
			continue;
		const enum dph_format_type_kind kind = total->formats->types[type].kind;
		for (size_t n = 0; n < count; n++) {
			uint64_t *word = words + n * total->each + at;
			if (kind == DPH_FORMAT_SYMBOL)
				*word = total->start(total->context, *word, DPH_ADDRESS_SYMBOL);
			else if (kind == DPH_FORMAT_MODULE)
				*word = total->start(total->context, *word, DPH_ADDRESS_MODULE);
		}
	}
}

void dph_total_take(struct dph_total *total, const uint64_t *words, size_t count, uint32_t dropped)
{
	const struct dph_format_aggregation *a = total->aggregation;
	if (!a->key_count || !dph_total_fits(total) || !count) {
		dph_total_add(total, words, count, dropped);
		return;
	}
	const size_t bytes = count * total->each * sizeof(*words);
	uint64_t *made = dph_malloc(bytes);
	memcpy(made, words, bytes);
	join_addresses(total, made, count);
	for (size_t i = 0; i < a->key_function_count; i++) {
		const struct dph_format_key_function *f = &a->key_functions[i];
		const size_t at = first_word(total, f->key);
		for (size_t n = 0; n < count; n++)
			apply(f, made + n * total->each + at, a->keys[f->key].bytes,
			      total->word_bytes);
	}
	dph_total_add(total, made, count, dropped);
	free(made);
}
