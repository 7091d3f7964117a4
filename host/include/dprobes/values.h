/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of records and readings, before a sink prints them. A value has a form, a number or bytes,
 * and, in a record, a name, a type and members. Text, JSON and tables are made from values by the
 * sink that prints them. */
#ifndef DPROBES_VALUES_H
#define DPROBES_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dp_value_form {
	DP_VALUE_NUMBER,
	DP_VALUE_SIGNED,  /* number, in two's complement */
	DP_VALUE_FLAG,    /* number: 0 or 1 */
	DP_VALUE_ADDRESS, /* number; hexadecimal. In a printed value also text: the symbol around
			   * it, or null; members: the text behind it, UNKNOWN if not readable */
	DP_VALUE_SECONDS,
	DP_VALUE_STRING,  /* text; in a record also its count bytes, which may contain zeros */
	DP_VALUE_HEX,     /* count bytes; two digits each */
	DP_VALUE_NUMBERS, /* count numbers */
	DP_VALUE_STRINGS, /* count texts */
	DP_VALUE_JSON,    /* text: a value of JSON */
	/* In records alone: */
	DP_VALUE_CHARACTER,  /* number; a character in memory */
	DP_VALUE_CHARACTERS, /* count bytes of an array of characters; text: up to the first zero */
	DP_VALUE_FLOAT,      /* seconds: the number; number: its bits */
	DP_VALUE_ENUM,       /* number; text: the enumerator, or several flags; null: no name */
	DP_VALUE_SYMBOL,     /* number: an address; text: its name; null: not known */
	DP_VALUE_LIST,       /* members: the elements of an array */
	DP_VALUE_STRUCT,     /* members: of a struct or union */
	DP_VALUE_STACK,      /* a call stack: count bytes from the stack pointer on; members: the
			      * registers by name; number: most functions to print. A key of an
			      * aggregation has `text` instead: a line for each function */
	DP_VALUE_AGGREGATION, /* number: index of an aggregation; text: its name */
	DP_VALUE_UNKNOWN,     /* a time that the host does not know */
	DP_VALUE_ABSENT,      /* a member outside of the recorded bytes */
	DP_VALUE_OMITTED,     /* too many values around it or before it */
};

enum dp_value_origin {
	DP_VALUE_OF_TARGET,  /* recorded, or the time of the record */
	DP_VALUE_OF_PROGRAM, /* a constant, or a word of the probe's name */
	DP_VALUE_OF_HOST,    /* computed from other values of the record */
};

struct dp_value {
	enum dp_value_form form;
	uint64_t number;
	double seconds;
	const char *text;
	const uint8_t *bytes;
	const uint64_t *numbers;
	const char *const *texts;
	size_t count;
	/* In a record: */
	const char *name; /* the expression in the source; of a member; null: none */
	const char *type; /* in C: "struct queue"; null: none */
	const struct dp_value *members;
	size_t member_count;
	enum dp_value_origin origin;
	unsigned field;      /* number of its field; of a member 0 */
	unsigned size, bits; /* bytes of the number; bits of a bit-field, else 0 */
	bool cut;            /* a text fills the bytes that the program records: it may go on */
	const struct dph_format_type *enumeration; /* private: of an ENUM */
};

/* What a probe records: a field has one value in each record of its clause. */
struct dp_field {
	unsigned number;         /* struct dp_value.field */
	unsigned clause;         /* of the probe; a record has the values of the clauses that ran */
	const char *name, *type; /* as in struct dp_value */
	enum dp_value_form form; /* a time may be UNKNOWN instead */
	enum dp_value_origin origin;
	unsigned size, bits; /* bytes of a number; at most, of a text; of a struct or array */
	bool is_signed;
	/* Of a struct: its members. Of an array: one field for all elements. */
	const struct dp_field *members;
	size_t member_count;
	uint64_t count; /* of elements */
};

#ifdef __cplusplus
}
#endif

#endif
