/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of a program as tokens. A statement is one line. */
#ifndef DPH_LEX_H
#define DPH_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dph_token_kind {
	DPH_TOKEN_END,    /* of the line */
	DPH_TOKEN_WORD,   /* [A-Za-z_.][A-Za-z0-9_.$]* */
	DPH_TOKEN_NUMBER, /* begins with a digit; dph_number says whether it is one */
	DPH_TOKEN_STRING, /* with its quotes; without the second one when it is missing */
	DPH_TOKEN_SIGN,   /* any other single character */
};

struct dph_token {
	enum dph_token_kind kind;
	const char *text; /* not NUL-terminated */
	size_t bytes;
};

/* The token at *at, and *at moved behind it. Blanks and a // comment are passed over. */
struct dph_token dph_lex(const char **at);

/* Is it this word (any case), this sign? */
bool dph_token_is(const struct dph_token *token, const char *word);
bool dph_token_sign(const struct dph_token *token, char sign);

enum dph_number_state {
	DPH_NUMBER_GOOD,
	DPH_NUMBER_ZEROS,     /* good, but its leading zeros look like octal: decisions.txt C12 */
	DPH_NUMBER_BAD,       /* no number at all */
	DPH_NUMBER_TOO_LARGE, /* above 64 bits */
};
enum dph_number_state dph_number(const char *text, size_t bytes, uint64_t *value);

#endif
