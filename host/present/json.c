/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON writer prints one object a line, with keys in the order of the calls. */
#include "json.h"

#include "base/utf8.h"

#include <inttypes.h>

/* The number of characters that stand for themselves: most texts have no others. */
static size_t plain_run(const char *p)
{
	size_t count = 0;

	while (p[count] >= ' ' && p[count] <= '~' && p[count] != '"' && p[count] != '\\')
		count++;
	return count;
}

/* Print a character that may not stand for itself. Returns its bytes. */
static unsigned put_character(FILE *out, const char *p)
{
	const unsigned bytes = dph_utf8_plain(p);
	uint32_t value = 0;

	dph_utf8(p, &value);
	if (bytes == 0)
		fprintf(out, "\\u%04x", DPH_UTF8_BYTE + (unsigned char)*p);
	else if (*p == '"' || *p == '\\')
		fprintf(out, "\\%c", *p);
	else if (dph_is_control(value)) /* also of a terminal that reads UTF-8 */
		fprintf(out, "\\u%04x", (unsigned)value);
	else
		fwrite(p, 1, bytes, out);
	return bytes != 0 ? bytes : 1;
}

static void quoted(FILE *out, const char *text)
{
	putc('"', out);
	for (;;) {
		const size_t run = plain_run(text);

		fwrite(text, 1, run, out);
		text += run;
		if (*text == '\0')
			break;
		text += put_character(out, text);
	}
	putc('"', out);
}

static void key_of(struct dph_json *json, const char *key)
{
	if (json->comma)
		fputs(",", json->out);
	json->comma = true;
	if (key != NULL) {
		quoted(json->out, key);
		putc(':', json->out);
	}
}

struct dph_json dph_json_begin(FILE *out)
{
	putc('{', out);
	return (struct dph_json){out, false};
}

void dph_json_end(struct dph_json *json)
{
	fputs("}\n", json->out);
	fflush(json->out);
}

void dph_json_string(struct dph_json *json, const char *key, const char *value)
{
	key_of(json, key);
	quoted(json->out, value);
}

void dph_json_number(struct dph_json *json, const char *key, uint64_t value)
{
	key_of(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void dph_json_signed(struct dph_json *json, const char *key, int64_t value)
{
	key_of(json, key);
	fprintf(json->out, "%" PRId64, value);
}

void dph_json_flag(struct dph_json *json, const char *key, bool value)
{
	key_of(json, key);
	fputs(value ? "true" : "false", json->out);
}

void dph_json_seconds(struct dph_json *json, const char *key, double value)
{
	key_of(json, key);
	fprintf(json->out, "%.9f", value);
}

void dph_json_address(struct dph_json *json, const char *key, uint64_t value)
{
	key_of(json, key);
	fprintf(json->out, "\"0x%08" PRIx64 "\"", value);
}

void dph_json_value(struct dph_json *json, const char *key, const char *value)
{
	key_of(json, key);
	fputs(value, json->out);
}

void dph_json_hex(struct dph_json *json, const char *key, const uint8_t *bytes, size_t count)
{
	key_of(json, key);
	putc('"', json->out);
	dph_print_hex(json->out, bytes, count);
	putc('"', json->out);
}

void dph_json_open(struct dph_json *json, const char *key, char bracket)
{
	key_of(json, key);
	putc(bracket, json->out);
	json->comma = false;
}

void dph_json_close(struct dph_json *json, char bracket)
{
	putc(bracket, json->out);
	json->comma = true;
}

void dph_print_hex(FILE *out, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%02x", bytes[i]);
}
