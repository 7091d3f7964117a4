/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds the scopes around an address, from the function inwards. */
#include "scope.h"

#include "dropped.h"
#include "symbols/code_names.h"

#include <dwarf.h>
#include <fnmatch.h>
#include <string.h>

bool dph_is_instance(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool dph_lowest(struct dp_debuginfo *debug, Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Addr base = 0, first, last;
	ptrdiff_t at = 0;
	bool found = false;
	while ((at = dwarf_ranges(die, at, &base, &first, &last)) > 0 && dph_walk_step(debug)) {
		if (first >= last || (found && dph_running_code(debug, first) >= *address))
			continue;
		*address = dph_running_code(debug, first);
		found = true;
	}
	return found;
}

/* Does a function begin at the address, and no part of one? */
static bool begins_function(const struct dp_debuginfo *debug, uint64_t address)
{
	const struct dp_symbol *symbol = dp_image_function(debug->image, address);
	return symbol && symbol->value == address && !dph_code_part_at(debug->image, address);
}

/* Find the range with the function's first instruction. Compilers write the range first; a linker
 * may put the other ranges in front of it. */
static bool first_range(struct dp_debuginfo *debug, Dwarf_Die *function, uint64_t *address)
{
	Dwarf_Addr base = 0, first, last;
	ptrdiff_t at = 0;
	bool found = false;
	while ((at = dwarf_ranges(function, at, &base, &first, &last)) > 0 &&
	       dph_walk_step(debug)) {
		const uint64_t here = dph_running_code(debug, first);
		const bool begins = first < last && begins_function(debug, here);
		if (first < last && (begins || !found))
			*address = here;
		found = found || first < last;
		if (begins)
			return true;
	}
	return found;
}

bool dph_begin(struct dp_debuginfo *debug, Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr entry;
	if (dwarf_tag(die) != DW_TAG_subprogram)
		return dph_lowest(debug, die, address);
	if (!dwarf_attr(die, DW_AT_entry_pc, &attribute) || dwarf_formaddr(&attribute, &entry) != 0)
		return first_range(debug, die, address);
	*address = dph_running_code(debug, entry);
	return true;
}

/* Return whether the entry has no code of its own, so that the entry is a scope for its children
 * only. */
static bool is_transparent(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_lexical_block && !dwarf_hasattr(die, DW_AT_low_pc) &&
	       !dwarf_hasattr(die, DW_AT_ranges);
}

static bool is_scope(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return dph_is_instance(die) || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

/* The child scope of `parent` that covers the address. */
static bool inner_scope(struct dp_debuginfo *debug, Dwarf_Die *parent, uint64_t address,
			Dwarf_Die *inner, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DPH_DEPTH_MAX || dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (!dph_walk_step(debug))
			return false;
		if (is_scope(&child) && dwarf_haspc(&child, dph_linked(debug, address)) > 0) {
			*inner = child;
			return true;
		}
		if (is_transparent(&child) && inner_scope(debug, &child, address, inner, depth + 1))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static const char *split_sentence(struct dp_debuginfo *debug, const struct dph_unit *unit)
{
	return dph_why(debug,
		       "the debug information of %s is in '%s', which is not there; keep the .dwo "
		       "files of the build, or compile without -gsplit-dwarf",
		       unit->name ? unit->name : "this code",
		       unit->split_name ? unit->split_name : "a .dwo file");
}

bool dph_scopes_at(struct dp_debuginfo *debug, uint64_t address, struct dph_scopes *scopes,
		   const char **why)
{
	struct dph_code_range function;
	scopes->count = scopes->instance = 0;
	scopes->unit = dph_unit_at(debug, address, why);
	if (!scopes->unit)
		return false;
	if (scopes->unit->split_missing) {
		*why = split_sentence(debug, scopes->unit);
		return false;
	}
	if (!dph_unit_function(debug, scopes->unit, address, &function)) {
		*why = dph_why(debug, "no function of the debug information has 0x%llx",
			       (unsigned long long)address);
		return false;
	}
	dph_walk_begin(debug);
	scopes->list[scopes->count++] = function.die;
	while (scopes->count < DPH_DEPTH_MAX &&
	       inner_scope(debug, &scopes->list[scopes->count - 1], address,
			   &scopes->list[scopes->count], 0)) {
		if (dph_is_instance(&scopes->list[scopes->count]))
			scopes->instance = scopes->count;
		scopes->count++;
	}
	return true;
}

void dph_scopes_leave(struct dph_scopes *scopes, unsigned outer)
{
	for (; outer > 0 && scopes->instance > 0; outer--) {
		scopes->count = scopes->instance;
		do
			scopes->instance--;
		while (scopes->instance > 0 && !dph_is_instance(&scopes->list[scopes->instance]));
	}
}

/* --- names --------------------------------------------------------------------------------- */

Dwarf_Die dph_die_declaration(Dwarf_Die die)
{
	static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
	for (unsigned depth = 0; depth < DPH_DEPTH_MAX; depth++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;
		unsigned i = 0;
		while (i < 2 && !(dwarf_attr(&die, links[i], &attribute) &&
				  dwarf_formref_die(&attribute, &next)))
			i++;
		if (i == 2)
			break;
		die = next;
	}
	return die;
}

struct search {
	const void *wanted; /* address of an entry */
	struct dp_debuginfo *debug;
};

/* Put the names of namespaces and classes between `parent` and the wanted entry into *prefix. */
static bool find_prefix(struct search *search, Dwarf_Die *parent, const char **prefix,
			unsigned depth)
{
	Dwarf_Die child;
	if (depth > DPH_DEPTH_MAX || dwarf_child(parent, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		bool named = tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
			     tag == DW_TAG_class_type || tag == DW_TAG_union_type;
		if (!dph_walk_step(search->debug))
			return false;
		if (child.addr == search->wanted)
			return true;
		if (!named || !find_prefix(search, &child, prefix, depth + 1))
			continue;
		const char *name = dwarf_diename(&child);
		*prefix = dph_why(search->debug, "%s::%s", name ? name : "(anonymous namespace)",
				  *prefix);
		return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static bool is_cxx(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

struct printed {
	struct dp_debuginfo *debug;
	const char *name;
	bool pattern;
	dph_function_visit *visit;
	void *context;
	size_t count;
};

/* Is it the name of an entry, or the printed name behind "::"? Most entries end here. */
static bool ends_with(const char *printed, const char *name)
{
	const size_t all = strlen(printed), bytes = strlen(name);
	return bytes <= all && strcmp(printed + all - bytes, name) == 0 &&
	       (bytes == all || printed[all - bytes - 1] == ':');
}

/* A pattern is one of names of C++ alone: others have symbols. */
static bool is_printed(const struct printed *printed, const char *name)
{
	if (!printed->pattern)
		return strcmp(name, printed->name) == 0;
	return strstr(name, "::") && fnmatch(printed->name, name, 0) == 0;
}

static bool compare_printed(void *context, Dwarf_Die *die)
{
	struct printed *printed = context;
	uint64_t address;
	const char *name = dwarf_tag(die) == DW_TAG_subprogram ? dph_die_name(die) : NULL;
	if (!name || (!printed->pattern && !ends_with(printed->name, name)))
		return true;
	const uint64_t left = printed->debug->budget; /* of the walk that calls this function */
	if (dph_begin(printed->debug, die, &address) && dph_is_code(printed->debug, address) &&
	    !dph_code_part_at(printed->debug->image, address) &&
	    !dph_is_dropped(printed->debug, die, dph_linked(printed->debug, address)) &&
	    is_printed(printed, name = dph_function_name(printed->debug, die))) {
		printed->count++;
		if (printed->visit)
			printed->visit(printed->context, address, name);
	}
	printed->debug->budget = left;
	return true;
}

size_t dph_functions_printed(struct dp_debuginfo *debug, const char *name,
			     dph_function_visit *visit, void *context)
{
	struct printed printed = {.debug = debug,
				  .name = name,
				  .pattern = strpbrk(name, "*?[\\") != NULL,
				  .visit = visit,
				  .context = context};
	struct dph_unit *units;
	const size_t count = dph_units(debug, &units);
	for (size_t i = 0; i < count; i++) {
		dph_walk_begin(debug);
		if (!units[i].split_missing)
			dph_unit_visit(debug, &units[i], compare_printed, &printed);
	}
	return printed.count;
}

const char *dph_function_name(struct dp_debuginfo *debug, Dwarf_Die *die)
{
	Dwarf_Die first = dph_die_declaration(*die), unit;
	const char *name = dph_die_name(&first), *prefix = "";
	if (!name)
		name = dph_die_name(die);
	if (!name || !dwarf_diecu(&first, &unit, NULL, NULL) || !is_cxx(&unit))
		return name;
	struct search search = {.wanted = first.addr, .debug = debug};
	dph_walk_begin(debug);
	find_prefix(&search, &unit, &prefix, 0);
	return *prefix ? dph_why(debug, "%s%s", prefix, name) : name;
}
