/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the points of lines. */
#define _GNU_SOURCE
#include "fields.h"
#include "spelled.h"

#include "debuginfo/debuginfo.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* Read line:FILE:FUNCTION:* for each line with code. Returns false where there is no such line, and
 * the reason is not one of lines. */
static bool find_lines(struct d_fields *f, const char **why)
{
	const struct dph_line_wanted wanted = {
		f->part[DPH_PROBE_MODULE], f->part[DPH_PROBE_FUNCTION], f->part[DPH_PROBE_NAME]};
	struct dph_line_place *places = NULL;
	const size_t count = f->d->debug ? dph_line_places(f->d->debug, &wanted, &places) : 0;
	for (size_t i = 0; i < count; i++) {
		const struct dp_code_place *place = &places[i].place;
		struct d_point *point =
			dph_d_add_point(f, D_POINT_PLACE, "line", place->function,
					dph_pool_print(f->d->pool, "%u", places[i].line));
		point->part[DPH_PROBE_MODULE] =
			dph_pool_copy(f->d->pool, places[i].file, strlen(places[i].file));
		point->address = place->address;
		point->outer = place->outer;
	}
	free(places);
	if (count || !dph_d_each_function(f, NULL))
		return count != 0;
	*why = dp_debuginfo_missing(f->d->debug);
	if (!*why)
		*why = "no line of this file and function has code";
	return true;
}

static const char *with_slashes(struct d_front *d, const char *path)
{
	char *text = dph_pool_copy(d->pool, path, strlen(path));
	for (char *at = text; *at; at++)
		if (*at == '\\')
			*at = '/';
	return text;
}

/* Read line:FILE:FUNCTION:NUMBER, or FILE:NUMBER. Returns false where the text is no place of a
 * source. */
bool dph_d_find_line(struct d_fields *f, const char **why)
{
	const char *name = f->part[DPH_PROBE_NAME], *file = f->part[DPH_PROBE_MODULE];
	const char *function = f->part[DPH_PROBE_FUNCTION];
	struct dp_code_place *places;
	if (dph_d_provider_named(f, "line") && (dph_d_is_glob(name) || strpbrk(file, "*[")))
		return find_lines(f, why);
	if (!is_number(name) || !dph_d_provider_is(f, "line"))
		return false;
	if (!*file && strpbrk(function, "./\\")) {
		file = f->part[DPH_PROBE_FUNCTION] = with_slashes(f->d, function);
		function = "";
	}
	/* Headers of C++ have names without a dot. */
	if (!*file || (!dph_d_provider_named(f, "line") && !strpbrk(file, "./\\")))
		return false;
	file = with_slashes(f->d, file);
	*why = "no firmware is given; use --elf FILE";
	if (is_number(function)) {
		*why = "a place has no column; write FILE:NUMBER";
		return true;
	}
	const unsigned long long number = strtoull(name, NULL, 10);
	if (number > UINT_MAX) {
		*why = "no file has so many lines";
		return true;
	}
	size_t count = 0;
	if (f->d->debug) {
		f->d->debug->spelled = dph_d_spelled_place;
		count = dp_debuginfo_places(f->d->debug, file, (unsigned)number, &places, why);
	}
	for (size_t i = 0; i < count; i++) {
		if (!dph_d_matches(function, places[i].function ? places[i].function : ""))
			continue;
		struct d_point *point =
			dph_d_add_point(f, D_POINT_PLACE, "line", places[i].function, name);
		point->part[DPH_PROBE_MODULE] = file;
		point->address = places[i].address;
		point->outer = places[i].outer;
		if (f->d->first_line)
			break;
	}
	if (count && !f->list)
		*why = dph_pool_print(f->d->pool, "line %llu of %s is in %s, not in '%s'", number,
				      file, places[0].function ? places[0].function : "no function",
				      function);
	if (count)
		free(places);
	return true;
}
