/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the places of many lines: those of a function, or those of a file. */
#define _GNU_SOURCE
#include "line.h"
#include "place.h"

#include "base/pool.h"

#include <dwarf.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statement {
	const char *file;
	uint64_t address;
	unsigned line;
};

/* Where the source of a function is: from its declaration up to the next function. */
struct extent {
	const char *name; /* of the function */
	const char *file; /* null: not found */
	unsigned from, to;
};

struct statements {
	const struct dph_line_wanted *wanted;
	struct extent source;
	struct statement *list;
	size_t count, room;
	const char **files; /* of all statements; two neighbours are never the same */
	size_t file_count, file_room;
	bool file_wanted; /* the last of the files is */
};

static bool matches(const char *pattern, const char *text)
{
	return !*pattern || fnmatch(pattern, text, 0) == 0;
}

/* --- the source of a function --------------------------------------------------------------- */

static bool find_name(void *context, Dwarf_Die *die)
{
	struct extent *source = context;
	const char *name = dwarf_tag(die) == DW_TAG_subprogram ? dph_die_name(die) : NULL;
	if (!name || strcmp(name, source->name) != 0 || !dwarf_hasattr(die, DW_AT_inline))
		return true;
	source->file = dwarf_decl_file(die);
	source->from = dph_die_number(die, DW_AT_decl_line);
	source->to = UINT_MAX;
	return false;
}

static bool find_next(void *context, Dwarf_Die *die)
{
	struct extent *source = context;
	const unsigned line =
		dwarf_tag(die) == DW_TAG_subprogram ? dph_die_number(die, DW_AT_decl_line) : 0;
	const char *file = line > source->from && line < source->to ? dwarf_decl_file(die) : NULL;
	if (file && strcmp(file, source->file) == 0)
		source->to = line;
	return true;
}

/* A function whose calls are inlined may have statements outside its instances: compilers begin an
 * instance behind its first statement. */
static void find_source(struct dp_debuginfo *debug, struct extent *source)
{
	struct dph_unit *units;
	const size_t count = dph_units(debug, &units);
	dph_walk_begin(debug);
	for (size_t i = 0; i < count && *source->name; i++)
		if (!units[i].split_missing &&
		    !dph_unit_visit(debug, &units[i], find_name, source) && source->file) {
			dph_walk_begin(debug);
			dph_unit_visit(debug, &units[i], find_next, source);
			return;
		}
}

static bool in_source(const struct extent *source, const struct statement *statement)
{
	return source->file && statement->line >= source->from && statement->line < source->to &&
	       dph_path_same(source->file, statement->file);
}

/* --- statements ------------------------------------------------------------------------------ */

/* Return the last components of the path, as many as the pattern has. */
static const char *last_components(const char *path, const char *pattern)
{
	const char *at = path + strlen(path);
	size_t wanted = 1;
	for (; *pattern; pattern++)
		wanted += *pattern == '/' || *pattern == '\\';
	for (; at > path; at--)
		if ((at[-1] == '/' || at[-1] == '\\') && --wanted == 0)
			break;
	return at;
}

/* Empty: each file. Wildcards stand for characters of the last components. */
static bool is_wanted(const char *pattern, const char *file)
{
	if (!*pattern || dph_path_ends(file, pattern))
		return true;
	return strpbrk(pattern, "*[") &&
	       fnmatch(pattern, last_components(file, pattern), FNM_PATHNAME) == 0;
}

static void take_file(struct statements *all, const char *file)
{
	if (all->file_count && strcmp(all->files[all->file_count - 1], file) == 0)
		return;
	all->files = dph_grow(all->files, &all->file_room, all->file_count, sizeof(*all->files));
	all->files[all->file_count++] = file;
	all->file_wanted = is_wanted(all->wanted->file, file);
}

static void take(void *context, uint64_t address, const char *file, unsigned line)
{
	struct statements *all = context;
	char number[16];
	take_file(all, file);
	snprintf(number, sizeof number, "%u", line);
	if (!all->file_wanted || !matches(all->wanted->line, number))
		return;
	all->list = dph_grow(all->list, &all->room, all->count, sizeof(*all->list));
	all->list[all->count++] = (struct statement){file, address, line};
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_line(const void *a, const void *b)
{
	const struct statement *x = a, *y = b;
	const int file = strcmp(x->file, y->file);
	if (file)
		return file;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Keep each file once. */
static void sort_files(struct statements *all)
{
	size_t kept = 0;
	if (all->file_count)
		qsort(all->files, all->file_count, sizeof(*all->files), by_text);
	for (size_t i = 0; i < all->file_count; i++)
		if (!kept || strcmp(all->files[kept - 1], all->files[i]) != 0)
			all->files[kept++] = all->files[i];
	all->file_count = kept;
}

/* Return the last components of a path, as many as tell it from the other files. */
static const char *typed_file(struct dp_debuginfo *debug, const struct statements *all,
			      const char *file)
{
	char *alone = dph_path_alone(file, all->files, all->file_count);
	const char *typed = dph_why(debug, "%s", alone);
	free(alone);
	return typed;
}

struct found {
	struct dph_line_place *list;
	size_t count, room;
};

/* Return the index behind the last statement of a line, which the statement at first begins. */
static size_t end_of_line(const struct statements *all, size_t first)
{
	const struct statement *line = &all->list[first];
	size_t end = first;
	while (end < all->count && all->list[end].line == line->line &&
	       strcmp(all->list[end].file, line->file) == 0)
		end++;
	return end;
}

/* Add the places of one line. Returns the number of its statements. */
static size_t add_line(struct dp_debuginfo *debug, const struct statements *all, size_t first,
		       const char *typed, struct found *found)
{
	const struct statement *line = &all->list[first];
	const size_t end = end_of_line(all, first);
	struct dph_candidate *seen = dph_malloc((end - first) * sizeof(*seen));
	size_t count = 0;
	for (size_t i = first; i < end; i++) {
		const struct dph_candidate one =
			dph_candidate_at(debug, all->list[i].address, line->line);
		if (dph_candidate_seen(seen, count, one.instance) ||
		    (!in_source(&all->source, line) &&
		     !matches(all->wanted->function, one.function ? one.function : "")))
			continue;
		seen[count++] = one;
		found->list =
			dph_grow(found->list, &found->room, found->count, sizeof(*found->list));
		found->list[found->count++] = (struct dph_line_place){
			.file = typed, .line = line->line, .place = dph_candidate_place(&one)};
	}
	free(seen);
	return end - first;
}

size_t dph_line_places(struct dp_debuginfo *debug, const struct dph_line_wanted *wanted,
		       struct dph_line_place **places)
{
	struct statements all = {.wanted = wanted, .source.name = wanted->function};
	struct found found = {0};
	const char *typed = NULL;
	find_source(debug, &all.source);
	dph_statements(debug, take, &all);
	sort_files(&all);
	if (all.count)
		qsort(all.list, all.count, sizeof(*all.list), by_line);
	for (size_t i = 0; i < all.count;) {
		if (!i || strcmp(all.list[i - 1].file, all.list[i].file) != 0)
			typed = typed_file(debug, &all, all.list[i].file);
		i += add_line(debug, &all, i, typed, &found);
	}
	free(all.list);
	free(all.files);
	*places = found.list;
	return found.count;
}
