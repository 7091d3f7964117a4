/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions check a complete program and free a program. */
#include "fault.h"

#include <stdlib.h>

static bool check_variable(struct dph_program *p, const struct dph_insn *insn)
{
	const uint64_t limit = insn->op->operand == RPN_ARG_LV ? p->header.vars : p->header.gvars;
	if (insn->value < limit)
		return true;
	return dph_ir_refuse(p, insn->place, "'%s': the program has no variable %llu",
			     insn->op->text, (unsigned long long)insn->value);
}

static bool check_insn(struct dph_program *p, const struct dph_insn *insn)
{
	const enum rpn_operand operand = insn->op->operand;
	if (operand == RPN_ARG_LV || operand == RPN_ARG_GV)
		return check_variable(p, insn);
	if (operand == RPN_ARG_MAP && insn->value >= p->map_count)
		return dph_ir_refuse(p, insn->place, "'%s': the program has no map %llu",
				     insn->op->text, (unsigned long long)insn->value);
	if ((operand == RPN_ARG_LABEL || operand == RPN_ARG_PROC) && insn->target == DPH_IR_NONE)
		return dph_ir_refuse(p, insn->place, "'%s' has no target", insn->op->text);
	return true;
}

static bool ends(const struct dph_routine *r)
{
	enum rpn_flow flow = r->insn_count ? r->insns[r->insn_count - 1].op->flow : RPN_FLOW_NEXT;
	return flow == RPN_FLOW_JUMP || flow == RPN_FLOW_END;
}

static bool check_routine(struct dph_program *p, const struct dph_routine *r)
{
	for (size_t i = 0; i < r->label_count; i++)
		if (r->labels[i].insn >= r->insn_count)
			return dph_ir_refuse(p, r->labels[i].place,
					     "no instruction follows label %zu", i);
	for (size_t i = 0; i < r->insn_count; i++)
		if (!check_insn(p, &r->insns[i]))
			return false;
	if (!ends(r))
		return dph_ir_refuse(p, r->place,
				     "a routine continues behind its last instruction");
	return true;
}

bool dph_ir_complete(struct dph_program *p)
{
	const struct dph_place whole = {.line = NULL};
	if (p->fault.text)
		return false;
	if (!p->header.name)
		return dph_ir_refuse(p, whole, "the program has no header");
	if (!p->point_count)
		return dph_ir_refuse(p, whole, "the program has no probe point");
	for (size_t i = 0; i < p->routine_count; i++)
		if (!check_routine(p, &p->routines[i]))
			return false;
	return true;
}

void dph_ir_free(struct dph_program *p)
{
	for (size_t i = 0; i < p->routine_count; i++) {
		free(p->routines[i].insns);
		free(p->routines[i].labels);
	}
	for (size_t i = 0; i < p->extra_count; i++)
		free(p->extras[i].data.data);
	free(p->extras);
	free(p->maps);
	free(p->routines);
	free(p->points);
	free(p->groups.list);
	free(p->types.list);
	free(p->symbols.list);
	dph_pool_free(&p->pool);
	*p = (struct dph_program){0};
}
