/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON writer prints the objects of --format json, one a line, with keys in the order of the
 * calls. */
#ifndef DPH_JSON_H
#define DPH_JSON_H

#include <dprobes/record_sink.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct dph_json {
	FILE *out;
	bool comma; /* before the next key or element */
};

struct dph_json dph_json_begin(FILE *out); /* an object */
void dph_json_end(struct dph_json *json);  /* and the line */
/* UTF-8 is written unchanged. Any other byte b becomes the character U+EF00 + b, and so does
 * each byte of the characters U+EF80..U+EFFF themselves. A reader can restore the bytes from the
 * string. */
void dph_json_string(struct dph_json *json, const char *key, const char *value);
void dph_json_number(struct dph_json *json, const char *key, uint64_t value);
void dph_json_signed(struct dph_json *json, const char *key, int64_t value);
void dph_json_flag(struct dph_json *json, const char *key, bool value);
void dph_json_seconds(struct dph_json *json, const char *key, double value);
/* "0x" and digits, as a string: 64 bits do not fit the numbers of many readers. */
void dph_json_address(struct dph_json *json, const char *key, uint64_t value);
void dph_json_hex(struct dph_json *json, const char *key, const uint8_t *bytes, size_t count);
/* A value that is JSON already. */
void dph_json_value(struct dph_json *json, const char *key, const char *value);
/* key: null for elements of an array. */
void dph_json_open(struct dph_json *json, const char *key, char bracket);
void dph_json_close(struct dph_json *json, char bracket);

/* Two digits a byte, lower case: decisions.txt C134. */
void dph_print_hex(FILE *out, const uint8_t *bytes, size_t count);

#endif
