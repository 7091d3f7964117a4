/* SPDX-License-Identifier: BSD-2-Clause */
/* The last step of the front end resolves names, checks the whole program, and hands the program
 * over. */
#define _GNU_SOURCE
#include "cursor.h"
#include "word_records.h"

#include <stdlib.h>
#include <string.h>

/* --- names --------------------------------------------------------------------------------- */

static size_t label_in(const struct dph_cursor *c, size_t routine, const char *name)
{
	return dph_name_index_find(&c->labels, routine, name);
}

static size_t proc_named(const struct dph_cursor *c, const char *name)
{
	return dph_name_index_find(&c->procs, 0, name);
}

static void missing_label(struct dph_cursor *c, const struct dph_routine *r,
			  const struct dph_rpn_insn *insn)
{
	struct dph_closest closest = dph_closest(insn->target, strlen(insn->target));
	for (size_t i = 0; i < r->label_count; i++)
		dph_closest_try(&closest, r->labels[i].name);
	for (size_t i = 0; i < c->program->routine_count; i++) {
		const struct dph_routine *other = &c->program->routines[i];
		size_t label = label_in(c, i, insn->target);
		if (label == DPH_NAME_NONE)
			continue;
		dph_error(c, insn->operand, "label '%s' is not in this %s; '%s' cannot leave it",
			  insn->target, r->name ? "proc" : "handler", insn->op->text);
		dph_note(c, other->labels[label].place, "the label is here");
		return;
	}
	if (proc_named(c, insn->target) != DPH_NAME_NONE)
		dph_error(c, insn->operand,
			  "unknown label '%s'; a proc has this name: write call %s", insn->target,
			  insn->target);
	else if (closest.best)
		dph_error(c, insn->operand, "unknown label '%s'; did you mean '%s'?", insn->target,
			  closest.best);
	else
		dph_error(c, insn->operand,
			  "unknown label '%s'; write '%s:' before an instruction of this %s",
			  insn->target, insn->target, r->name ? "proc" : "handler");
}

static void missing_proc(struct dph_cursor *c, const struct dph_rpn_use *use)
{
	const struct dph_rpn_insn *insn = &use->insn;
	struct dph_closest closest = dph_closest(insn->target, strlen(insn->target));
	for (size_t i = 0; i < c->program->routine_count; i++)
		if (c->program->routines[i].name)
			dph_closest_try(&closest, c->program->routines[i].name);
	if (label_in(c, use->routine, insn->target) != DPH_NAME_NONE)
		dph_error(c, insn->operand,
			  "unknown proc '%s'; a label has this name: write jmp %s", insn->target,
			  insn->target);
	else if (closest.best)
		dph_error(c, insn->operand, "unknown proc '%s'; did you mean '%s'?", insn->target,
			  closest.best);
	else
		dph_error(c, insn->operand, "unknown proc '%s'; define it: proc %s ... endproc",
			  insn->target, insn->target);
}

static void check_variable(struct dph_cursor *c, const struct dph_rpn_insn *insn)
{
	bool local = insn->op->operand == RPN_ARG_LV;
	uint64_t limit = local ? c->file.vars.value : c->file.gvars.value;
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

static void look_up(struct dph_cursor *c, const struct dph_rpn_use *use)
{
	const struct dph_routine *r = &c->program->routines[use->routine];
	const struct dph_rpn_insn *insn = &use->insn;
	const bool label = insn->op->operand == RPN_ARG_LABEL;
	if (insn->op->operand == RPN_ARG_LV || insn->op->operand == RPN_ARG_GV) {
		check_variable(c, insn);
		return;
	}
	size_t target =
		label ? label_in(c, use->routine, insn->target) : proc_named(c, insn->target);
	if (target != DPH_NAME_NONE)
		dph_ir_aim(c->program, use->routine, use->index, target);
	else if (label)
		missing_label(c, r, insn);
	else
		missing_proc(c, use);
}

/* --- complaints that need the whole program ------------------------------------------------ */

static void need_probe(struct dph_cursor *c)
{
	struct dph_place whole = {.line = c->line};
	if (c->first_statement.line)
		whole = c->first_statement;
	dph_error(c, whole,
		  "no probe in this file; 'offset =', 'address =' or 'hook =' begins one");
}

static void warn_unreached(struct dph_cursor *c, const struct dph_routine *r)
{
	bool *led = dph_malloc((r->insn_count + 1) * sizeof(*led));
	for (size_t i = 0; i < r->label_count; i++)
		led[r->labels[i].insn] = true;
	for (size_t i = 1; i < r->insn_count; i++) {
		enum rpn_flow before = r->insns[i - 1].op->flow;
		if ((before == RPN_FLOW_JUMP || before == RPN_FLOW_END) && !led[i])
			dph_warning(c, r->insns[i].place,
				    "this instruction is never reached: no label leads here");
	}
	free(led);
}

static void check_watchpoint(struct dph_cursor *c, const struct dph_rpn_probe *probe)
{
	if (c->file.modtype != DP_MODULE_KERNEL)
		dph_error(c, probe->watch.place, "'watchpoint' is for kernel programs only");
	else if (!probe->by_address)
		dph_error(c, probe->watch.place,
			  "'watchpoint' needs 'address =' instead of 'offset ='");
	if (probe->opcode.given)
		dph_error(c, probe->opcode.place, "a watchpoint has no 'opcode'; leave it out");
	if (probe->taken.value)
		dph_error(c, probe->taken.place, "a watchpoint has no 'taken'; leave it out");
	if (probe->function.given)
		dph_error(c, probe->function.place,
			  "a watchpoint stands in no function; leave 'function' out");
}

/* --- what a handler asks of the access at a watchpoint ------------------------------------- */

/* Why the point cannot have it; null: it can. */
static const char *lacks_access(const struct dph_point *point, unsigned op)
{
	const uint64_t length = point->last - point->address + 1;
	if (!(DP_POINTS_WATCHED >> point->kind & 1))
		return "is for the handlers of watchpoints; this probe has no 'watchpoint ='";
	if (op == RPN_PUSH_WPADDR)
		return NULL;
	if (point->kind == DP_PROBE_WATCH_X || point->kind == DP_PROBE_WATCH_IO)
		return "is for watchpoints of memory; use w, rw or r";
	return length > DPH_WATCH_VALUE ? "is for watchpoints of 8 bytes or less; push wpaddr, and "
					  "read what is there"
					: NULL;
}

/* Look at the routine and at those that it calls. seen: routines looked at. */
static void check_accesses(struct dph_cursor *c, const struct dph_point *point, size_t routine,
			   bool *seen)
{
	const struct dph_routine *r = &c->program->routines[routine];
	seen[routine] = true;
	for (size_t i = 0; i < r->insn_count; i++) {
		const struct dph_insn *insn = &r->insns[i];
		const char *why = insn->op->part == DP_PART_WATCHED
					  ? lacks_access(point, insn->op->code)
					  : NULL;
		if (insn->op->operand == RPN_ARG_PROC && insn->target != DPH_IR_NONE &&
		    !seen[insn->target])
			check_accesses(c, point, insn->target, seen);
		if (!why)
			continue;
		dph_error(c, insn->place, "'%s' %s", insn->op->text, why);
		if (r->name)
			dph_note(c, point->keyword, "the handler of this probe calls %s", r->name);
	}
}

static void check_handler(struct dph_cursor *c, const struct dph_point *point)
{
	bool *seen = dph_malloc((c->program->routine_count + 1) * sizeof(*seen));
	check_accesses(c, point, point->routine, seen);
	free(seen);
}

/* The condition of a branch is decided before the branch. */
static void check_taken(struct dph_cursor *c, const struct dph_rpn_probe *probe)
{
	if (probe->taken.value && probe->point.phase != DP_PHASE_BEFORE)
		dph_error(c, probe->taken.place,
			  "'taken' is for probes with 'phase = before'; leave one of the two out");
}

/* Check that the settings of the probe fit together. */
static bool check_probe(struct dph_cursor *c, const struct dph_rpn_probe *probe)
{
	if (probe->bad)
		return false;
	if (probe->point.kind != DP_PROBE_BREAK) {
		check_watchpoint(c, probe);
		return probe->point.last >= probe->point.address; /* said */
	}
	if (probe->range)
		dph_error(c, probe->last_place,
			  "a range is for watchpoints only; add 'watchpoint ='");
	check_taken(c, probe);
	return !probe->range;
}

/* --- the hand-over ------------------------------------------------------------------------- */

/* good: nothing of the header is wrong. */
static void hand_over_header(struct dph_cursor *c, bool good)
{
	const struct dph_rpn_file *file = &c->file;
	dph_ir_header(c->program, &(struct dph_header){
					  .name = good ? file->name : "?",
					  .modtype = file->modtype,
					  .id = (uint32_t)file->id.value,
					  .major = (uint16_t)file->major.value,
					  .vars = (uint16_t)file->vars.value,
					  .gvars = (uint16_t)file->gvars.value,
					  .jmpmax = file->jmpmax,
					  .logmax = file->logmax,
					  .excpt_log = file->excpt_log,
					  .autostacktrace = file->autostacktrace.value != 0,
				  });
}

/* The value of the probe, else the value of the file header, else 0. */
static uint64_t said(const struct dph_setting *probe, const struct dph_setting *file)
{
	return probe->given ? probe->value : file->value;
}

static void hand_over_probe(struct dph_cursor *c, const struct dph_rpn_probe *probe)
{
	const struct dph_rpn_file *file = &c->file;
	struct dph_point point = probe->point;
	point.minor = (uint16_t)probe->minor.value;
	point.ignore = (uint32_t)said(&probe->ignore, &file->ignore);
	point.maxhits = (uint32_t)said(&probe->maxhits, &file->maxhits);
	point.taken = probe->taken.value != 0;
	point.extent = (uint32_t)probe->function.value;
	point.logonfault = said(&probe->logonfault, &file->logonfault) != 0;
	point.excpt_mask = probe->excpt_mask;
	point.opcode = probe->opcode;
	point.hook = probe->hook;
	dph_ir_point(c->program, &point);
}

void dph_finish_program(struct dph_cursor *c, bool syntax)
{
	const struct dp_messages *messages = c->report.messages;
	const size_t errors = messages->errors;
	struct dph_program *p = c->program;
	if (!c->probe_count && syntax)
		need_probe(c);
	for (size_t i = 0; syntax && i < c->use_count && !dph_report_full(&c->report); i++)
		look_up(c, &c->uses[i]);
	const bool good = syntax && messages->errors == errors;
	for (size_t i = 0; good && i < p->routine_count; i++)
		warn_unreached(c, &p->routines[i]);
	hand_over_header(c, good);
	for (size_t i = 0; i < c->probe_count; i++)
		if (check_probe(c, &c->probes[i]))
			hand_over_probe(c, &c->probes[i]);
	for (size_t i = 0; good && i < p->point_count; i++)
		check_handler(c, &p->points[i]);
	if (good)
		dph_note_word_records(p);
}
