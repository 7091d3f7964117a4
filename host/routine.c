/* SPDX-License-Identifier: BSD-2-Clause */
/* Handlers and procs: their instructions, labels and ends. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <string.h>
#include <strings.h>

struct dph_insn *dph_add_insn(struct dph_compiler *c, const struct dph_op *op)
{
	struct dph_routine *r = c->routine;
	r->insns = dph_grow(r->insns, &r->insn_capacity, r->insn_count, sizeof(*r->insns));
	r->insns[r->insn_count] = (struct dph_insn){.op = op};
	c->program.insn_groups |= op->group;
	return &r->insns[r->insn_count++];
}

const struct dph_op *dph_op_of(enum rpn_op code)
{
	return dph_op_find((uint8_t)code);
}

/* --- labels and ends ----------------------------------------------------------------------- */

static const struct dph_label *find_label(const struct dph_routine *r, const char *name)
{
	for (size_t i = 0; i < r->label_count; i++)
		if (strcasecmp(r->labels[i].name, name) == 0)
			return &r->labels[i];
	return NULL;
}

void dph_parse_label(struct dph_compiler *c)
{
	const struct dph_token *token = dph_next(c);
	struct dph_place place = dph_place_of(c, token);
	dph_next(c); /* : */
	if (token->kind == DPH_TOKEN_NUMBER) {
		dph_error(c, place, "label '%.*s' starts with a digit; begin it with a letter or _",
			  (int)token->bytes, token->text);
		return;
	}
	if (!dph_good_name(token)) {
		dph_error(c, place, "expected a label of letters, digits and _ before ':'");
		return;
	}
	struct dph_routine *r = c->routine;
	char *name = dph_token_text(c, token);
	const struct dph_label *other = find_label(r, name);
	if (other) {
		dph_error(c, place, "label '%s' is defined twice%s", name,
			  strcmp(other->name, name) ? "; upper and lower case do not count" : "");
		dph_note(c, other->place, "the first one is here");
		return;
	}
	r->labels = dph_grow(r->labels, &r->label_capacity, r->label_count, sizeof(*r->labels));
	r->labels[r->label_count++] = (struct dph_label){name, place, r->insn_count};
}

static bool falls_through(const struct dph_routine *r)
{
	if (!r->insn_count)
		return true;
	enum rpn_flow flow = r->insns[r->insn_count - 1].op->flow;
	return flow != RPN_FLOW_JUMP && flow != RPN_FLOW_END;
}

void dph_leave_routine(struct dph_compiler *c)
{
	c->routine = NULL;
}

/* decisions.txt C14, C21, C22. */
void dph_end_routine(struct dph_compiler *c)
{
	struct dph_routine *r = c->routine;
	for (size_t i = 0; i < r->label_count; i++)
		if (r->labels[i].insn == r->insn_count)
			dph_error(c, r->labels[i].place,
				  "label '%s' is not followed by an instruction of its %s; write "
				  "'%s' after it",
				  r->labels[i].name, r->name ? "proc" : "handler",
				  r->name ? "ret" : "exit");
	if (falls_through(r)) {
		struct dph_place place =
			r->insn_count ? r->insns[r->insn_count - 1].place : r->place;
		if (r->name)
			dph_warning(c, dph_statement(c),
				    "proc '%s' has no ret before endproc; one is added", r->name);
		struct dph_insn *end = dph_add_insn(c, dph_op_of(r->name ? RPN_RET : RPN_EXIT));
		end->place = end->operand = place;
	}
	c->routine = NULL;
}
