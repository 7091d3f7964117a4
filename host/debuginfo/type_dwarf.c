/* SPDX-License-Identifier: BSD-2-Clause */
/* This source of types reads types from DWARF. */
#include "type_dwarf.h"
#include "type_source.h"
#include "unit.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static const struct dph_type_source dwarf_source;

/* --- attributes ---------------------------------------------------------------------------- */

bool dph_die_constant(Dwarf_Die *die, unsigned attribute, uint64_t *value)
{
	Dwarf_Attribute found;
	Dwarf_Word word;
	if (!dwarf_attr_integrate(die, attribute, &found) || dwarf_formudata(&found, &word) != 0)
		return false;
	*value = word;
	return true;
}

static bool is_shortest(unsigned form)
{
	return form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4;
}

bool dph_attribute_number(Dwarf_Attribute *attribute, const struct dph_type *type, int64_t *number)
{
	Dwarf_Sword with_sign = 0;
	Dwarf_Word without = 0;
	const bool has_none = is_shortest(attribute->form);
	if ((has_none ? dwarf_formudata(attribute, &without)
		      : dwarf_formsdata(attribute, &with_sign)) != 0)
		return false;
	const uint64_t value = has_none ? (uint64_t)without : (uint64_t)with_sign;
	const uint64_t bytes = type && type->bytes ? type->bytes : sizeof value;
	const unsigned unused = bytes < sizeof value ? 64 - 8 * (unsigned)bytes : 0;
	*number = type && type->is_signed ? (int64_t)(value << unused) >> unused
					  : (int64_t)(value << unused >> unused);
	return true;
}

static bool reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *target)
{
	Dwarf_Attribute found;
	return dwarf_attr_integrate(die, attribute, &found) && dwarf_formref_die(&found, target);
}

const struct dph_type *dph_type_of(struct dp_debuginfo *debug, Dwarf_Die *die)
{
	Dwarf_Die target;
	return reference(die, DW_AT_type, &target) ? dph_type_of_die(debug, &target) : NULL;
}

/* --- the table of types that were made ----------------------------------------------------- */

static size_t place_of(const struct dp_debuginfo *debug, const void *address, uint64_t inner)
{
	uint64_t key = ((uint64_t)(uintptr_t)address + inner) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(key >> 32) & (debug->type_room - 1);
	while (debug->types[at] && (((Dwarf_Die *)debug->types[at]->origin)->addr != address ||
				    debug->types[at]->inner != inner))
		at = (at + 1) & (debug->type_room - 1);
	return at;
}

static void widen_table(struct dp_debuginfo *debug)
{
	struct dph_type **old = debug->types;
	size_t count = debug->type_room;
	debug->type_room = count ? 2 * count : 256;
	debug->types = dph_malloc(debug->type_room * sizeof(struct dph_type *));
	for (size_t i = 0; i < count; i++)
		if (old[i])
			debug->types[place_of(debug, ((Dwarf_Die *)old[i]->origin)->addr,
					      old[i]->inner)] = old[i];
	free(old);
}

/* The type of an entry; *made: the type is new, and all zero but for its origin. */
static struct dph_type *in_table(struct dp_debuginfo *debug, Dwarf_Die *die, uint64_t inner,
				 bool *made)
{
	if (2 * debug->type_count >= debug->type_room)
		widen_table(debug);
	size_t at = place_of(debug, die->addr, inner);
	*made = !debug->types[at];
	if (*made) {
		Dwarf_Die *origin = dph_pool_take(&debug->pool, sizeof(*origin));
		struct dph_type *type = dph_pool_take(&debug->pool, sizeof(*type));
		*origin = *die;
		type->source = &dwarf_source;
		type->debug = debug;
		type->origin = origin;
		type->inner = inner;
		debug->types[at] = type;
		debug->type_count++;
	}
	return debug->types[at];
}

/* --- what kind an entry is ----------------------------------------------------------------- */

static void fill_base(struct dph_type *type, Dwarf_Die *die)
{
	uint64_t encoding = 0;
	dph_die_constant(die, DW_AT_encoding, &encoding);
	type->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
			  encoding == DW_ATE_float;
	switch (encoding) {
	case DW_ATE_address:
	case DW_ATE_signed:
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
	case DW_ATE_UCS:
	case DW_ATE_ASCII:
		type->kind = DPH_TYPE_INTEGER;
		break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		type->kind = DPH_TYPE_CHAR;
		break;
	case DW_ATE_boolean:
		type->kind = DPH_TYPE_BOOL;
		break;
	case DW_ATE_float:
		type->kind = DPH_TYPE_FLOAT;
		break;
	default:
		type->kind = DPH_TYPE_OTHER;
		break;
	}
}

/* Without an underlying type the enumerators say whether an enum is signed. */
static void fill_enum(struct dph_type *type, Dwarf_Die *die)
{
	Dwarf_Attribute value;
	Dwarf_Die child, under;
	Dwarf_Sword number;
	if (reference(die, DW_AT_type, &under)) {
		const struct dph_type *plain = dph_type_plain(dph_type_of_die(type->debug, &under));
		type->is_signed = plain && plain->is_signed;
		return;
	}
	if (dwarf_child(die, &child) != 0)
		return;
	do {
		if (dwarf_attr(&child, DW_AT_const_value, &value) && value.form == DW_FORM_sdata &&
		    dwarf_formsdata(&value, &number) == 0 && number < 0)
			type->is_signed = true;
	} while (dwarf_siblingof(&child, &child) == 0 && dph_walk_step(type->debug));
}

/* A range of another type, as Ada's and Pascal's subtypes: a name of that type, or an integer that
 * takes fewer bytes. */
static void fill_subrange(struct dph_type *type, Dwarf_Die *die)
{
	const struct dph_type *base = dph_type_of(type->debug, die);
	uint64_t bytes = 0;
	base = base ? dph_type_plain(base) : NULL;
	if (!base)
		return;
	dph_type_bytes(base, &bytes);
	if (!type->bytes || type->bytes == bytes) {
		type->bytes = bytes;
		type->kind = DPH_TYPE_TYPEDEF;
	} else if (base->kind == DPH_TYPE_INTEGER || base->kind == DPH_TYPE_CHAR) {
		type->kind = base->kind;
		type->is_signed = base->is_signed;
	}
}

static const struct kind_row {
	int tag;
	enum dph_type_kind kind;
} kind_rows[] = {
	{DW_TAG_enumeration_type, DPH_TYPE_ENUM},  {DW_TAG_pointer_type, DPH_TYPE_POINTER},
	{DW_TAG_reference_type, DPH_TYPE_POINTER}, {DW_TAG_rvalue_reference_type, DPH_TYPE_POINTER},
	{DW_TAG_structure_type, DPH_TYPE_STRUCT},  {DW_TAG_class_type, DPH_TYPE_STRUCT},
	{DW_TAG_union_type, DPH_TYPE_UNION},       {DW_TAG_subroutine_type, DPH_TYPE_FUNCTION},
	{DW_TAG_subprogram, DPH_TYPE_FUNCTION},    {DW_TAG_typedef, DPH_TYPE_TYPEDEF},
	{DW_TAG_const_type, DPH_TYPE_CONST},       {DW_TAG_volatile_type, DPH_TYPE_VOLATILE},
	{DW_TAG_restrict_type, DPH_TYPE_RESTRICT}, {DW_TAG_atomic_type, DPH_TYPE_ATOMIC},
	{DW_TAG_template_alias, DPH_TYPE_TYPEDEF}, {DW_TAG_immutable_type, DPH_TYPE_CONST},
	{DW_TAG_packed_type, DPH_TYPE_TYPEDEF},    {DW_TAG_array_type, DPH_TYPE_ARRAY},
};

static enum dph_type_kind kind_of(int tag)
{
	for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
		if (kind_rows[i].tag == tag)
			return kind_rows[i].kind;
	return DPH_TYPE_OTHER;
}

static void fill(struct dph_type *type, Dwarf_Die *die)
{
	uint64_t bits;
	int tag = dwarf_tag(die);
	type->name = dph_die_name(die);
	type->kind = kind_of(tag);
	if (!dph_die_constant(die, DW_AT_byte_size, &type->bytes) &&
	    dph_die_constant(die, DW_AT_bit_size, &bits))
		type->bytes = bits / 8 + (bits % 8 != 0);
	type->declared = dwarf_hasattr(die, DW_AT_declaration) && tag != DW_TAG_subprogram;
	if (tag == DW_TAG_base_type)
		fill_base(type, die);
	else if (tag == DW_TAG_subrange_type)
		fill_subrange(type, die);
	else if (tag == DW_TAG_array_type)
		dph_array_fill(type, die);
	else if (type->kind == DPH_TYPE_ENUM)
		fill_enum(type, die);
	else if (type->kind == DPH_TYPE_POINTER && !type->bytes)
		type->bytes = type->debug->word_bytes;
	dph_die_refuse(type, die);
}

static const struct dph_type *type_of_dimension(struct dp_debuginfo *debug, Dwarf_Die *die,
						uint64_t inner)
{
	bool made;
	struct dph_type *type = in_table(debug, die, inner, &made);
	if (made)
		fill(type, die);
	return type;
}

const struct dph_type *dph_type_of_die(struct dp_debuginfo *debug, Dwarf_Die *die)
{
	Dwarf_Die whole;
	/* A type unit holds a type that all units share. */
	if (die && dwarf_hasattr(die, DW_AT_signature) && reference(die, DW_AT_signature, &whole))
		return type_of_dimension(debug, &whole, 0);
	return die ? type_of_dimension(debug, die, 0) : NULL;
}

/* --- targets and parts --------------------------------------------------------------------- */

static void read_target(struct dph_type *type)
{
	Dwarf_Die die = *(Dwarf_Die *)type->origin;
	dph_walk_begin(type->debug);
	if (type->kind == DPH_TYPE_ARRAY && dph_array_inner(type, &die))
		type->target = type_of_dimension(type->debug, &die, type->inner + 1);
	else if (!type->declared)
		type->target = dph_type_of(type->debug, &die);
}

/* Where a member begins, in bytes. False: its place depends on the value around it. */
static bool member_offset(Dwarf_Die *die, uint64_t *offset)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	*offset = 0;
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attribute))
		return true;
	if (dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1 ||
	    (ops[0].atom != DW_OP_plus_uconst && ops[0].atom != DW_OP_constu))
		return false;
	*offset = ops[0].number;
	return true;
}

static void place_bits(const struct dph_type *type, struct dph_member *member, Dwarf_Die *die,
		       unsigned bits)
{
	uint64_t at = 0, old, storage = 0;
	bool big = type->debug->big_endian;
	if (!dph_die_constant(die, DW_AT_byte_size, &storage) && member->type)
		dph_type_bytes(member->type, &storage);
	if (dph_die_constant(die, DW_AT_data_bit_offset, &at)) {
		at += 8 * member->offset;
	} else if (dph_die_constant(die, DW_AT_bit_offset, &old)) {
		/* DWARF 2 and 3: from the highest bit of the storage unit. */
		at = 8 * member->offset + (big ? old : 8 * storage - old - bits);
	} else {
		at = 8 * member->offset;
	}
	dph_bit_field(member, at, bits, storage, type->bytes, big);
}

static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return (tag == DW_TAG_member || tag == DW_TAG_inheritance) &&
	       !dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_external);
}

static void take_member(struct dph_type *type, struct dph_parts *parts, Dwarf_Die *die)
{
	uint64_t bits = 0;
	if (!is_member(die))
		return;
	struct dph_member member = {.name = dwarf_tag(die) == DW_TAG_member ? dph_die_name(die)
									    : NULL,
				    .type = dph_type_of(type->debug, die)};
	member.no_place = !member_offset(die, &member.offset) ||
			  (dwarf_hasattr(die, DW_AT_bit_size) &&
			   (!dph_die_constant(die, DW_AT_bit_size, &bits) || bits > 64));
	if (bits && bits <= 64)
		place_bits(type, &member, die, (unsigned)bits);
	dph_parts_member(parts, member);
}

static void take_enumerator(struct dph_type *type, struct dph_parts *parts, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	int64_t value;
	if (dwarf_tag(die) != DW_TAG_enumerator)
		return;
	if (!dwarf_attr(die, DW_AT_const_value, &attribute) ||
	    !dph_attribute_number(&attribute, type, &value))
		value = 0;
	dph_parts_enumerator(parts, (struct dph_enumerator){dph_die_name(die), value});
}

static void take_parameter(struct dph_type *type, struct dph_parts *parts, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	if (tag == DW_TAG_unspecified_parameters)
		type->variadic = true;
	else if (tag == DW_TAG_formal_parameter)
		dph_parts_member(parts, (struct dph_member){.name = dph_die_name(die),
							    .type = dph_type_of(type->debug, die)});
}

/* Return the entry with the parts as children: of a copy of a function, the original function. */
static Dwarf_Die parent_of_parts(const struct dph_type *type)
{
	Dwarf_Die die = *(Dwarf_Die *)type->origin, original;
	Dwarf_Attribute attribute;
	if (type->kind == DPH_TYPE_FUNCTION &&
	    dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
	    dwarf_formref_die(&attribute, &original))
		return original;
	return die;
}

static void read_parts(struct dph_type *type)
{
	struct dph_parts parts = {0};
	Dwarf_Die parent = parent_of_parts(type), child;
	void (*take)(struct dph_type *, struct dph_parts *, Dwarf_Die *) =
		type->kind == DPH_TYPE_STRUCT || type->kind == DPH_TYPE_UNION ? take_member
		: type->kind == DPH_TYPE_ENUM                                 ? take_enumerator
		: type->kind == DPH_TYPE_FUNCTION                             ? take_parameter
									      : NULL;
	if (!take || dwarf_child(&parent, &child) != 0)
		return;
	dph_walk_begin(type->debug);
	do
		take(type, &parts, &child);
	while (dwarf_siblingof(&child, &child) == 0 && dph_walk_step(type->debug));
	dph_parts_done(&parts, type);
}

static const struct dph_type_source dwarf_source = {read_target, read_parts};

/* --- by name ------------------------------------------------------------------------------- */

struct search {
	struct dp_debuginfo *debug;
	enum dph_type_kind kind;
	const char *name;
	uint32_t words; /* of a base type */
	const struct dph_type *found;
};

static bool fits(const struct search *search, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	const char *name;
	if (search->kind != DPH_TYPE_OTHER
		    ? kind_of(tag) != search->kind
		    : tag != DW_TAG_typedef && tag != DW_TAG_base_type &&
			      tag != DW_TAG_structure_type && tag != DW_TAG_class_type &&
			      tag != DW_TAG_enumeration_type && tag != DW_TAG_union_type)
		return false;
	name = dwarf_diename(die);
	if (!name)
		return false;
	if (search->words && tag == DW_TAG_base_type)
		return dph_base_type_words(name) == search->words;
	return strcmp(name, search->name) == 0 && !dwarf_hasattr(die, DW_AT_declaration);
}

/* Names of C++ classes need no keyword before the name; in C a keyword comes first. */
static bool needs_word(Dwarf_Die *die)
{
	Dwarf_Die unit;
	int tag = dwarf_tag(die);
	if (tag == DW_TAG_typedef || tag == DW_TAG_base_type)
		return false;
	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return true;
	int language = dwarf_srclang(&unit);
	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11;
}

static bool visit_type(void *context, Dwarf_Die *die)
{
	struct search *search = context;
	if (!fits(search, die) || (search->kind == DPH_TYPE_OTHER && needs_word(die)))
		return true;
	search->found = dph_type_of_die(search->debug, die);
	return false;
}

static const struct dph_type *in_unit(struct search *search, struct dph_unit *unit)
{
	search->found = NULL;
	dph_walk_begin(search->debug);
	dph_unit_visit(search->debug, unit, visit_type, search);
	return search->found;
}

const struct dph_type *dph_dwarf_type_named(struct dp_debuginfo *debug, enum dph_type_kind tag,
					    const char *name, const struct dph_within *within,
					    struct dph_meanings *meanings)
{
	struct search search = {.debug = debug,
				.kind = tag,
				.name = name,
				.words = tag == DPH_TYPE_OTHER ? dph_base_type_words(name) : 0};
	const struct dph_type *best = NULL;
	const char *why;
	struct dph_unit *units, *first = NULL;
	size_t count = dph_units(debug, &units);
	uint64_t largest = 0;
	*meanings = (struct dph_meanings){NULL, NULL};
	if (within->address && (first = dph_unit_at(debug, within->address, &why)) &&
	    dph_unit_may_have(first, within->file) && (best = in_unit(&search, first)))
		return best;
	for (size_t i = 0; i < count; i++) {
		const char *file = units[i].name ? units[i].name : "?";
		const struct dph_type *found =
			&units[i] == first || !dph_unit_may_have(&units[i], within->file)
				? NULL
				: in_unit(&search, &units[i]);
		if (!found)
			continue;
		const bool better = !best || units[i].bytes > largest;
		if (best && dph_type_differs(best, found))
			meanings->other = better ? meanings->file : file;
		if (!better)
			continue;
		largest = units[i].bytes;
		meanings->file = file;
		best = found;
	}
	return best;
}
