/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of the target become values: of variables, and of keys. */
#define _GNU_SOURCE
#include "value_reader.h"

#include <stdlib.h>
#include <string.h>

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

/* --- keys ---------------------------------------------------------------------------------- */

/* The text at the address; the address where the host cannot read the text. */
static void set_pointed(struct dph_value_reader *r, struct dp_value *value, uint64_t address)
{
	char *text = r->record->text ? r->record->text(r->record->context, address) : NULL;
	if (!text) {
		dph_set_symbol(r, value, address, DPH_ADDRESS_OFFSET);
		return;
	}
	value->form = DP_VALUE_STRING;
	value->origin = DP_VALUE_OF_PROGRAM;
	value->text = dph_pool_copy(r->pool, text, strlen(text));
	free(text);
}

static void set_key_characters(struct dph_value_reader *r, struct dp_value *value,
			       const struct dph_format_field *field, const uint64_t *words)
{
	const unsigned word = r->record->word_bytes;
	uint8_t characters[DPH_FORMAT_CHARACTERS_MAX];
	for (size_t at = 0; at < field->bytes && at + word <= sizeof(characters); at += word)
		dph_format_put_word(characters + at, *words++, word);
	dph_set_text(r, value, characters, strnlen((const char *)characters, (size_t)field->bytes));
	value->cut = value->count == field->bytes;
}

/* Pointers of keys have names. */
static void set_key_number(struct dph_value_reader *r, struct dp_value *value,
			   const struct dph_format_field *field, uint64_t number)
{
	const struct dph_format_type *type = dph_type_numbered(r->record->formats, field->type);
	if (dph_number_form(type, false) == DP_VALUE_ADDRESS)
		dph_set_symbol(r, value, number, DPH_ADDRESS_OFFSET);
	else
		dph_set_number(r, value, type,
			       dph_format_narrow(number, field->bytes, field->is_signed),
			       field->is_signed);
	value->size = (unsigned)field->bytes;
}

/* A value of the field, without its content. */
static struct dp_value named(const struct dph_format_record *record,
			     const struct dph_format_field *field)
{
	const struct dph_format_type *type = dph_type_numbered(record->formats, field->type);
	return (struct dp_value){.name = field->text && *field->text ? field->text : NULL,
				 .type = type ? type->name : NULL};
}

struct dp_value dph_format_key(const struct dph_format_record *record, struct dph_pool *pool,
			       const struct dph_format_field *field, const uint64_t *words)
{
	struct dph_value_reader r = {.record = record, .pool = pool};
	struct dp_value value = named(record, field);
	const uint64_t number = dph_format_key_number(field, words, record->word_bytes);
	if (field->form == DPH_FIELD_TEXT) {
		value.form = DP_VALUE_STRING;
		value.origin = DP_VALUE_OF_PROGRAM;
		value.text = dph_format_text_numbered(record->formats, number);
	} else if (field->form == DPH_FIELD_STACK) {
		value.form = DP_VALUE_STACK;
		value.text = dph_format_text_numbered(record->formats, number);
	} else if (field->form == DPH_FIELD_CHARACTERS) {
		set_key_characters(&r, &value, field, words);
	} else if (field->form == DPH_FIELD_POINTED) {
		set_pointed(&r, &value, number);
	} else {
		set_key_number(&r, &value, field, number);
	}
	return value;
}

/* --- variables ----------------------------------------------------------------------------- */

/* The words of a struct as memory has them: the one last pushed stands first. */
static struct dp_value object_value(const struct dph_format_record *record, struct dph_pool *pool,
				    const struct dph_format_field *field, const uint64_t *words)
{
	const unsigned word = record->word_bytes, count = dph_format_value_words(field, word);
	uint8_t *bytes = dph_pool_take(pool, (size_t)count * word + 1);
	struct dph_value_reader r = {
		.record = record, .pool = pool, .objects = DPH_FORMAT_OBJECT_MAX + sizeof(*words)};
	struct dp_value value = named(record, field);
	const struct dph_format_type *type = dph_type_numbered(record->formats, field->type);
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < word; k++)
			bytes[i * word + k] =
				(uint8_t)(words[count - 1 - i] >>
					  8 * (record->big_endian ? word - 1 - k : k));
	value.form = DP_VALUE_HEX;
	value.bytes = bytes;
	value.count = (size_t)field->bytes;
	if (type)
		dph_set_object(&r, &value, type, bytes, (size_t)field->bytes, 0);
	return value;
}

struct dp_value dph_format_value(const struct dph_format_record *record, struct dph_pool *pool,
				 const struct dph_format_field *field, const uint64_t *words)
{
	if (field->form == DPH_FIELD_OBJECT)
		return object_value(record, pool, field, words);
	if (field->form != DPH_FIELD_WORDS)
		return dph_format_key(record, pool, field, words);
	const uint64_t value = dph_format_value_number(record, field, words);
	const bool two = dph_format_value_words(field, record->word_bytes) == 2;
	const uint64_t key[] = {two ? value >> 8 * record->word_bytes : value, value};
	return dph_format_key(record, pool, field, key);
}
