/* SPDX-License-Identifier: BSD-2-Clause */
/* Macro arguments become tokens: a number, a name or a string. */
#define _GNU_SOURCE
#include "macro.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	USED_MAX = 64 /* bits of used_arguments */
};

/* Variables of DTrace that have no meaning here. */
static const struct refused {
	const char *name, *why;
} refused[] = {
	{"target", "there is no process; name the task with pid or execname"},
	{"ppid", "the tool's parent says nothing about the firmware"},
	{"pgid", "the tool's group says nothing about the firmware"},
	{"sid", "the tool's session says nothing about the firmware"},
	{"projid", "there are no projects on bare metal"},
	{"taskid", "use pid or curthread"},
	{"uid", "there are no users on bare metal"},
	{"euid", "there are no users on bare metal"},
	{"gid", "there are no users on bare metal"},
	{"egid", "there are no users on bare metal"},
};

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The text of a macro by its name. Null: it is not given, which is said unless it is asked for. */
static const char *value_of(struct d_front *d, const char *name, struct dph_place place)
{
	const size_t number = is_number(name) ? strtoul(name, NULL, 10) : 0;
	if (strcmp(name, "0") == 0)
		return d->source->files[0].name;
	if (strcmp(name, "pid") == 0)
		return dph_pool_print(d->pool, "%ld", (long)getpid());
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (strcmp(name, refused[i].name) == 0) {
			dph_d_error(d, D_MACRO_UNDEF, place, "'$%s': %s", name, refused[i].why);
			return NULL;
		}
	if (number && number <= d->argument_count) {
		if (number <= USED_MAX)
			d->used_arguments |= (uint64_t)1 << (number - 1);
		return d->arguments[number - 1];
	}
	if (d->asks_defined)
		return NULL;
	if (number)
		dph_d_error(d, D_MACRO_UNDEF, place,
			    "macro argument '$%s' is not given; words behind the script's name are "
			    "its arguments, and %zu are there",
			    name, d->argument_count);
	else
		dph_d_error(
			d, D_MACRO_UNDEF, place,
			"there is no macro '$%s'; there are $0, $1 and so on, and $pid; variables "
			"have no $: %s, or this->%s",
			name, name, name);
	return NULL;
}

static size_t word_bytes(const char *text)
{
	size_t bytes = 0;
	while (isalnum((unsigned char)text[bytes]) || text[bytes] == '_')
		bytes++;
	return bytes;
}

/* A number with a sign, a name, or a string in quotes. */
static void make_token(struct d_front *d, struct d_token *token, const char *text)
{
	const bool minus = *text == '-';
	const size_t bytes = strlen(text);
	char *end = NULL;
	token->text = text;
	token->bytes = bytes;
	if (isdigit((unsigned char)text[minus])) {
		token->kind = D_TOKEN_NUMBER;
		token->value = strtoull(text + minus, &end, 0);
		token->value = minus ? 0 - token->value : token->value;
	} else if (bytes > 1 && *text == '"' && text[bytes - 1] == '"') {
		token->kind = D_TOKEN_STRING;
		token->text = dph_pool_copy(d->pool, text + 1, bytes - 2);
		token->bytes = bytes - 2;
	} else if (bytes && word_bytes(text) == bytes) {
		token->kind = D_TOKEN_WORD;
	}
	if (token->kind != D_TOKEN_BAD && (!end || !*end))
		return;
	token->kind = D_TOKEN_BAD;
	dph_d_error(d, D_MACRO_SYN, token->place,
		    "the argument '%s' is no number, name or string; $$ in front of its number "
		    "takes it as a string",
		    text);
}

/* An argument that is not given. */
static void make_default(struct d_front *d, struct d_token *token, bool string)
{
	if (d->asks_defined) {
		token->kind = D_TOKEN_WORD;
	} else if (d->arguments_have_defaults) {
		token->kind = string ? D_TOKEN_STRING : D_TOKEN_NUMBER;
		token->text = string ? "" : "0";
		token->bytes = 0;
	}
}

void dph_d_read_macro(struct d_front *d, struct d_lexer *lexer, struct d_token *token)
{
	const struct dph_line *line = &d->source->lines[lexer->line];
	const char *text = line->text + lexer->at;
	const size_t signs = strspn(text, "$"), bytes = signs + word_bytes(text + signs);
	const char *name = dph_pool_copy(d->pool, text + signs, bytes - signs);
	const bool asked = d->asks_defined;
	token->text = dph_pool_copy(d->pool, text, bytes);
	token->bytes = bytes;
	token->place = (struct dph_place){line, lexer->at, bytes};
	token->kind = D_TOKEN_BAD;
	lexer->at += bytes;
	d->asks_defined = asked || (d->arguments_have_defaults && is_number(name));
	const char *value = value_of(d, name, token->place);
	d->asks_defined = asked;
	if (!value) {
		make_default(d, token, signs > 1);
	} else if (signs > 1 || strcmp(name, "0") == 0) {
		token->kind = D_TOKEN_STRING;
		token->text = value;
		token->bytes = strlen(value);
	} else {
		make_token(d, token, value);
	}
}

void dph_d_expand_description(struct d_front *d, struct d_token *token)
{
	const char *at = token->text, *made = "";
	for (;;) {
		const size_t before = strcspn(at, "$");
		made = dph_pool_print(d->pool, "%s%.*s", made, (int)before, at);
		at += before;
		if (!*at)
			break;
		at += strspn(at, "$");
		const size_t bytes = word_bytes(at);
		const char *value = value_of(d, dph_pool_copy(d->pool, at, bytes), token->place);
		if (!value) {
			made = "";
			break;
		}
		made = dph_pool_print(d->pool, "%s%s", made, value);
		at += bytes;
	}
	token->text = made;
	token->bytes = strlen(made);
}

void dph_d_unused_arguments(struct d_front *d)
{
	struct dph_place whole = {0};
	if (d->source->count)
		whole.line = &d->source->lines[0];
	for (size_t i = 0; i < d->argument_count && i < USED_MAX && !d->arguments_may_stay; i++)
		if (!(d->used_arguments >> i & 1)) {
			dph_d_error(d, D_MACRO_UNUSED, whole,
				    "the program does not use its argument %zu, '%s'; -x argref "
				    "permits that",
				    i + 1, d->arguments[i]);
			return;
		}
}
