/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a record while it is printed. */
#ifndef DPH_PRINTING_H
#define DPH_PRINTING_H

#include "compute.h"
#include "format.h"

/* The value of a field, taken from the data. */
struct value {
	uint64_t number;
	const uint8_t *bytes; /* of STRING, BYTES and CHARACTERS */
	size_t count;
	char *text; /* that the host computed, from the heap; null: none */
	uint8_t characters[DPH_FORMAT_CHARACTERS_MAX];
};

struct printing {
	const struct dph_format_record *record;
	const struct dph_format_point *point;
	const struct dph_format_clause *clause;
	struct value *values; /* of the clause's fields */
	struct dph_tokens tokens;
	const uint8_t *at, *end;
	FILE *out;
	/* Not null: values are visited, not printed. */
	void (*each)(void *context, struct printing *p, size_t field);
	void *context;    /* of `each` */
	unsigned objects; /* that may still be printed: a damaged type may be very wide */
	bool bad;
};

/* Return the time of the record in ns. A clock that cannot be right may tell more than fits. */
static inline uint64_t dph_record_ns(const struct dph_format_record *record)
{
	return record->seconds < 9e9 ? (uint64_t)(record->seconds * 1e9) : INT64_MAX;
}

/* A number of the target. */
uint64_t dph_format_number(const struct dph_format_record *record, const uint8_t *bytes,
			   size_t count);
/* The characters of one word of a text. */
void dph_format_put_word(uint8_t *to, uint64_t word, unsigned bytes);
/* Take the values of the clause's fields from the data. */
void dph_format_take(struct printing *p);

/* Return the floating-point number of 4 or 8 bytes. */
double dph_float_value(uint64_t bits, uint64_t bytes);

/* Return the type of this number; null: the formats have no such type. */
const struct dph_format_type *dph_printing_type(const struct printing *p, uint32_t index);

/* Print an address as symbol or module, or as number where the host does not know it. */
void dph_put_address(struct printing *p, uint64_t address, enum dph_address_text how);

/* Print characters of the target, which may steer a terminal: dots stand for control bytes and
 * zeros. */
void dph_put_characters(FILE *out, const uint8_t *bytes, size_t count);

/* Print a number as its type prints it. type: may be null. */
void dph_put_number(struct printing *p, const struct dph_format_type *type, uint64_t value,
		    bool is_signed);

/* Print a field of the clause as people read it. */
void dph_put_field(struct printing *p, size_t index);

/* Print bytes of memory as a value of the type.
 * depth: number of structs and arrays around the value. */
void dph_put_object(struct printing *p, const struct dph_format_type *type, const uint8_t *bytes,
		    size_t count, unsigned depth);

#endif
