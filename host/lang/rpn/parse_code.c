/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of instructions finds the spelling at the start of a line and the special forms of
 * push. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <string.h>

/* --- push and names ------------------------------------------------------------------------ */

/* `push eax`, an alias in the papers; a symbol of that name is meant first. */
static bool bare_register(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 1);
	bool ambiguous;
	c->lookup = dph_images_symbols(c->images);
	if (dph_peek(c, 2)->kind != DPH_TOKEN_END || dph_find_symbol(c, token, &ambiguous))
		return false;
	if (ambiguous) {
		dph_skip(c);
		return true;
	}
	unsigned offset;
	if (!dph_reg_named(c->target.cpu, token->text, token->bytes) &&
	    !dph_reg_on_stack(c->target.cpu, token->text, token->bytes, &offset))
		return false;
	size_t first = c->at;
	c->at++;
	dph_warning(c, dph_place_of(c, token),
		    "'push %.*s' means register %.*s, write 'push r, %.*s'", (int)token->bytes,
		    token->text, (int)token->bytes, token->text, (int)token->bytes, token->text);
	struct dph_rpn_insn insn = {.op = dph_op_of(RPN_PUSH_R)};
	if (dph_register_operand(c, insn.op, &insn))
		dph_finish_insn(c, insn.op, first, first + 1, &insn);
	return true;
}

/* `push sym, task`: a symbol that has the name of a reserved word. */
static bool push_symbol(struct dph_cursor *c)
{
	if (!dph_token_is(dph_peek(c, 1), "sym") || !dph_token_sign(dph_peek(c, 2), ','))
		return false;
	size_t first = c->at;
	c->at += 3;
	size_t at = c->at;
	struct dph_rpn_insn insn = {0};
	if (dph_push_value(c, &insn))
		dph_finish_insn(c, insn.op, first, at, &insn);
	else
		dph_skip(c);
	return true;
}

static bool special_push(struct dph_cursor *c)
{
	const struct dph_token *token = dph_peek(c, 1);
	if (!dph_token_is(dph_peek(c, 0), "push") || token->kind != DPH_TOKEN_WORD)
		return false;
	if (push_symbol(c) || dph_push_argument(c))
		return true;
	return !dph_is_second_word("push", token) && bare_register(c);
}

static void code_statement(struct dph_cursor *c)
{
	size_t first = c->at;
	if (dph_old_instruction(c) || special_push(c))
		return;
	struct dph_spelling s = dph_find_spelling(c);
	if (dph_half_spelling(c, &s))
		return;
	if (!s.text || (s.tokens == 1 && !s.plain && dph_peek(c, 1)->kind == DPH_TOKEN_END &&
			*dph_continuations(c, s.text, strlen(s.text)))) {
		dph_unknown_instruction(c);
		return;
	}
	c->at += s.tokens;
	dph_with_spelling(c, &s, first);
}

void dph_code_statement(struct dph_cursor *c)
{
	const struct dph_routine *r = dph_routine(c);
	size_t before = r->insn_count;
	code_statement(c);
	/* Wrong, and said: labels and ends are judged as if there were an instruction. */
	if (r->insn_count == before)
		dph_add_insn(c, &(struct dph_rpn_insn){.op = dph_op_of(RPN_NOP)});
}
