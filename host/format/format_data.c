/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a record becomes values. */
#define _GNU_SOURCE
#include "printing.h"

#include "dp_rpn.h"

#include <string.h>

uint64_t dph_format_number(const struct dph_format_record *record, const uint8_t *bytes,
			   size_t count)
{
	uint64_t value = 0;
	for (size_t i = 0; i < count && i < 8; i++)
		value = value << 8 | bytes[record->big_endian ? i : count - 1 - i];
	return value;
}

static void take_words(struct printing *p, const struct dph_format_field *field,
		       struct value *value)
{
	const size_t bytes =
		field->bytes > p->record->word_bytes ? (size_t)field->bytes : p->record->word_bytes;
	if ((size_t)(p->end - p->at) < bytes) {
		p->bad = true;
		return;
	}
	value->number = dph_format_narrow(dph_format_number(p->record, p->at, bytes), field->bytes,
					  field->is_signed);
	p->at += bytes;
}

/* Characters of one word of a text. */
void dph_format_put_word(uint8_t *to, uint64_t word, unsigned bytes)
{
	for (unsigned i = bytes; i-- > 0; word >>= 8)
		to[i] = (uint8_t)word;
}

static void take_characters(struct printing *p, const struct dph_format_field *field,
			    struct value *value)
{
	const unsigned word = p->record->word_bytes;
	const size_t bytes = (size_t)dph_format_key_words(field, word) * word;
	if (bytes > sizeof(value->characters) || (size_t)(p->end - p->at) < bytes) {
		p->bad = true;
		return;
	}
	for (size_t at = bytes; at > 0; at -= word, p->at += word)
		dph_format_put_word(value->characters + at - word,
				    dph_format_number(p->record, p->at, word), word);
	value->bytes = value->characters;
	value->count = strnlen((const char *)value->characters, (size_t)field->bytes);
}

static void take_bytes(struct printing *p, struct value *value)
{
	if (p->end - p->at < RPN_PREFIX_BYTES) {
		p->bad = true;
		return;
	}
	const size_t count = (size_t)dph_format_number(p->record, p->at + 1, 2);
	p->at += RPN_PREFIX_BYTES;
	if ((size_t)(p->end - p->at) < count) {
		p->bad = true;
		return;
	}
	*value = (struct value){.bytes = p->at, .count = count};
	p->at += count;
}

/* The bytes of the object stand as in memory; its last word may have more. */
static void take_object(struct printing *p, const struct dph_format_field *field,
			struct value *value)
{
	const unsigned word = p->record->word_bytes;
	const size_t bytes = (size_t)dph_format_key_words(field, word) * word;
	if ((size_t)(p->end - p->at) < bytes) {
		p->bad = true;
		return;
	}
	*value = (struct value){.bytes = p->at, .count = (size_t)field->bytes};
	p->at += bytes;
}

static void take_field(struct printing *p, size_t index)
{
	const struct dph_format_field *field = &p->clause->fields[index];
	struct value *value = &p->values[index];
	if (field->form == DPH_FIELD_WORDS || field->form == DPH_FIELD_NUMBER)
		take_words(p, field, value);
	else if (field->form == DPH_FIELD_CHARACTERS)
		take_characters(p, field, value);
	else if (field->form == DPH_FIELD_OBJECT)
		take_object(p, field, value);
	else if (field->form == DPH_FIELD_STRING || field->form == DPH_FIELD_BYTES)
		take_bytes(p, value);
	else if (field->form == DPH_FIELD_PROBE && field->bytes == DPH_PROBE_ID)
		value->number = p->record->point + 1;
	else if (field->form == DPH_FIELD_TIME)
		value->number = dph_record_ns(p->record);
	else if (field->form == DPH_FIELD_CONSTANT)
		value->number = field->bytes;
}

/* Fields stand in the data in the order of their places. */
void dph_format_take(struct printing *p)
{
	for (uint32_t place = 0; place < p->clause->field_count; place++)
		for (size_t i = 0; i < p->clause->field_count && !p->bad; i++)
			if (p->clause->fields[i].place == place)
				take_field(p, i);
}
