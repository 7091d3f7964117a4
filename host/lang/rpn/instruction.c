/* SPDX-License-Identifier: BSD-2-Clause */
/* This step completes an instruction with known words: operand, capability, end of the
 * statement. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <string.h>

static bool several_words(const char *text)
{
	return strchr(text, ' ') != NULL;
}

/* first: index of the instruction's first token. */
static void need_capability(struct dph_cursor *c, const struct dph_op *op, size_t first)
{
	if (op->group & ~c->target.cpu->groups) {
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

/* decisions.txt C75 and 1.1 `exit`: legal, and raises at run time. */
static void warn_operand(struct dph_cursor *c, const struct dph_rpn_insn *insn)
{
	unsigned bits = c->target.word_bytes * 8;
	if ((insn->op->code == RPN_PBL_N || insn->op->code == RPN_PBR_N) &&
	    (insn->value < 1 || insn->value > bits))
		dph_warning(c, insn->operand, "'%s %llu' raises INVALID_OPERAND; use 1..%u",
			    insn->op->text, (unsigned long long)insn->value, bits);
	if (insn->op->code == RPN_EXIT_N && (insn->value < 1 || insn->value > 3))
		dph_warning(c, insn->operand,
			    "'exit %llu' raises INVALID_OPERAND; the exits are 1, 2 and 3",
			    (unsigned long long)insn->value);
}

void dph_finish_insn(struct dph_cursor *c, const struct dph_op *op, size_t first, size_t operand_at,
		     struct dph_rpn_insn *insn)
{
	insn->place = dph_place_since(c, first);
	insn->operand = insn->place;
	if (operand_at < c->at)
		insn->operand = dph_place_since(c, operand_at);
	need_capability(c, op, first);
	warn_operand(c, insn);
	dph_add_insn(c, insn);
	dph_end_statement(c);
}

/* The tokens of the spelling are read; now the operand. */
void dph_with_spelling(struct dph_cursor *c, const struct dph_spelling *s, size_t first)
{
	struct dph_rpn_insn insn = {.op = s->plain};
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
		dph_error(c, dph_place_of(c, next), "'%s' takes no operand; remove it", s->text);
		dph_add_insn(c, &(struct dph_rpn_insn){.op = s->plain});
		dph_skip(c);
		return;
	}
	bool comma = several_words(s->text);
	if (comma && next->kind == DPH_TOKEN_END) {
		/* names the missing operand */
	} else if (comma && !dph_token_sign(next, ',')) {
		dph_error(c, dph_place_of(c, next), "expected ',' after '%s'",
			  strrchr(s->text, ' ') + 1);
		dph_skip(c);
		return;
	} else if (comma) {
		dph_next(c);
		at = c->at;
	} else if (dph_token_sign(next, ',')) {
		dph_error(c, dph_place_of(c, next), "'%s' has no ',' before its operand; remove it",
			  s->text);
		dph_skip(c);
		return;
	}
	insn.op = s->operand;
	bool good = dph_operand(c, s->operand, &insn);
	if (good && rpn_is_immediate(s->operand->operand) && dph_token_sign(dph_peek(c, 0), ',')) {
		dph_error(c, dph_place_of(c, dph_peek(c, 0)),
			  "'push' takes one value; write a 'push' for each");
		good = false;
	}
	if (good)
		dph_finish_insn(c, s->operand, first, at, &insn);
	else
		dph_skip(c);
}
