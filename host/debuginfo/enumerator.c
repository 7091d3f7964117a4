/* SPDX-License-Identifier: BSD-2-Clause */
/* This file finds enumerators by name. */
#include "enumerator.h"

#include "ctf.h"
#include "type_dwarf.h"
#include "unit.h"

#include <dwarf.h>
#include <string.h>

struct search {
	struct dp_debuginfo *debug;
	const char *name;
	const char *file; /* of the unit that is searched */
	const struct dph_within *within;
	struct dph_enumerated *found;
};

static void take(void *context, const char *file, int64_t value)
{
	struct search *search = context;
	struct dph_enumerated *found = search->found;
	if (!found->meanings.file) {
		found->value = value;
		found->meanings.file = file;
	} else if (found->value != value && !found->meanings.other) {
		found->other = value;
		found->meanings.other = file;
	}
}

static bool visit(void *context, Dwarf_Die *die)
{
	struct search *search = context;
	Dwarf_Die child;
	Dwarf_Attribute attribute;
	int64_t value;
	if (dwarf_tag(die) != DW_TAG_enumeration_type || dwarf_child(die, &child) != 0)
		return true;
	do {
		const char *name = dph_die_name(&child);
		if (name && strcmp(name, search->name) == 0 &&
		    dwarf_attr(&child, DW_AT_const_value, &attribute) &&
		    dph_attribute_number(&attribute, dph_type_of_die(search->debug, die), &value))
			take(search, search->file, value);
	} while (dwarf_siblingof(&child, &child) == 0);
	return true;
}

static bool search_unit(struct search *search, struct dph_unit *unit)
{
	if (!dph_unit_may_have(unit, search->within->file))
		return false;
	search->file = unit->name ? unit->name : "?";
	dph_walk_begin(search->debug);
	dph_unit_visit(search->debug, unit, visit, search);
	return search->found->meanings.file != NULL;
}

bool dph_enumerator_named(struct dp_debuginfo *debug, const char *name,
			  const struct dph_within *within, struct dph_enumerated *found)
{
	struct search search = {.debug = debug, .name = name, .within = within, .found = found};
	struct dph_unit *units;
	const char *why;
	const size_t count = dph_units(debug, &units);
	struct dph_unit *first = within->address ? dph_unit_at(debug, within->address, &why) : NULL;
	*found = (struct dph_enumerated){0};
	if (first && search_unit(&search, first))
		return true;
	for (size_t i = 0; i < count; i++)
		if (&units[i] != first)
			search_unit(&search, &units[i]);
	if (!found->meanings.file)
		dph_ctf_enumerators(debug, name, within, take, &search);
	return found->meanings.file != NULL;
}
