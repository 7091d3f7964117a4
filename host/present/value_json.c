/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of a record of a D program as JSON: each with its expression and its type. */
#define _GNU_SOURCE
#include "value_json.h"

#include "json.h"
#include "value_text.h"

#include <stdlib.h>
#include <string.h>

/* The value as the format text prints it. */
static void put_printed(struct dph_json *json, const char *key, const struct dp_value *value)
{
	char *text = dph_value_text(value);

	dph_json_string(json, key, text);
	free(text);
}

static void put_value(struct dph_json *json, const char *key, const struct dp_value *value);

static void put_list(struct dph_json *json, const char *key, const struct dp_value *value)
{
	dph_json_open(json, key, '[');
	for (size_t i = 0; i < value->member_count; i++)
		put_value(json, NULL, &value->members[i]);
	dph_json_close(json, ']');
}

static void put_struct(struct dph_json *json, const char *key, const struct dp_value *value)
{
	dph_json_open(json, key, '{');
	for (size_t i = 0; i < value->member_count; i++)
		if (value->members[i].form != DP_VALUE_ABSENT)
			put_value(json, value->members[i].name, &value->members[i]);
	dph_json_close(json, '}');
}

/* What an address points at. Null: it cannot be read. */
static void put_pointer(struct dph_json *json, const char *key, const struct dp_value *value)
{
	const struct dp_value *behind = value->member_count > 0 ? value->members : NULL;

	dph_json_open(json, key, '{');
	dph_json_address(json, "address", value->number);
	if (value->text != NULL)
		dph_json_string(json, "symbol", value->text);
	if (behind != NULL && behind->form == DP_VALUE_UNKNOWN)
		dph_json_value(json, "text", "null");
	else if (behind != NULL)
		dph_json_string(json, "text", behind->text);
	dph_json_close(json, '}');
}

static void put_value(struct dph_json *json, const char *key, const struct dp_value *value)
{
	switch (value->form) {
	case DP_VALUE_NUMBER:
		dph_json_number(json, key, value->number);
		break;
	case DP_VALUE_SIGNED:
	case DP_VALUE_CHARACTER:
		dph_json_signed(json, key, (int64_t)value->number);
		break;
	case DP_VALUE_FLAG:
		dph_json_flag(json, key, value->number != 0);
		break;
	case DP_VALUE_ADDRESS:
		if (value->text != NULL || value->member_count > 0)
			put_pointer(json, key, value);
		else
			dph_json_address(json, key, value->number);
		break;
	case DP_VALUE_STRING:
	case DP_VALUE_CHARACTERS:
		dph_json_string(json, key, value->text);
		break;
	case DP_VALUE_HEX:
		dph_json_hex(json, key, value->bytes, value->count);
		break;
	case DP_VALUE_LIST:
		put_list(json, key, value);
		break;
	case DP_VALUE_STRUCT:
		put_struct(json, key, value);
		break;
	default:
		put_printed(json, key, value);
		break;
	}
}

char *dph_value_json(const struct dp_value *value)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	struct dph_json json = {.out = out};

	if (out == NULL)
		return NULL;
	put_value(&json, NULL, value);
	fclose(out);
	return text;
}

/* Has the host computed a number? It is one also where its type is another in C. */
static bool is_computed(const struct dp_value *value)
{
	return value->origin == DP_VALUE_OF_HOST && value->form != DP_VALUE_STRING &&
	       value->form != DP_VALUE_UNKNOWN;
}

/* A constant that is no part of the data is a string. */
static void put_field(struct dph_json *json, const struct dp_value *value)
{
	dph_json_open(json, NULL, '{');
	if (value->name != NULL)
		dph_json_string(json, "name", value->name);
	if (value->type != NULL)
		dph_json_string(json, "type", value->type);
	if (is_computed(value) && value->form == DP_VALUE_NUMBER)
		dph_json_number(json, "value", value->number);
	else if (is_computed(value))
		dph_json_signed(json, "value", (int64_t)value->number);
	else if (value->origin == DP_VALUE_OF_PROGRAM)
		put_printed(json, "value", value);
	else
		put_value(json, "value", value);
	dph_json_close(json, '}');
}

char *dph_values_json(const struct dp_value *const *values, size_t count)
{
	char *text = NULL;
	size_t bytes, shown = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct dph_json json = {.out = out};

	if (out == NULL)
		return NULL;
	putc('[', out);
	for (size_t i = 0; i < count; i++) {
		if (values[i]->form == DP_VALUE_STACK)
			continue;
		put_field(&json, values[i]);
		shown++;
	}
	putc(']', out);
	fclose(out);
	if (shown > 0)
		return text;
	free(text);
	return NULL;
}
