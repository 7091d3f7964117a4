/* SPDX-License-Identifier: BSD-2-Clause */
/* The lexer of D reads tokens of a program, and probe descriptions, which have rules of their own.
 */
#ifndef DPH_D_LEX_H
#define DPH_D_LEX_H

#include "front.h"

enum d_operator {
	D_OP_NONE,
#define OPERATOR(name, text, precedence, assigns) D_OP_##name,
#include "operators.def"
	D_OPERATORS
};

struct d_operator_row {
	const char *text;
	unsigned precedence;
	enum d_operator assigns;
};
extern const struct d_operator_row dph_d_operators[D_OPERATORS];

enum d_token_kind {
	D_TOKEN_END,
	D_TOKEN_WORD,
	D_TOKEN_FIRMWARE,    /* `name; text without the quote */
	D_TOKEN_AGGREGATION, /* @name; text without the sign */
	D_TOKEN_NUMBER,
	D_TOKEN_STRING, /* text: its characters, escapes replaced */
	D_TOKEN_OPERATOR,
	D_TOKEN_BAD /* said */
};

struct d_token {
	enum d_token_kind kind;
	enum d_operator op;
	const char *text; /* NUL-terminated */
	size_t bytes;     /* of text: a string may contain NUL */
	uint64_t value;
	bool is_unsigned;    /* suffix u of a number */
	bool is_based;       /* an octal or hexadecimal number */
	unsigned longs;      /* suffixes l */
	unsigned characters; /* of a character constant; 0: another number */
	struct dph_place place;
};

/* The position of the lexer. A copy is a position to return to. */
struct d_lexer {
	size_t line, at; /* index of the line, offset in the line */
};

/* Pass blanks, comments and lines of the preprocessor; pragmas are handled. */
void dph_d_skip_blank(struct d_front *d, struct d_lexer *lexer);
/* Read a token. Complains about one that is not well-formed. */
struct d_token dph_d_lex(struct d_front *d, struct d_lexer *lexer);
/* Read the path of a source file in front of a backquote, as in queue.c`name. Empty: there is none.
 */
struct d_token dph_d_lex_file(struct d_front *d, struct d_lexer *lexer);
/* Read a probe description: all up to a blank, comma, slash, semicolon or brace. Empty: there is
 * none. */
/* The length of a description of a watchpoint: ADDRESS,BYTES is one of its fields. */
size_t dph_d_watch_bytes(const char *text);
struct d_token dph_d_lex_description(struct d_front *d, struct d_lexer *lexer);
/* The character at the lexer behind blanks; 0: the end. */
char dph_d_peek(struct d_front *d, struct d_lexer lexer);

#endif
