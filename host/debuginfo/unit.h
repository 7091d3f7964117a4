/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of compilation units finds the unit of an address and its functions. A unit is read on
 * request. */
#ifndef DPH_UNIT_H
#define DPH_UNIT_H

#include "debuginfo.h"

/* A range of code, and the entry that has it: first <= address < last. */
struct dph_code_range {
	uint64_t first, last;
	Dwarf_Die die; /* a function */
};

struct dph_unit {
	Dwarf_Die lines; /* the entry that names the line table */
	Dwarf_Die
		die; /* the entry with the functions as children; of split DWARF in another file */
	bool split_missing;
	const char *split_name;
	const char *name;              /* source file; null: not known */
	uint64_t bytes;                /* of its entries: which unit is larger */
	struct dph_code_range *ranges; /* of the unit as a whole; dies unused */
	size_t range_count;
	struct dph_code_range *functions; /* read by dph_unit_function */
	size_t function_count;
	struct dph_code_range *dropped; /* functions that the linker dropped, likewise */
	size_t dropped_count;
	bool functions_read;
};

/* Return all units. The first call reads their headers and first entries. */
size_t dph_units(struct dp_debuginfo *debug, struct dph_unit **units);

/* The unit that has an address, or null with the reason. */
struct dph_unit *dph_unit_at(struct dp_debuginfo *debug, uint64_t address, const char **why);

/* The function that has an address. False: none in this unit. */
bool dph_unit_function(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address,
		       struct dph_code_range *function);

/* Does a function that the linker dropped claim the address? */
bool dph_unit_dropped(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address);

/* Call `visit` for each entry of file scope, also inside namespaces, until it returns false. */
typedef bool dph_visit(void *context, Dwarf_Die *die);
bool dph_unit_visit(struct dp_debuginfo *debug, struct dph_unit *unit, dph_visit *visit,
		    void *context);

/* May entries of the file be in the unit? The linker's own unit ("<artificial>") has some of all.
 * file: last components of its path; null: any file. */
bool dph_unit_may_have(const struct dph_unit *unit, const char *file);

/* Is the function one of a unit that was compiled with -g1: without types and variables? */
bool dph_unit_is_bare(struct dp_debuginfo *debug, struct dph_unit *unit, Dwarf_Die *function);

/* A number that an entry has; 0: none. */
unsigned dph_die_number(Dwarf_Die *die, unsigned attribute);

/* The name of an entry, also where it stands at the entry that this one completes. */
const char *dph_die_name(Dwarf_Die *die);

#endif
