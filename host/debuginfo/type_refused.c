/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of DWARF whose values are not read: languages other than C have them. A wrong value would
 * be worse than none. */
#include "type_dwarf.h"
#include "unit.h"

#include <dwarf.h>

#include <string.h>

/* What the entry has, and what its type does. DWARF 5, sections 5 and 7.8. */
static const struct row {
	int code;
	const char *why;
} tags[] =
	{
		{DW_TAG_string_type, "is a string whose length another value tells"},
		{DW_TAG_set_type, "is a set"},
		{DW_TAG_file_type, "is a file"},
		{DW_TAG_dynamic_type, "is found through a descriptor"},
		{DW_TAG_coarray_type, "is an array of several images"},
		{DW_TAG_ptr_to_member_type, "is a pointer to a member"},
		{DW_TAG_unspecified_type, "has no description"},
},
  encodings[] =
	  {
		  {DW_ATE_complex_float, "is a complex number"},
		  {DW_ATE_imaginary_float, "is an imaginary number"},
		  {DW_ATE_lo_user, "is a complex number"}, /* of integers, as GCC writes it */
		  {DW_ATE_signed_fixed, "is a fixed-point number"},
		  {DW_ATE_unsigned_fixed, "is a fixed-point number"},
		  {DW_ATE_packed_decimal, "is a decimal number"},
		  {DW_ATE_numeric_string, "is a decimal number"},
		  {DW_ATE_edited, "is an edited string"},
		  {DW_ATE_decimal_float, "is a decimal floating-point number"},
},
  attributes[] = {
	  {DW_AT_GNU_bias, "is stored less a bias"},
	  {DW_AT_data_location, "is found through a descriptor"},
	  {DW_AT_rank, "has a number of dimensions that is known only while the program runs"},
};

static const char *in_rows(const struct row *rows, size_t count, int code)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].code == code)
			return rows[i].why;
	return NULL;
}

static const char *by_attribute(Dwarf_Die *die)
{
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		if (dwarf_hasattr(die, (unsigned)attributes[i].code))
			return attributes[i].why;
	return NULL;
}

/* Is a number stored in the other byte order, as scalar_storage_order of GCC asks for? */
static bool other_order(const struct dph_type *type, Dwarf_Die *die)
{
	uint64_t order = DW_END_default;
	dph_die_constant(die, DW_AT_endianity, &order);
	return order != DW_END_default && type->bytes > 1 &&
	       (order == DW_END_big) != type->debug->big_endian;
}

static const char *base_refused(const struct dph_type *type, Dwarf_Die *die)
{
	uint64_t encoding = 0, bits;
	dph_die_constant(die, DW_AT_encoding, &encoding);
	const char *why = in_rows(encodings, sizeof encodings / sizeof *encodings, (int)encoding);
	if (why)
		return why;
	if (type->kind == DPH_TYPE_OTHER)
		return "has an encoding that is not known";
	if (other_order(type, die))
		return "is stored in the other byte order";
	if (type->kind != DPH_TYPE_FLOAT && type->bytes > 8)
		return "has more than 64 bits";
	if (dph_die_constant(die, DW_AT_bit_size, &bits) && bits != 8 * type->bytes)
		return "does not fill its bytes";
	return NULL;
}

static bool has_variants(Dwarf_Die *die, struct dp_debuginfo *debug)
{
	Dwarf_Die child;
	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_variant_part)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0 && dph_walk_step(debug));
	return false;
}

static const char *by_kind(const struct dph_type *type, Dwarf_Die *die)
{
	switch (type->kind) {
	case DPH_TYPE_ARRAY:
		return dph_array_refused(type, die);
	case DPH_TYPE_STRUCT:
	case DPH_TYPE_UNION:
		return has_variants(die, type->debug)
			       ? "has variants, of which another value chooses one"
			       : NULL;
	default:
		return NULL;
	}
}

/* A size that is an expression, as a record of Ada with a discriminant has. */
static bool size_varies(Dwarf_Die *die)
{
	uint64_t bytes;
	return (dwarf_hasattr(die, DW_AT_byte_size) &&
		!dph_die_constant(die, DW_AT_byte_size, &bytes)) ||
	       (dwarf_hasattr(die, DW_AT_bit_size) &&
		!dph_die_constant(die, DW_AT_bit_size, &bytes));
}

void dph_die_refuse(struct dph_type *type, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	const char *why = in_rows(tags, sizeof tags / sizeof *tags, tag);
	if (!why && tag == DW_TAG_base_type)
		why = base_refused(type, die);
	if (!why)
		why = by_attribute(die);
	if (!why)
		why = by_kind(type, die);
	type->size_varies = size_varies(die);
	if (!why && type->size_varies)
		why = "has a size that is known only while the program runs";
	if (!why && type->kind == DPH_TYPE_OTHER)
		why = "is a type that C has no word for";
	type->refused = why;
}
