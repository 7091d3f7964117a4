/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of variables, and keys of arrays, as text. */
#define _GNU_SOURCE
#include "printing.h"

unsigned dph_format_value_words(const struct dph_format_field *field, unsigned word_bytes)
{
	return dph_format_key_words(field, word_bytes);
}

/* The word last pushed lies at the lower address of a number in memory. */
static uint64_t pair(const struct dph_format_record *record, const uint64_t *words)
{
	const unsigned bits = 8 * record->word_bytes;
	return record->big_endian ? words[1] << bits | words[0] : words[0] << bits | words[1];
}

uint64_t dph_format_value_number(const struct dph_format_record *record,
				 const struct dph_format_field *field, const uint64_t *words)
{
	return dph_format_value_words(field, record->word_bytes) == 2 ? pair(record, words)
								      : words[0];
}

/* The words of a struct as memory has them: the one last pushed stands first. */
static char *object_text(const struct dph_format_record *record,
			 const struct dph_format_field *field, const uint64_t *words)
{
	const unsigned word = record->word_bytes, count = dph_format_value_words(field, word);
	uint8_t bytes[DPH_FORMAT_OBJECT_MAX + sizeof(*words)];
	char *text = NULL;
	size_t length;
	struct printing p = {
		.record = record, .objects = sizeof(bytes), .out = open_memstream(&text, &length)};
	const struct dph_format_type *type = dph_printing_type(&p, field->type);
	if (!p.out)
		return NULL;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < word; k++)
			bytes[i * word + k] =
				(uint8_t)(words[count - 1 - i] >>
					  8 * (record->big_endian ? word - 1 - k : k));
	if (type)
		dph_put_object(&p, type, bytes, (size_t)field->bytes, 0);
	fclose(p.out);
	return text;
}

char *dph_format_value(const struct dph_format_record *record, const struct dph_format_field *field,
		       const uint64_t *words)
{
	if (field->form == DPH_FIELD_OBJECT)
		return object_text(record, field, words);
	if (field->form != DPH_FIELD_WORDS)
		return dph_format_key(record, field, words);
	const uint64_t value = dph_format_value_number(record, field, words);
	const bool two = dph_format_value_words(field, record->word_bytes) == 2;
	const uint64_t key[] = {two ? value >> 8 * record->word_bytes : value, value};
	return dph_format_key(record, field, key);
}
