/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a record becomes the values of a clause's fields. */
#define _GNU_SOURCE
#include "value_reader.h"

#include "base/plain.h"

#include "dp_rpn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t dph_format_number(const struct dph_format_record *record, const uint8_t *bytes,
			   size_t count)
{
	uint64_t value = 0;
	for (size_t i = 0; i < count && i < 8; i++)
		value = value << 8 | bytes[record->big_endian ? i : count - 1 - i];
	return value;
}

const char *dph_format_text_numbered(const struct dph_formats *formats, uint64_t number)
{
	return number < formats->text_count ? formats->texts[number] : "?";
}

/* Characters of one word of a text. */
void dph_format_put_word(uint8_t *to, uint64_t word, unsigned bytes)
{
	for (unsigned i = bytes; i-- > 0; word >>= 8)
		to[i] = (uint8_t)word;
}

/* --- fields in the data -------------------------------------------------------------------- */

/* Use bytes of the data; null: the data is too short. */
static const uint8_t *use(struct dph_value_reader *r, size_t bytes)
{
	const uint8_t *at = r->at;
	r->bad = r->bad || (size_t)(r->end - at) < bytes;
	if (r->bad)
		return NULL;
	r->at += bytes;
	return at;
}

static const struct dph_format_type *type_of(const struct dph_value_reader *r,
					     const struct dph_format_field *field)
{
	return dph_type_numbered(r->record->formats, field->type);
}

static void take_words(struct dph_value_reader *r, const struct dph_format_field *field,
		       struct dp_value *value)
{
	const size_t bytes =
		field->bytes > r->record->word_bytes ? (size_t)field->bytes : r->record->word_bytes;
	const uint8_t *data = use(r, bytes);
	if (!data)
		return;
	const uint64_t number = dph_format_narrow(dph_format_number(r->record, data, bytes),
						  field->bytes, field->is_signed);
	value->size = (unsigned)field->bytes;
	if (field->form == DPH_FIELD_WORDS) {
		dph_set_number(r, value, type_of(r, field), number, field->is_signed);
		return;
	}
	value->form = DP_VALUE_STRING;
	value->origin = DP_VALUE_OF_PROGRAM;
	value->number = number;
	value->text = dph_format_text_numbered(r->record->formats, number);
}

static void take_characters(struct dph_value_reader *r, const struct dph_format_field *field,
			    struct dp_value *value)
{
	const unsigned word = r->record->word_bytes;
	const size_t bytes = (size_t)dph_format_key_words(field, word) * word;
	uint8_t characters[DPH_FORMAT_CHARACTERS_MAX];
	if (bytes > sizeof(characters)) {
		r->bad = true;
		return;
	}
	const uint8_t *data = use(r, bytes);
	if (!data)
		return;
	for (size_t at = bytes; at > 0; at -= word, data += word)
		dph_format_put_word(characters + at - word,
				    dph_format_number(r->record, data, word), word);
	dph_set_text(r, value, characters, strnlen((const char *)characters, (size_t)field->bytes));
	value->cut = value->count == field->bytes;
}

static void set_bytes(struct dph_value_reader *r, const struct dph_format_field *field,
		      struct dp_value *value, const uint8_t *data, size_t count)
{
	const struct dph_format_type *type = type_of(r, field);
	if (type) {
		dph_set_object(r, value, type, data, count, 0);
		return;
	}
	value->form = DP_VALUE_HEX;
	value->bytes = data;
	value->count = count;
}

/* Bytes behind their number. */
static void take_counted(struct dph_value_reader *r, const struct dph_format_field *field,
			 struct dp_value *value)
{
	const uint8_t *prefix = use(r, RPN_PREFIX_BYTES);
	if (!prefix)
		return;
	const size_t count = (size_t)dph_format_number(r->record, prefix + 1, 2);
	const uint8_t *data = use(r, count);
	if (!data)
		return;
	if (prefix[0] == RPN_TOKEN_FAULT) {
		value->form = DP_VALUE_UNKNOWN;
		return;
	}
	if (field->form == DPH_FIELD_BYTES) {
		set_bytes(r, field, value, data, count);
		return;
	}
	dph_set_text(r, value, data, count);
	value->cut = count == field->bytes;
}

/* The bytes of the object stand as in memory; its last word may have more. */
static void take_object(struct dph_value_reader *r, const struct dph_format_field *field,
			struct dp_value *value)
{
	const unsigned word = r->record->word_bytes;
	const uint8_t *data = use(r, (size_t)dph_format_key_words(field, word) * word);
	if (data)
		set_bytes(r, field, value, data, (size_t)field->bytes);
}

/* --- fields without data ------------------------------------------------------------------- */

static void take_probe(struct dph_value_reader *r, uint64_t part, struct dp_value *value)
{
	value->origin = DP_VALUE_OF_PROGRAM;
	if (part == DPH_PROBE_ID) {
		value->form = DP_VALUE_NUMBER;
		value->number = r->record->point + 1;
		value->size = sizeof(value->number);
		return;
	}
	const char *const *parts = r->point->part;
	value->form = DP_VALUE_STRING;
	value->text = part == DPH_PROBE_WHOLE
			      ? dph_pool_print(r->pool, "%s:%s:%s:%s", parts[DPH_PROBE_PROVIDER],
					       parts[DPH_PROBE_MODULE], parts[DPH_PROBE_FUNCTION],
					       parts[DPH_PROBE_NAME])
			      : parts[part];
}

static void take_time(struct dph_value_reader *r, const struct dph_format_field *field,
		      struct dp_value *value)
{
	value->size = (unsigned)field->bytes;
	dph_set_number(r, value, type_of(r, field), dph_record_ns(r->record), field->is_signed);
	if (!r->record->seconds_known)
		value->form = DP_VALUE_UNKNOWN;
}

static void take_constant(struct dph_value_reader *r, const struct dph_format_field *field,
			  struct dp_value *value)
{
	value->origin = DP_VALUE_OF_PROGRAM;
	value->size = sizeof(value->number);
	dph_set_number(r, value, type_of(r, field), field->bytes, field->is_signed);
}

static void take_named(const struct dph_value_reader *r, const struct dph_format_field *field,
		       struct dp_value *value)
{
	value->origin = DP_VALUE_OF_PROGRAM;
	if (field->form == DPH_FIELD_AGGREGATION) {
		value->form = DP_VALUE_AGGREGATION;
		value->number = field->bytes;
		value->text = r->record->formats->aggregations[field->bytes].name;
		return;
	}
	value->form = DP_VALUE_STRING;
	value->text = field->form == DPH_FIELD_TEXT ? field->text : "";
}

static void take_field(struct dph_value_reader *r, size_t index)
{
	const struct dph_format_field *field = &r->clause->fields[index];
	struct dp_value *value = &r->values[index];
	switch (field->form) {
	case DPH_FIELD_WORDS:
	case DPH_FIELD_NUMBER:
		take_words(r, field, value);
		break;
	case DPH_FIELD_CHARACTERS:
		take_characters(r, field, value);
		break;
	case DPH_FIELD_OBJECT:
		take_object(r, field, value);
		break;
	case DPH_FIELD_STRING:
	case DPH_FIELD_BYTES:
		take_counted(r, field, value);
		break;
	case DPH_FIELD_PROBE:
		take_probe(r, field->bytes, value);
		break;
	case DPH_FIELD_TIME:
		take_time(r, field, value);
		break;
	case DPH_FIELD_CONSTANT:
		take_constant(r, field, value);
		break;
	case DPH_FIELD_COMPUTED: /* when the others are known */
		break;
	case DPH_FIELD_TEXT:
	case DPH_FIELD_AGGREGATION:
	case DPH_FIELD_POINTED:
	case DPH_FIELD_STACK:
	case DPH_FIELD_FORMS:
		take_named(r, field, value);
		break;
	}
}

/* --- values that the host computes --------------------------------------------------------- */

/* Is the field a number that the host cannot compute? */
static bool is_unknown(const struct dph_value_reader *r, size_t index)
{
	return r->clause->fields[index].form == DPH_FIELD_COMPUTED &&
	       r->values[index].form == DP_VALUE_UNKNOWN;
}

static bool is_number(const struct dph_value_reader *r, size_t index)
{
	const struct dph_format_field *field = &r->clause->fields[index];
	return field->form == DPH_FIELD_WORDS || field->form == DPH_FIELD_TIME ||
	       field->form == DPH_FIELD_CONSTANT ||
	       (field->form == DPH_FIELD_PROBE && field->bytes == DPH_PROBE_ID) ||
	       (field->form == DPH_FIELD_COMPUTED && !is_unknown(r, index) &&
		!dph_function_is_text(field->function));
}

static struct dph_computed operand_of(struct dph_value_reader *r, size_t index)
{
	const struct dp_value *value = &r->values[index];
	struct dph_computed operand = {.number = value->number};
	if (is_number(r, index))
		return operand;
	if (value->bytes) { /* a copy with an end */
		operand.text = dph_pool_copy(r->pool, (const char *)value->bytes, value->count);
		operand.bytes = value->count;
		return operand;
	}
	operand.text = value->form == DP_VALUE_UNKNOWN ? DPH_UNKNOWN_TIME
		       : value->text                   ? value->text
						       : "";
	operand.bytes = strlen(operand.text);
	return operand;
}

/* The agent has a clock, and the host knew the time of day when the session began. */
static bool take_day_time(struct dph_value_reader *r, const struct dph_format_field *field,
			  struct dp_value *value)
{
	if (!r->record->seconds_known || !r->record->began_ns)
		return false;
	dph_set_number(r, value, type_of(r, field),
		       (uint64_t)r->record->began_ns + dph_record_ns(r->record), field->is_signed);
	return true;
}

/* Texts that the host computes have no characters that steer a terminal. */
static void set_computed_text(struct dph_value_reader *r, struct dp_value *value, const char *text)
{
	value->form = DP_VALUE_STRING;
	value->text = dph_pool_copy(r->pool, text, strlen(text));
	dph_plain_replace((char *)(uintptr_t)value->text);
}

static void compute(struct dph_value_reader *r, size_t index)
{
	const struct dph_format_field *field = &r->clause->fields[index];
	struct dp_value *value = &r->values[index];
	struct dph_computed operands[DPH_OPERANDS_MAX] = {{0}};
	bool unknown = false;
	uint64_t number;
	value->origin = DP_VALUE_OF_HOST;
	value->size = (unsigned)field->bytes;
	for (unsigned i = 0; i < field->operand_count; i++) {
		unknown = unknown || is_unknown(r, field->operands[i]);
		operands[i] = operand_of(r, field->operands[i]);
	}
	if (field->function == DPH_FUNCTION_walltimestamp) {
		if (!take_day_time(r, field, value))
			value->form = DP_VALUE_UNKNOWN;
		return;
	}
	if (unknown && !dph_function_is_text(field->function)) {
		value->form = DP_VALUE_UNKNOWN;
		return;
	}
	char *text = dph_compute(field, operands, &r->tokens, &number);
	if (text)
		set_computed_text(r, value, text);
	else
		dph_set_number(r, value, type_of(r, field), number, field->is_signed);
	free(text);
}

/* Fields stand in the data in the order of their places. The operands of a computed value stand
 * before it. */
void dph_format_take(struct dph_value_reader *r)
{
	const struct dph_format_clause *clause = r->clause;
	for (size_t i = 0; i < clause->field_count; i++) {
		const struct dph_format_type *type = type_of(r, &clause->fields[i]);
		const char *name = clause->fields[i].text;
		r->values[i].field = r->first_field + (unsigned)i;
		r->values[i].type = type ? type->name : NULL;
		if (clause->fields[i].form != DPH_FIELD_TEXT && *name)
			r->values[i].name = name;
	}
	for (uint32_t place = 0; place < clause->field_count; place++)
		for (size_t i = 0; i < clause->field_count && !r->bad; i++)
			if (clause->fields[i].place == place)
				take_field(r, i);
	for (size_t i = 0; i < clause->field_count && !r->bad; i++)
		if (clause->fields[i].form == DPH_FIELD_COMPUTED)
			compute(r, i);
}
