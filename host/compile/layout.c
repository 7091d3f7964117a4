/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout turns routines into blocks and bytes.  PROTOCOL.md 2.1. */
#define _GNU_SOURCE
#include "steps.h"

#include <string.h>

enum {
	MARKER_BYTES = 2,
	BLOCK_MAX = 255
};

/* --- blocks -------------------------------------------------------------------------------- */

/* Does a jump or sx of the routine name its first instruction? */
static bool begins_at_target(const struct dph_routine *r)
{
	for (size_t i = 0; i < r->insn_count; i++)
		if (r->insns[i].op->operand == RPN_ARG_LABEL &&
		    r->labels[r->insns[i].target].insn == 0)
			return true;
	return false;
}

/* No jump can lead to the routine's own marker: a nop goes before its first instruction. */
static void free_first(struct dph_routine *r)
{
	if (!begins_at_target(r))
		return;
	r->insns = dph_grow(r->insns, &r->insn_capacity, r->insn_count, sizeof(*r->insns));
	memmove(r->insns + 1, r->insns, r->insn_count * sizeof(*r->insns));
	r->insn_count++;
	r->insns[0] = (struct dph_insn){
		.op = dph_op_find(RPN_NOP), .target = DPH_IR_NONE, .place = r->insns[1].place};
	for (size_t i = 0; i < r->label_count; i++)
		r->labels[i].insn++;
}

static void mark_blocks(struct dph_routine *r)
{
	for (size_t i = 0; i < r->label_count; i++)
		r->insns[r->labels[i].insn].leads = true;
	size_t start = 0;
	for (size_t i = 0; i < r->insn_count; i++) {
		struct dph_insn *insn = &r->insns[i];
		if (i == 0 || insn[-1].op->flow != RPN_FLOW_NEXT || i - start == BLOCK_MAX)
			insn->leads = true;
		if (insn->leads)
			start = i;
		r->insns[start].block_count = (unsigned)(i - start) + 1;
	}
}

/* --- equal handlers ------------------------------------------------------------------------ */

static bool same_insn(const struct dph_routine *a, const struct dph_routine *b, size_t i)
{
	const struct dph_insn *x = &a->insns[i], *y = &b->insns[i];
	if (x->op != y->op || x->leads != y->leads)
		return false;
	if (x->op->operand == RPN_ARG_LABEL)
		return a->labels[x->target].insn == b->labels[y->target].insn;
	return x->op->operand == RPN_ARG_PROC ? x->target == y->target : x->value == y->value;
}

static bool same_handler(const struct dph_routine *a, const struct dph_routine *b)
{
	if (a->name || b->name || a->insn_count != b->insn_count)
		return false;
	for (size_t i = 0; i < a->insn_count; i++)
		if (!same_insn(a, b, i))
			return false;
	return true;
}

/* The code of an equal handler before number i, or null. */
static const struct dph_routine *equal_before(const struct dph_program *p, size_t i)
{
	for (size_t other = 0; other < i; other++)
		if (!p->routines[other].shared &&
		    same_handler(&p->routines[other], &p->routines[i]))
			return &p->routines[other];
	return NULL;
}

/* --- places -------------------------------------------------------------------------------- */

/* Place a routine and its instructions from `at` on. Returns where it ends. */
static uint32_t place_routine(const struct dph_program *p, struct dph_routine *r, uint32_t at,
			      const struct dph_insn **beyond)
{
	r->offset = at;
	for (size_t i = 0; i < r->insn_count; i++) {
		struct dph_insn *insn = &r->insns[i];
		at += insn->leads ? MARKER_BYTES : 0;
		insn->offset = at;
		at += 1 + rpn_operand_bytes(insn->op->operand, p->target.word_bytes);
		if (at > RPN_CODE_MAX && !*beyond)
			*beyond = insn;
	}
	return at;
}

static void place_code(struct dph_compilation *c)
{
	struct dph_program *p = &c->program;
	const struct dph_insn *beyond = NULL;
	uint32_t at = 0;
	for (size_t i = 0; i < p->routine_count; i++) {
		const struct dph_routine *equal = equal_before(p, i);
		p->routines[i].shared = equal != NULL;
		if (equal)
			place_routine(p, &p->routines[i], equal->offset, &beyond);
		else
			at = place_routine(p, &p->routines[i], at, &beyond);
	}
	p->code_bytes = at;
	if (beyond)
		dph_error(c, beyond->place,
			  "the code does not fit from here on: the code has %u bytes, and an "
			  "object holds %d; move probes to another program",
			  at, RPN_CODE_MAX);
}

static void link_targets(const struct dph_program *p, struct dph_routine *r)
{
	for (size_t i = 0; i < r->insn_count; i++) {
		struct dph_insn *insn = &r->insns[i];
		if (insn->op->operand == RPN_ARG_LABEL) {
			const struct dph_label *label = &r->labels[insn->target];
			insn->value = r->insns[label->insn].offset - MARKER_BYTES;
		} else if (insn->op->operand == RPN_ARG_PROC) {
			insn->value = p->routines[insn->target].offset;
		}
	}
}

void dph_layout(struct dph_compilation *c)
{
	struct dph_program *p = &c->program;
	for (size_t i = 0; i < p->routine_count; i++) {
		free_first(&p->routines[i]);
		mark_blocks(&p->routines[i]);
	}
	place_code(c);
	for (size_t i = 0; i < p->routine_count; i++)
		link_targets(p, &p->routines[i]);
}
