/* SPDX-License-Identifier: BSD-2-Clause */
/* The scopes around an address are function, inlined instances and blocks. */
#ifndef DPH_SCOPE_H
#define DPH_SCOPE_H

#include "unit.h"

/* Scopes from the function inwards; each covers the address. */
struct dph_scopes {
	struct dph_unit *unit;
	Dwarf_Die list[DPH_DEPTH_MAX];
	unsigned count;
	unsigned instance; /* index of the innermost function or inlined instance */
};

/* Find them. Returns false, and why, where no entry covers the address. */
bool dph_scopes_at(struct dp_debuginfo *debug, uint64_t address, struct dph_scopes *scopes,
		   const char **why);

/* Leave the `outer` innermost inlined instances: the scopes of where they were called. */
void dph_scopes_leave(struct dph_scopes *scopes, unsigned outer);

/* Is the entry a function or an inlined instance (not a block)? */
bool dph_is_instance(Dwarf_Die *die);

/* The lowest address of an entry's code. False: it has none. */
bool dph_lowest(struct dp_debuginfo *debug, Dwarf_Die *die, uint64_t *address);

/* The address that an entry's code begins at: a function's first instruction, which may not be the
 * lowest. False: it has none. */
bool dph_begin(struct dp_debuginfo *debug, Dwarf_Die *die, uint64_t *address);

/* The entry that says where in the source a function or variable belongs: its declaration in a
 * class; with link-time optimisation, the entry in the unit of its file. */
Dwarf_Die dph_die_declaration(Dwarf_Die die);

/* Name of a function, of C++ with its namespace and class ("Queue::put"). */
const char *dph_function_name(struct dp_debuginfo *debug, Dwarf_Die *die);

#endif
