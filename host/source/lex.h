/* SPDX-License-Identifier: BSD-2-Clause */
/* The lexer splits one line of a program into tokens. A statement is one line. */
#ifndef DPH_LEX_H
#define DPH_LEX_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dph_token_kind {
	DPH_TOKEN_END,    /* of the line */
	DPH_TOKEN_WORD,   /* [A-Za-z_.][A-Za-z0-9_.$]*, and letters beyond ASCII, in UTF-8 */
	DPH_TOKEN_NUMBER, /* begins with a digit; dph_number decides whether the token is a number
			   */
	DPH_TOKEN_STRING, /* with its quotes; the second quote may be missing */
	DPH_TOKEN_SIGN,   /* any other single character; a byte that is no UTF-8 */
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
/* Does it begin with this letter (any case)? The quick look before a long one. */
bool dph_token_begins(const struct dph_token *token, char letter);
bool dph_token_sign(const struct dph_token *token, char sign);

/* Does the text begin with a character that looks like another one: a no-break space, a long dash?
 */
bool dph_looks_like_other(const char *text);
/* The sentence about a character that is not ASCII and has no meaning in a program, from the pool.
 * bytes: receives the length of the character. */
const char *dph_odd_character(struct dph_pool *pool, const char *text, size_t *bytes);
/* Is every byte of the token ASCII? */
bool dph_token_plain(const struct dph_token *token);

enum dph_number_state {
	DPH_NUMBER_GOOD,
	DPH_NUMBER_ZEROS,     /* good, but its leading zeros look like octal: decisions.txt C12 */
	DPH_NUMBER_BAD,       /* no number at all */
	DPH_NUMBER_TOO_LARGE, /* above 64 bits */
};
enum dph_number_state dph_number(const char *text, size_t bytes, uint64_t *value);

#endif
