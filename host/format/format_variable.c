/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of variables, and keys of arrays, as text. */
#include "format.h"

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

char *dph_format_value(const struct dph_format_record *record, const struct dph_format_field *field,
		       const uint64_t *words)
{
	if (field->form != DPH_FIELD_WORDS)
		return dph_format_key(record, field, words);
	const uint64_t value = dph_format_value_number(record, field, words);
	const bool two = dph_format_value_words(field, record->word_bytes) == 2;
	const uint64_t key[] = {two ? value >> 8 * record->word_bytes : value, value};
	return dph_format_key(record, field, key);
}
