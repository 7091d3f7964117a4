/* SPDX-License-Identifier: BSD-2-Clause */
/* Values that the host computes from recorded ones: subroutines of D, and arithmetic. */
#ifndef DPH_COMPUTE_H
#define DPH_COMPUTE_H

#include "format.h"

/* A value: a number, or a text with an end. */
struct dph_computed {
	uint64_t number;
	const char *text; /* null: a number */
	size_t bytes;     /* of text; of memory, which has no end */
};

/* The text that strtok goes on with. */
struct dph_tokens {
	char *text;
	size_t at;
};

/* Does the function make a text? */
bool dph_function_is_text(enum dph_function function);
/* Does the function make a text of its operand, a text or the number in front? Such a function may
 * stand in a key. */
bool dph_key_function_is(enum dph_function function, unsigned operand);
/* Is that operand a number? */
bool dph_key_function_of_number(enum dph_function function, unsigned operand);
/* "ss|n": of functions.def */
const char *dph_function_arguments(enum dph_function function);

/* Compute a function.
 * field: its type, and the number of its operands; the types of the operands agree with
 *   functions.def, or the result is empty or 0.
 * tokens: of the clause; free tokens->text.
 * result: receives the number. Returns the text, which the caller frees; null: a number. */
char *dph_compute(const struct dph_format_field *field, const struct dph_computed *operands,
		  struct dph_tokens *tokens, uint64_t *result);

/* A number in a type of so many bytes. */
uint64_t dph_format_narrow(uint64_t value, uint64_t bytes, bool is_signed);

/* json_find.c: the value at a path of a JSON text: a string without its quotes, else as it stands
 * in the text. Escapes stay. Returns an empty text where there is no such value. From the heap. */
char *dph_json_find(const char *text, const char *path);

#endif
