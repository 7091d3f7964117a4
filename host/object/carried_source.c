/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of the source that an object carries: the preprocessed program. */
#define _GNU_SOURCE
#include "carried_source.h"

#include "base/pool.h"

#include <string.h>

bool dph_carried_file(const struct dp_object_file *object)
{
	struct dph_section lines;
	dph_section(object, DP_SECTION_LINES, &lines);
	for (uint32_t i = 1; i < lines.count; i++)
		if (memcmp(lines.data + 8, lines.data + (size_t)i * 12 + 8, 4) != 0)
			return false;
	return lines.count != 0;
}

char *dph_carried_line(const struct dp_object_file *object, unsigned number)
{
	struct dph_section source;
	if (!dph_section(object, DP_SECTION_SOURCE, &source) || !source.count)
		return NULL;
	const char *text = (const char *)source.data, *end = text + source.count;
	for (unsigned i = 1; i < number && text; i++) {
		text = memchr(text, '\n', (size_t)(end - text));
		text = text ? text + 1 : NULL;
	}
	if (!text || text >= end)
		return NULL;
	const char *stop = memchr(text, '\n', (size_t)(end - text));
	return dph_strndup(text, (size_t)((stop ? stop : end) - text));
}
