/* SPDX-License-Identifier: BSD-2-Clause */
/* Random D programs as trees, and what they do: an evaluator of the tree by the rules of D.md. It
 * shares no code with the compiler. d_generate.c makes a tree with its types, d_print.c writes it
 * as text, d_eval.c runs it. */
#ifndef D_TREE_H
#define D_TREE_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	D_NODES_MAX = 2000,
	D_CLAUSES_MAX = 5,
	D_STATEMENTS_MAX = 6, /* of a list */
	D_GLOBALS = 5,
	D_FIRINGS = 3,  /* this-> variables */
	D_TASKS = 2,    /* self-> variables; the simulator has one task */
	D_POINTERS = 2, /* the last variables: global pointers */
	D_NUMBERS = D_GLOBALS + D_FIRINGS + D_TASKS,
	D_VARIABLES = D_NUMBERS + D_POINTERS,
	D_ARRAYS = 4, /* the last one is of the task; the one before has a bound */
	D_BOUND = 5,
	D_AGGREGATIONS = 3,
	D_KEYS = 2,
	D_ENTRIES = 64, /* of an array, of an aggregation */
	D_MEMORY = 0x2000,
	D_MEMORY_BYTES = 64,
	D_NOWHERE = 0x9000,
	D_HITS = 3,
	D_TEXT_MAX = 65536
};

struct dt_type {
	unsigned bits;
	bool is_signed, is_bool;
	unsigned pointed; /* bytes of what a pointer points to; 0: a number */
};

enum dt_kind {
	DT_CONSTANT, /* value */
	DT_VARIABLE, /* index */
	DT_ELEMENT,  /* of the array index; keys a, b */
	DT_BASE,     /* (type)D_MEMORY, a pointer */
	DT_MOVED,    /* pointer a sign number b */
	DT_POINTED,  /* pointer a, indexed by b; without b: *a */
	DT_APART,    /* pointer a sign pointer b: - or a comparison */
	DT_LOAD,     /* a type at D_MEMORY + a * size, or at D_NOWHERE without a */
	DT_UNARY,    /* sign a */
	DT_CAST,     /* (type) a */
	DT_BINARY,   /* a sign b */
	DT_LOGICAL,  /* a sign b: && || ^^ */
	DT_CHOICE,   /* a ? b : c */
	DT_STEP,     /* ++ or -- of `to`; postfix */
	DT_ASSIGN    /* to sign= a; "" is a plain one */
};

struct dt_node {
	enum dt_kind kind;
	struct dt_type type;
	const char *sign;
	struct dt_node *a, *b, *c;
	struct dt_node *to; /* a variable or element */
	uint64_t value;
	unsigned index;
	bool constant; /* the compiler folds it; value has the result */
	bool fixed;    /* a constant whose type is unsigned or 64 bits wide by a suffix or a cast */
	bool postfix;
};

enum dt_action {
	DT_EFFECT, /* node */
	DT_RECORD, /* printf of node */
	DT_IF,     /* node, lists yes and no */
	DT_UPDATE, /* of the aggregation value: keys; node, null for a count; more, null without
		      increment */
	DT_EXIT    /* value */
};

struct dt_list;

struct dt_statement {
	enum dt_action action;
	struct dt_node *node;
	struct dt_list *yes, *no;
	unsigned value;
	struct dt_node *keys[D_KEYS], *more;
};

struct dt_list {
	struct dt_statement list[D_STATEMENTS_MAX];
	unsigned count;
};

struct dt_clause {
	struct dt_node *predicate; /* null: none */
	struct dt_list *body;
	bool error;    /* an ERROR clause */
	unsigned line; /* in the text */
};

/* A variable with keys. */
struct dt_array {
	struct dt_type type, keys[D_KEYS];
	unsigned key_count, bound; /* bound 0: none */
};

enum dt_function {
	DT_COUNT,
	DT_SUM,
	DT_MIN,
	DT_MAX,
	DT_AVG,
	DT_STDDEV,
	DT_QUANTIZE,
	DT_LQUANTIZE,
	DT_FUNCTIONS
};

struct dt_aggregation {
	enum dt_function function;
	struct dt_type type, keys[D_KEYS]; /* of the value, of the keys */
	unsigned key_count;
	bool increments;
};

enum { /* of lquantize */
	D_LOW = -10,
	D_LEVELS = 10,
	D_STEP = 5
};

struct dt_program {
	struct random random;
	unsigned word_bits;
	struct dt_type variables[D_VARIABLES];
	struct dt_array arrays[D_ARRAYS];
	struct dt_aggregation aggregations[D_AGGREGATIONS];
	uint8_t memory[D_MEMORY_BYTES];
	bool big_endian;
	struct dt_clause clauses[D_CLAUSES_MAX];
	unsigned clause_count;
	struct dt_node nodes[D_NODES_MAX];
	unsigned node_count, nodes_wanted;
	struct dt_list lists[32];
	unsigned list_count;
};

struct dt_entry {
	uint64_t keys[D_KEYS], value;
};

/* A key of an aggregation; of a distribution: a key and a bucket. */
struct dt_total {
	uint64_t keys[D_KEYS];
	int64_t bucket; /* its name: the lowest number in it, or D_LOW - 1 for those below */
	uint64_t count;
	int64_t sum, least, largest;
	__int128 squares;
};

/* The state of a program, and what its last hit has printed. */
struct dt_run {
	const struct dt_program *program;
	uint64_t variables[D_VARIABLES];
	struct dt_entry entries[D_ARRAYS][D_ENTRIES];
	unsigned entry_count[D_ARRAYS];
	struct dt_total totals[D_AGGREGATIONS][D_ENTRIES];
	unsigned total_count[D_AGGREGATIONS];
	bool full; /* an array or aggregation has more entries than it should */
	char text[D_TEXT_MAX];
	size_t bytes;
	bool recorded; /* the hit sends a record */
	int status;    /* of exit; -1: none */
};

/* Make a program for words of that many bits. */
void dt_generate(struct dt_program *program, uint64_t seed, unsigned word_bits, bool big_endian);
/* Write it as D. */
void dt_print(struct dt_program *program, char *text, size_t room);
/* Hit its probe once. */
void dt_hit(struct dt_run *run);
/* Aggregations (d_total.c): update one; print all, a line for each key, or each bucket that is not
 * 0: "name keys value", "name keys [bucket] value". */
void dt_update(struct dt_run *run, unsigned index, const uint64_t keys[D_KEYS], uint64_t value,
	       uint64_t more);
void dt_print_totals(const struct dt_run *run, char *text, size_t room);

/* --- arithmetic of the types --- */

/* A value as the type holds it, extended to 64 bits. */
uint64_t dt_narrow(struct dt_type type, uint64_t value);
struct dt_type dt_promoted(struct dt_type type);
struct dt_type dt_common(struct dt_type a, struct dt_type b);
/* The type of a constant. */
struct dt_type dt_constant_type(uint64_t value, bool is_negative);
/* Apply an operator. Returns false: a division by zero. */
bool dt_apply(const char *sign, struct dt_type type, uint64_t a, uint64_t b, uint64_t *result);

#endif
