/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the source of types that reads DWARF. */
#ifndef DPH_TYPE_DWARF_H
#define DPH_TYPE_DWARF_H

#include "type_source.h"

/* The attribute's constant. False: there is none, or it is no constant. */
bool dph_die_constant(Dwarf_Die *die, unsigned attribute, uint64_t *value);

/* The attribute's constant as a type has it, which is a plain one: a form of so many bytes has no
 * sign of its own, and compilers take the shortest one that holds the number. type: null for any
 * number. False: it is no constant. */
bool dph_attribute_number(Dwarf_Attribute *attribute, const struct dph_type *type, int64_t *number);

/* Fill an array, or the dimension `inner` of one: its bounds. */
void dph_array_fill(struct dph_type *type, Dwarf_Die *die);
/* Has the array another dimension inside this one? */
bool dph_array_inner(const struct dph_type *type, Dwarf_Die *die);
/* Why elements of the array are not read; null: they are. */
const char *dph_array_refused(const struct dph_type *type, Dwarf_Die *die);

/* Say in the type why its values are not read, where they are not. */
void dph_die_refuse(struct dph_type *type, Dwarf_Die *die);

#endif
