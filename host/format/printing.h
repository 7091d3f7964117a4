/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a record while it is printed. */
#ifndef DPH_PRINTING_H
#define DPH_PRINTING_H

#include "compute.h"

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
	unsigned objects; /* that may still be printed: a damaged type may be very wide */
	bool bad;
};

/* A number of the target. */
uint64_t dph_format_number(const struct dph_format_record *record, const uint8_t *bytes,
			   size_t count);
/* The characters of one word of a text. */
void dph_format_put_word(uint8_t *to, uint64_t word, unsigned bytes);
/* Take the values of the clause's fields from the data. */
void dph_format_take(struct printing *p);

#endif
