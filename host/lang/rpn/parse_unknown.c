/* SPDX-License-Identifier: BSD-2-Clause */
/* This file chooses the message for a line that is no instruction, or only a part of an
 * instruction. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <ctype.h>
#include <string.h>

/* Not even the first word is one of an instruction. */
static void unknown_word(struct dph_cursor *c, const struct dph_token *token)
{
	struct dph_closest closest = dph_closest(token->text, token->bytes);
	for (size_t i = 0; i < dph_op_count; i++) {
		size_t bytes = strcspn(dph_ops[i].text, " ");
		if (bytes)
			dph_closest_try(&closest, dph_pool_copy(c->pool, dph_ops[i].text, bytes));
	}
	dph_closest_try(&closest, "proc");
	dph_closest_try(&closest, "endproc");
	if (closest.best)
		dph_error(c, dph_place_of(c, token),
			  "unknown instruction '%.*s'; did you mean '%s'?", (int)token->bytes,
			  token->text, closest.best);
	else
		dph_error(c, dph_place_of(c, token),
			  "unknown instruction '%.*s'; RPN.md lists all instructions",
			  (int)token->bytes, token->text);
}

/* The first word is known, the next word is not: `pop pid`, `trace`, `move r0`. */
void dph_unknown_instruction(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0), *second = dph_peek(c, 1);
	if (token->kind == DPH_TOKEN_SIGN && dph_token_sign(token, ':')) {
		dph_error(c, dph_place_of(c, token), "expected a label before ':'");
		return;
	}
	if (token->kind == DPH_TOKEN_SIGN && !strchr(",=+-()", *token->text)) {
		dph_unexpected(c, token);
		return;
	}
	char *may = token->kind == DPH_TOKEN_WORD ? dph_continuations(c, token->text, token->bytes)
						  : "";
	bool few = strlen(may) < 20;
	const char *value = dph_token_is(token, "push") ? "a value, " : "";
	if (!*may)
		unknown_word(c, token);
	else if (second->kind == DPH_TOKEN_END || second->kind == DPH_TOKEN_SIGN)
		dph_error(c, dph_statement(c),
			  few ? "'%.*s' needs %s%s" : "'%.*s' needs an operand: %s%s",
			  (int)token->bytes, token->text, value, may);
	else
		dph_error(c, dph_place_of(c, second), "'%.*s' cannot take '%.*s'; use %s",
			  (int)token->bytes, token->text, (int)second->bytes, second->text, may);
}

/* `push mem` without its size, or with one that does not exist. */
static void bad_size(struct dph_cursor *c, const char *both, const char *may)
{
	const struct dph_token *third = dph_peek(c, 2), *size = third;
	if (dph_token_sign(third, ','))
		size = dph_peek(c, 3);
	if (size->kind == DPH_TOKEN_END) {
		size_t first = c->at;
		dph_skip(c);
		dph_error(c, dph_place_since(c, first), "'%s' needs a size: %s", both, may);
	} else if (size == third)
		dph_error(c, dph_place_of(c, third), "expected ',' after '%s'",
			  strrchr(both, ' ') + 1);
	else
		dph_error(c, dph_place_of(c, size), "'%s' cannot be '%.*s'; use %s", both,
			  (int)size->bytes, size->text, may);
}

/* The longest known spelling is one word, but the second one is known as well, or cannot be an
 * operand: `push mem`, `log foo`. */
bool dph_half_spelling(struct dph_cursor *c, const struct dph_spelling *s)
{
	const struct dph_token *first = dph_peek(c, 0), *second = dph_peek(c, 1);
	if ((s->text && s->tokens != 1) || first->kind != DPH_TOKEN_WORD ||
	    second->kind != DPH_TOKEN_WORD)
		return false;
	const char *word = dph_pool_copy(c->pool, first->text, first->bytes);
	for (char *p = (char *)word; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (dph_is_second_word(word, second)) {
		const char *both =
			dph_pool_print(c->pool, "%s %.*s", word, (int)second->bytes, second->text);
		char *may = dph_continuations(c, both, strlen(both));
		if (*may)
			bad_size(c, both, may);
		return *may;
	}
	if (!s->operand || s->operand->operand != RPN_ARG_U16) /* the usual case: no search */
		return false;
	char *may = dph_continuations(c, word, strlen(word));
	if (!*may)
		return false;
	dph_error(c, dph_place_of(c, second), "'%s' cannot take '%.*s'; use a number, %s", word,
		  (int)second->bytes, second->text, may);
	return true;
}

void dph_outside(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 0);
	const struct dph_spelling s = dph_find_spelling(c);
	if (!s.text && !*dph_continuations(c, token->text, token->bytes))
		dph_unknown_instruction(c);
	else if (!c->outside) /* one mistake: the instructions that follow have no probe either */
		dph_error(c, dph_statement(c),
			  "instruction outside of a probe or proc; begin one with 'offset =', "
			  "'address =' or 'proc'");
	c->outside = true;
}
