/* SPDX-License-Identifier: BSD-2-Clause */
/* One instruction: words, operand, capability. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <string.h>

static bool several_words(const char *text)
{
	return strchr(text, ' ') != NULL;
}

/* first: index of the instruction's first token. */
static void need_capability(struct dph_compiler *c, const struct dph_op *op, size_t first)
{
	if (op->group & ~dph_cpu_groups(c->target.cpu)) {
		size_t word = first + (op->group == RPN_GROUP_IO);
		dph_error(c, dph_place_of(c, &c->token[word]), "%s has no %s", c->target.cpu->name,
			  op->group == RPN_GROUP_IO
				  ? "I/O ports; its devices are in memory: 'push mem', 'pop mem'"
				  : "segments; its addresses are flat: leave 'seg2lin' out");
		return;
	}
	if ((op->group & RPN_GROUP_DESTRUCTIVE) && !c->options->write)
		dph_error(c, dph_place_since(c, first),
			  "'%s' %s the firmware; allow it with --write", op->text,
			  op->group == RPN_GROUP_HOOK ? "calls into" : "changes");
}

void dph_skip(struct dph_compiler *c)
{
	c->at = c->token_count;
}

/* decisions.txt C75 and 1.1 `exit`: legal, and raises at run time. */
static void warn_operand(struct dph_compiler *c, const struct dph_insn *insn)
{
	unsigned bits = c->target.word_bytes * 8;
	if ((insn->op->code == RPN_PBL_N || insn->op->code == RPN_PBR_N) &&
	    (insn->value < 1 || insn->value > bits))
		dph_warning(c, insn->operand, "'%s %llu' raises INVALID_OPERAND; it is 1..%u",
			    insn->op->text, (unsigned long long)insn->value, bits);
	if (insn->op->code == RPN_EXIT_N && (insn->value < 1 || insn->value > 3))
		dph_warning(c, insn->operand,
			    "'exit %llu' raises INVALID_OPERAND; the exits are 1, 2 and 3",
			    (unsigned long long)insn->value);
}

void dph_finish_insn(struct dph_compiler *c, const struct dph_op *op, size_t first,
		     size_t operand_at, struct dph_insn *insn)
{
	insn->place = dph_place_since(c, first);
	insn->operand = insn->place;
	if (operand_at < c->at)
		insn->operand = dph_place_since(c, operand_at);
	need_capability(c, op, first);
	warn_operand(c, insn);
	*dph_add_insn(c, insn->op) = *insn;
	dph_end_statement(c);
}

/* The tokens of the spelling are read; now the operand. */
void dph_with_spelling(struct dph_compiler *c, const struct dph_spelling *s, size_t first)
{
	struct dph_insn insn = {.op = s->plain};
	const struct dph_token *next = dph_peek(c, 0);
	size_t at = c->at;
	if (next->kind == DPH_TOKEN_END && s->plain) {
		dph_finish_insn(c, s->plain, first, at, &insn);
		return;
	}
	if (!s->operand && (next->kind == DPH_TOKEN_SIGN || dph_starts_statement(c))) {
		dph_end_statement(c);
		return;
	}
	if (!s->operand) {
		dph_error(c, dph_place_of(c, next), "'%s' takes no operand", s->text);
		dph_add_insn(c, s->plain);
		dph_skip(c);
		return;
	}
	bool comma = several_words(s->text);
	if (comma && next->kind == DPH_TOKEN_END) {
		/* says what is missing */
	} else if (comma && !dph_token_sign(next, ',')) {
		dph_error(c, dph_place_of(c, next), "expected ',' after '%s'",
			  strrchr(s->text, ' ') + 1);
		dph_skip(c);
		return;
	} else if (comma) {
		dph_next(c);
		at = c->at;
	} else if (dph_token_sign(next, ',')) {
		dph_error(c, dph_place_of(c, next), "'%s' has no ',' before its operand", s->text);
		dph_skip(c);
		return;
	}
	insn.op = s->operand;
	bool good = dph_operand(c, s->operand, &insn);
	if (good && rpn_is_immediate(s->operand->operand) && dph_token_sign(dph_peek(c, 0), ',')) {
		dph_error(c, dph_place_of(c, dph_peek(c, 0)), "'push' takes one value");
		good = false;
	}
	if (good)
		dph_finish_insn(c, s->operand, first, at, &insn);
	else
		dph_skip(c);
}

/* --- push and names ------------------------------------------------------------------------ */

/* `push eax`, an alias in the papers; a symbol of that name is meant first. */
static bool bare_register(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 1);
	bool ambiguous;
	c->lookup = dph_firmware_symbols(c);
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
	struct dph_insn insn = {.op = dph_op_of(RPN_PUSH_R)};
	if (dph_register_operand(c, insn.op, &insn))
		dph_finish_insn(c, insn.op, first, first + 1, &insn);
	return true;
}

/* `push sym, task`: a symbol that has the name of a reserved word. */
static bool push_symbol(struct dph_compiler *c)
{
	if (!dph_token_is(dph_peek(c, 1), "sym") || !dph_token_sign(dph_peek(c, 2), ','))
		return false;
	size_t first = c->at;
	c->at += 3;
	size_t at = c->at;
	struct dph_insn insn = {0};
	if (dph_push_value(c, &insn))
		dph_finish_insn(c, insn.op, first, at, &insn);
	else
		dph_skip(c);
	return true;
}

static bool special_push(struct dph_compiler *c)
{
	const struct dph_token *token = dph_peek(c, 1);
	if (!dph_token_is(dph_peek(c, 0), "push") || token->kind != DPH_TOKEN_WORD)
		return false;
	if (push_symbol(c))
		return true;
	return !dph_is_second_word("push", token) && bare_register(c);
}

static void code_statement(struct dph_compiler *c)
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

void dph_code_statement(struct dph_compiler *c)
{
	const struct dph_routine *r = c->routine;
	size_t before = r->insn_count;
	code_statement(c);
	/* Wrong, and said: labels and ends are judged as if there were an instruction. */
	if (r->insn_count == before)
		dph_add_insn(c, dph_op_of(RPN_NOP));
}
