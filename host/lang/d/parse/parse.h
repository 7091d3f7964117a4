/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of D: recursive descent, one token ahead. */
#ifndef DPH_D_PARSE_H
#define DPH_D_PARSE_H

#include "lang/d/read/tree.h"

enum {
	D_VARIABLES_MAX = 1000,
	D_OPEN_MAX = 16 /* open brackets that a message can name */
};

struct d_parser {
	struct d_front *d;
	struct d_lexer lexer;              /* behind `token` */
	struct d_lexer token_at;           /* in front of it */
	struct d_token token;              /* the next one */
	struct dph_place last;             /* of the one before */
	struct d_clause *clause;           /* being read; null: none */
	bool in_predicate;                 /* a slash may end the expression */
	bool of_file;                      /* a declaration of a probe is being read */
	unsigned nested;                   /* parentheses and brackets around */
	struct dph_place open[D_OPEN_MAX]; /* the brackets that the clause has not closed */
	unsigned open_count;               /* may be larger */
	unsigned depth;
	unsigned chained; /* operators and arguments of the outermost expression */
	unsigned statements, descriptions, variables, operators; /* of the program so far */
	bool failed; /* said: skip to a place to go on */
};

/* Read the whole program into d->clauses and d->variables. */
void dph_d_parse(struct d_front *d);

/* parse_expression.c */
struct d_node *dph_d_parse_expression(struct d_parser *p);

/* Expressions with commas between them up to `close`, which is passed. */
struct d_node *dph_d_parse_arguments(struct d_parser *p, enum d_operator close);
/* A value as one of the type that a parameter has. */
struct d_node *dph_d_of_type(struct d_parser *p, struct d_type_name *type, struct d_node *value);

/* parse.c: descriptions with commas between them, from the lexer on; afterwards it stands behind
 * them. Returns false: the error is said. */
bool dph_d_parse_descriptions(struct d_parser *p, struct d_description **list);
/* The expression behind a slash, and the slash at its end. */
struct d_node *dph_d_parse_predicate(struct d_parser *p);

/* parse_provider.c: provider NAME { probe ...; ... }, up to its brace. The next token is
 * `provider`. */
void dph_d_parse_provider(struct d_parser *p);
/* Read d->source, the text of a provider file. Returns false: the error is said. */
bool dph_d_parse_provider_file(struct d_front *d);

/* parse_variable.c: an assignment to a name, or a step of it, makes a variable, wherever it stands
 * in the program. */
void dph_d_note_variable(struct d_parser *p, struct d_node *node);

/* parse_watched.c, for struct d_front */
bool dph_d_read_watched(struct d_front *d, struct dph_place place, struct d_watched *watched);

/* parse_type_name.c */
struct d_type_name *dph_d_parse_type_name(struct d_parser *p);
/* The words of a type, without stars. */
struct d_type_name *dph_d_parse_base_type(struct d_parser *p);
bool dph_d_starts_type(struct d_parser *p);

/* parse_declaration.c: a declaration up to its semicolon. The next token is its first word. */
void dph_d_parse_declaration(struct d_parser *p);
/* The bound of an array, from its bracket on: [2]. Returns false: the error is said. */
bool dph_d_parse_bound(struct d_parser *p, uint64_t *bound);
/* The body of a struct, union or enum, from its brace on. name: "#1": it has none. */
void dph_d_parse_body(struct d_parser *p, const char *word, const char *name,
		      struct dph_place place);

/* parse.c, for the parts */
void dph_d_next(struct d_parser *p);
bool dph_d_is(const struct d_parser *p, enum d_operator op);
bool dph_d_is_word(const struct d_parser *p, const char *word);
/* Pass an operator, or complain: "expected ')' before 'x'". */
bool dph_d_expect(struct d_parser *p, enum d_operator op);
/* Pass the comma of a list that `close` may end too, or complain: "expected ',' or ')' before 'x'".
 */
bool dph_d_expect_comma(struct d_parser *p, enum d_operator close);
__attribute__((format(printf, 4, 5))) void
dph_d_fail(struct d_parser *p, enum d_tag tag, struct dph_place place, const char *format, ...);
/* Count a part of the program. The limit is far beyond what an object holds; it bounds the work.
 * parts: "statements" and the like. Returns false, with a message and at the end of the program,
 * when there are more than `most`. */
bool dph_d_count(struct d_parser *p, unsigned *count, unsigned most, struct dph_place place,
		 const char *parts);
/* Report the expected token in front of the next token. */
void dph_d_expected(struct d_parser *p, const char *what);
/* The place of two parts that stand on one line is all between them. */
struct dph_place dph_d_from_to(struct dph_place from, struct dph_place to);

#endif
