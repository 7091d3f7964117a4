/* SPDX-License-Identifier: BSD-2-Clause */
#include "json.h"

#include "utf8.h"

#include <inttypes.h>

/* How many bytes of text go out as they are; 0: the first one does not. */
static unsigned plain_bytes(const char *text)
{
	uint32_t value;
	const unsigned bytes = dph_utf8(text, &value);

	return value >= 0xef80 && value < 0xf000 ? 0 : bytes;
}

static void quoted(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	putc('"', out);
	while (*p != '\0') {
		const unsigned bytes = plain_bytes((const char *)p);

		if (bytes == 0)
			fprintf(out, "\\uef%02x", *p);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			fprintf(out, "\\u%04x", *p);
		else
			fwrite(p, 1, bytes, out);
		p += bytes != 0 ? bytes : 1;
	}
	putc('"', out);
}

static void key_of(struct dp_json *json, const char *key)
{
	if (json->comma)
		fputs(",", json->out);
	json->comma = true;
	if (key != NULL) {
		quoted(json->out, key);
		putc(':', json->out);
	}
}

struct dp_json dp_json_begin(FILE *out)
{
	putc('{', out);
	return (struct dp_json){out, false};
}

void dp_json_end(struct dp_json *json)
{
	fputs("}\n", json->out);
	fflush(json->out);
}

void dp_json_string(struct dp_json *json, const char *key, const char *value)
{
	key_of(json, key);
	quoted(json->out, value);
}

void dp_json_number(struct dp_json *json, const char *key, uint64_t value)
{
	key_of(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void dp_json_flag(struct dp_json *json, const char *key, bool value)
{
	key_of(json, key);
	fputs(value ? "true" : "false", json->out);
}

void dp_json_seconds(struct dp_json *json, const char *key, double value)
{
	key_of(json, key);
	fprintf(json->out, "%.9f", value);
}

void dp_json_address(struct dp_json *json, const char *key, uint64_t value)
{
	key_of(json, key);
	fprintf(json->out, "\"0x%08" PRIx64 "\"", value);
}

void dp_json_hex(struct dp_json *json, const char *key, const uint8_t *bytes, size_t count)
{
	key_of(json, key);
	putc('"', json->out);
	dp_print_hex(json->out, bytes, count);
	putc('"', json->out);
}

void dp_json_open(struct dp_json *json, const char *key, char bracket)
{
	key_of(json, key);
	putc(bracket, json->out);
	json->comma = false;
}

void dp_json_close(struct dp_json *json, char bracket)
{
	putc(bracket, json->out);
	json->comma = true;
}

void dp_print_hex(FILE *out, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%02x", bytes[i]);
}
