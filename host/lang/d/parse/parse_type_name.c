/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of types: the words of C, tags with or without a body, and stars. */
#define _GNU_SOURCE
#include "lang/d/read/declared.h"
#include "parse.h"

#include <string.h>

/* Words of a type, and the words that may stand in front of each. */
enum {
	WORD_INT = 1 << 0,
	WORD_CHAR = 1 << 1,
	WORD_SHORT = 1 << 2,
	WORD_LONG = 1 << 3,
	WORD_LONG_LONG = 1 << 4,
	WORD_SIGN = 1 << 5,
	WORD_WHOLE = 1 << 6, /* is a type alone */
	WORD_QUALIFIER = 1 << 7,
	WORDS_LONG = WORD_LONG | WORD_LONG_LONG,
};

static const struct word {
	const char *text;
	unsigned kind, behind;
} words[] = {
	{"int", WORD_INT, WORD_SHORT | WORDS_LONG | WORD_SIGN},
	{"char", WORD_CHAR, WORD_SIGN},
	{"short", WORD_SHORT, WORD_INT | WORD_SIGN},
	{"long", WORD_LONG, WORD_INT | WORD_LONG | WORD_SIGN},
	{"signed", WORD_SIGN, WORD_INT | WORD_CHAR | WORD_SHORT | WORDS_LONG},
	{"unsigned", WORD_SIGN, WORD_INT | WORD_CHAR | WORD_SHORT | WORDS_LONG},
	{"void", WORD_WHOLE, 0},
	{"_Bool", WORD_WHOLE, 0},
	{"string", WORD_WHOLE, 0},
	{"struct", WORD_WHOLE, 0},
	{"union", WORD_WHOLE, 0},
	{"enum", WORD_WHOLE, 0},
	{"const", WORD_QUALIFIER, 0},
	{"volatile", WORD_QUALIFIER, 0},
	{"userland", WORD_QUALIFIER, 0},
};

/* Null: no word of the language. */
static const struct word *word_of(const char *text)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].text, text) == 0)
			return &words[i];
	return NULL;
}

static bool is_base_word(const char *word)
{
	return word_of(word) != NULL;
}

/* Join a word to the kinds of those in front of it. Returns false where they make no type. */
static bool join(unsigned *kinds, const char *text)
{
	const struct word *word = word_of(text);
	const unsigned before = *kinds, kind = word ? word->kind : WORD_WHOLE;
	*kinds |= kind == WORD_LONG && before & WORD_LONG ? WORD_LONG_LONG : kind;
	return !(before & ~(word ? word->behind : 0));
}

/* Pass the file in front of a type's name: queue.c`queue_t. The name is the next token then.
 * Returns the file; null: there is none. */
static const char *pass_file(struct d_parser *p)
{
	struct d_lexer at = p->token_at;
	const struct d_token file = dph_d_lex_file(p->d, &at);
	if (!*file.text)
		return NULL;
	p->lexer = at;
	dph_d_next(p);
	return file.text;
}

/* Is it the type of a file: queue.c`queue_t? A path with more characters may be a difference. */
static bool is_type_of_file(struct d_parser *p)
{
	struct d_lexer at = p->token_at;
	const struct d_token file = dph_d_lex_file(p->d, &at);
	if (!*file.text || strpbrk(file.text, "-+/\\"))
		return false;
	return dph_d_type_exists(p->d, dph_d_lex(p->d, &at).text, p->of_file);
}

bool dph_d_starts_type(struct d_parser *p)
{
	if (p->token.kind != D_TOKEN_WORD)
		return false;
	return is_base_word(p->token.text) || is_type_of_file(p) ||
	       ((p->of_file || !dph_d_variable_find(p->d, D_SCOPE_GLOBAL, p->token.text)) &&
		dph_d_type_exists(p->d, p->token.text, p->of_file));
}

static bool is_qualifier(const char *text)
{
	const struct word *word = word_of(text);
	return word && word->kind == WORD_QUALIFIER;
}

static bool is_tag_word(const char *word)
{
	return strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 ||
	       strcmp(word, "enum") == 0;
}

/* A tag behind `struct`, and its body where it is defined here. */
static const char *tagged(struct d_parser *p, const char *word, struct d_type_name *type)
{
	const struct dph_place place = p->token.place;
	const char *name;
	if (p->token.kind == D_TOKEN_WORD) {
		type->file = pass_file(p);
		name = p->token.text;
		dph_d_next(p);
	} else if (dph_d_is(p, D_OP_OPEN_BODY) && !p->of_file) {
		name = dph_pool_print(p->d->pool, "#%u", ++p->d->nameless);
	} else {
		dph_d_expected(p, "a name");
		return word;
	}
	if (dph_d_is(p, D_OP_OPEN_BODY) && !type->file && !p->of_file)
		dph_d_parse_body(p, word, name, place);
	return dph_pool_print(p->d->pool, "%s %s", word, name);
}

/* Read the words of a type; `struct` takes one more word. */
static const char *type_words(struct d_parser *p, struct d_type_name *type)
{
	const char *name = "";
	unsigned kinds = 0;
	if (!is_base_word(p->token.text) && is_type_of_file(p)) {
		type->file = pass_file(p);
		name = p->token.text;
		kinds = WORD_WHOLE;
		dph_d_next(p);
	}
	while (p->token.kind == D_TOKEN_WORD && !p->failed) {
		const char *word = p->token.text;
		const bool tag = is_tag_word(word);
		if (kinds && !is_base_word(word))
			break;
		const struct dph_place place = p->token.place;
		dph_d_next(p);
		if (is_qualifier(word))
			continue;
		const bool good = join(&kinds, word);
		if (!good)
			dph_d_error(p->d, D_DECL_COMBO, place, "'%s' and '%s' make no type", name,
				    word);
		if (tag)
			name = tagged(p, word, type);
		else if (good)
			name = *name ? dph_pool_print(p->d->pool, "%s %s", name, word) : word;
	}
	return name;
}

struct d_type_name *dph_d_parse_base_type(struct d_parser *p)
{
	struct d_type_name *type = dph_pool_take(p->d->pool, sizeof(*type));
	type->place = p->token.place;
	type->of_file = p->of_file;
	type->name = type_words(p, type);
	type->place = dph_d_from_to(type->place, p->last);
	return type;
}

struct d_type_name *dph_d_parse_type_name(struct d_parser *p)
{
	struct d_type_name *type = dph_d_parse_base_type(p);
	while (dph_d_is(p, D_OP_MUL) || dph_d_is_word(p, "const") || dph_d_is_word(p, "volatile")) {
		type->stars += dph_d_is(p, D_OP_MUL);
		dph_d_next(p);
	}
	return type;
}
