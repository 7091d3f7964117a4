/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the table of compilation units and the functions of each unit. */
#include "unit.h"

#include "dropped.h"
#include "line.h"
#include "symbols/code_names.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* --- the table of units -------------------------------------------------------------------- */

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	return dwarf_attr(die, attribute, &found) ? dwarf_formstring(&found) : NULL;
}

static void add_range(struct dph_code_range **list, size_t *count, size_t *room,
		      struct dph_code_range range)
{
	*list = dph_grow(*list, room, *count, sizeof(**list));
	(*list)[(*count)++] = range;
}

/* Add the ranges of an entry's code that are in the image. */
static void add_ranges(struct dp_debuginfo *debug, Dwarf_Die *die, struct dph_code_range **list,
		       size_t *count, size_t *room)
{
	Dwarf_Addr base = 0, first, last;
	ptrdiff_t at = 0;
	while ((at = dwarf_ranges(die, at, &base, &first, &last)) > 0 && dph_walk_step(debug))
		if (first < last && dph_is_code(debug, dph_running_code(debug, first)))
			add_range(list, count, room,
				  (struct dph_code_range){dph_running_code(debug, first),
							  dph_running_code(debug, last), *die});
}

static void take_unit(struct dp_debuginfo *debug, struct dph_unit *unit, unsigned type,
		      Dwarf_Die die, Dwarf_Die sub)
{
	size_t room = 0;
	bool skeleton = type == DW_UT_skeleton;
	*unit = (struct dph_unit){.lines = die, .die = die};
	if (skeleton && sub.addr)
		unit->die = sub;
	unit->name = text_of(&unit->die, DW_AT_name);
	unit->split_missing = skeleton && !sub.addr;
	if (unit->split_missing) {
		unit->split_name = text_of(&die, DW_AT_dwo_name);
		if (!unit->split_name)
			unit->split_name = text_of(&die, DW_AT_GNU_dwo_name);
	}
	add_ranges(debug, &die, &unit->ranges, &unit->range_count, &room);
}

/* Sizes of units: the distance between their first entries. */
static void measure(struct dp_debuginfo *debug)
{
	for (size_t i = 0; i < debug->unit_count; i++) {
		Dwarf_Off here = dwarf_dieoffset(&debug->units[i].lines), next = here;
		if (i + 1 < debug->unit_count)
			next = dwarf_dieoffset(&debug->units[i + 1].lines);
		debug->units[i].bytes = next > here ? next - here : 0;
	}
}

size_t dph_units(struct dp_debuginfo *debug, struct dph_unit **units)
{
	Dwarf_CU *unit = NULL;
	size_t room = 0;
	uint8_t type;
	Dwarf_Die die, sub;
	if (debug->file.dwarf && !debug->units_read) {
		debug->units_read = true;
		dph_walk_begin(debug);
		while (dwarf_get_units(debug->file.dwarf, unit, &unit, NULL, &type, &die, &sub) ==
			       0 &&
		       dph_walk_step(debug)) {
			if (!die.addr)
				continue;
			debug->units = dph_grow(debug->units, &room, debug->unit_count,
						sizeof(*debug->units));
			take_unit(debug, &debug->units[debug->unit_count++], type, die, sub);
		}
		measure(debug);
	}
	*units = debug->units;
	return debug->unit_count;
}

static size_t functions_of(struct dp_debuginfo *debug, struct dph_unit *unit,
			   const struct dph_code_range **functions);

static bool in_ranges(const struct dph_code_range *ranges, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (address >= ranges[i].first && address < ranges[i].last)
			return true;
	return false;
}

/* A unit without code in its first entry. */
static struct dph_unit *silent_unit(struct dp_debuginfo *debug, uint64_t address)
{
	struct dph_code_range function;
	for (size_t i = 0; i < debug->unit_count; i++)
		if (!debug->units[i].range_count && !debug->units[i].split_missing &&
		    dph_unit_function(debug, &debug->units[i], address, &function))
			return &debug->units[i];
	return NULL;
}

bool dph_unit_dropped(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address)
{
	const struct dph_code_range *functions;
	if (!debug->code_at_zero)
		return false;
	functions_of(debug, unit, &functions);
	return in_ranges(unit->dropped, unit->dropped_count, address);
}

/* Does the unit have the address itself, and not by a function that the linker dropped? */
static bool has_address(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address)
{
	struct dph_code_range function;
	return in_ranges(unit->ranges, unit->range_count, address) &&
	       (!dph_unit_dropped(debug, unit, address) ||
		dph_unit_function(debug, unit, address, &function));
}

/* An assembler may note the size that its code had before the linker shortened it: such a unit lies
 * over the next one, and has no rows there. */
static struct dph_unit *unit_with(struct dp_debuginfo *debug, uint64_t address)
{
	struct dph_unit *units, *found = NULL;
	size_t count = dph_units(debug, &units);
	for (size_t i = 0; i < count; i++)
		if (has_address(debug, &units[i], address) &&
		    (!found || (!dph_rows_cover(debug, found, address) &&
				dph_rows_cover(debug, &units[i], address))))
			found = &units[i];
	return found;
}

struct dph_unit *dph_unit_at(struct dp_debuginfo *debug, uint64_t address, const char **why)
{
	struct dph_unit *unit = unit_with(debug, address);
	if (!unit)
		unit = silent_unit(debug, address);
	if (!unit)
		*why = debug->missing ? debug->missing
				      : dph_why(debug,
						"there is no debug information for 0x%llx; compile "
						"its source with -g",
						(unsigned long long)address);
	return unit;
}

/* --- entries of file scope ----------------------------------------------------------------- */

/* May functions and types stand inside? */
static bool is_container(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

static bool visit_children(struct dp_debuginfo *debug, Dwarf_Die *parent, dph_visit *visit,
			   void *context, unsigned depth)
{
	Dwarf_Die child;
	if (depth > DPH_DEPTH_MAX || dwarf_child(parent, &child) != 0)
		return true;
	do {
		if (!dph_walk_step(debug) || !visit(context, &child) ||
		    (is_container(&child) &&
		     !visit_children(debug, &child, visit, context, depth + 1)))
			return false;
	} while (dwarf_siblingof(&child, &child) == 0);
	return true;
}

bool dph_unit_visit(struct dp_debuginfo *debug, struct dph_unit *unit, dph_visit *visit,
		    void *context)
{
	return visit_children(debug, &unit->die, visit, context, 0);
}

bool dph_unit_may_have(const struct dph_unit *unit, const char *file)
{
	return !file || (unit->name && (unit->name[0] == '<' || dph_path_ends(unit->name, file)));
}

static bool is_no_type(void *context, Dwarf_Die *die)
{
	(void)context;
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
	case DW_TAG_pointer_type:
	case DW_TAG_structure_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_typedef:
		return false;
	default:
		return true;
	}
}

/* A function of -g2 says that it has a prototype, or is described elsewhere. */
bool dph_unit_is_bare(struct dp_debuginfo *debug, struct dph_unit *unit, Dwarf_Die *function)
{
	if (dwarf_hasattr(function, DW_AT_prototyped) ||
	    dwarf_hasattr(function, DW_AT_abstract_origin) ||
	    dwarf_hasattr(function, DW_AT_specification) || dwarf_hasattr(function, DW_AT_type))
		return false;
	dph_walk_begin(debug);
	return dph_unit_visit(debug, unit, is_no_type, NULL);
}

/* Is an inlined instance of the entry below the parent? */
static bool has_instance(struct dp_debuginfo *debug, Dwarf_Die *parent, const Dwarf_Die *of,
			 unsigned depth)
{
	Dwarf_Attribute attribute;
	Dwarf_Die child, origin;
	if (depth > DPH_DEPTH_MAX || dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (!dph_walk_step(debug))
			return false;
		if (dwarf_tag(&child) == DW_TAG_inlined_subroutine &&
		    dwarf_attr(&child, DW_AT_abstract_origin, &attribute) &&
		    dwarf_formref_die(&attribute, &origin) && origin.addr == of->addr)
			return true;
		if (has_instance(debug, &child, of, depth + 1))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* Was the function inlined? With link-time optimisation the instances alone tell. */
static bool is_inlined(struct dp_debuginfo *debug, Dwarf_Die *die)
{
	const unsigned how = dph_die_number(die, DW_AT_inline);
	if (how || dwarf_hasattr(die, DW_AT_declaration) || dwarf_hasattr(die, DW_AT_low_pc))
		return how == DW_INL_inlined || how == DW_INL_declared_inlined;
	for (size_t i = 0; i < debug->unit_count; i++)
		if (has_instance(debug, &debug->units[i].die, die, 0))
			return true;
	return false;
}

struct inlined_search {
	struct dp_debuginfo *debug;
	const char *name;
	const char *why; /* null: not found */
};

/* An entry that was inlined has no code. */
static bool is_other_function(void *context, Dwarf_Die *die)
{
	struct inlined_search *search = context;
	const char *name;
	if (dwarf_tag(die) != DW_TAG_subprogram || !(name = dph_die_name(die)) ||
	    strcmp(name, search->name) != 0 || !is_inlined(search->debug, die))
		return true;
	const char *path = dwarf_decl_file(die);
	search->why = dph_why(search->debug,
			      "all calls of '%s' are inlined; probe its lines, from %s:%u on "
			      "('dprobes -l line::%s:*' lists them)",
			      name, path ? dph_path_base(path) : "its file",
			      dph_die_number(die, DW_AT_decl_line), name);
	return false;
}

const char *dph_absent_function(struct dp_debuginfo *debug, const char *name)
{
	const struct dp_symbol *part = dph_code_part(debug->image, name);
	struct inlined_search search = {.debug = debug, .name = name};
	struct dph_unit *units;
	const size_t count = dph_units(debug, &units);
	if (part)
		return dph_why(debug, "of '%s' the compiler left the part '%s' alone; probe that",
			       name, part->name);
	dph_walk_begin(debug);
	for (size_t i = 0; i < count && !search.why; i++)
		if (!units[i].split_missing)
			dph_unit_visit(debug, &units[i], is_other_function, &search);
	return search.why;
}

const char *dph_die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, DW_AT_name, &attribute) ? dwarf_formstring(&attribute)
								 : NULL;
}

unsigned dph_die_number(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word value;
	return dwarf_attr(die, attribute, &found) && dwarf_formudata(&found, &value) == 0 &&
			       value <= UINT32_MAX
		       ? (unsigned)value
		       : 0;
}

/* --- functions ----------------------------------------------------------------------------- */

struct functions {
	struct dp_debuginfo *debug;
	struct dph_unit *unit;
	size_t room, dropped_room;
	bool without_size; /* a dropped function has none */
};

/* Note the function where the linker dropped it. */
static bool take_dropped(struct functions *of, Dwarf_Die *die)
{
	Dwarf_Addr base, first, last;
	if (dwarf_ranges(die, 0, &base, &first, &last) <= 0 ||
	    !dph_is_dropped(of->debug, die, first))
		return false;
	if (first >= last) { /* Before DWARF 4 both ends are addresses: the linker clears both. */
		of->without_size = true;
		return true;
	}
	add_range(&of->unit->dropped, &of->unit->dropped_count, &of->dropped_room,
		  (struct dph_code_range){dph_running_code(of->debug, first),
					  dph_running_code(of->debug, last), *die});
	return true;
}

static bool take_function(void *context, Dwarf_Die *die)
{
	struct functions *of = context;
	struct dph_unit *unit = of->unit;
	if (dwarf_tag(die) != DW_TAG_subprogram)
		return true;
	if (!take_dropped(of, die))
		add_ranges(of->debug, die, &unit->functions, &unit->function_count, &of->room);
	return true;
}

/* The functions of a unit, with the code that is really there. */
static size_t functions_of(struct dp_debuginfo *debug, struct dph_unit *unit,
			   const struct dph_code_range **functions)
{
	struct functions of = {.debug = debug, .unit = unit};
	if (!unit->functions_read) {
		unit->functions_read = true;
		dph_walk_begin(debug);
		dph_unit_visit(debug, unit, take_function, &of);
		if (of.without_size && debug->code_at_zero)
			add_range(&unit->dropped, &unit->dropped_count, &of.dropped_room,
				  (struct dph_code_range){.first = dph_running(debug, 0),
							  .last = dph_sequences_end(debug, unit)});
	}
	*functions = unit->functions;
	return unit->function_count;
}

bool dph_unit_function(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address,
		       struct dph_code_range *function)
{
	const struct dph_code_range *functions;
	size_t count = functions_of(debug, unit, &functions);
	for (size_t i = 0; i < count; i++)
		if (address >= functions[i].first && address < functions[i].last) {
			*function = functions[i];
			return true;
		}
	return false;
}
