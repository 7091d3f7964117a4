/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers of a hit: run them, count the hits of their probes. */
#include "dp_handlers.h"

#include "dp_build.h"
#include "dp_core_log.h"
#include "dp_entries.h"
#include "dp_flight.h"
#include "dp_governor.h"
#include "dp_halt.h"
#include "dp_hit_log.h"
#include "dp_log_ring.h"
#include "dp_plan.h"
#include "dp_probes.h"
#include "dp_speculate.h"
#include "dp_store.h"
#include "dp_tell.h"

static void call_exit_hook(struct dp_agent *agent, struct dp_frame *frame,
			   const struct dp_program_view *view)
{
#if DP_PROFILE == DP_PROFILE_FULL
	unsigned number = DP_THIS_CPU(agent)->vm.exit_number;

	if (number >= 1 && number <= 3 && agent->board->exit_hook[number - 1]) {
		struct dp_hook_call call = {&DP_THIS_CPU(agent)->vm, frame, view};

		agent->board->exit_hook[number - 1](&call);
	}
#else
	(void)agent;
	(void)frame;
	(void)view;
#endif
}

/* Did the run end by the step budget, or by nesting calls as deep as they go? Recursion that
 * doubles ends by CALL_MAX before the budget, and costs each hit nearly as much. */
static bool is_overrun(const struct dp_vm *vm)
{
	if (!DP_WITH_LANGUAGE || vm->end != RPN_END_EXCEPTION)
		return vm->end == RPN_END_BUDGET;
	return (vm->exception[0] & RPN_X_CALL_MAX) && vm->exception[1] == RPN_CALL_DEPTH;
}

static void ended_early(struct dp_agent *agent, struct dp_probe *probe, unsigned number)
{
	if (!is_overrun(&DP_THIS_CPU(agent)->vm)) {
		probe->overruns = 0;
		return;
	}
	probe->overruns_total++;
	if (++probe->overruns < DP_OVERRUNS_MAX)
		return;
	probe->state = DP_PROBE_OVERRUN;
	DP_THIS_CPU(agent)->unsettled = 1;
	DP_TELL(agent, DP_NOTICE_PROBE_DISABLED, DP_WIDTHS_probe_disabled_notice, number);
}

#if DP_WITH_D
/* No probe of the program runs any more, also none that is still to be armed. dp_poll disarms them
 * and runs END, whose probe stays. */
static void stop_program(struct dp_agent *agent, uint8_t program)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe))) {
		struct dp_site *site = dp_site_at(agent, probe->site);

		if (site)
			dp_plan_drop(site);
		if (probe->state == DP_PROBE_WAITING ||
		    (probe->state == DP_PROBE_ARMED && probe->kind != DP_PROBE_EVENT))
			probe->state = DP_PROBE_STOPPED;
	}
	dp_program_at(agent, program)->stopped = 1;
	agent->stop_due = agent->poll_due = 1;
}
#endif

/* The first handler of a hit that says `return` decides. */
static void keep_returned(struct dp_agent *agent, const struct dp_probe *probe)
{
#if DP_RETURNS
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	if (!(cpu->vm.wants & DP_VM_RETURN) || cpu->returns)
		return;
	cpu->returns = (uint8_t)(probe - agent->probe + 1);
	cpu->returned.words = cpu->vm.returned.words;
	for (unsigned i = 0; i < DP_RETURN_WORDS; i++)
		cpu->returned.word[i] = cpu->vm.returned.word[i];
#else
	(void)agent, (void)probe;
#endif
}

/* The handler has said `remove`, `stop`, `return`, `freeze` or `commit`. */
static DP_APART void end_probes(struct dp_agent *agent, const struct dp_vm *vm,
				struct dp_probe *probe)
{
	keep_returned(agent, probe);
	dp_flight_ran(agent, vm);
	if (vm->wants & DP_VM_COMMIT)
		dp_speculated(agent);
	if (!(vm->wants & (DP_VM_STOP | DP_VM_REMOVE)))
		return;
#if DP_WITH_D
	if (vm->wants & DP_VM_STOP)
		stop_program(agent, probe->program);
#endif
	if (vm->wants & DP_VM_REMOVE)
		probe->state = DP_PROBE_REMOVED;
	DP_THIS_CPU(agent)->unsettled = 1;
}

/* Update the probe after a run. */
static inline void note_end(struct dp_agent *agent, const struct dp_vm *vm, struct dp_probe *probe,
			    unsigned number)
{
	if (vm->end == RPN_END_EXIT || vm->end == RPN_END_ABORT)
		probe->overruns = 0;
	else
		ended_early(agent, probe, number);
	if (vm->wants)
		end_probes(agent, vm, probe);
}

_Static_assert(offsetof(struct dp_board, hooks.ticks) == offsetof(struct dp_board, ticks) &&
		       offsetof(struct dp_board, hooks.task) == offsetof(struct dp_board, task) &&
		       offsetof(struct dp_board, hooks.callk) == offsetof(struct dp_board, callk) &&
		       offsetof(struct dp_vm_hooks, callk) + sizeof(void (*)(void)) ==
			       sizeof(struct dp_vm_hooks),
	       "the board's callbacks are the interpreter's hooks");

void dp_handlers_run_one(struct dp_agent *agent, struct dp_probe *probe, unsigned number,
			 const struct dp_site *site, const struct dp_plan *test,
			 struct dp_frame *frame)
{
	struct dp_program *program = &agent->program[probe->program];
	struct dp_vm *vm = &DP_THIS_CPU(agent)->vm;

	dp_move_settle(agent);
	program->view.excpt_mask = probe->excpt_mask;
	program->view.minor = probe->minor;
#if DP_SPECULATES
	program->view.probe = (uint8_t)number;
#endif
	if (DP_WITH_LANGUAGE) {
		program->view.gvars = agent->gv_count;
		program->view.offset = site->address;
	}
	dp_handlers_count(agent, probe);
	probe->ran = 1;
	probe->left.at = DP_THIS_CPU(agent)->ring.head;
	dp_vm_start(vm, &program->view, probe->entry);
	if (test)
		dp_plan_go_on(vm, &program->view, test);
	dp_vm_go_on(vm, &program->view, frame, &agent->board->hooks);
	if (vm->end != RPN_END_ABORT)
		dp_hit_log(agent, number, program, frame);
	if (vm->exit_number != 0) {
		dp_flight_exit(agent, vm->exit_number);
		dp_core_exit(agent, number, frame);
		call_exit_hook(agent, frame, &program->view);
		dp_halt_ask(agent, probe, number);
	}
	note_end(agent, vm, probe, number);
	probe->left.sp = DP_PORT_SP(frame);
}

static inline void ignore(struct dp_agent *agent, struct dp_probe *probe, struct dp_site *site)
{
	if (--probe->ignore == 0)
		dp_plan_drop(site);
	if (dp_governor_take(probe))
		DP_THIS_CPU(agent)->unsettled = 1;
}

/* Is the hit one of the probe? Its instruction fires. */
static inline bool concerns(const struct dp_probe *probe, const struct dp_site *site,
			    const struct dp_frame *frame)
{
	return !probe->taken || dp_port_fires(site, frame, true);
}

void dp_handlers_run(struct dp_agent *agent, struct dp_site *site, unsigned phase,
		     struct dp_frame *frame)
{
	unsigned number, next;
	bool active = false;

	for (number = site->chain; number != DP_NONE; number = next) {
		struct dp_probe *probe = &agent->probe[number];

		DP_NEAR(probe); /* 72 bytes of text less (Thumb-2) */
		next = probe->next;
		probe->ran = 0;
		if (probe->state != DP_PROBE_ARMED)
			continue;
		active = true;
		if (probe->phase != phase || !concerns(probe, site, frame))
			continue;
		if (probe->ignore == 0) {
			dp_handlers_run_one(agent, probe, number, site, NULL, frame);
			probe->left.at = DP_THIS_CPU(agent)->ring.head; /* waits for its end */
		} else {
			ignore(agent, probe, site);
		}
	}
	if (!active)
		DP_THIS_CPU(agent)->unsettled = 1;
}

#if DP_RETURNS
/* The probe has no site, whose end would count its last hit. */
static void run_returned(struct dp_agent *agent, struct dp_probe *probe, unsigned number,
			 struct dp_site *site, struct dp_frame *frame)
{
	if (probe->ignore == 0)
		dp_handlers_run_one(agent, probe, number, site, NULL, frame);
	else
		ignore(agent, probe, site);
	if (probe->state == DP_PROBE_ARMED && probe->maxhits == 0)
		dp_governor_used_up(agent, probe);
}

/* The walk is bounded: no sum covers the list. */
void dp_handlers_returned(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	unsigned number = agent->returned_probes;

	for (unsigned n = 0; n < DP_MAX_PROBES && number < DP_MAX_PROBES; n++) {
		struct dp_probe *probe = &agent->probe[number];
		unsigned next = probe->next;

		if (probe->program != DP_NONE && probe->left.address == site->address &&
		    probe->state == DP_PROBE_ARMED)
			run_returned(agent, probe, number, site, frame);
		number = next;
	}
}
#endif

void dp_handlers_missed(struct dp_agent *agent, const struct dp_site *site, unsigned phase,
			const struct dp_frame *frame)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		if (probe->state == DP_PROBE_ARMED && probe->phase == phase &&
		    concerns(probe, site, frame)) {
			probe->missed++;
			DP_THIS_CPU(agent)->ring.missed++;
		}
}
