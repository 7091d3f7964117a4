/* SPDX-License-Identifier: BSD-2-Clause */
/* Types of D expressions: C's types of the target, made from the firmware's or by the program. */
#ifndef DPH_D_TYPES_H
#define DPH_D_TYPES_H

#include "front.h"

#include "debuginfo/type.h"

enum d_type_kind {
	D_TYPE_NONE, /* not known, or wrong (said) */
	D_TYPE_VOID,
	D_TYPE_INTEGER, /* also char, bool and enum */
	D_TYPE_FLOAT,
	D_TYPE_POINTER,
	D_TYPE_ARRAY,
	D_TYPE_STRUCT,
	D_TYPE_FUNCTION,
	D_TYPE_STRING
};

struct d_type {
	enum d_type_kind kind;
	unsigned bytes; /* of integers and pointers */
	bool is_signed, is_bool, is_char;
	const struct dph_type *firmware; /* null: a type of D itself */
	const struct d_type *target;     /* POINTER, ARRAY made by the program */
	uint64_t count;                  /* ARRAY made by the program */
	const char *name;                /* of a base type of D */
};

struct d_type_name;

/* A type of the firmware. Null: void. */
struct d_type dph_d_type_of(const struct d_front *d, const struct dph_type *type);
struct d_type dph_d_type_integer(const struct d_front *d, unsigned bytes, bool is_signed);
struct d_type dph_d_type_int(const struct d_front *d);
struct d_type dph_d_type_pointer(struct d_front *d, const struct d_type *target);
struct d_type dph_d_type_array(struct d_front *d, const struct d_type *element, uint64_t count);
/* The pointee or element; NONE: neither pointer nor array. */
struct d_type dph_d_type_target(const struct d_front *d, const struct d_type *type);
/* sizeof; false: the type has none. */
bool dph_d_type_bytes(const struct d_front *d, const struct d_type *type, uint64_t *bytes);
/* As C writes it. */
const char *dph_d_type_text(struct d_front *d, const struct d_type *type);

/* Why a value of the type is not read whole, as in "it is a fixed-point number"; null: it is. */
const char *dph_d_type_refused(struct d_front *d, const struct d_type *type);

/* Is it a number or pointer? */
bool dph_d_type_scalar(const struct d_type *type);
bool dph_d_type_pointed(const struct d_type *type); /* pointer or array */
/* C's integer promotion, and the type of a binary operation. */
struct d_type dph_d_type_promoted(const struct d_front *d, const struct d_type *type);
struct d_type dph_d_type_common(const struct d_front *d, const struct d_type *a,
				const struct d_type *b);
/* A value as the type holds it. */
uint64_t dph_d_type_narrow(const struct d_type *type, uint64_t value);

/* Does a type of this name exist? For the parser, which must know a cast. of_file: as in struct
 * d_type_name. */
bool dph_d_type_exists(struct d_front *d, const char *name, bool of_file);
/* The name with the file in front, as in "struct queue.c`queue". file: a path. */
const char *dph_d_name_of_file(struct d_front *d, const char *name, const char *file);
/* The type as written. Complains, and returns NONE. address: of the probe point, or 0. */
struct d_type dph_d_type_named(struct d_front *d, const struct d_type_name *name, uint64_t address);

#endif
