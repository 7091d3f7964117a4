/* SPDX-License-Identifier: BSD-2-Clause */
/* This file compares debug information at address 0 with the symbols and with itself. */
#include "dropped.h"

#include "base/source_path.h"
#include "scope.h"
#include "symbols/code_names.h"

#include <dwarf.h>
#include <string.h>

/* --- functions ----------------------------------------------------------------------------- */

struct wanted {
	uint64_t address;
	bool found;
};

static void compare(void *context, const struct dp_symbol *symbol)
{
	struct wanted *wanted = context;
	wanted->found = wanted->found || symbol->value == wanted->address;
}

static bool begins_there(struct dp_debuginfo *debug, const char *name, uint64_t linked)
{
	struct wanted wanted = {.address = dph_running_code(debug, linked)};
	if (name && *name)
		dph_code_named(debug->image, name, compare, &wanted);
	return wanted.found;
}

bool dph_is_dropped(struct dp_debuginfo *debug, Dwarf_Die *function, uint64_t linked)
{
	Dwarf_Attribute attribute;
	const char *mangled = NULL;
	if (linked > 1) /* 1: 0 in another instruction set */
		return false;
	if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attribute))
		mangled = dwarf_formstring(&attribute);
	return !begins_there(debug, mangled, linked) &&
	       !begins_there(debug, dph_die_name(function), linked);
}

/* --- rows of line tables -------------------------------------------------------------------- */

struct line_search {
	const char *file;
	unsigned from, line;
	bool other; /* another function begins between `from` and the line */
};

static bool in_file(Dwarf_Die *die, const char *file)
{
	const char *path = dwarf_decl_file(die);
	return path && strcmp(dph_path_base(path), dph_path_base(file)) == 0;
}

static bool look_between(void *context, Dwarf_Die *die)
{
	struct line_search *search = context;
	int line = 0;
	search->other = dwarf_tag(die) == DW_TAG_subprogram && dwarf_decl_line(die, &line) == 0 &&
			(unsigned)line > search->from && (unsigned)line <= search->line &&
			in_file(die, search->file);
	return !search->other;
}

/* Is the line one of the function's? */
static bool has_line(struct dp_debuginfo *debug, struct dph_unit *unit, Dwarf_Die *function,
		     const char *file, unsigned line)
{
	struct line_search search = {.file = file, .line = line};
	int from;
	if (dwarf_decl_line(function, &from) != 0 || (unsigned)from > line ||
	    !in_file(function, file))
		return false;
	search.from = (unsigned)from;
	dph_walk_begin(debug);
	dph_unit_visit(debug, unit, look_between, &search);
	return !search.other;
}

bool dph_row_dropped(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address,
		     const char *file, unsigned line)
{
	struct dph_scopes scopes;
	const char *why;
	if (!dph_unit_dropped(debug, unit, address))
		return false;
	if (!dph_scopes_at(debug, address, &scopes, &why) || scopes.unit != unit)
		return true;
	for (unsigned i = 0; i < scopes.count; i++)
		if (dph_is_instance(&scopes.list[i]) &&
		    has_line(debug, unit, &scopes.list[i], file, line))
			return false;
	return true;
}
