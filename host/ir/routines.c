/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions build the routines of a program: instructions and labels. */
#define _GNU_SOURCE
#include "fault.h"

#include <stdlib.h>
#include <string.h>

static const struct dph_place nowhere = {.line = NULL};

bool dph_ir_refuse(struct dph_program *p, struct dph_place place, const char *format, ...)
{
	va_list args;
	if (p->fault.text)
		return false;
	va_start(args, format);
	char *text = dph_vprint(format, args);
	va_end(args);
	p->fault = (struct dph_fault){dph_pool_copy(&p->pool, text, strlen(text)), place};
	free(text);
	return false;
}

/* --- routines ------------------------------------------------------------------------------ */

size_t dph_ir_routine(struct dph_program *p, const char *name, struct dph_place place)
{
	p->routines =
		dph_grow(p->routines, &p->routine_capacity, p->routine_count, sizeof(*p->routines));
	p->routines[p->routine_count] = (struct dph_routine){
		.name = name ? dph_pool_copy(&p->pool, name, strlen(name)) : NULL, .place = place};
	return p->routine_count++;
}

struct dph_routine *dph_ir_routine_at(struct dph_program *p, size_t routine)
{
	if (routine < p->routine_count)
		return &p->routines[routine];
	dph_ir_refuse(p, nowhere, "there is no routine %zu", routine);
	return NULL;
}

/* --- instructions -------------------------------------------------------------------------- */

static bool is_signed(uint64_t value, unsigned bits)
{
	const uint64_t top = ~(uint64_t)0 << (bits - 1);
	return (value & top) == 0 || (value & top) == top;
}

/* Does the operand of the instruction hold the value? */
static bool holds(const struct dph_program *p, enum rpn_operand operand, uint64_t value)
{
	const unsigned bits = 8 * rpn_operand_bytes(operand, p->target.word_bytes);
	switch (operand) {
	case RPN_ARG_IMMW:
		return bits == 64 || value >> bits == 0 || is_signed(value, bits);
	case RPN_ARG_IMM8:
	case RPN_ARG_IMM16:
	case RPN_ARG_S16:
		return is_signed(value, bits);
	case RPN_ARG_LABEL:
	case RPN_ARG_PROC:
		return true; /* layout.c makes it of the target */
	default:
		return bits == 64 || value >> bits == 0;
	}
}

static bool leads(const struct dph_op *op)
{
	return op->operand == RPN_ARG_LABEL || op->operand == RPN_ARG_PROC;
}

static bool target_exists(const struct dph_program *p, const struct dph_routine *r,
			  const struct dph_op *op, size_t target)
{
	if (op->operand == RPN_ARG_LABEL)
		return target < r->label_count;
	return op->operand == RPN_ARG_PROC && target < p->routine_count && p->routines[target].name;
}

static bool check_insn(struct dph_program *p, const struct dph_routine *r,
		       const struct dph_insn *insn)
{
	if (!insn->op || insn->op->operand == RPN_ARG_COUNT)
		return dph_ir_refuse(p, insn->place, "a block marker is no instruction");
	if (!holds(p, insn->op->operand, insn->value))
		return dph_ir_refuse(p, insn->place, "'%s' has no room for 0x%llx", insn->op->text,
				     (unsigned long long)insn->value);
	if (leads(insn->op) && insn->target != DPH_IR_NONE &&
	    !target_exists(p, r, insn->op, insn->target))
		return dph_ir_refuse(p, insn->place, "'%s' cannot lead to %zu", insn->op->text,
				     insn->target);
	return true;
}

size_t dph_ir_insn(struct dph_program *p, size_t routine, const struct dph_insn *insn)
{
	struct dph_routine *r = dph_ir_routine_at(p, routine);
	if (!r || !check_insn(p, r, insn))
		return DPH_IR_NONE;
	r->insns = dph_grow(r->insns, &r->insn_capacity, r->insn_count, sizeof(*r->insns));
	r->insns[r->insn_count] =
		(struct dph_insn){.op = insn->op,
				  .value = insn->value,
				  .target = leads(insn->op) ? insn->target : DPH_IR_NONE,
				  .place = insn->place};
	p->insn_groups |= insn->op->group;
	return r->insn_count++;
}

bool dph_ir_aim(struct dph_program *p, size_t routine, size_t insn, size_t target)
{
	struct dph_routine *r = dph_ir_routine_at(p, routine);
	if (!r)
		return false;
	if (insn >= r->insn_count)
		return dph_ir_refuse(p, r->place, "the routine has no instruction %zu", insn);
	if (!target_exists(p, r, r->insns[insn].op, target))
		return dph_ir_refuse(p, r->insns[insn].place, "'%s' cannot lead to %zu",
				     r->insns[insn].op->text, target);
	r->insns[insn].target = target;
	return true;
}

/* --- labels -------------------------------------------------------------------------------- */

size_t dph_ir_label(struct dph_program *p, size_t routine, const char *name)
{
	struct dph_routine *r = dph_ir_routine_at(p, routine);
	if (!r)
		return DPH_IR_NONE;
	r->labels = dph_grow(r->labels, &r->label_capacity, r->label_count, sizeof(*r->labels));
	r->labels[r->label_count] = (struct dph_label){
		.name = name ? dph_pool_copy(&p->pool, name, strlen(name)) : NULL,
		.insn = DPH_IR_NONE};
	return r->label_count++;
}

bool dph_ir_put_label(struct dph_program *p, size_t routine, size_t label, struct dph_place place)
{
	struct dph_routine *r = dph_ir_routine_at(p, routine);
	if (!r)
		return false;
	if (label >= r->label_count)
		return dph_ir_refuse(p, place, "the routine has no label %zu", label);
	if (r->labels[label].insn != DPH_IR_NONE)
		return dph_ir_refuse(p, place, "label %zu has its place already", label);
	r->labels[label].place = place;
	r->labels[label].insn = r->insn_count;
	return true;
}
