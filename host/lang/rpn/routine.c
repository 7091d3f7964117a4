/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions build handlers and procs: instructions, labels and ends. */
#define _GNU_SOURCE
#include "cursor.h"

#include <string.h>
#include <strings.h>

/* --- instructions -------------------------------------------------------------------------- */

const struct dph_op *dph_op_of(enum rpn_op code)
{
	return dph_op_find((uint8_t)code);
}

const struct dph_routine *dph_routine(const struct dph_cursor *c)
{
	return &c->program->routines[c->routine];
}

/* Return whether the operand may name a later label or procedure. */
static bool names_something(const struct dph_op *op)
{
	return op->operand == RPN_ARG_LABEL || op->operand == RPN_ARG_PROC ||
	       op->operand == RPN_ARG_LV || op->operand == RPN_ARG_GV;
}

/* Each instruction has at least one byte. */
static void count_insn(struct dph_cursor *c, struct dph_place place)
{
	if (c->insn_count++ < RPN_CODE_MAX || c->full)
		return;
	c->full = true;
	dph_error(c, place,
		  "the code does not fit from here on: an object holds %d bytes; move probes to "
		  "another program",
		  RPN_CODE_MAX);
}

void dph_add_insn(struct dph_cursor *c, const struct dph_rpn_insn *insn)
{
	count_insn(c, insn->place);
	struct dph_insn ir = {
		.op = insn->op, .value = insn->value, .target = DPH_IR_NONE, .place = insn->place};
	const bool use = names_something(insn->op);
	if (use && insn->value > UINT8_MAX)
		ir.value = 0; /* no such variable: finish.c says so */
	const size_t index = dph_ir_insn(c->program, c->routine, &ir);
	if (!use)
		return;
	c->uses = dph_grow(c->uses, &c->use_capacity, c->use_count, sizeof(*c->uses));
	c->uses[c->use_count++] = (struct dph_rpn_use){*insn, c->routine, index};
}

/* --- labels and ends ----------------------------------------------------------------------- */

void dph_parse_label(struct dph_cursor *c)
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
	char *name = dph_token_text(c, token);
	const size_t found = dph_name_index_find(&c->labels, c->routine, name);
	if (found != DPH_NAME_NONE) {
		const struct dph_label *other = &dph_routine(c)->labels[found];
		dph_error(c, place, "label '%s' is defined twice%s", name,
			  strcmp(other->name, name) ? "; upper and lower case do not count" : "");
		dph_note(c, other->place, "the first one is here");
		return;
	}
	const size_t label = dph_ir_label(c->program, c->routine, name);
	dph_name_index_add(&c->labels, c->routine, name, label);
	dph_ir_put_label(c->program, c->routine, label, place);
}

static bool falls_through(const struct dph_routine *r)
{
	if (!r->insn_count)
		return true;
	enum rpn_flow flow = r->insns[r->insn_count - 1].op->flow;
	return flow != RPN_FLOW_JUMP && flow != RPN_FLOW_END;
}

void dph_begin_routine(struct dph_cursor *c, const char *name, struct dph_place place)
{
	c->outside = false;
	c->routine = dph_ir_routine(c->program, name, place);
	if (name)
		dph_name_index_add(&c->procs, 0, dph_routine(c)->name, c->routine);
}

void dph_leave_routine(struct dph_cursor *c)
{
	c->routine = DPH_IR_NONE;
}

/* decisions.txt C14, C21, C22. */
void dph_end_routine(struct dph_cursor *c)
{
	const struct dph_routine *r = dph_routine(c);
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
		dph_add_insn(c,
			     &(struct dph_rpn_insn){.op = dph_op_of(r->name ? RPN_RET : RPN_EXIT),
						    .place = place,
						    .operand = place});
	}
	dph_leave_routine(c);
}

void dph_unclosed_proc(struct dph_cursor *c)
{
	dph_error(c, dph_routine(c)->place,
		  "proc '%s' has no endproc; write it behind the last instruction",
		  dph_routine(c)->name);
	c->in_proc = false;
	dph_end_routine(c);
}

/* --- probes -------------------------------------------------------------------------------- */

void dph_begin_handler(struct dph_cursor *c)
{
	c->probe_header = false;
	dph_begin_routine(c, NULL, c->probe->point.place);
	c->probe->point.routine = c->routine;
}

/* A probe with no instruction at all has the handler `exit`. */
void dph_close_probe(struct dph_cursor *c)
{
	if (!c->probe)
		return;
	if (c->probe_header)
		dph_begin_handler(c);
	if (c->routine != DPH_IR_NONE)
		dph_end_routine(c);
	c->probe = NULL;
}
