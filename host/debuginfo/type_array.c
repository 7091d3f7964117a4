/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of DWARF: each dimension is an array of its own, with the bounds that its language gives.
 */
#include "type_dwarf.h"
#include "unit.h"

#include <dwarf.h>

static bool is_subrange(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subrange_type || dwarf_tag(die) == DW_TAG_enumeration_type;
}

/* The entry of an array's dimension, counted from 0. */
static bool dimension(struct dp_debuginfo *debug, Dwarf_Die *array, uint64_t number,
		      Dwarf_Die *subrange)
{
	if (dwarf_child(array, subrange) != 0)
		return false;
	do {
		if (is_subrange(subrange) && number-- == 0)
			return true;
	} while (dwarf_siblingof(subrange, subrange) == 0 && dph_walk_step(debug));
	return false;
}

bool dph_array_inner(const struct dph_type *type, Dwarf_Die *die)
{
	Dwarf_Die inner;
	return dimension(type->debug, die, type->inner + 1, &inner);
}

static int language_of(Dwarf_Die *die)
{
	Dwarf_Die unit;
	return dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
}

/* A bound, as the type of the index has it. False: it is known only while the program runs. */
static bool bound(struct dp_debuginfo *debug, Dwarf_Die *subrange, unsigned which, int64_t *number)
{
	const struct dph_type *index = dph_type_of(debug, subrange);
	Dwarf_Attribute found;
	return dwarf_attr_integrate(subrange, which, &found) &&
	       dph_attribute_number(&found, index ? dph_type_plain(index) : NULL, number);
}

/* The index of the first element. False: it is known only while the program runs. */
static bool first_index(struct dp_debuginfo *debug, Dwarf_Die *subrange, int64_t *first)
{
	Dwarf_Sword usual;
	if (dwarf_hasattr_integrate(subrange, DW_AT_lower_bound))
		return bound(debug, subrange, DW_AT_lower_bound, first);
	*first = dwarf_default_lower_bound(language_of(subrange), &usual) == 0 ? usual : 0;
	return true;
}

static uint64_t elements(int64_t first, int64_t last)
{
	/* The bound of an array of C without elements is -1. */
	if (first == 0 && last == UINT32_MAX)
		return 0;
	return last < first ? 0 : (uint64_t)last - (uint64_t)first + 1;
}

void dph_array_fill(struct dph_type *type, Dwarf_Die *die)
{
	Dwarf_Die subrange;
	int64_t last;
	if (!dimension(type->debug, die, type->inner, &subrange))
		return;
	const bool known = first_index(type->debug, &subrange, &type->first);
	if (dph_die_constant(&subrange, DW_AT_count, &type->count)) {
		type->counted = true;
	} else if (known && bound(type->debug, &subrange, DW_AT_upper_bound, &last)) {
		type->count = elements(type->first, last);
		type->counted = true;
	}
}

/* Is the attribute there, with another distance of elements than their size? */
static bool other_stride(const struct dph_type *type, Dwarf_Die *die)
{
	uint64_t stride = 0, bytes = 0;
	const bool in_bytes = dwarf_hasattr(die, DW_AT_byte_stride) != 0;
	if (!in_bytes && !dwarf_hasattr(die, DW_AT_bit_stride))
		return false;
	return !dph_die_constant(die, in_bytes ? DW_AT_byte_stride : DW_AT_bit_stride, &stride) ||
	       !dph_type_bytes(dph_type_target(type), &bytes) ||
	       stride != (in_bytes ? bytes : 8 * bytes);
}

/* Do neighbours of the first index stand side by side, as in Fortran? */
static bool by_column(Dwarf_Die *die)
{
	uint64_t order;
	if (dph_die_constant(die, DW_AT_ordering, &order))
		return order == DW_ORD_col_major;
	switch (language_of(die)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

const char *dph_array_refused(const struct dph_type *type, Dwarf_Die *die)
{
	Dwarf_Die subrange;
	int64_t first;
	const bool inner = dph_array_inner(type, die);
	if (!dimension(type->debug, die, type->inner, &subrange))
		return NULL;
	if (dwarf_tag(&subrange) == DW_TAG_enumeration_type)
		return "has an enumeration as its index";
	if (!first_index(type->debug, &subrange, &first))
		return "has a first index that is known only while the program runs";
	if ((inner || type->inner) && by_column(die))
		return "keeps its elements by columns";
	if (other_stride(type, &subrange) || (!inner && other_stride(type, die)))
		return "keeps its elements at another distance than their size";
	return NULL;
}
