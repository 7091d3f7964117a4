/* SPDX-License-Identifier: BSD-2-Clause */
/* Subroutines of D, as DTrace defines them, and arithmetic. */
#define _GNU_SOURCE
#include "compute.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT_BYTES_MAX = 4096 /* of a result: a damaged object may double a text many times */
};

enum {
	RESULT_NUMBER,
	RESULT_INT,
	RESULT_LONG,
	RESULT_TEXT
};

static const struct {
	int result;
	const char *arguments;
} functions[DPH_FUNCTIONS] = {
#define FUNCTION(name, result, arguments) {RESULT_##result, arguments},
#include "functions.def"
};

bool dph_function_is_text(enum dph_function function)
{
	return functions[function].result == RESULT_TEXT;
}

const char *dph_function_arguments(enum dph_function function)
{
	return functions[function].arguments;
}

uint64_t dph_format_narrow(uint64_t value, uint64_t bytes, bool is_signed)
{
	if (bytes >= 8 || !bytes)
		return value;
	const unsigned unused = 64 - (unsigned)bytes * 8;
	return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused)
			 : value << unused >> unused;
}

/* --- arithmetic ---------------------------------------------------------------------------- */

/* The compiler defers no division by 0; a damaged object may have one. */
static uint64_t divided(uint64_t a, uint64_t b, bool is_signed, bool remainder)
{
	if (!b)
		return 0;
	if (is_signed && b == UINT64_MAX)
		return remainder ? 0 : 0 - a;
	if (is_signed)
		return remainder ? (uint64_t)((int64_t)a % (int64_t)b)
				 : (uint64_t)((int64_t)a / (int64_t)b);
	return remainder ? a % b : a / b;
}

/* The operands become the type of the result, as C converts them. */
static uint64_t arithmetic(const struct dph_format_field *field, uint64_t a, uint64_t b)
{
	a = dph_format_narrow(a, field->bytes, field->is_signed);
	b = dph_format_narrow(b, field->bytes, field->is_signed);
	switch (field->function) {
	case DPH_FUNCTION_add:
		return a + b;
	case DPH_FUNCTION_subtract:
		return a - b;
	case DPH_FUNCTION_multiply:
		return a * b;
	case DPH_FUNCTION_divide:
		return divided(a, b, field->is_signed, false);
	case DPH_FUNCTION_remainder:
		return divided(a, b, field->is_signed, true);
	case DPH_FUNCTION_and:
		return a & b;
	case DPH_FUNCTION_or:
		return a | b;
	case DPH_FUNCTION_xor:
		return a ^ b;
	default:
		return a;
	}
}

/* --- searches ------------------------------------------------------------------------------ */

static bool is_at(const char *text, const char *part, size_t at)
{
	return strncmp(text + at, part, strlen(part)) == 0;
}

/* The first place from `from` on. */
static int64_t first_place(const char *text, const char *part, int64_t from)
{
	const size_t bytes = strlen(text);
	size_t at = from < 0 ? 0 : (size_t)from;
	if (at > bytes)
		return *part ? -1 : (int64_t)bytes;
	for (; at <= bytes; at++)
		if (is_at(text, part, at))
			return (int64_t)at;
	return -1;
}

/* The last place up to `from`. */
static int64_t last_place(const char *text, const char *part, int64_t from)
{
	const int64_t bytes = (int64_t)strlen(text);
	if (from < 0)
		return *part ? -1 : 0;
	for (int64_t at = from < bytes ? from : bytes; at >= 0; at--)
		if (is_at(text, part, (size_t)at))
			return at;
	return -1;
}

/* DTrace gives the text from the character on; it is empty where the character is absent. */
static char *from_character(const char *text, uint64_t character, bool last)
{
	const int byte = (int)(uint8_t)character;
	const char *found = last ? strrchr(text, byte) : strchr(text, byte);
	return dph_strdup(found ? found : "");
}

/* --- parts of texts ------------------------------------------------------------------------ */

/* A negative index counts from the end; a negative length leaves so many characters. */
static char *part_of(const char *text, int64_t index, int64_t length)
{
	const int64_t bytes = (int64_t)strlen(text);
	if (index < 0) {
		index += bytes;
		if (index < 0 && length > 0 && index + length > 0) {
			length += index;
			index = 0;
		}
	}
	if (index < 0 || index >= bytes)
		return dph_strdup("");
	if (length < 0)
		length += bytes - index;
	if (length > bytes - index)
		length = bytes - index;
	return dph_print("%.*s", (int)(length > 0 ? length : 0), text + index);
}

/* text: null: go on with the text before. */
static char *token(struct dph_tokens *tokens, const char *text, const char *between)
{
	if (text) {
		free(tokens->text);
		*tokens = (struct dph_tokens){.text = dph_strdup(text)};
	}
	if (!tokens->text)
		return dph_strdup("");
	const char *at = tokens->text + tokens->at;
	at += strspn(at, between);
	const size_t bytes = strcspn(at, between);
	tokens->at = (size_t)(at - tokens->text) + bytes;
	tokens->at += tokens->text[tokens->at] != '\0';
	return dph_print("%.*s", (int)bytes, at);
}

static char *cased(const char *text, int (*change)(int))
{
	char *made = dph_strdup(text);
	for (char *at = made; *at; at++)
		if ((unsigned char)*at < 0x80)
			*at = (char)change((unsigned char)*at);
	return made;
}

/* --- paths --------------------------------------------------------------------------------- */

/* Bytes of the path without the slashes at its end. */
static size_t without_slashes(const char *path, size_t bytes)
{
	while (bytes > 1 && path[bytes - 1] == '/')
		bytes--;
	return bytes;
}

static char *base_of(const char *path)
{
	const size_t bytes = without_slashes(path, strlen(path));
	size_t from = bytes;
	if (!bytes)
		return dph_strdup(".");
	while (from > 0 && path[from - 1] != '/')
		from--;
	return from == bytes ? dph_strdup("/")
			     : dph_print("%.*s", (int)(bytes - from), path + from);
}

static char *directory_of(const char *path)
{
	size_t bytes = without_slashes(path, strlen(path));
	while (bytes > 0 && path[bytes - 1] != '/')
		bytes--;
	return bytes ? dph_print("%.*s", (int)without_slashes(path, bytes), path) : dph_strdup(".");
}

/* Without empty parts, `.` and `part/..`. */
static char *clean_path(const char *path)
{
	const bool rooted = *path == '/';
	char *made = dph_malloc(strlen(path) + 2);
	size_t bytes = 0;
	if (rooted)
		made[bytes++] = '/';
	while (*path) {
		path += strspn(path, "/");
		const size_t part = strcspn(path, "/");
		size_t last = bytes;
		while (last > 0 && made[last - 1] != '/')
			last--;
		const bool up = part == 2 && strncmp(path, "..", 2) == 0;
		const bool parent = bytes - last == 2 && strncmp(made + last, "..", 2) == 0;
		if (up && (rooted || (bytes > 0 && !parent))) {
			bytes = last > (size_t)rooted ? last - 1 : last;
		} else if (part && !(part == 1 && *path == '.')) {
			if (bytes > (size_t)rooted)
				made[bytes++] = '/';
			memcpy(made + bytes, path, part);
			bytes += part;
		}
		path += part;
	}
	made[bytes] = '\0';
	return made;
}

/* --- numbers ------------------------------------------------------------------------------- */

static char *number_text(int64_t value, uint64_t base)
{
	char digits[72], *at = digits + sizeof(digits) - 1;
	uint64_t left = value < 0 && base == 10 ? 0 - (uint64_t)value : (uint64_t)value;
	if (base < 2 || base > 36)
		return dph_strdup("");
	*at = '\0';
	do
		*--at = "0123456789abcdefghijklmnopqrstuvwxyz"[left % base];
	while (left /= base);
	return dph_print("%s%s%s",
			 value < 0 && base == 10 ? "-"
			 : base == 16            ? "0x"
			 : base == 8 && value    ? "0"
						 : "",
			 at, "");
}

/* --- bytes --------------------------------------------------------------------------------- */

static char *network_address(const struct dph_computed *memory, int family, size_t bytes)
{
	char text[INET6_ADDRSTRLEN];
	if (memory->bytes < bytes || !inet_ntop(family, memory->text, text, sizeof(text)))
		return dph_strdup("");
	return dph_strdup(text);
}

static char *uuid_text(const struct dph_computed *memory)
{
	const uint8_t *b = (const uint8_t *)memory->text;
	if (memory->bytes < 16)
		return dph_strdup("");
	return dph_print("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
			 b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
			 b[12], b[13], b[14], b[15]);
}

/* --- all ----------------------------------------------------------------------------------- */

/* A number of a text. */
static uint64_t text_number(enum dph_function function, const struct dph_computed *o,
			    unsigned count)
{
	switch (function) {
	case DPH_FUNCTION_strlen:
		return strlen(o[0].text);
	case DPH_FUNCTION_index:
		return (uint64_t)first_place(o[0].text, o[1].text,
					     count > 2 ? (int64_t)o[2].number : 0);
	case DPH_FUNCTION_rindex:
		return (uint64_t)last_place(o[0].text, o[1].text,
					    count > 2 ? (int64_t)o[2].number : INT64_MAX);
	case DPH_FUNCTION_strtoll:
		return (uint64_t)strtoll(o[0].text, NULL, count > 1 ? (int)o[1].number : 10);
	default: /* of the record, not of operands */
		return 0;
	}
}

static char *made_text(enum dph_function function, const struct dph_computed *o, unsigned count,
		       struct dph_tokens *tokens)
{
	switch (function) {
	case DPH_FUNCTION_strchr:
	case DPH_FUNCTION_strrchr:
		return from_character(o[0].text, o[1].number, function == DPH_FUNCTION_strrchr);
	case DPH_FUNCTION_strstr: {
		const char *found = strstr(o[0].text, o[1].text);
		return dph_strdup(found ? found : "");
	}
	case DPH_FUNCTION_substr:
		return part_of(o[0].text, (int64_t)o[1].number,
			       count > 2 ? (int64_t)o[2].number : INT64_MAX);
	case DPH_FUNCTION_strjoin:
		return dph_print("%s%s", o[0].text, o[1].text);
	case DPH_FUNCTION_strtok:
		return token(tokens, o[0].text, o[1].text);
	case DPH_FUNCTION_toupper:
		return cased(o[0].text, toupper);
	case DPH_FUNCTION_tolower:
		return cased(o[0].text, tolower);
	case DPH_FUNCTION_basename:
		return base_of(o[0].text);
	case DPH_FUNCTION_dirname:
		return directory_of(o[0].text);
	case DPH_FUNCTION_cleanpath:
		return clean_path(o[0].text);
	case DPH_FUNCTION_lltostr:
		return number_text((int64_t)o[0].number, count > 1 ? o[1].number : 10);
	case DPH_FUNCTION_inet_ntoa:
		return network_address(o, AF_INET, 4);
	case DPH_FUNCTION_inet_ntoa6:
		return network_address(o, AF_INET6, 16);
	case DPH_FUNCTION_json:
		return dph_json_find(o[0].text, o[1].text);
	default:
		return uuid_text(o);
	}
}

/* A damaged object may have another number of operands, or other ones. */
static bool fit(const struct dph_format_field *field, const struct dph_computed *operands)
{
	unsigned n = 0;
	bool optional = false;
	for (const char *at = functions[field->function].arguments; *at; at++) {
		if (*at == '|') {
			optional = true;
			continue;
		}
		if (n >= field->operand_count)
			return optional;
		if (*at != 't' && (*at == 'n' || *at == 'c') != !operands[n].text)
			return false;
		n++;
	}
	return n == field->operand_count;
}

char *dph_compute(const struct dph_format_field *field, const struct dph_computed *operands,
		  struct dph_tokens *tokens, uint64_t *result)
{
	const enum dph_function function = field->function;
	*result = 0;
	if (!fit(field, operands))
		return dph_function_is_text(function) ? dph_strdup("") : NULL;
	if (dph_function_is_text(function)) {
		char *text = made_text(function, operands, field->operand_count, tokens);
		if (strlen(text) > TEXT_BYTES_MAX)
			text[TEXT_BYTES_MAX] = '\0';
		return text;
	}
	const uint64_t number =
		functions[function].result == RESULT_NUMBER
			? arithmetic(field, operands[0].number,
				     field->operand_count > 1 ? operands[1].number : 0)
			: text_number(function, operands, field->operand_count);
	*result = dph_format_narrow(number, field->bytes, field->is_signed);
	return NULL;
}
