/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of the firmware are one graph for DWARF and CTF. The graph reads a type on request; the
 * functions below read its parts (pointee, members, enumerators, parameters). A graph from a
 * damaged file may be circular: walks are bounded. */
#ifndef DPH_TYPE_H
#define DPH_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dp_debuginfo;
struct dph_type_source;

/* Where a name of file scope is searched. */
struct dph_within {
	uint64_t address; /* the unit that has it comes first, and alone where it has the name; 0:
			   * none does */
	const char *file; /* last components of the path of a source file; null: all files */
};

/* Source files that give one name different meanings: of the one that was found, and of another.
 * other: null where there is one meaning. */
struct dph_meanings {
	const char *file, *other;
};

enum dph_type_kind {
	DPH_TYPE_VOID,
	DPH_TYPE_INTEGER,
	DPH_TYPE_CHAR, /* plain, signed or unsigned char; is_signed says which */
	DPH_TYPE_BOOL,
	DPH_TYPE_FLOAT,
	DPH_TYPE_ENUM,
	DPH_TYPE_POINTER, /* of C++ also references */
	DPH_TYPE_ARRAY,
	DPH_TYPE_STRUCT, /* of C++ also class */
	DPH_TYPE_UNION,
	DPH_TYPE_FUNCTION,
	DPH_TYPE_TYPEDEF,
	DPH_TYPE_CONST,
	DPH_TYPE_VOLATILE,
	DPH_TYPE_RESTRICT,
	DPH_TYPE_ATOMIC,
	DPH_TYPE_OTHER /* a type that C has no word for; only its size is known */
};

struct dph_type {
	enum dph_type_kind kind;
	const char *name; /* of a typedef, a base type; the tag of struct, union, enum; or null */
	uint64_t bytes; /* of a base type, pointer, enum, struct or union; dph_type_bytes has all */
	uint64_t count; /* of an array: its elements */
	int64_t first;  /* of an array: the index of its first element; 0 in C */
	bool counted;   /* the array has a bound */
	bool size_varies; /* the size is known only while the firmware runs */
	/* Why values of the type are not read, as in "is a fixed-point number"; null: they are.
	 * dph_type_refused asks for the parts too. */
	const char *refused;
	bool is_signed; /* integers, char, enum */
	bool declared;  /* struct, union, enum: only declared here, its members stand elsewhere */
	bool variadic;  /* function: more parameters may follow */
	/* Of the source that made it. */
	const struct dph_type_source *source;
	struct dp_debuginfo *debug;
	void *origin;   /* a DIE, a CTF dictionary */
	uint64_t inner; /* which part of the origin: a dimension, a number */
	const struct dph_type *target;
	const struct dph_member *members;
	const struct dph_enumerator *enumerators;
	size_t part_count;
	const struct dph_type *cause; /* of dph_type_refused */
	bool target_read, parts_read, cause_read;
};

struct dph_member {
	const char *name; /* null: an anonymous struct or union, or an unnamed parameter */
	const struct dph_type *type;
	uint64_t
		offset; /* bytes from the start of the struct; of a bit-field: where to load from */
	unsigned bits;  /* of a bit-field; 0: none */
	unsigned load_bytes; /* of a bit-field: load this many bytes in the target's order, */
	unsigned shift;      /* shift right by this, and keep `bits` bits; 0 bytes: it spans nine */
	bool no_place;       /* where it stands depends on the value around it: it is not read */
};

struct dph_enumerator {
	const char *name;
	int64_t value;
};

/* The pointee, element, aliased or qualified type, a function's result. Null: void, or none. */
const struct dph_type *dph_type_target(const struct dph_type *type);
/* Without typedefs and qualifiers. A declared struct becomes its definition where there is one. */
const struct dph_type *dph_type_plain(const struct dph_type *type);
/* sizeof. False: void, function, incomplete struct, array without a bound. */
bool dph_type_bytes(const struct dph_type *type, uint64_t *bytes);
/* Why a value of the type cannot be read whole, as in "has variants, ..."; null: it can.
 * *of: the type that is the cause: this one, or one of a member or element. */
const char *dph_type_refused(const struct dph_type *type, const struct dph_type **of);
/* Members of a struct or union, parameters of a function, in order. */
size_t dph_type_members(const struct dph_type *type, const struct dph_member **members);
size_t dph_type_enumerators(const struct dph_type *type, const struct dph_enumerator **list);
/* A member by name, also inside anonymous members: its offset then counts from the outer type. */
bool dph_type_member(const struct dph_type *type, const char *name, struct dph_member *member);
/* offsetof(type, "a.b[2].c"); false: no such member or element, or a bit-field. */
bool dph_type_offset(const struct dph_type *type, const char *path, uint64_t *offset);
/* As C writes it: "const struct msg *", "int (*)(char)". From the pool of the debug information. */
const char *dph_type_text(const struct dph_type *type);

/* Do two types of one name differ as far as a program could see: in size, members or enumerators?
 */
bool dph_type_differs(const struct dph_type *a, const struct dph_type *b);

/* Find a type by its C name: "struct queue", "enum state", "queue_t", "unsigned char". Of several
 * that differ, the one of the largest unit is found.
 * meanings: set. May be null: then of all files.
 * Returns null, and why, where there is none. */
const struct dph_type *dph_type_named(struct dp_debuginfo *debug, const char *name,
				      const struct dph_within *within,
				      struct dph_meanings *meanings, const char **why);

#endif
