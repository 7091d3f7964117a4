/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of records as people read them. */
#define _GNU_SOURCE
#include "value_text.h"

#include "base/plain.h"
#include "base/pool.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void dph_put_characters(FILE *out, const uint8_t *bytes, size_t count)
{
	char *text = dph_malloc(count + 1);

	for (size_t i = 0; i < count; i++)
		text[i] = bytes[i] ? (char)bytes[i] : '.';
	text[count] = '\0';
	dph_plain_print(text, out);
	free(text);
}

static void put_string(FILE *out, const struct dp_value *value)
{
	if (value->bytes != NULL)
		dph_put_characters(out, value->bytes, value->count);
	else
		fputs(value->text, out);
}

static void put_quoted(FILE *out, const char *text)
{
	putc('"', out);
	dph_plain_print(text, out);
	putc('"', out);
}

static void put_text_behind(FILE *out, const struct dp_value *text)
{
	if (text->form == DP_VALUE_UNKNOWN) {
		fputs(" <not readable>", out);
		return;
	}
	putc(' ', out);
	put_quoted(out, text->text);
	fputs(text->cut ? "..." : "", out);
}

/* An address, and in a print what it points at. */
static void put_address(FILE *out, const struct dp_value *value)
{
	fprintf(out, "0x%" PRIx64, value->number);
	if (value->text != NULL)
		fprintf(out, " <%s>", value->text);
	if (value->member_count > 0)
		put_text_behind(out, &value->members[0]);
}

/* The name of a number; where it has none, the number. */
static void put_named(FILE *out, const struct dp_value *value)
{
	if (value->text != NULL)
		fputs(value->text, out);
	else if (value->form == DP_VALUE_ENUM)
		fprintf(out, "%" PRId64, (int64_t)value->number);
	else
		fprintf(out, "0x%" PRIx64, value->number);
}

static void put_character(FILE *out, uint64_t number)
{
	if (isprint((int)(number & 0xff)))
		fprintf(out, "'%c'", (int)(number & 0xff));
	else
		fprintf(out, "%" PRId64, (int64_t)number);
}

static void put_members(FILE *out, const struct dp_value *value)
{
	const struct dp_value *members = value->members;

	putc('{', out);
	for (size_t i = 0; i < value->member_count; i++) {
		fputs(i > 0 ? ", " : "", out);
		if (members[i].name != NULL && *members[i].name != '\0')
			fprintf(out, ".%s = ", members[i].name);
		dph_put_value(out, &members[i]);
	}
	putc('}', out);
}

void dph_put_value(FILE *out, const struct dp_value *value)
{
	switch (value->form) {
	case DP_VALUE_NUMBER:
		fprintf(out, "%" PRIu64, value->number);
		break;
	case DP_VALUE_SIGNED:
		fprintf(out, "%" PRId64, (int64_t)value->number);
		break;
	case DP_VALUE_FLAG:
		fputs(value->number != 0 ? "true" : "false", out);
		break;
	case DP_VALUE_ADDRESS:
		put_address(out, value);
		break;
	case DP_VALUE_CHARACTER:
		put_character(out, value->number);
		break;
	case DP_VALUE_FLOAT:
		fprintf(out, "%g", value->seconds);
		break;
	case DP_VALUE_ENUM:
	case DP_VALUE_SYMBOL:
		put_named(out, value);
		break;
	case DP_VALUE_STRING:
		put_string(out, value);
		break;
	case DP_VALUE_STACK: /* a key of an aggregation; a record prints its stack itself */
		fputs(value->text != NULL ? value->text : "", out);
		break;
	case DP_VALUE_CHARACTERS:
		put_quoted(out, value->text);
		break;
	case DP_VALUE_LIST:
	case DP_VALUE_STRUCT:
		put_members(out, value);
		break;
	case DP_VALUE_UNKNOWN:
		putc('?', out);
		break;
	case DP_VALUE_ABSENT:
		fputs("<not recorded>", out);
		break;
	case DP_VALUE_OMITTED:
		fputs("...", out);
		break;
	default:
		break;
	}
}

char *dph_value_text(const struct dp_value *value)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return dph_strdup("?");
	dph_put_value(out, value);
	fclose(out);
	return text;
}
