/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of front ends lists the languages and finds the language of a program. */
#include "front_end.h"

#include "d/d.h"
#include "rpn/rpn.h"

#include <string.h>

static const struct dph_front_end rows[] = {
	{"RPN", ".dp", dph_rpn_recognises, dph_rpn_compile, false},
	{"D", ".d", dph_d_recognises, dph_d_compile, true},
};

const struct dph_front_ends dph_front_ends = {rows, sizeof(rows) / sizeof(*rows)};

static bool ends_with(const char *name, const char *suffix)
{
	const size_t name_bytes = strlen(name), suffix_bytes = strlen(suffix);
	return name_bytes > suffix_bytes && strcmp(name + name_bytes - suffix_bytes, suffix) == 0;
}

const struct dph_front_end *dph_front_end_for(const struct dph_front_ends *front_ends,
					      const struct dph_source *source)
{
	const char *name = source->files[0].name;
	for (size_t i = 0; i < front_ends->count; i++)
		if (ends_with(name, front_ends->row[i].suffix))
			return &front_ends->row[i];
	for (size_t i = 0; i < front_ends->count; i++)
		if (front_ends->row[i].recognises(source))
			return &front_ends->row[i];
	return &front_ends->row[0];
}
