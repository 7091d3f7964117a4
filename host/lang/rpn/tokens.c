/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions return the tokens of one statement and their places. */
#define _GNU_SOURCE
#include "cursor.h"

#include <string.h>
#include <strings.h>

const struct dph_token *dph_peek(const struct dph_cursor *c, size_t ahead)
{
	size_t i = c->at + ahead;
	return &c->token[i < c->token_count ? i : c->token_count];
}

const struct dph_token *dph_next(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (c->at < c->token_count)
		c->at++;
	return token;
}

void dph_skip(struct dph_cursor *c)
{
	c->at = c->token_count;
}

struct dph_place dph_place_of(const struct dph_cursor *c, const struct dph_token *token)
{
	return (struct dph_place){c->line, (size_t)(token->text - c->line->text), token->bytes};
}

struct dph_place dph_statement(const struct dph_cursor *c)
{
	if (!c->line) /* a program without lines */
		return (struct dph_place){0};
	return dph_place_of(c, &c->token[c->first]);
}

struct dph_place dph_place_since(const struct dph_cursor *c, size_t first)
{
	struct dph_place place = dph_place_of(c, &c->token[first]);
	if (c->at > first) {
		const struct dph_token *last = &c->token[c->at - 1];
		place.bytes = (size_t)(last->text + last->bytes - c->line->text) - place.start;
	}
	return place;
}

char *dph_token_text(struct dph_cursor *c, const struct dph_token *token)
{
	return dph_pool_copy(c->pool, token->text, token->bytes);
}

/* A sign beyond ASCII that no statement has; copied text is full of them. */
static bool odd_sign(struct dph_cursor *c, const struct dph_token *token)
{
	if (token->kind != DPH_TOKEN_SIGN || dph_token_plain(token))
		return false;
	size_t bytes;
	dph_error(c, dph_place_of(c, token), "%s", dph_odd_character(c->pool, token->text, &bytes));
	c->unread = c->outside = true;
	return true;
}

bool dph_read_tokens(struct dph_cursor *c)
{
	enum {
		MOST = sizeof(c->token) / sizeof(*c->token)
	};
	const char *text = c->line->text;
	c->token_count = c->at = c->first = 0;
	while ((c->token[c->token_count] = dph_lex(&text)).kind != DPH_TOKEN_END) {
		if (odd_sign(c, &c->token[c->token_count])) {
			c->token[c->token_count] =
				(struct dph_token){DPH_TOKEN_END, c->line->text, 0};
			return false;
		}
		if (++c->token_count < MOST)
			continue;
		c->token_count = MOST - 1;
		dph_error(c, dph_place_of(c, &c->token[MOST - 1]),
			  "the statement is too long; a statement has at most %d words, numbers "
			  "and signs",
			  MOST - 1);
		return false;
	}
	/* A complaint about the end points behind the last token. */
	if (c->token_count) {
		const struct dph_token *last = &c->token[c->token_count - 1];
		c->token[c->token_count].text = last->text + last->bytes;
	}
	return c->token_count != 0;
}

bool dph_starts_statement(const struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (token->kind != DPH_TOKEN_WORD)
		return false;
	if (dph_token_sign(dph_peek(c, 1), '=') || dph_token_sign(dph_peek(c, 1), ':'))
		return true;
	for (size_t i = 0; i < dph_op_count; i++) {
		if (!dph_token_begins(token, *dph_ops[i].text))
			continue;
		size_t bytes = strcspn(dph_ops[i].text, " ");
		if (bytes && token->bytes == bytes &&
		    strncasecmp(dph_ops[i].text, token->text, bytes) == 0)
			return true;
	}
	return dph_token_is(token, "proc") || dph_token_is(token, "endproc");
}

bool dph_end_statement(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	if (token->kind == DPH_TOKEN_END)
		return true;
	c->joined = dph_starts_statement(c);
	if (token->kind == DPH_TOKEN_SIGN && !strchr(",:=+-()#", *token->text))
		dph_unexpected(c, token);
	else if (token->kind == DPH_TOKEN_SIGN && !dph_starts_statement(c))
		dph_error(c, dph_place_of(c, token),
			  "unexpected '%c'; the statement ends before it", *token->text);
	else
		dph_error(c, dph_place_of(c, token),
			  "one statement per line; the statement ends before '%.*s'",
			  (int)token->bytes, token->text);
	if (!c->joined)
		dph_skip(c);
	return false;
}

void dph_unexpected(struct dph_cursor *c, const struct dph_token *token)
{
	dph_error(c, dph_place_of(c, token), "unexpected character '%c'%s", *token->text,
		  *token->text == ';' ? "; a statement ends with its line, a comment begins with //"
				      : "");
}

bool dph_good_name(const struct dph_token *token)
{
	return token->kind == DPH_TOKEN_WORD && dph_token_plain(token) &&
	       !memchr(token->text, '.', token->bytes) && !memchr(token->text, '$', token->bytes);
}
