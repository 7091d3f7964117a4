/* SPDX-License-Identifier: BSD-2-Clause */
/* A source supplies types to the graph: DWARF and CTF are sources. */
#ifndef DPH_TYPE_SOURCE_H
#define DPH_TYPE_SOURCE_H

#include "debuginfo.h"
#include "type.h"

/* Fill a type at the first question of type.c. */
struct dph_type_source {
	void (*target)(struct dph_type *type);
	void (*parts)(struct dph_type *type); /* members, parameters, enumerators */
};

/* Lists of parts while they are read: they grow in the heap and stay in the pool. */
struct dph_parts {
	struct dph_member *members;
	struct dph_enumerator *enumerators;
	size_t count, room;
};
void dph_parts_member(struct dph_parts *parts, struct dph_member member);
void dph_parts_enumerator(struct dph_parts *parts, struct dph_enumerator enumerator);
void dph_parts_done(struct dph_parts *parts, struct dph_type *type);

/* Return where to load a bit-field from.
 * at: first bit, counted from the struct's start in the target's order: the lowest bit of a
 * little-endian byte first, the highest bit of a big-endian byte first.
 * storage: bytes of the declared type. whole: bytes of the struct; 0: not known. */
void dph_bit_field(struct dph_member *member, uint64_t at, unsigned bits, uint64_t storage,
		   uint64_t whole, bool big_endian);

/* The words of a C base type, in any order: equal for "unsigned long" and "long unsigned int".
 * 0: not a base type of C. */
uint32_t dph_base_type_words(const char *name);

/* The type of an entry of DWARF. Null for null. */
const struct dph_type *dph_type_of_die(struct dp_debuginfo *debug, Dwarf_Die *die);
/* The type that the entry's DW_AT_type names; null: void. */
const struct dph_type *dph_type_of(struct dp_debuginfo *debug, Dwarf_Die *die);

/* Definitions by name. tag: DPH_TYPE_STRUCT, _UNION, _ENUM, or DPH_TYPE_OTHER for names without
 * such a word. */
const struct dph_type *dph_dwarf_type_named(struct dp_debuginfo *debug, enum dph_type_kind tag,
					    const char *name, const struct dph_within *within,
					    struct dph_meanings *meanings);

#endif
