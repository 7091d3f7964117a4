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
	D_FIRINGS = 3, /* this-> variables */
	D_VARIABLES = D_GLOBALS + D_FIRINGS,
	D_MEMORY = 0x2000,
	D_MEMORY_BYTES = 64,
	D_NOWHERE = 0x9000,
	D_HITS = 3,
	D_TEXT_MAX = 65536
};

struct dt_type {
	unsigned bits;
	bool is_signed, is_bool;
};

enum dt_kind {
	DT_CONSTANT, /* value */
	DT_VARIABLE, /* index */
	DT_LOAD,     /* a type at D_MEMORY + a * size, or at D_NOWHERE without a */
	DT_UNARY,    /* sign a */
	DT_CAST,     /* (type) a */
	DT_BINARY,   /* a sign b */
	DT_LOGICAL,  /* a sign b: && || ^^ */
	DT_CHOICE,   /* a ? b : c */
	DT_STEP,     /* ++ or -- of the variable index; postfix */
	DT_ASSIGN    /* variable index sign= a; "" is a plain one */
};

struct dt_node {
	enum dt_kind kind;
	struct dt_type type;
	const char *sign;
	struct dt_node *a, *b, *c;
	uint64_t value;
	unsigned index;
	bool constant; /* the compiler folds it; value has the result */
	bool postfix;
};

enum dt_action {
	DT_EFFECT, /* node */
	DT_RECORD, /* printf of node */
	DT_IF,     /* node, lists yes and no */
	DT_EXIT    /* value */
};

struct dt_list;

struct dt_statement {
	enum dt_action action;
	struct dt_node *node;
	struct dt_list *yes, *no;
	unsigned value;
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

struct dt_program {
	struct random random;
	unsigned word_bits;
	struct dt_type variables[D_VARIABLES];
	uint8_t memory[D_MEMORY_BYTES];
	bool big_endian;
	struct dt_clause clauses[D_CLAUSES_MAX];
	unsigned clause_count;
	struct dt_node nodes[D_NODES_MAX];
	unsigned node_count;
	struct dt_list lists[32];
	unsigned list_count;
};

/* The state of a program, and what its last hit has printed. */
struct dt_run {
	const struct dt_program *program;
	uint64_t variables[D_VARIABLES];
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
