/* SPDX-License-Identifier: BSD-2-Clause */
/* subject_run for one form: included once by each of subject_32le.c ... with DP_WORD_BITS and
 * DP_PORT_BIG_ENDIAN set. */
#ifndef SUBJECT_FORM_H
#define SUBJECT_FORM_H

#include <string.h>

#include "dp_long.h"
#include "dp_vm.h"
#include "sim.h"
#include "subject.h"

_Static_assert(DP_STACK_WORDS == REF_STACK_WORDS, "reference.h");

static const struct ref_world *hook_world;

static void hook_task(struct dp_task *now)
{
	now->task = (dp_word)hook_world->task;
	now->pid = hook_world->pid;
	now->name = hook_world->task_name;
}

static void hook_callk(struct dp_hook_call *call)
{
	dp_word top = dp_hook_pop(call);

	dp_hook_push(call, top ^ REF_CALLK_XOR);
	dp_hook_push(call, REF_CALLK_PUSH);
}

static void connect(struct ref_world *world, struct dp_frame *frame)
{
	sim_reset();
	for (unsigned i = 0; i < world->ranges; i++)
		sim_map(world->range[i].address, world->range[i].data, world->range[i].bytes,
			world->range[i].writable);
	dp_sim.regs = world->reg;
	dp_sim.reg_count = (uint16_t)world->regs;
	dp_sim.pc = dp_sim.sp = dp_sim.lr = SIM_NO_REG;
	memcpy(dp_sim.port, world->port, sizeof dp_sim.port);
	memcpy(frame->word, world->value, sizeof world->value);
	hook_world = world;
}

static void widen(uint64_t *to, const dp_word *from, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = from[i];
}

static void narrow(dp_word *to, const uint64_t *from, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = (dp_word)from[i];
}

static void take_results(struct ref_machine *m, const struct dp_vm *vm)
{
	widen(m->stack, vm->stack, REF_STACK_WORDS);
	widen(m->reported, vm->exception, 3);
	m->end = vm->end;
	m->behind = vm->pc;
	m->log.used = vm->log_bytes;
	memcpy(m->log.data, vm->log, sizeof vm->log);
	m->trace.used = vm->trace_bytes;
	memcpy(m->trace.data, vm->trace, sizeof vm->trace);
	m->truncated = vm->trace_truncated;
	m->codes_set = vm->codes_set;
	m->removed = vm->wants & DP_VM_REMOVE;
	m->stopped = vm->wants & DP_VM_STOP;
	m->frozen = vm->wants & DP_VM_FREEZE;
	m->freeze = m->frozen ? vm->freeze : 0;
#if DP_RETURNS
	m->returns = vm->wants & DP_VM_RETURN;
	m->words = m->returns ? vm->returned.words : 0;
	widen(m->word, vm->returned.word, m->words);
#endif
	m->exit_number = vm->exit_number;
	m->major = vm->major;
	m->minor = vm->minor;
	m->steps = vm->steps;
	m->tsp = vm->tsp;
	m->sbp = vm->sbp;
}

void SUBJECT_RUN(struct ref_machine *m, unsigned entry)
{
	static struct dp_vm vm;
	static struct dp_frame frame;
	static const struct dp_vm_hooks hooks = {.task = hook_task, .callk = hook_callk};
	static const struct dp_vm_hooks no_hooks;
	dp_word lv[RPN_VARS_MAX], gv[RPN_VARS_MAX];
	const struct ref_program *program = m->program;
	struct dp_program_view view = {
		.code = program->code,
		.code_bytes = program->code_bytes,
		.lv = lv,
		.gv = gv,
		.vars = (uint16_t)program->vars,
		.gvars = (uint16_t)program->gvars,
		.jmpmax = (uint16_t)program->jmpmax,
		.logmax = (uint16_t)program->logmax,
		.excpt_log = (uint16_t)program->excpt_log,
		.excpt_mask = program->excpt_mask,
		.major = program->major,
		.minor = program->minor,
		.id = program->id,
		.offset = program->offset,
		.name = (const uint8_t *)program->name,
		.name_bytes = (uint8_t)program->name_bytes,
		.autostacktrace = program->autostacktrace,
	};

	memset(&vm, 0xa5, sizeof vm); /* whatever is not reset at entry shows: decisions.txt C110 */
	narrow(vm.stack, m->stack, REF_STACK_WORDS);
	narrow(lv, m->lv, program->vars);
	narrow(gv, m->gv, program->gvars);
	connect(m->world, &frame);
	dp_sim.ticks = m->world->ticks;
	dp_ns_scale(REF_TICK_HZ, &view);
	dp_vm_run(&vm, &view, (uint16_t)entry, &frame, m->world->has_hooks ? &hooks : &no_hooks);
	take_results(m, &vm);
	widen(m->lv, lv, program->vars);
	widen(m->gv, gv, program->gvars);
	memcpy(m->world->port, dp_sim.port, sizeof dp_sim.port);
	memcpy(m->world->value, frame.word, sizeof m->world->value);
}

#endif
