/* SPDX-License-Identifier: BSD-2-Clause */
/* Routines become blocks and bytes.  PROTOCOL.md 2.1. */
#define _GNU_SOURCE
#include "program.h"

#include <string.h>
#include <strings.h>

enum {
	MARKER_BYTES = 2,
	BLOCK_MAX = 255
};

/* --- names --------------------------------------------------------------------------------- */

static const struct dph_label *label_in(const struct dph_routine *r, const char *name)
{
	for (size_t i = 0; i < r->label_count; i++)
		if (strcasecmp(r->labels[i].name, name) == 0)
			return &r->labels[i];
	return NULL;
}

static const struct dph_routine *proc_named(const struct dph_program *p, const char *name)
{
	for (size_t i = 0; i < p->routine_count; i++)
		if (p->routines[i].name && strcasecmp(p->routines[i].name, name) == 0)
			return &p->routines[i];
	return NULL;
}

static void missing_label(struct dph_compiler *c, const struct dph_routine *r,
			  const struct dph_insn *insn)
{
	struct dph_closest closest = dph_closest(insn->target, strlen(insn->target));
	for (size_t i = 0; i < r->label_count; i++)
		dph_closest_try(&closest, r->labels[i].name);
	for (size_t i = 0; i < c->program.routine_count; i++) {
		const struct dph_routine *other = &c->program.routines[i];
		const struct dph_label *label = label_in(other, insn->target);
		if (!label)
			continue;
		dph_error(c, insn->operand, "label '%s' is not in this %s; '%s' cannot leave it",
			  insn->target, r->name ? "proc" : "handler", insn->op->text);
		dph_note(c, label->place, "the label is here");
		return;
	}
	if (proc_named(&c->program, insn->target))
		dph_error(c, insn->operand, "unknown label '%s'; it is a proc: write call %s",
			  insn->target, insn->target);
	else if (closest.best)
		dph_error(c, insn->operand, "unknown label '%s'; did you mean '%s'?", insn->target,
			  closest.best);
	else
		dph_error(c, insn->operand,
			  "unknown label '%s'; write '%s:' before an instruction of this %s",
			  insn->target, insn->target, r->name ? "proc" : "handler");
}

static void missing_proc(struct dph_compiler *c, const struct dph_routine *r,
			 const struct dph_insn *insn)
{
	struct dph_closest closest = dph_closest(insn->target, strlen(insn->target));
	for (size_t i = 0; i < c->program.routine_count; i++)
		if (c->program.routines[i].name)
			dph_closest_try(&closest, c->program.routines[i].name);
	if (label_in(r, insn->target))
		dph_error(c, insn->operand, "unknown proc '%s'; it is a label: write jmp %s",
			  insn->target, insn->target);
	else if (closest.best)
		dph_error(c, insn->operand, "unknown proc '%s'; did you mean '%s'?", insn->target,
			  closest.best);
	else
		dph_error(c, insn->operand, "unknown proc '%s'; define it: proc %s ... endproc",
			  insn->target, insn->target);
}

/* --- checks that need the whole header ----------------------------------------------------- */

static void check_variable(struct dph_compiler *c, const struct dph_insn *insn)
{
	bool local = insn->op->operand == RPN_ARG_LV;
	uint64_t limit = local ? c->program.vars.value : c->program.gvars.value;
	const char *key = local ? "vars" : "gvars", *what = local ? "lv" : "gv";
	if (insn->value < limit)
		return;
	if (!limit)
		dph_error(c, insn->operand,
			  "%s %llu does not exist; add '%s = %llu' to the file header", what,
			  (unsigned long long)insn->value, key,
			  (unsigned long long)insn->value + 1);
	else
		dph_error(c, insn->operand, "%s %llu does not exist; '%s = %llu' gives 0..%llu",
			  what, (unsigned long long)insn->value, key, (unsigned long long)limit,
			  (unsigned long long)limit - 1);
}

static void check_insn(struct dph_compiler *c, const struct dph_routine *r,
		       const struct dph_insn *insn)
{
	switch (insn->op->operand) {
	case RPN_ARG_LV:
	case RPN_ARG_GV:
		check_variable(c, insn);
		break;
	case RPN_ARG_LABEL:
		if (!label_in(r, insn->target))
			missing_label(c, r, insn);
		break;
	case RPN_ARG_PROC:
		if (!proc_named(&c->program, insn->target))
			missing_proc(c, r, insn);
		break;
	default:
		break;
	}
}

/* --- blocks -------------------------------------------------------------------------------- */

/* Does a jump or sx of the routine name its first instruction? */
static bool begins_at_target(const struct dph_routine *r)
{
	for (size_t i = 0; i < r->insn_count; i++)
		if (r->insns[i].op->operand == RPN_ARG_LABEL &&
		    label_in(r, r->insns[i].target)->insn == 0)
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
	r->insns[0] = (struct dph_insn){.op = dph_op_find(RPN_NOP),
					.place = r->insns[1].place,
					.operand = r->insns[1].place};
	for (size_t i = 0; i < r->label_count; i++)
		r->labels[i].insn++;
}

static void mark_blocks(struct dph_compiler *c, struct dph_routine *r)
{
	for (size_t i = 0; i < r->label_count; i++)
		if (r->labels[i].insn < r->insn_count)
			r->insns[r->labels[i].insn].leads = true;
	size_t start = 0;
	for (size_t i = 0; i < r->insn_count; i++) {
		struct dph_insn *insn = &r->insns[i];
		if (i && insn[-1].op->flow != RPN_FLOW_NEXT) {
			bool ends = insn[-1].op->flow == RPN_FLOW_JUMP ||
				    insn[-1].op->flow == RPN_FLOW_END;
			if (ends && !insn->leads)
				dph_warning(c, insn->place,
					    "this is never reached: no label leads here");
			insn->leads = true;
		}
		if (i == 0 || i - start == BLOCK_MAX)
			insn->leads = true;
		if (insn->leads)
			start = i;
		r->insns[start].block_count = (unsigned)(i - start) + 1;
	}
}

static void place_code(struct dph_compiler *c)
{
	struct dph_program *p = &c->program;
	uint32_t at = 0;
	for (size_t i = 0; i < p->routine_count; i++) {
		struct dph_routine *r = &p->routines[i];
		r->offset = at;
		for (size_t j = 0; j < r->insn_count; j++) {
			struct dph_insn *insn = &r->insns[j];
			at += insn->leads ? MARKER_BYTES : 0;
			insn->offset = at;
			at += 1 + rpn_operand_bytes(insn->op->operand, c->target.word_bytes);
		}
	}
	p->code_bytes = at;
	struct dph_place whole = {.line = NULL};
	if (at > RPN_CODE_MAX)
		dph_error(c, whole, "the program has %u bytes of code; at most %d fit", at,
			  RPN_CODE_MAX);
}

static void link_targets(struct dph_compiler *c, struct dph_routine *r)
{
	for (size_t i = 0; i < r->insn_count; i++) {
		struct dph_insn *insn = &r->insns[i];
		if (insn->op->operand == RPN_ARG_LABEL) {
			const struct dph_label *label = label_in(r, insn->target);
			insn->value = r->insns[label->insn].offset - MARKER_BYTES;
		} else if (insn->op->operand == RPN_ARG_PROC) {
			insn->value = proc_named(&c->program, insn->target)->offset;
		}
	}
}

void dph_layout(struct dph_compiler *c)
{
	struct dph_program *p = &c->program;
	for (size_t i = 0; i < p->routine_count; i++)
		for (size_t j = 0; j < p->routines[i].insn_count; j++)
			check_insn(c, &p->routines[i], &p->routines[i].insns[j]);
	if (c->messages->errors)
		return;
	for (size_t i = 0; i < p->routine_count; i++) {
		free_first(&p->routines[i]);
		mark_blocks(c, &p->routines[i]);
	}
	place_code(c);
	for (size_t i = 0; i < p->routine_count && !c->messages->errors; i++)
		link_targets(c, &p->routines[i]);
}
