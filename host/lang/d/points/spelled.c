/* SPDX-License-Identifier: BSD-2-Clause */
/* This file writes fields of descriptions as the lexer reads them. */
#include "spelled.h"

#include "base/source_path.h"
#include "debuginfo/debuginfo.h"

#include <string.h>

const char *dph_d_spelled_path(struct dph_pool *pool, const char *path)
{
	char *text = dph_pool_copy(pool, path, strlen(path));
	for (char *at = text + dph_drive_bytes(text); *at; at++)
		if (!dph_in_path(*at))
			*at = '?';
	return text;
}

/* May a function's name have the character? "::" is of C++, and '/' of its operator ends the
 * field. */
static bool in_function(const char *name, const char *at)
{
	if (*at == ':')
		return at[1] == ':' || (at > name && at[-1] == ':');
	return !strchr(" \t\v\f\r\n{},;\"@$*[]\\/", *at);
}

const char *dph_d_spelled_function(struct dph_pool *pool, const char *function)
{
	char *text = dph_pool_copy(pool, function, strlen(function));
	for (size_t i = 0; function[i]; i++)
		if (!in_function(function, function + i))
			text[i] = '?';
	return text;
}

const char *dph_d_spelled_place(struct dp_debuginfo *debug, const char *file, const char *line)
{
	const char *text = dph_d_spelled_path(&debug->pool, file);
	return dph_why(debug, strchr(text, '?') ? "line:%s::%s" : "%s:%s", text, line);
}
