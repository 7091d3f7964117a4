/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds places in code by source line, and functions by file and name. */
#include "base/diag.h"
#include "line.h"
#include "place.h"
#include "scope.h"
#include "symbols/code_names.h"

#include <dprobes/host.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAMED_MAX = 4 /* places that a sentence names */
};

/* --- statements of a line ------------------------------------------------------------------ */

struct lines {
	struct dp_debuginfo *debug;
	const char *tail; /* of the file's path */
	unsigned line;
	const char *file; /* the first path that fits; paths of one file are one string each unit */
	const char **others; /* that fit too */
	size_t other_count, other_room;
	unsigned before, after; /* nearest lines of the file that have code */
	uint64_t *addresses;
	size_t count, room;
	struct dph_closest closest; /* file names, for one that does not exist */
};

/* Keep another path that fits. Paths come one after another. */
static void take_other(struct lines *lines, const char *file)
{
	for (size_t i = lines->other_count; i-- > 0;)
		if (strcmp(lines->others[i], file) == 0)
			return;
	lines->others = dph_grow(lines->others, &lines->other_room, lines->other_count,
				 sizeof(*lines->others));
	lines->others[lines->other_count++] = file;
}

/* Return whether the file fits; at most one path may fit. */
static bool is_the_file(struct lines *lines, const char *file)
{
	if (!dph_path_ends(file, lines->tail)) {
		dph_closest_try(&lines->closest, dph_path_base(file));
		return false;
	}
	if (!lines->file)
		lines->file = file;
	if (strcmp(lines->file, file) == 0 || dph_path_same(file, lines->file))
		return true;
	take_other(lines, file);
	return false;
}

static void take_statement(void *context, uint64_t address, const char *file, unsigned line)
{
	struct lines *lines = context;
	if (!is_the_file(lines, file))
		return;
	if (line < lines->line && line > lines->before)
		lines->before = line;
	if (line > lines->line && (!lines->after || line < lines->after))
		lines->after = line;
	if (line != lines->line)
		return;
	lines->addresses =
		dph_grow(lines->addresses, &lines->room, lines->count, sizeof(*lines->addresses));
	lines->addresses[lines->count++] = address;
}

static const char *spelled(struct dp_debuginfo *debug, const char *file, const char *what)
{
	return debug->spelled ? debug->spelled(debug, file, what)
			      : dph_why(debug, "%s:%s", file, what);
}

/* Two of the files, each with as much of its path as tells it from all the others. */
static const char *ambiguous(struct lines *lines)
{
	struct dp_debuginfo *debug = lines->debug;
	const char *other = lines->others[0];
	take_other(lines, lines->file);
	char *one = dph_path_alone(lines->file, lines->others, lines->other_count);
	char *two = dph_path_alone(other, lines->others, lines->other_count);
	const char *line = dph_why(debug, "%u", lines->line);
	const char *why = dph_why(debug, "'%s' is ambiguous: write %s or %s", lines->tail,
				  spelled(debug, one, line), spelled(debug, two, line));
	free(one);
	free(two);
	return why;
}

static const char *no_place(struct lines *lines)
{
	struct dp_debuginfo *debug = lines->debug;
	const char *base = lines->file ? dph_path_base(lines->file) : NULL;
	if (debug->missing)
		return debug->missing;
	if (lines->other_count)
		return ambiguous(lines);
	if (!base && lines->closest.best)
		return dph_why(debug, "no source file '%s' has code; did you mean '%s'?",
			       lines->tail, lines->closest.best);
	if (!base)
		return dph_why(debug, "no source file '%s' has code in this firmware", lines->tail);
	if (lines->before && lines->after)
		return dph_why(debug, "%s:%u has no code; %u and %u have", base, lines->line,
			       lines->before, lines->after);
	return dph_why(debug, "%s:%u has no code; %u has", base, lines->line,
		       lines->before ? lines->before : lines->after);
}

/* --- one place for each function ----------------------------------------------------------- */

/* The number of instances that begin at the address and were called by the line. A statement of
 * the line is before the instances, not inside. */
static unsigned called_here(struct dp_debuginfo *debug, struct dph_scopes *scopes, uint64_t address,
			    unsigned line)
{
	unsigned outer = 0;
	uint64_t start;
	for (unsigned i = scopes->count; i-- > 1;) {
		Dwarf_Die *die = &scopes->list[i];
		if (!dph_is_instance(die))
			continue;
		if (!dph_lowest(debug, die, &start) || start != address)
			return 0;
		outer++;
		if (dph_die_number(die, DW_AT_call_line) == line)
			return outer;
	}
	return 0;
}

struct dph_candidate dph_candidate_at(struct dp_debuginfo *debug, uint64_t address, unsigned line)
{
	struct dph_scopes scopes;
	const char *why;
	struct dph_candidate found = {.address = address};
	if (dph_scopes_at(debug, address, &scopes, &why)) {
		found.outer = called_here(debug, &scopes, address, line);
		dph_scopes_leave(&scopes, found.outer);
		Dwarf_Die *instance = &scopes.list[scopes.instance];
		found.instance = instance->addr;
		found.function = dph_function_name(debug, instance);
		if (scopes.instance)
			found.within = dph_function_name(debug, &scopes.list[0]);
		return found;
	}
	const struct dp_symbol *symbol = dp_image_function(debug->image, address);
	found.instance = symbol;
	found.function = symbol ? symbol->name : NULL;
	return found;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

bool dph_candidate_seen(const struct dph_candidate *list, size_t count, const void *instance)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].instance == instance)
			return true;
	return false;
}

struct dp_code_place dph_candidate_place(const struct dph_candidate *candidate)
{
	return (struct dp_code_place){candidate->address, candidate->function, candidate->within,
				      candidate->outer};
}

/* Keep the lowest address of each function or inlined instance. */
static size_t choose(struct lines *lines, struct dp_code_place **places)
{
	struct dph_candidate *list = dph_malloc(lines->count * sizeof(*list));
	size_t count = 0;
	qsort(lines->addresses, lines->count, sizeof(*lines->addresses), by_address);
	for (size_t i = 0; i < lines->count; i++) {
		struct dph_candidate found =
			dph_candidate_at(lines->debug, lines->addresses[i], lines->line);
		if (!dph_candidate_seen(list, count, found.instance))
			list[count++] = found;
	}
	*places = dph_malloc(count * sizeof(**places));
	for (size_t i = 0; i < count; i++)
		(*places)[i] = dph_candidate_place(&list[i]);
	free(list);
	return count;
}

size_t dp_debuginfo_places(struct dp_debuginfo *debug, const char *file, unsigned line,
			   struct dp_code_place **places, const char **why)
{
	struct lines lines = {.debug = debug, .tail = file, .line = line};
	size_t count = 0;
	lines.closest = dph_closest(dph_path_base(file), strlen(dph_path_base(file)));
	*places = NULL;
	dph_statements(debug, take_statement, &lines);
	if (lines.count && !lines.other_count)
		count = choose(&lines, places);
	else
		*why = no_place(&lines);
	free(lines.addresses);
	free(lines.others);
	return count;
}

/* Name the places of a line that has several: "0x8044 (scaled in take), ...". */
static const char *several(struct dp_debuginfo *debug, const char *file, unsigned line,
			   const struct dp_code_place *places, size_t count)
{
	const char *list = "";
	for (size_t i = 0; i < count && i < NAMED_MAX; i++)
		list = dph_why(debug, "%s%s0x%llx (%s%s%s)", list, i ? ", " : "",
			       (unsigned long long)places[i].address,
			       places[i].function ? places[i].function : "?",
			       places[i].within ? " in " : "",
			       places[i].within ? places[i].within : "");
	return dph_why(debug, "%s:%u is at %zu addresses: %s%s; write one address", file, line,
		       count, list, count > NAMED_MAX ? ", ..." : "");
}

bool dp_debuginfo_place(struct dp_debuginfo *debug, const char *file, unsigned line,
			uint64_t *address, const char **why)
{
	struct dp_code_place *places;
	size_t count = dp_debuginfo_places(debug, file, line, &places, why);
	if (count == 1)
		*address = places[0].address;
	if (count > 1)
		*why = several(debug, file, line, places, count);
	free(places);
	return count == 1;
}

char *dph_file_apart(struct dp_debuginfo *debug, uint64_t address, uint64_t other)
{
	struct dph_line one, two;
	if (!dph_line_at(debug, address, &one) || !dph_line_at(debug, other, &two) ||
	    dph_path_same(one.file, two.file))
		return NULL;
	const char *const text = dph_file_text(debug, one.file);
	char *apart = strcmp(dph_path_base(one.file), dph_path_base(two.file)) == 0
			      ? dph_path_apart(one.file, two.file)
			      : dph_strdup(text);
	if (strlen(apart) >= strlen(text))
		return apart;
	free(apart);
	return dph_strdup(text);
}

/* --- functions ----------------------------------------------------------------------------- */

/* Is the symbol's function in a file of this name? Without debug information the symbol table
 * has the name of a static function's file, without folders. */
static bool is_in_file(struct dp_debuginfo *debug, const struct dp_symbol *symbol, const char *file)
{
	const char *why;
	struct dph_line line;
	struct dph_unit *unit = dph_unit_at(debug, symbol->value, &why);
	if (unit && unit->name && dph_path_ends(unit->name, file))
		return true;
	if (unit && dph_line_at(debug, symbol->value, &line))
		return dph_path_ends(line.file, file);
	return !unit && symbol->file && strcmp(symbol->file, dph_path_base(file)) == 0;
}

struct functions {
	struct dp_debuginfo *debug;
	const char *file;
	const struct dp_symbol *found, *other, *elsewhere;
	bool unknown; /* nothing says which file one is in */
};

static void take_symbol(void *context, const struct dp_symbol *symbol)
{
	struct functions *functions = context;
	struct dp_debuginfo *debug = functions->debug;
	if (debug->missing && !symbol->file)
		functions->unknown = true;
	else if (!is_in_file(debug, symbol, functions->file))
		functions->elsewhere = symbol;
	else if (functions->found && functions->found->value != symbol->value)
		functions->other = symbol;
	else
		functions->found = symbol;
}

static void take_printed(void *context, uint64_t address, const char *name)
{
	struct functions *functions = context;
	const struct dp_symbol *symbol = dp_image_function(functions->debug->image, address);
	(void)name;
	if (symbol)
		take_symbol(functions, symbol);
}

static const char *several_files(const struct functions *functions, const char *function)
{
	struct dp_debuginfo *debug = functions->debug;
	const uint64_t one = functions->found->value, two = functions->other->value;
	char *first = dph_file_apart(debug, one, two), *second = dph_file_apart(debug, two, one);
	const char *why = first && second ? dph_why(debug, "; write %s or %s",
						    spelled(debug, first, function),
						    spelled(debug, second, function))
					  : "; give the address";
	free(first);
	free(second);
	return dph_why(debug, "several files '%s' have a function '%s' (0x%llx, 0x%llx)%s",
		       functions->file, function, (unsigned long long)one, (unsigned long long)two,
		       why);
}

bool dp_debuginfo_function(struct dp_debuginfo *debug, const char *file, const char *function,
			   uint64_t *address, const char **why)
{
	struct functions functions = {.debug = debug, .file = file};
	if (!dph_code_named(debug->image, function, take_symbol, &functions))
		dph_functions_printed(debug, function, take_printed, &functions);
	if (functions.found && !functions.other) {
		*address = functions.found->value;
		return true;
	}
	if (functions.found)
		*why = several_files(&functions, function);
	else if (functions.unknown)
		*why = dph_why(debug, "the source files of the functions '%s' are not known: %s",
			       function, debug->missing);
	else if (functions.elsewhere)
		*why = dph_why(debug, "'%s' has no function '%s'; another file has", file,
			       function);
	else
		*why = dph_why(debug, "the firmware has no function '%s'", function);
	return false;
}
