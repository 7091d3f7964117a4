/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of a program describe the data of its records. A front end builds them, the
 * FORMATS section of the object keeps them, and a presenter reads them. The numbers of the
 * section are LEB128, the texts end with NUL: the section does not depend on the byte order. */
#ifndef DPH_FORMAT_H
#define DPH_FORMAT_H

#include "base/pool.h"

#include <dprobes/values.h>

#include <stdbool.h>
#include <stdint.h>

#define DPH_FORMAT_NO_TYPE UINT32_MAX

enum {
	/* 1 has no places, guards, texts and aggregations; 2 has no actions on aggregations; 3 has
	 * no arrays; 4 has no characters in words; 5 has no values that the host computes, and no
	 * order; 6 has no variables, no keys and values of arrays, no rate, and no optional points;
	 * 7 has no packed and zoomed pictures, and no indented records; 8 has no functions of keys;
	 * 9 has no symbols and modules of addresses, no structs in words, no operands of the
	 * functions of keys, and no times; 10 has no pointers to characters;
	 * 11 has no conditions; 12 has no aggregations of the host
	 */
	DPH_FORMAT_VERSION = 13,
	DPH_FORMAT_AGGRATE_MS = 1000,   /* where the formats have none */
	DPH_FORMAT_CHARACTERS_MAX = 64, /* of a field in words */
	DPH_FORMAT_OBJECT_MAX = 64,     /* bytes of a struct in words */
	DPH_FAULT_CLAUSE_BITS = 16,     /* a fault's place may stand above the clause's */
	DPH_FORMAT_DEPTH_MAX = 16,      /* structs and arrays inside one another */
	DPH_FORMAT_POINTED_MAX = 8,     /* texts behind the pointers of one value */
};

/* --- types that printing needs --- */

enum dph_format_type_kind {
	DPH_FORMAT_INTEGER,
	DPH_FORMAT_CHAR,
	DPH_FORMAT_BOOL,
	DPH_FORMAT_FLOAT,
	DPH_FORMAT_ENUM,
	DPH_FORMAT_POINTER,
	DPH_FORMAT_FUNCTION, /* a pointer to a function */
	DPH_FORMAT_ARRAY,
	DPH_FORMAT_STRUCT,
	DPH_FORMAT_SYMBOL,     /* an address that is shown as the function or variable around it */
	DPH_FORMAT_MODULE,     /* an address that is shown as the image around it */
	DPH_FORMAT_CHARACTERS, /* a pointer to characters */
	DPH_FORMAT_TYPE_KINDS
};

/* A member of a struct or union, or an enumerator. */
struct dph_format_part {
	const char *name;                 /* empty: an anonymous struct or union */
	uint32_t type;                    /* index of a type that stands before this one */
	uint64_t offset;                  /* bytes */
	unsigned bits, load_bytes, shift; /* as struct dph_member */
	int64_t value;                    /* of an enumerator */
};

struct dph_format_type {
	enum dph_format_type_kind kind;
	const char *name; /* "struct queue" */
	uint64_t bytes;
	bool is_signed;
	uint32_t element; /* ARRAY */
	uint64_t count;   /* ARRAY */
	const struct dph_format_part *parts;
	size_t part_count;
};

/* --- what a handler logs --- */

enum dph_format_form {
	DPH_FIELD_WORDS,  /* one stack word, or as many as `bytes` needs */
	DPH_FIELD_STRING, /* prefix and characters, as `log str` logs them */
	DPH_FIELD_BYTES,  /* prefix and bytes, as `log mrf` logs them */
	DPH_FIELD_TEXT,   /* not in the data: `text` */
	DPH_FIELD_TIME,   /* not in the data: the record's time */
	DPH_FIELD_PROBE,  /* not in the data: part `bytes` of the probe's name, enum dph_probe_part
			   */
	DPH_FIELD_NUMBER, /* one stack word: a number of `texts` of struct dph_formats */
	DPH_FIELD_AGGREGATION, /* not in the data: number `bytes` of the aggregations */
	DPH_FIELD_POINTED,     /* a key: the address of a text */
	DPH_FIELD_CHARACTERS,  /* `bytes` characters in words, the first one the highest byte of the
				  first word; the words stand last word first in the data */
	DPH_FIELD_CONSTANT,    /* not in the data: the number `bytes` */
	DPH_FIELD_COMPUTED,    /* not in the data: `function` of the fields `operands` */
	DPH_FIELD_OBJECT,      /* `bytes` bytes of a struct in words, as memory has them */
	DPH_FIELD_STACK,       /* a key: a number of `texts`, the functions of a call stack */
	DPH_FIELD_FORMS
};

#define FUNCTION(name, result, arguments) DPH_FUNCTION_##name,
enum dph_function {
#include "functions.def"
	DPH_FUNCTIONS
};

enum {
	DPH_OPERANDS_MAX = 3 /* of a function */
};

enum dph_probe_part {
	DPH_PROBE_PROVIDER,
	DPH_PROBE_MODULE,
	DPH_PROBE_FUNCTION,
	DPH_PROBE_NAME,
	DPH_PROBE_WHOLE,
	DPH_PROBE_ID,
	DPH_PROBE_PARTS
};

struct dph_format_field {
	enum dph_format_form form;
	uint32_t type;  /* DPH_FORMAT_NO_TYPE: none */
	uint64_t bytes; /* of the value */
	bool is_signed;
	const char *text;                    /* TEXT; else the expression as written */
	uint32_t place;                      /* order in the data among fields of one clause */
	enum dph_function function;          /* COMPUTED */
	uint32_t operands[DPH_OPERANDS_MAX]; /* COMPUTED: fields of the clause before this one */
	unsigned operand_count;
};

enum dph_format_action_kind {
	DPH_ACTION_TRACE,
	DPH_ACTION_PRINTF,
	DPH_ACTION_PRINT, /* behind the value STRING: texts where its pointers to characters lead */
	DPH_ACTION_TRACEMEM,
	DPH_ACTION_SYM,   /* an address as symbol */
	DPH_ACTION_EXIT,  /* the run ends with this status */
	DPH_ACTION_STACK, /* stack memory, then registers; the text of their fields is their name */
	/* Their first fields are aggregations. */
	DPH_ACTION_PRINTA, /* the text is the format; empty: as at the end of the run */
	DPH_ACTION_CLEAR,
	DPH_ACTION_TRUNC,     /* a number: how many keys stay; negative: those with least */
	DPH_ACTION_NORMALIZE, /* a number: the factor */
	DPH_ACTION_DENORMALIZE,
	DPH_ACTION_ONLY,  /* the rest of the clause counts if two values compare so, by the text:
			   * "<", of numbers as the type that C gives both: "< 4", "< 8u"; empty:
			   * if one is not 0, or a text that is not empty */
	DPH_ACTION_COUNT, /* an update of an aggregation that the host counts: the aggregation, its
			   * keys, and the value of its function. The text has a letter for each
			   * of them but the first: 'v' a field; 'k' a call stack: how many
			   * functions, how many fields the stack has, and these */
	DPH_ACTION_KINDS
};

struct dph_format_action {
	enum dph_format_action_kind kind;
	const char *text;       /* of printf: the format; of stack: most functions, in digits */
	const uint32_t *fields; /* of the clause */
	size_t field_count;
};

/* A clause, in the order of the program. */
struct dph_format_clause {
	const struct dph_format_field *fields; /* in the order of evaluation */
	size_t field_count;
	const struct dph_format_action *actions;
	size_t action_count;
};

/* The data that one handler logs. */
struct dph_format_layout {
	bool tagged;  /* a word with the clause's number stands before the data of each clause */
	bool guarded; /* the record of an exception has the words of its fault: fault_text.c */
	const struct dph_format_clause *clauses;
	size_t clause_count;
};

struct dph_format_point {
	uint32_t layout;
	const char *part[DPH_PROBE_WHOLE]; /* provider, module, function, name */
	bool optional; /* globs alone match it: it is left out where the agent refuses it */
};

/* --- what the target aggregates --- */

#define AGGREGATION(name, map, least, most, value) DPH_AGGREGATE_##name,
enum dph_aggregate {
#include "aggregations.def"
	DPH_AGGREGATES
};

/* A constant operand. */
struct dph_format_constant {
	const char *text; /* null: a number */
	uint64_t number;
};

/* A function that the host applies to a key. */
struct dph_format_key_function {
	uint32_t key; /* CHARACTERS */
	enum dph_function function;
	unsigned text; /* the operand that is the key's text, or its number: the high word of 64
			* bits first */
	struct dph_format_constant operands[DPH_OPERANDS_MAX]; /* the others */
	unsigned operand_count;
};

enum {
	DPH_FORMAT_NO_MAP = UINT8_MAX /* the host counts, by records of DPH_ACTION_COUNT */
};

/* A map of the object that holds an aggregation. The words of an entry: keys, the bucket of a
 * distribution, values. */
struct dph_format_aggregation {
	const char *name; /* without the @; may be empty */
	enum dph_aggregate function;
	uint32_t map; /* index in the section MAPS, or DPH_FORMAT_NO_MAP */
	const struct dph_format_field
		*keys; /* WORDS; POINTED; CHARACTERS; TEXT: a number of `texts`; STACK */
	size_t key_count;
	const struct dph_format_key_function *key_functions; /* in the order of evaluation */
	size_t key_function_count;
	bool is_signed, increments;
	bool wide;    /* the value has two words; of the compiler alone */
	bool is_time; /* the values are nanoseconds */
	/* lquantize: base, step, levels; llquantize: factor, low, high, steps */
	int64_t scale[4];
};

/* A variable of the program. Its words: a program variable has the word last pushed first, an entry
 * of a map has the word first pushed first. */
struct dph_format_variable {
	const char *name;
	uint32_t index; /* of its first word: program variable, or behind the keys of an entry */
	struct dph_format_field
		field; /* WORDS; CHARACTERS; OBJECT; TEXT: a number of `texts` of the formats */
};

/* A map of the object that holds an array, or the variables of tasks. */
struct dph_format_array {
	const char *name; /* "x", "self->x"; "self->": the variables without keys */
	uint32_t map;     /* index in the section MAPS */
	const struct dph_format_field *keys;
	size_t key_count;
	const struct dph_format_variable *values; /* of an entry; none: not known */
	size_t value_count;
};

/* How aggregations are printed. The order of their keys: by value, then by keys. */
struct dph_format_order {
	bool by_key;       /* by keys, then by value */
	bool reversed;     /* the largest one first */
	bool packed;       /* a distribution is one line */
	bool zoomed;       /* the largest bucket of a distribution has the longest bar */
	bool units;        /* times have units */
	uint32_t key;      /* the key that is compared first; the others follow, round */
	uint32_t position; /* which aggregation of one printa decides */
};

struct dph_formats {
	const struct dph_format_array *arrays;
	size_t array_count;
	const char *const *texts; /* that keys and variables name by number */
	size_t text_count;
	const struct dph_format_aggregation *aggregations;
	size_t aggregation_count;
	const struct dph_format_type *types;
	size_t type_count;
	const struct dph_format_layout *layouts;
	size_t layout_count;
	const struct dph_format_point *points; /* as the object's probe points */
	size_t point_count;
	const char *const *places; /* "predicate, q.d:4:9": parts of clauses that may fault */
	size_t place_count;
	struct dph_format_order order;
	const struct dph_format_variable *variables; /* of the program, without keys */
	size_t variable_count;
	uint64_t aggrate_ms; /* the host reads the aggregations that often */
	bool quiet;          /* the program asks for its own output alone */
	bool flow;           /* records at the entries and returns of functions are indented */
};

/* Write the section. Free bytes->data. */
void dph_formats_write(const struct dph_formats *formats, struct dph_bytes *bytes);

/* Read a section, which may be damaged.
 * pool: receives all parts.
 * Returns false where the bytes are no formats of this version. */
bool dph_formats_read(struct dph_formats *formats, struct dph_pool *pool, const uint8_t *data,
		      size_t bytes);

/* --- aggregations as values --- */

/* A part of a distribution: the values from `low` on, up to `high`; count or sum of increments. */
struct dph_bucket {
	int64_t low, high;
	bool is_unsigned; /* low and high are uint64_t */
	int64_t value;
	bool below, above; /* the first, the last: it has no low, no high */
};

/* A key of an aggregation, and what the target counted for it. */
struct dph_aggregated {
	uint64_t keys[8]; /* words of all keys */
	int64_t value;
	bool is_unsigned; /* the value is uint64_t */
	struct dph_bucket
		*buckets; /* of a distribution: from the first to the last that is not 0 */
	size_t bucket_count;
	int64_t first; /* number of the first bucket: see dph_aggregate_bucket */
};

/* A bucket without a value. n: as the target counts them. */
struct dph_bucket dph_aggregate_bucket(const struct dph_format_aggregation *a, int64_t n);
/* The number of the bucket of a value. The value of an unsigned aggregation is uint64_t. */
int64_t dph_aggregate_bucket_of(const struct dph_format_aggregation *a, int64_t value);

/* Make values of the entries of a map, sorted by value, then by keys.
 * words: of all entries, `each` words an entry. found: receives the length of the list.
 * Returns the list; dph_aggregated_free frees it. */
struct dph_aggregated *dph_aggregate(const struct dph_format_aggregation *a, const uint64_t *words,
				     size_t count, unsigned each, unsigned word_bytes,
				     size_t *found);
void dph_aggregated_free(struct dph_aggregated *list, size_t count);
/* Return -1, 0 or 1: how the values stand to one another. */
int dph_aggregated_compare(const struct dph_aggregated *a, const struct dph_aggregated *b);
/* The value, as near as a double is. */
double dph_aggregated_double(const struct dph_aggregated *row);
/* Put the keys of an aggregation into the order of the program. order.c */
void dph_format_sort(const struct dph_formats *formats, const struct dph_format_aggregation *a,
		     unsigned word_bytes, struct dph_aggregated *rows, size_t count);
/* Words of a key; of all keys with the bucket. */
unsigned dph_format_key_words(const struct dph_format_field *field, unsigned word_bytes);
/* The number of a key that is WORDS. The high word of two stands first. */
uint64_t dph_format_key_number(const struct dph_format_field *field, const uint64_t *words,
			       unsigned word_bytes);
unsigned dph_aggregate_key_words(const struct dph_format_aggregation *a, unsigned word_bytes);
/* Words of a value of the aggregation. */
unsigned dph_aggregate_words(const struct dph_format_aggregation *a);
/* Does the host count the aggregation? */
static inline bool dph_aggregate_of_host(const struct dph_format_aggregation *a)
{
	return a->map == DPH_FORMAT_NO_MAP;
}
/* Has the function a value, as sum(e) has? */
static inline bool dph_aggregate_has_value(const struct dph_format_aggregation *a)
{
	return a->function != DPH_AGGREGATE_count;
}
/* Are these the keys of an entry?
 * words: of the entry. */
bool dph_aggregate_is_of(const struct dph_format_aggregation *a, const uint64_t *keys,
			 const uint64_t *words, unsigned word_bytes);

/* --- actions on aggregations --- */

enum {
	DPH_ACT_AGGREGATIONS = 16 /* of one action */
};

/* What a record asks of the aggregations. */
struct dph_format_act {
	enum dph_format_action_kind kind;
	const char *text;
	uint32_t aggregations[DPH_ACT_AGGREGATIONS];
	size_t count;
	int64_t number;
};

/* --- records as values --- */

enum dph_address_text {
	DPH_ADDRESS_OFFSET, /* symbol and offset */
	DPH_ADDRESS_PLACE,  /* the same with the line of the source */
	DPH_ADDRESS_SYMBOL, /* the symbol alone */
	DPH_ADDRESS_MODULE  /* the image that has the address */
};

/* A record, with the facts that its values need. */
struct dph_format_record {
	const struct dph_formats *formats;
	unsigned point;
	const uint8_t *data;
	size_t bytes;
	unsigned word_bytes;
	bool big_endian;
	bool exception; /* an exception ended the handler */
	bool seconds_known;
	double seconds;   /* time of the record */
	int64_t began_ns; /* when the agent began, in ns since 1970; 0: not known */
	/* Name an address; the result is freed. Null: addresses stay numbers. */
	char *(*name)(void *context, uint64_t address, enum dph_address_text how);
	/* Read a text that the firmware does not change; the result is freed. Null: the host has no
	 * texts of the firmware. */
	char *(*text)(void *context, uint64_t address);
	void *context;
};

/* The words of a fault. */
struct dph_format_fault {
	uint64_t place; /* number in the formats */
	uint64_t exception, parameter;
};

/* What an action recorded. */
struct dph_action {
	struct dph_action *next; /* of the record; null: the last one */
	enum dph_format_action_kind kind;
	const char *text; /* as in struct dph_format_action */
	const struct dp_value *const *values;
	size_t count;
	uint32_t aggregation;                 /* of COUNT; its keys and value are the values */
	const struct dph_format_act *act;     /* not null: on aggregations, without values */
	const struct dph_format_fault *fault; /* not null: no action; the clause faulted here */
	const char *printed;                  /* by the act, when it was done; null: nothing */
	size_t clause;                        /* of the layout; with `fault` not set */
};

/* Is the action one on aggregations? */
static inline bool dph_acts_on_aggregations(enum dph_format_action_kind kind)
{
	return kind >= DPH_ACTION_PRINTA && kind <= DPH_ACTION_DENORMALIZE;
}

/* What a handler recorded. Its memory is that of the pool, the record's data and the formats. */
struct dph_recorded {
	struct dph_action *actions;           /* in the order of the program; null: none */
	const struct dp_value *const *values; /* of all actions but COUNT */
	size_t count;
	size_t clauses; /* that recorded; those that a condition left out do not count */
	bool left_out;  /* a condition left out all that the record has */
	bool counted;   /* the record has updates of aggregations of the host, and nothing else */
};

/* only.c: leave out the actions of clauses whose condition is false, and the conditions. Called
 * before the values are listed. */
void dph_format_only(struct dph_recorded *recorded);

/* Read the values of a record.
 * pool: receives them.
 * Returns false: the data is not as the formats say. */
bool dph_format_read(const struct dph_format_record *record, struct dph_pool *pool,
		     struct dph_recorded *recorded);

/* Find the pointers to characters in a value of the type, in the order of its members.
 * type: may be DPH_FORMAT_NO_TYPE. offsets: receives where they are, DPH_FORMAT_POINTED_MAX at
 * most. Returns how many. */
size_t dph_format_pointed(const struct dph_format_type *types, uint32_t type, uint64_t *offsets);

/* Describe the values of a point's records.
 * pool: receives the list.
 * Returns the fields in the order of their values. */
const struct dp_field *dph_format_fields(const struct dph_formats *formats, unsigned point,
					 struct dph_pool *pool, size_t *count);

/* The floating-point number of 4 or 8 bytes. */
double dph_float_value(uint64_t bits, uint64_t bytes);

/* Words of a value. */
unsigned dph_format_value_words(const struct dph_format_field *field, unsigned word_bytes);
/* The number of a value that is WORDS. */
uint64_t dph_format_value_number(const struct dph_format_record *record,
				 const struct dph_format_field *field, const uint64_t *words);
/* Read a value of a variable, or a key of an array.
 * record: formats, word size, byte order, and who names addresses.
 * words: of the value, the word first pushed first. */
struct dp_value dph_format_value(const struct dph_format_record *record, struct dph_pool *pool,
				 const struct dph_format_field *field, const uint64_t *words);

/* Read a key of an aggregation. words: of the key. */
struct dp_value dph_format_key(const struct dph_format_record *record, struct dph_pool *pool,
			       const struct dph_format_field *field, const uint64_t *words);

#endif
