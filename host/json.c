/* SPDX-License-Identifier: BSD-2-Clause */
#include "json.h"

#include <inttypes.h>

/* How many bytes the UTF-8 character has that text begins with; 0: it is none. */
static unsigned utf8_bytes(const unsigned char *text)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned bytes = text[0] < 0x80 ? 1 : 0;
	uint32_t value = text[0];

	if (text[0] >= 0xc0 && text[0] < 0xf8) {
		bytes = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
		value = text[0] & (0x7fu >> bytes);
	}
	for (unsigned i = 1; i < bytes; i++) {
		if ((text[i] & 0xc0) != 0x80) /* also the end of the text */
			return 0;
		value = value << 6 | (text[i] & 0x3f);
	}
	if (bytes > 1 &&
	    (value < least[bytes] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ||
	     (value >= 0xef80 && value < 0xf000)))
		return 0;
	return bytes;
}

static void quoted(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	putc('"', out);
	while (*p != '\0') {
		const unsigned bytes = utf8_bytes(p);

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
