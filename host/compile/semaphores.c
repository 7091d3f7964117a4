/* SPDX-License-Identifier: BSD-2-Clause */
/* The semaphores of static hooks: each counts the programs that are armed at its hook. The program
 * itself counts, before anything of it is armed and when it is removed: the handlers of BEGIN and
 * END add 1 and -1 to each semaphore. */
#define _GNU_SOURCE
#include "steps.h"

#include "dp_object.h"
#include "symbols/hooks.h"
#include "tables/ops.h"

static uint64_t semaphore_of(const struct dph_point *point)
{
	return point->hook ? point->hook->semaphore : 0;
}

/* Is the point the first one with its semaphore? */
static bool is_first(const struct dph_program *p, size_t n)
{
	const uint64_t semaphore = semaphore_of(&p->points[n]);
	for (size_t i = 0; i < n; i++)
		if (semaphore_of(&p->points[i]) == semaphore)
			return false;
	return semaphore != 0;
}

static void warn(struct dph_compilation *c, const struct dph_point *point)
{
	dph_warning(c, point->place,
		    "the firmware asks whether hook '%s:::%s' is probed, and this program does not "
		    "answer: where the firmware asks, it does not pass the hook; --write lets the "
		    "program answer, on an agent that may write",
		    point->hook->provider, point->hook->name);
}

static void add_insn(struct dph_program *p, size_t routine, struct dph_place place, enum rpn_op op,
		     uint64_t value)
{
	dph_ir_insn(
		p, routine,
		&(struct dph_insn){.op = dph_op_find((uint8_t)op), .value = value, .place = place});
}

static void add_number(struct dph_program *p, size_t routine, struct dph_place place,
		       uint64_t value)
{
	const struct dph_op *op = dph_op_push(&value, p->target.word_bytes);
	dph_ir_insn(p, routine, &(struct dph_insn){.op = op, .value = value, .place = place});
}

/* Add the handler of an event: each semaphore becomes its value + more. */
static void add_event(struct dph_program *p, unsigned event, uint64_t more)
{
	const size_t points = p->point_count;
	const struct dph_place place = p->points[0].keyword;
	const size_t routine = dph_ir_routine(p, NULL, place);
	for (size_t i = 0; i < points; i++) {
		if (!is_first(p, i))
			continue;
		const uint64_t semaphore = semaphore_of(&p->points[i]);
		add_number(p, routine, place, semaphore);
		add_number(p, routine, place, semaphore);
		add_insn(p, routine, place, RPN_PUSH_MEM_16, 0);
		add_number(p, routine, place, more);
		add_insn(p, routine, place, RPN_ADD, 0);
		add_insn(p, routine, place, RPN_POP_MEM_16, 0);
	}
	add_insn(p, routine, place, RPN_ABORT, 0);
	dph_ir_point(p, &(struct dph_point){
				.keyword = place,
				.place = place,
				.kind = DP_PROBE_EVENT,
				.address = event,
				.last = event,
				.routine = routine,
			});
}

void dph_count_hooks(struct dph_compilation *c)
{
	struct dph_program *p = &c->program;
	bool any = false;
	for (size_t i = 0; i < p->point_count; i++) {
		if (!is_first(p, i))
			continue;
		any = true;
		if (!c->options->write)
			warn(c, &p->points[i]);
	}
	if (!any || !c->options->write)
		return;
	add_event(p, DP_EVENT_BEGIN, 1);
	add_event(p, DP_EVENT_END, (uint64_t)-1);
}
