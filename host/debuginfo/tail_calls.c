/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of calls: DWARF 5, 3.4; before DWARF 5 those of GNU. */
#include "tail_calls.h"

#include "unit.h"

#include <dwarf.h>

static bool has(Dwarf_Die *die, unsigned attribute, unsigned of_gnu)
{
	Dwarf_Attribute found;
	bool flag = false;
	return (dwarf_attr(die, attribute, &found) || dwarf_attr(die, of_gnu, &found)) &&
	       dwarf_formflag(&found, &flag) == 0 && flag;
}

static bool is_call(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

/* A compiler names the address of the jump, or that behind the jump. */
static bool stands_at(struct dp_debuginfo *debug, Dwarf_Die *die, uint64_t address, unsigned bytes)
{
	static const unsigned attributes[] = {DW_AT_call_return_pc, DW_AT_call_pc, DW_AT_low_pc};
	Dwarf_Attribute found;
	Dwarf_Addr pc;
	for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++)
		if (dwarf_attr(die, attributes[i], &found) && dwarf_formaddr(&found, &pc) == 0 &&
		    dph_running(debug, pc) - address <= bytes)
			return true;
	return false;
}

/* Calls stand in blocks and in inlined functions, too. */
static bool find(struct dp_debuginfo *debug, Dwarf_Die *parent, uint64_t address, unsigned bytes,
		 unsigned depth)
{
	Dwarf_Die child;
	if (depth > DPH_DEPTH_MAX || dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (!dph_walk_step(debug))
			return false;
		if (is_call(&child) ? has(&child, DW_AT_call_tail_call, DW_AT_GNU_tail_call) &&
					      stands_at(debug, &child, address, bytes)
				    : find(debug, &child, address, bytes, depth + 1))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

enum dph_tail_call dph_tail_call_at(struct dp_debuginfo *debug, uint64_t address, unsigned bytes)
{
	const char *why;
	struct dph_code_range function;
	struct dph_unit *unit = dph_unit_at(debug, address, &why);
	if (!unit || unit->split_missing || !dph_unit_function(debug, unit, address, &function))
		return DPH_TAIL_CALL_UNKNOWN;
	dph_walk_begin(debug);
	if (find(debug, &function.die, address, bytes, 0))
		return DPH_TAIL_CALL_IS;
	return has(&function.die, DW_AT_call_all_calls, DW_AT_GNU_all_call_sites) ||
			       has(&function.die, DW_AT_call_all_tail_calls,
				   DW_AT_GNU_all_tail_call_sites)
		       ? DPH_TAIL_CALL_NOT
		       : DPH_TAIL_CALL_UNKNOWN;
}
