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
	int64_t value;
	bool found;
};

static bool visit(void *context, Dwarf_Die *die)
{
	struct search *search = context;
	Dwarf_Die child;
	Dwarf_Attribute attribute;
	if (dwarf_tag(die) != DW_TAG_enumeration_type || dwarf_child(die, &child) != 0)
		return true;
	do {
		const char *name = dph_die_name(&child);
		if (!name || strcmp(name, search->name) != 0 ||
		    !dwarf_attr(&child, DW_AT_const_value, &attribute) ||
		    !dph_attribute_number(&attribute, dph_type_of_die(search->debug, die),
					  &search->value))
			continue;
		search->found = true;
		return false;
	} while (dwarf_siblingof(&child, &child) == 0);
	return true;
}

static bool search_unit(struct dp_debuginfo *debug, struct dph_unit *unit, struct search *search)
{
	dph_walk_begin(debug);
	dph_unit_visit(debug, unit, visit, search);
	return search->found;
}

bool dph_enumerator_named(struct dp_debuginfo *debug, const char *name, uint64_t address,
			  int64_t *value)
{
	struct search search = {.debug = debug, .name = name};
	struct dph_unit *units;
	const char *why;
	const size_t count = dph_units(debug, &units);
	struct dph_unit *first = address ? dph_unit_at(debug, address, &why) : NULL;
	if (first)
		search_unit(debug, first, &search);
	for (size_t i = 0; i < count && !search.found; i++)
		search_unit(debug, &units[i], &search);
	*value = search.value;
	return search.found || dph_ctf_enumerator(debug, name, value);
}
