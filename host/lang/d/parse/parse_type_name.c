/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of types: the words of C, tags with or without a body, and stars. */
#define _GNU_SOURCE
#include "lang/d/read/declared.h"
#include "parse.h"

#include <string.h>

static bool is_base_word(const char *word)
{
	static const char *const words[] = {"int",    "char", "short", "long",     "unsigned",
					    "signed", "void", "const", "volatile", "struct",
					    "union",  "enum", "_Bool", "string",   "userland"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

bool dph_d_starts_type(struct d_parser *p)
{
	if (p->token.kind != D_TOKEN_WORD)
		return false;
	return is_base_word(p->token.text) ||
	       (!dph_d_variable_find(p->d, D_SCOPE_GLOBAL, p->token.text) &&
		dph_d_type_exists(p->d, p->token.text));
}

static bool is_qualifier(const char *word)
{
	return strcmp(word, "const") == 0 || strcmp(word, "volatile") == 0 ||
	       strcmp(word, "userland") == 0;
}

static bool is_tag_word(const char *word)
{
	return strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 ||
	       strcmp(word, "enum") == 0;
}

/* A tag behind `struct`, and its body where it is defined here. */
static const char *tagged(struct d_parser *p, const char *word)
{
	const struct dph_place place = p->token.place;
	const char *name;
	if (p->token.kind == D_TOKEN_WORD) {
		name = p->token.text;
		dph_d_next(p);
	} else if (dph_d_is(p, D_OP_OPEN_BODY)) {
		name = dph_pool_print(p->d->pool, "#%u", ++p->d->nameless);
	} else {
		dph_d_expected(p, "a name");
		return word;
	}
	if (dph_d_is(p, D_OP_OPEN_BODY))
		dph_d_parse_body(p, word, name, place);
	return dph_pool_print(p->d->pool, "%s %s", word, name);
}

/* Read the words of a type; `struct` takes one more word. */
static const char *type_words(struct d_parser *p)
{
	const char *name = "";
	bool some = false, whole = false;
	while (p->token.kind == D_TOKEN_WORD && !p->failed) {
		const char *word = p->token.text;
		const bool tag = is_tag_word(word);
		if (some && !is_base_word(word))
			break;
		const struct dph_place place = p->token.place;
		dph_d_next(p);
		if (is_qualifier(word))
			continue;
		if (*name && (tag || whole))
			dph_d_error(p->d, D_DECL_COMBO, place, "'%s' and '%s' make no type", name,
				    word);
		whole = tag;
		if (tag)
			name = tagged(p, word);
		else
			name = *name ? dph_pool_print(p->d->pool, "%s %s", name, word) : word;
		some = true;
	}
	return name;
}

struct d_type_name *dph_d_parse_base_type(struct d_parser *p)
{
	struct d_type_name *type = dph_pool_take(p->d->pool, sizeof(*type));
	type->place = p->token.place;
	type->name = type_words(p);
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
