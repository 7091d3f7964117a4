/* SPDX-License-Identifier: BSD-2-Clause */
/* json() of D: one value of a JSON text, found by a path such as `a.b[2].c`. The text comes from
 * the target and may be cut: a value that is cut is not found. */
#define _GNU_SOURCE
#include "compute.h"

#include "base/pool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 64 /* objects and arrays inside one another */
};

/* Functions return the place behind a part of the text; null: it is not JSON. */

static const char *blank(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* at: a quote */
static const char *behind_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && !*++at)
			return NULL;
	return *at ? at + 1 : NULL;
}

/* A number or a word: their letters are not looked at one by one. */
static const char *behind_plain(const char *at)
{
	const size_t bytes = strspn(at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
	return bytes ? at + bytes : NULL;
}

static const char *behind_value(const char *at, unsigned depth);

/* at: behind the bracket. close: '}' or ']' */
static const char *behind_list(const char *at, char close, unsigned depth)
{
	at = blank(at);
	if (*at == close)
		return at + 1;
	for (;;) {
		if (close == '}') {
			at = blank(at);
			at = *at == '"' ? behind_string(at) : NULL;
			at = at ? blank(at) : NULL;
			if (!at || *at++ != ':')
				return NULL;
		}
		at = behind_value(at, depth + 1);
		at = at ? blank(at) : NULL;
		if (!at || (*at != ',' && *at != close))
			return NULL;
		if (*at++ == close)
			return at;
	}
}

static const char *behind_value(const char *at, unsigned depth)
{
	at = blank(at);
	if (depth > DEPTH_MAX)
		return NULL;
	if (*at == '"')
		return behind_string(at);
	if (*at == '{')
		return behind_list(at + 1, '}', depth);
	return *at == '[' ? behind_list(at + 1, ']', depth) : behind_plain(at);
}

/* The value of a member. at: '{' */
static const char *member(const char *at, const char *name, size_t bytes)
{
	at = blank(at + 1);
	while (at && *at == '"') {
		const char *end = behind_string(at);
		const bool found =
			end && (size_t)(end - at) == bytes + 2 && strncmp(at + 1, name, bytes) == 0;
		at = end ? blank(end) : NULL;
		if (!at || *at++ != ':')
			return NULL;
		if (found)
			return blank(at);
		at = behind_value(at, 0);
		at = at ? blank(at) : NULL;
		if (at && *at == ',')
			at = blank(at + 1);
	}
	return NULL;
}

/* An element. at: '[' */
static const char *element(const char *at, unsigned long index)
{
	at = blank(at + 1);
	if (*at == ']')
		return NULL;
	for (; index > 0; index--) {
		at = behind_value(at, 0);
		at = at ? blank(at) : NULL;
		if (!at || *at++ != ',')
			return NULL;
	}
	return blank(at);
}

/* One step of the path, which moves behind it. */
static const char *step(const char *at, const char **path)
{
	char *end;
	if (**path == '[') {
		if (*at != '[' || !isdigit((unsigned char)(*path)[1]))
			return NULL;
		const unsigned long index = strtoul(*path + 1, &end, 10);
		*path = end + 1;
		return *end == ']' ? element(at, index) : NULL;
	}
	*path += **path == '.';
	const char *name = *path;
	*path += strcspn(name, ".[");
	return *at == '{' && *path != name ? member(at, name, (size_t)(*path - name)) : NULL;
}

char *dph_json_find(const char *text, const char *path)
{
	const char *at = blank(text);
	while (at && *path)
		at = step(at, &path);
	const char *end = at ? behind_value(at, 0) : NULL;
	if (!end)
		return dph_strdup("");
	const bool string = *at == '"';
	return dph_print("%.*s", (int)(end - at - 2 * string), at + string);
}
