/* SPDX-License-Identifier: BSD-2-Clause */
/* The lexer of D. */
#define _GNU_SOURCE
#include "lex.h"

#include "base/source_path.h"
#include "macro.h"
#include "pragma.h"
#include "source/lex.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const struct d_operator_row dph_d_operators[D_OPERATORS] = {
#define OPERATOR(name, text, precedence, assigns)                                                  \
	[D_OP_##name] = {text, precedence, D_OP_##assigns},
#include "operators.def"
};

static const char *rest(const struct d_front *d, const struct d_lexer *lexer)
{
	return d->source->lines[lexer->line].text + lexer->at;
}

static bool ended(const struct d_front *d, const struct d_lexer *lexer)
{
	return lexer->line >= d->source->count;
}

static struct dph_place place_at(const struct d_front *d, const struct d_lexer *lexer, size_t bytes)
{
	if (ended(d, lexer) && !d->source->count)
		return (struct dph_place){0};
	if (ended(d, lexer)) {
		const struct dph_line *last = &d->source->lines[d->source->count - 1];
		return (struct dph_place){last, strlen(last->text), 0};
	}
	return (struct dph_place){&d->source->lines[lexer->line], lexer->at, bytes};
}

static void next_line(struct d_lexer *lexer)
{
	lexer->line++;
	lexer->at = 0;
}

static void skip_comment(struct d_front *d, struct d_lexer *lexer)
{
	const struct dph_place start = place_at(d, lexer, 2);
	lexer->at += 2;
	while (!ended(d, lexer)) {
		const char *stop = strstr(rest(d, lexer), "*/");
		if (stop) {
			lexer->at += (size_t)(stop - rest(d, lexer)) + 2;
			return;
		}
		next_line(lexer);
	}
	dph_d_error(d, D_SYNTAX, start, "the comment has no end; write */");
}

void dph_d_skip_blank(struct d_front *d, struct d_lexer *lexer)
{
	while (!ended(d, lexer)) {
		const char *text = rest(d, lexer);
		const bool first = strspn(d->source->lines[lexer->line].text, " \t") == lexer->at;
		if (!*text || (text[0] == '/' && text[1] == '/')) {
			next_line(lexer);
		} else if (isspace((unsigned char)*text)) {
			lexer->at++;
		} else if (text[0] == '/' && text[1] == '*') {
			skip_comment(d, lexer);
		} else if (*text == '#' && first) {
			dph_d_directive(d, place_at(d, lexer, strlen(text)), lexer->line == 0);
			next_line(lexer);
		} else {
			return;
		}
	}
}

char dph_d_peek(struct d_front *d, struct d_lexer lexer)
{
	dph_d_skip_blank(d, &lexer);
	return ended(d, &lexer) ? 0 : *rest(d, &lexer);
}

/* --- numbers ------------------------------------------------------------------------------- */

static unsigned digit_of(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

static void read_suffix(struct d_front *d, struct d_token *token, const char *at)
{
	const char *suffix = at;
	for (; isalnum((unsigned char)*at) || *at == '_'; at++) {
		if (*at == 'u' || *at == 'U') {
			token->is_unsigned = true;
		} else if (*at == 'l' || *at == 'L') {
			token->longs++;
		} else {
			dph_d_error(d, D_INT_DIGIT, token->place,
				    "'%s' is not a number: '%c' is not a digit of base %s",
				    token->text, *at,
				    token->text[0] != '0' || !token->text[1]         ? "10"
				    : token->text[1] == 'x' || token->text[1] == 'X' ? "16"
										     : "8");
			token->kind = D_TOKEN_BAD;
			return;
		}
	}
	const size_t units = (size_t)(at - suffix) - token->longs;
	if (units > 1 || token->longs > 2 || strcasecmp(suffix, "lul") == 0) {
		dph_d_error(d, D_INT_DIGIT, token->place,
			    "'%s' is not a number: its suffix is none of u, l, ll, ul, ull",
			    token->text);
		token->kind = D_TOKEN_BAD;
	}
}

static void read_number(struct d_front *d, struct d_token *token)
{
	const char *at = token->text;
	const bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
	const unsigned base = hex ? 16 : at[0] == '0' ? 8 : 10;
	bool over = false;
	token->is_based = base != 10;
	at += hex ? 2 : 0;
	const char *first = at;
	for (; isxdigit((unsigned char)*at) && digit_of(*at) < base; at++) {
		over = over || token->value > (UINT64_MAX - digit_of(*at)) / base;
		token->value = token->value * base + digit_of(*at);
	}
	if (over) {
		dph_d_error(d, D_INT_OFLOW, token->place, "'%s' does not fit 64 bits", token->text);
		token->kind = D_TOKEN_BAD;
	} else if (hex && at == first) {
		dph_d_error(d, D_INT_DIGIT, token->place, "'%s' has no digits", token->text);
		token->kind = D_TOKEN_BAD;
	} else {
		read_suffix(d, token, at);
	}
}

/* --- strings and characters ---------------------------------------------------------------- */

/* The character of an escape, behind its backslash. */
static char escape(const char **at)
{
	static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v";
	unsigned value = 0;
	if (**at >= '0' && **at <= '7') {
		for (unsigned i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
			value = value * 8 + (unsigned)(*(*at)++ - '0');
		return (char)value;
	}
	if (**at == 'x' && isxdigit((unsigned char)(*at)[1])) {
		for ((*at)++; isxdigit((unsigned char)**at); (*at)++)
			value = (value * 16 + digit_of(**at)) & 0xff;
		return (char)value;
	}
	for (const char *letter = letters; *letter; letter += 2)
		if (**at == *letter) {
			(*at)++;
			return letter[1];
		}
	return *(*at)++;
}

/* Read up to the quote. Returns false where the line ends before it. */
static bool read_quoted(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	const char *text = rest(d, lexer), quote = *text, *at = text + 1;
	char *out = dph_pool_take(d->pool, strlen(text) + 1);
	size_t bytes = 0;
	while (*at && *at != quote) {
		if (*at == '\\' && at[1]) {
			at++;
			out[bytes++] = escape(&at);
		} else {
			out[bytes++] = *at++;
		}
	}
	token->text = out;
	token->bytes = bytes;
	token->place = place_at(d, lexer, (size_t)(at - text) + (*at == quote));
	lexer->at += token->place.bytes;
	return *at == quote;
}

static void read_string(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	token->kind = D_TOKEN_STRING;
	if (read_quoted(d, lexer, token))
		return;
	dph_d_error(d, D_STR_NL, token->place, "the string has no end on this line; add \"");
	token->kind = D_TOKEN_BAD;
}

static void read_character(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	token->kind = D_TOKEN_NUMBER;
	if (!read_quoted(d, lexer, token)) {
		dph_d_error(d, D_CHR_NL, token->place,
			    "the character constant has no end on this line; add '");
		token->kind = D_TOKEN_BAD;
	} else if (!token->bytes) {
		dph_d_error(
			d, D_CHR_NULL, token->place,
			"the character constant is empty; write a character between the quotes");
		token->kind = D_TOKEN_BAD;
	}
	if (token->bytes > sizeof(token->value)) {
		dph_d_error(d, D_CHR_OFLOW, token->place,
			    "a character constant has at most %zu characters, and this one has %zu",
			    sizeof(token->value), token->bytes);
		token->kind = D_TOKEN_BAD;
	}
	token->characters = (unsigned)token->bytes;
	for (size_t i = 0; i < token->bytes; i++)
		token->value = token->value << 8 | (unsigned char)token->text[i];
}

/* --- tokens -------------------------------------------------------------------------------- */

static size_t word_bytes(const char *text)
{
	size_t bytes = 0;
	while (isalnum((unsigned char)text[bytes]) || text[bytes] == '_')
		bytes++;
	return bytes;
}

static void take(struct d_front *d, struct d_lexer *lexer, struct d_token *token, size_t sign,
		 size_t bytes)
{
	token->text = dph_pool_copy(d->pool, rest(d, lexer) + sign, bytes);
	token->bytes = bytes;
	token->place = place_at(d, lexer, sign + bytes);
	lexer->at += sign + bytes;
}

/* Take a character that is not ASCII. Returns false for any other character. */
static bool odd_character(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	size_t bytes;
	if ((unsigned char)*rest(d, lexer) < 0x80)
		return false;
	const char *sentence = dph_odd_character(d->pool, rest(d, lexer), &bytes);
	take(d, lexer, token, 0, bytes);
	dph_d_error(d, D_SYNTAX, token->place, "%s", sentence);
	return true;
}

static void read_operator(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	const char *text = rest(d, lexer);
	for (int op = 1; op < D_OPERATORS; op++) {
		const char *sign = dph_d_operators[op].text;
		if (*sign != *text || strncmp(text, sign, strlen(sign)) != 0)
			continue;
		token->kind = D_TOKEN_OPERATOR;
		token->op = (enum d_operator)op;
		take(d, lexer, token, 0, strlen(sign));
		return;
	}
	token->kind = D_TOKEN_BAD;
	if (!odd_character(d, lexer, token)) {
		take(d, lexer, token, 0, 1);
		dph_d_error(d, D_SYNTAX, token->place, "'%s' has no meaning here", token->text);
	}
}

struct d_token dph_d_lex(struct d_front *d, struct d_lexer *lexer)
{
	struct d_token token = {.kind = D_TOKEN_END, .text = ""};
	dph_d_skip_blank(d, lexer);
	token.place = place_at(d, lexer, 1);
	if (ended(d, lexer))
		return token;
	const char *text = rest(d, lexer);
	if (isdigit((unsigned char)*text)) {
		token.kind = D_TOKEN_NUMBER;
		take(d, lexer, &token, 0, word_bytes(text));
		read_number(d, &token);
	} else if (word_bytes(text)) {
		token.kind = D_TOKEN_WORD;
		take(d, lexer, &token, 0, word_bytes(text));
	} else if (*text == '`') {
		token.kind = D_TOKEN_FIRMWARE;
		take(d, lexer, &token, 1, word_bytes(text + 1));
	} else if (*text == '@') {
		token.kind = D_TOKEN_AGGREGATION;
		take(d, lexer, &token, 1, word_bytes(text + 1));
	} else if (*text == '"') {
		read_string(d, lexer, &token);
	} else if (*text == '\'') {
		read_character(d, lexer, &token);
	} else if (*text == '$') {
		dph_d_read_macro(d, lexer, &token);
	} else {
		read_operator(d, lexer, &token);
	}
	return token;
}

struct d_token dph_d_lex_file(struct d_front *d, struct d_lexer *lexer)
{
	struct d_token token = {.kind = D_TOKEN_END, .text = ""};
	dph_d_skip_blank(d, lexer);
	if (ended(d, lexer))
		return token;
	const char *text = rest(d, lexer);
	size_t bytes = 0;
	while (dph_in_path(text[bytes]))
		bytes++;
	if (bytes && text[bytes] == '`' && word_bytes(text + bytes + 1)) {
		token.kind = D_TOKEN_WORD;
		take(d, lexer, &token, 0, bytes);
	}
	return token;
}

/* The bytes of a path with folders and of the colon behind it, such as "kernel/queue.c:"; 0: none
 * is here. A predicate has no colon behind its first name.
 * more: characters of a path besides the usual ones. */
static size_t path_bytes(const char *text, const char *more)
{
	size_t bytes = dph_drive_bytes(text);
	while (text[bytes] && (dph_in_path(text[bytes]) || strchr(more, text[bytes])))
		bytes++;
	size_t base = bytes;
	while (base && text[base - 1] != '/' && text[base - 1] != '\\')
		base--;
	return base && text[bytes] == ':' ? bytes + 1 : 0;
}

size_t dph_d_watch_bytes(const char *text)
{
	static const char stops[] = " \t\v\f\r/{},;\"@";
	const size_t bytes = strcspn(text, stops);
	if (text[bytes] != ',' || !isdigit((unsigned char)text[bytes + 1]))
		return bytes;
	return bytes + 1 + strcspn(text + bytes + 1, stops);
}

/* Fields of a description end before its predicate; paths of line:PATH:FUNCTION:NUMBER and
 * PATH:NUMBER have slashes. */
static size_t description_bytes(const char *text)
{
	size_t before = strncmp(text, "line:", 5) == 0 ? 5 : 0;
	if (strncmp(text, "watch:", 6) == 0)
		return dph_d_watch_bytes(text);
	before += path_bytes(text + before, before ? "?()&'!~%#" : "");
	return before + strcspn(text + before, " \t\v\f\r/{},;\"@");
}

/* Is it `uprobe:` of another tracer, with the path of a program behind it? */
static bool names_file(const struct d_front *d, const struct d_lexer *lexer,
		       const struct d_token *token)
{
	return *rest(d, lexer) == '/' &&
	       (strcmp(token->text, "uprobe:") == 0 || strcmp(token->text, "uretprobe:") == 0);
}

static void take_path(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	const size_t before = token->bytes;
	lexer->at -= before;
	take(d, lexer, token, 0, before + strcspn(rest(d, lexer) + before, " \t\r{},;"));
}

/* Report a dash of a printed text in a description; the names of functions may have letters that
 * are not ASCII. The token is then as one whose macro argument was refused. */
static bool refuse_sign(struct d_front *d, struct d_token *token)
{
	const char *at = token->text;
	size_t bytes;
	while (*at && !dph_looks_like_other(at))
		at++;
	if (!*at)
		return false;
	const char *sentence = dph_odd_character(d->pool, at, &bytes);
	token->place.start += (size_t)(at - token->text);
	token->place.bytes = bytes;
	dph_d_error(d, D_SYNTAX, token->place, "%s", sentence);
	token->text = "";
	return true;
}

struct d_token dph_d_lex_description(struct d_front *d, struct d_lexer *lexer)
{
	struct d_token token = {.kind = D_TOKEN_WORD, .text = ""};
	dph_d_skip_blank(d, lexer);
	token.place = place_at(d, lexer, 1);
	if (ended(d, lexer))
		return token;
	take(d, lexer, &token, 0, description_bytes(rest(d, lexer)));
	if (!token.bytes)
		token.place.bytes = 1;
	if (names_file(d, lexer, &token))
		take_path(d, lexer, &token);
	if (refuse_sign(d, &token))
		return token;
	if (strchr(token.text, '$'))
		dph_d_expand_description(d, &token);
	return token;
}
