/* SPDX-License-Identifier: BSD-2-Clause */
/* A record while it is printed: format_text.c takes values from its data, format_object.c prints
 * values by their types. */
#ifndef DPH_PRINTING_H
#define DPH_PRINTING_H

#include "format.h"

enum {
	DPH_OBJECTS_MAX = 20000 /* of one record */
};

/* The value of a field, taken from the data. */
struct dph_taken {
	uint64_t number;
	const uint8_t *bytes; /* of STRING, BYTES and CHARACTERS */
	size_t count;
	uint8_t characters[DPH_FORMAT_CHARACTERS_MAX];
};

struct dph_printing {
	const struct dph_format_record *record;
	const struct dph_format_point *point;
	const struct dph_format_clause *clause;
	struct dph_taken *values; /* of the clause's fields */
	const uint8_t *at, *end;
	FILE *out;
	/* Not null: values are visited, not printed. */
	void (*each)(void *context, struct dph_printing *p, size_t field);
	void *context;    /* of `each` */
	unsigned objects; /* that may still be printed: a damaged type may be very wide */
	bool bad;
};

/* Return a number of up to eight bytes in the byte order of the target. */
uint64_t dph_target_number(const struct dph_format_record *record, const uint8_t *bytes,
			   size_t count);

/* Return the low bytes of a number, extended by its sign or by zeros. bytes: 0, 8 and more: all. */
uint64_t dph_narrow(uint64_t value, uint64_t bytes, bool is_signed);

/* Return the floating-point number of 4 or 8 bytes. */
double dph_float_value(uint64_t bits, uint64_t bytes);

/* Return the type of this number; null: the formats have no such type. */
const struct dph_format_type *dph_printing_type(const struct dph_printing *p, uint32_t index);

/* Print an address as symbol, or as number. place: with the line. */
void dph_put_address(struct dph_printing *p, uint64_t address, bool place);

/* Print characters of the target, which may steer a terminal: dots stand for control bytes and
 * zeros. */
void dph_put_characters(FILE *out, const uint8_t *bytes, size_t count);

/* Print a number as its type prints it. type: may be null. */
void dph_put_number(struct dph_printing *p, const struct dph_format_type *type, uint64_t value,
		    bool is_signed);

/* Print a field of the clause as people read it. */
void dph_put_field(struct dph_printing *p, size_t index);

/* Print bytes of memory as a value of the type.
 * depth: number of structs and arrays around the value. */
void dph_put_object(struct dph_printing *p, const struct dph_format_type *type,
		    const uint8_t *bytes, size_t count, unsigned depth);

#endif
