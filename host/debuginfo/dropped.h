/* SPDX-License-Identifier: BSD-2-Clause */
/* A linker that drops a function leaves its debug information, at address 0. There may be other
 * code at 0. */
#ifndef DPH_DROPPED_H
#define DPH_DROPPED_H

#include "unit.h"

/* Did the linker drop the function whose code begins at this linked address? The symbols tell. */
bool dph_is_dropped(struct dp_debuginfo *debug, Dwarf_Die *function, uint64_t linked);

/* Is the row of a line table one of code that the linker dropped? A row is right where its line is
 * in a function that has the address. */
bool dph_row_dropped(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address,
		     const char *file, unsigned line);

#endif
