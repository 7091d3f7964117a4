/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of --format json: one a line, keys in the order written. */
#ifndef DP_JSON_H
#define DP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct dp_json {
	FILE *out;
	bool comma; /* before the next key or element */
};

struct dp_json dp_json_begin(FILE *out); /* an object */
void dp_json_end(struct dp_json *json);  /* and the line */
/* UTF-8 goes out as it is. Any other byte b comes out as the character U+EF00 + b, and so does each
 * byte of the characters U+EF80..U+EFFF themselves: what was there can be told from the string. */
void dp_json_string(struct dp_json *json, const char *key, const char *value);
void dp_json_number(struct dp_json *json, const char *key, uint64_t value);
void dp_json_flag(struct dp_json *json, const char *key, bool value);
void dp_json_seconds(struct dp_json *json, const char *key, double value);
/* "0x" and digits, as a string: 64 bits do not fit the numbers of many readers. */
void dp_json_address(struct dp_json *json, const char *key, uint64_t value);
void dp_json_hex(struct dp_json *json, const char *key, const uint8_t *bytes, size_t count);
/* key: null for elements of an array. */
void dp_json_open(struct dp_json *json, const char *key, char bracket);
void dp_json_close(struct dp_json *json, char bracket);

/* Two digits a byte, lower case: decisions.txt C134. */
void dp_print_hex(FILE *out, const uint8_t *bytes, size_t count);

#endif
