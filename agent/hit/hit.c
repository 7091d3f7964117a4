/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe hit: execute, step, commit, return (port/README.md, "The path of a hit").  Runs inside
 * the port's trap entry on the private stack, interrupts masked.
 *
 * dp_agent_trap: the site's plan tells the kind of hit
 *   no site  stray
 *   NOTHING  counted_hit -----------------------------------------.
 *   TEST     tested_hit --- the test ends it ---> counted_hit ----+--> leave: the context goes on
 *              | or: logged_hit, rest_of_hit                      |    in the slot
 *   WORDS    logged_hit --- words in the ring --------------------'
 *              '-- no room: crowded_hit --> planned_hit, rest_of_hit
 *   RUN      planned_hit --> the handler runs --> resume --> the slot, or step
 *   others   unplanned_hit --> stepped_hit: a chain, or a step by the port --> step, step_only
 * step --> finish, fail; or it waits for the second trap: dp_agent_stepped, dp_agent_fault */
#include "dp_hit.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_governor.h"
#include "dp_hit_log.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_plan.h"
#include "dp_probes.h"
#include "dp_ring_full.h"
#include "dp_sent.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_storm.h"
#include "dp_tell.h"
#include "dp_text.h"
#include "dp_watches.h"
#include "dp_wire.h"

/* Out of line, so that the common hits save no register: a hit that only counts takes 11
 * instructions less on MIPS, 17 less on PowerPC. */
#define DP_APART __attribute__((noinline))

/* --- handlers --- */

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
/* No probe of the program runs any more. dp_poll disarms them and runs END, whose probe stays. */
static void stop_program(struct dp_agent *agent, uint8_t program)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe))) {
		struct dp_site *site = dp_site_at(agent, probe->site);

		if (site)
			dp_plan_drop(site);
		if (probe->state == (site ? DP_PROBE_ARMED : DP_PROBE_WAITING))
			probe->state = DP_PROBE_STOPPED;
	}
	dp_program_at(agent, program)->stopped = 1;
	agent->stop_due = 1;
}
#endif

/* The handler has said `remove` or `stop`. */
static DP_APART void end_probes(struct dp_agent *agent, const struct dp_vm *vm,
				struct dp_probe *probe)
{
#if DP_WITH_D
	if (vm->wants & DP_VM_STOP)
		stop_program(agent, probe->program);
#endif
	if (vm->wants & DP_VM_REMOVE)
		probe->state = DP_PROBE_REMOVED;
	DP_THIS_CPU(agent)->unsettled = 1;
}

/* Count a hit. Whether it counts for maxhits is known when the instruction has completed. */
static inline void count_down(struct dp_agent *agent, struct dp_probe *probe)
{
	if (--probe->maxhits == 0)
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
/* test: the plan whose test has run the begin of the handler, or null. */
static void run_handler(struct dp_agent *agent, struct dp_probe *probe, unsigned number,
			const struct dp_site *site, const struct dp_plan *test,
			struct dp_frame *frame)
{
	struct dp_program *program = &agent->program[probe->program];
	struct dp_vm *vm = &DP_THIS_CPU(agent)->vm;

	dp_move_settle(agent);
	program->view.excpt_mask = probe->excpt_mask;
	program->view.minor = probe->minor;
	if (DP_WITH_LANGUAGE) {
		program->view.gvars = agent->gv_count;
		program->view.offset = site->address;
	}
	count_down(agent, probe);
	probe->ran = 1;
	probe->left.at = DP_THIS_CPU(agent)->ring.head;
	dp_vm_start(vm, &program->view, probe->entry);
	if (test)
		dp_plan_go_on(vm, &program->view, test);
	dp_vm_go_on(vm, &program->view, frame, &agent->board->hooks);
	if (vm->end != RPN_END_ABORT)
		dp_hit_log(agent, number, program->items, frame);
	if (vm->exit_number != 0)
		call_exit_hook(agent, frame, &program->view);
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

/* Run every active probe of the phase at the site, in order of installation. A trap without any
 * active probe is a trap that could not be removed yet. */
static void run_chain(struct dp_agent *agent, struct dp_site *site, unsigned phase,
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
		if (probe->phase != phase)
			continue;
		if (probe->ignore == 0) {
			run_handler(agent, probe, number, site, NULL, frame);
			probe->left.at = DP_THIS_CPU(agent)->ring.head; /* waits for its end */
		} else {
			ignore(agent, probe, site);
		}
	}
	if (!active)
		DP_THIS_CPU(agent)->unsettled = 1;
}

/* Let the only probe handle the hit: the handler runs, unless it only counts. */
static void follow(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	struct dp_probe *probe = site->plan.probe;

	probe->ran = 1;
	if (dp_plan_kind(&site->plan) == DP_PLAN_NOTHING)
		count_down(agent, probe);
	else
		run_handler(agent, probe, site->chain, site, NULL, frame);
}

static void count_missed(struct dp_agent *agent, const struct dp_site *site, unsigned phase)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		if (probe->state == DP_PROBE_ARMED && probe->phase == phase) {
			probe->missed++;
			DP_THIS_CPU(agent)->ring.missed++;
		}
}

/* --- commit --- */

/* Probes that have done their last hit end, and the trap goes with the last of them. */
static void settle(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		if (probe->state == DP_PROBE_ARMED && probe->maxhits == 0)
			dp_governor_used_up(agent, probe);
	dp_site_settle(agent, site);
}

/* More often than anybody polls: who wants to stop the storm must be heard. */
static void serve_requests(struct dp_agent *agent)
{
	while (agent->serve(agent, true))
		;
}

static void finish(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_ring_commit(&cpu->ring);
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		dp_transmit_records(agent);
	if (cpu->unsettled) {
		cpu->unsettled = 0;
		settle(agent, site);
	}
	if (dp_storm_hit(agent))
		serve_requests(agent);
	cpu->in_hit = 0;
}

/* The instruction completed, or faulted: the frame is what it left. */
static void run_late(struct dp_agent *agent, struct dp_site *site, unsigned phase,
		     struct dp_frame *frame)
{
	run_chain(agent, site, phase, frame);
	finish(agent, site);
}

/* The probe and an instruction that faulted. A handler that ran before the fault and logs
 * nothing for it does not count a hit. */
static void note_fault(struct dp_probe *probe)
{
	bool before = probe->phase == DP_PHASE_BEFORE;

	if (before ? !probe->ran : probe->phase == DP_PHASE_FAULT || probe->state != DP_PROBE_ARMED)
		return;
	probe->faulted++;
	if (before && !probe->logonfault)
		dp_governor_uncount(probe);
}

static void note_faults(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		note_fault(probe);
}

static enum dp_taken fail(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	note_faults(agent, site);
	/* records that are withdrawn have overwritten older ones */
	dp_sent_forget(DP_THIS_CPU(agent), DP_THIS_CPU(agent)->ring.head - DP_RING_BYTES);
	dp_ring_abort(agent);
	dp_ring_full_back(agent);
	run_late(agent, site, DP_PHASE_FAULT, frame);
	return DP_FIRMWARE;
}

/* --- watchpoints --- */

/* Without comparators these functions are empty. The comparators are off while the agent runs. */
#if DP_PORT_COMPARATORS > 0
static void run_watches(struct dp_agent *agent, unsigned comparators, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const dp_addr pc = cpu->watching.access.pc, resume = (dp_addr)DP_PORT_PC(frame);

	DP_PORT_PC(frame) = pc;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (comparators >> n & 1)
			run_chain(agent, &agent->site[DP_WATCH_BASE + n], DP_PHASE_BEFORE, frame);
	if (DP_PORT_PC(frame) == pc) /* else a handler has written it */
		DP_PORT_PC(frame) = resume;
}

/* The handlers of the access have run, or it has faulted: probes that have done their last hit end.
 */
static void settle_watches(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	for (unsigned n = 0; cpu->unsettled && n < DP_PORT_COMPARATORS; n++)
		if (cpu->watching.matched >> n & 1)
			settle(agent, &agent->site[DP_WATCH_BASE + n]);
	cpu->watching.matched = cpu->watching.late = 0;
	if (cpu->watching.stays)
		dp_watches_release(agent);
	cpu->watching.stays = 0;
}

/* The access is done. */
static void end_access(struct dp_agent *agent, struct dp_frame *frame)
{
	const struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;

	if (watching->late != 0)
		run_watches(agent, watching->late, frame);
	settle_watches(agent);
}

/* The access has faulted: its hits do not count, and their records are dropped. A probe that left
 * by a one-trap slot of the instruction loses its record too. site: of the step. */
static enum dp_taken fail_access(struct dp_agent *agent, struct dp_site *site,
				 struct dp_frame *frame)
{
	struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;
	bool away = watching->away && site == &watching->here;

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (watching->matched & ~watching->late & 1u << n)
			note_faults(agent, &agent->site[DP_WATCH_BASE + n]);
	settle_watches(agent);
	fail(agent, site, frame);
	if (away)
		dp_agent_fault_away(frame, site->address);
	return DP_FIRMWARE;
}

static void recover_watches(struct dp_agent *agent)
{
	struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;

	watching->matched = watching->late = watching->stays = 0;
	if (watching->held != 0)
		dp_port_watch_resume();
	watching->held = 0;
}

#else
static inline void end_access(struct dp_agent *agent, struct dp_frame *frame)
{
	(void)agent, (void)frame;
}

static inline enum dp_taken fail_access(struct dp_agent *agent, struct dp_site *site,
					struct dp_frame *frame)
{
	return fail(agent, site, frame);
}

static inline void recover_watches(struct dp_agent *agent)
{
	(void)agent;
}
#endif

void dp_hit_recover(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_port_recover();
	if (!cpu->in_hit || cpu->pending)
		return;
	dp_lock_recover();
	dp_ring_commit(&cpu->ring);
	for (unsigned i = 0; i < DP_SITES; i++) /* the site of the hit is not known */
		if (agent->site[i].chain < DP_MAX_PROBES)
			settle(agent, &agent->site[i]);
	cpu->unsettled = 0;
	cpu->in_hit = 0;
	recover_watches(agent);
}

static bool all_log_on_fault(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);

	while (probe && (probe->logonfault || probe->phase != DP_PHASE_BEFORE))
		probe = dp_probe_behind(agent, probe);
	return !probe;
}

/* The trap belongs to no site. Either the probe was just removed: then the original is back, and
 * the instruction is retried. Or the trap word belongs to the firmware or a debugger. */
static DP_APART enum dp_taken stray(struct dp_agent *agent, const struct dp_frame *frame)
{
	uint32_t found;

	if (!dp_port_trap_at(frame, &found))
		return DP_RESUME;
	agent->strays++;
	DP_TELL(agent, DP_NOTICE_STRAY_TRAP, DP_WIDTHS_stray_trap_notice, dp_port_pc(frame), found);
	return DP_NOT_OURS;
}

/* A hit while another is handled, or at a site that has just been given up: the instruction is
 * executed, its probes are not run. */
static enum dp_taken step_only(struct dp_agent *agent, const struct dp_site *site,
			       struct dp_frame *frame)
{
	bool fires = dp_port_fires(site, frame);
	enum dp_step step;

	if (fires)
		count_missed(agent, site, DP_PHASE_BEFORE);
	step = dp_port_step(site, frame, false);
	if (step == DP_STEP_FAULT)
		count_missed(agent, site, DP_PHASE_FAULT);
	else if (step == DP_STEP_DONE && fires)
		count_missed(agent, site, DP_PHASE_AFTER);
	return step == DP_STEP_FAULT ? DP_FIRMWARE : DP_RESUME;
}

/* The last record before a hang must be seen: do not wait for the step. */
static void send_before_step(struct dp_agent *agent, const struct dp_site *site)
{
	if (!all_log_on_fault(agent, site))
		return;
	dp_ring_commit(&DP_THIS_CPU(agent)->ring);
	dp_transmit_records(agent);
}

/* Can dp_agent_fault_away withdraw what the hit has done? Not the end of a probe. */
static bool may_leave(const struct dp_agent *agent, const struct dp_site *site)
{
	return dp_plan_kind(&site->plan) > DP_PLAN_CHAIN && !site->plan.probe->logonfault &&
	       !DP_THIS_CPU(agent)->unsettled;
}

/* The handlers have run: the port decides how the instruction is stepped. */
static DP_APART enum dp_taken step(struct dp_agent *agent, struct dp_site *site,
				   struct dp_frame *frame, bool fires)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	enum dp_step step;

	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		send_before_step(agent, site);
	step = dp_port_step(site, frame, may_leave(agent, site));
	if (step == DP_STEP_FAULT)
		return fail(agent, site, frame);
	if (step == DP_STEP_PENDING)
		cpu->pending = site;
	else if (step == DP_STEP_DONE && fires && dp_site_is_late(site))
		run_late(agent, site, DP_PHASE_AFTER, frame);
	else
		finish(agent, site);
	return DP_RESUME;
}

/* The handler has run: the context goes on in the slot, unless the probe ends with this hit. */
static enum dp_taken resume(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	if (DP_THIS_CPU(agent)->unsettled || !dp_plan_leaves(&site->plan))
		return step(agent, site, frame, true);
	DP_PORT_PC(frame) = site->plan.resume;
	finish(agent, site);
	return DP_RESUME;
}

/* The plan knows the only probe. */
static DP_APART enum dp_taken planned_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	DP_THIS_CPU(agent)->in_hit = 1;
	follow(agent, site, frame);
	return resume(agent, site, frame);
}

/* The hit ends with its instruction: the plan cannot tell where the context resumes, or the probe
 * ends with this hit. */
static DP_APART enum dp_taken unfinished_hit(struct dp_agent *agent, struct dp_site *site,
					     struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	if (site->plan.probe->maxhits == 0)
		cpu->unsettled = 1;
	return step(agent, site, frame, true);
}

/* Run what the test of the plan has left of the handler. */
static DP_APART enum dp_taken rest_of_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame, enum dp_plan_found found)
{
	const struct dp_plan *plan = &site->plan;

	DP_THIS_CPU(agent)->in_hit = 1;
	run_handler(agent, plan->probe, site->chain, site, found == DP_PLAN_GOES_ON ? plan : NULL,
		    frame);
	return resume(agent, site, frame);
}

static DP_APART enum dp_taken hit_in_storm(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	serve_requests(agent);
	cpu->in_hit = 0;
	return DP_RESUME;
}

/* The handler has done its work, and the context goes on in the slot. Inlined with counted_hit: 6
 * instructions a hit less (Cortex-A9). */
static inline __attribute__((always_inline)) enum dp_taken
leave(struct dp_agent *agent, struct dp_frame *frame, dp_addr resume)
{
	DP_PORT_PC(frame) = resume;
	if (dp_storm_hit(agent))
		return hit_in_storm(agent);
	return DP_RESUME;
}

/* The hit counts, and nothing that it does can be hit: it needs no mark. Inlined with leave: 6
 * instructions a hit less (Cortex-A9). */
static inline __attribute__((always_inline)) enum dp_taken
counted_hit(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	if (--site->plan.probe->maxhits == 0)
		return unfinished_hit(agent, site, frame);
	return leave(agent, frame, site->plan.resume);
}

/* The ring has no room for the words in one part: the interpreter logs or counts them. A test has
 * run, and may have read a device. */
static DP_APART enum dp_taken crowded_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	if (site->plan.kind == DP_PLAN_TEST)
		return rest_of_hit(agent, site, frame, DP_PLAN_GOES_ON);
	return planned_hit(agent, site, frame);
}

/* A hit whose words stand in the ring counts, and does nothing else. A function of the board that
 * tells the time may be hit meanwhile. A hit that is not over leaves the commit to its end. */
static DP_APART enum dp_taken logged_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	dp_addr resume;
	struct dp_probe *probe;

	if (DP_CLOCK_CALLS)
		cpu->in_hit = 1;
	if (!dp_hit_log_words(agent, site, frame))
		return crowded_hit(agent, site, frame);
	if (DP_CLOCK_CALLS)
		cpu->in_hit = 0;
	probe = site->plan.probe;
	resume = site->plan.resume;
	probe->left.at = cpu->ring.committed;
	probe->left.sp = DP_PORT_SP(frame);
	if (--probe->maxhits == 0 || resume == 0)
		return unfinished_hit(agent, site, frame);
	dp_ring_commit(&cpu->ring);
	return leave(agent, frame, resume);
}

static DP_APART enum dp_taken stepped_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	bool fires;

	if (cpu->in_hit || !site->armed)
		return step_only(agent, site, frame);
	cpu->in_hit = 1;
	fires = dp_port_fires(site, frame);
	if (fires && site->plan.kind == (DP_PLAN_WORDS | DP_PLAN_STEPPED)) {
		site->plan.probe->ran = 1;
		return logged_hit(agent, site, frame);
	}
	if (fires && dp_plan_kind(&site->plan) > DP_PLAN_CHAIN)
		follow(agent, site, frame);
	else if (fires)
		run_chain(agent, site, DP_PHASE_BEFORE, frame);
	return step(agent, site, frame, fires);
}

#if DP_WITH_D
void dp_hit_event(struct dp_agent *agent, unsigned number, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_probe *probe = dp_probe_at(agent, number);
	static const struct dp_site nowhere = {.address = 0};

	cpu->in_hit = 1;
	run_handler(agent, probe, number, &nowhere, NULL, frame);
	dp_ring_commit(&cpu->ring);
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		dp_transmit_records(agent);
	probe->state = DP_PROBE_DISABLED;
	cpu->in_hit = 0;
}
#endif

/* A hit that the test ends counts, and does nothing else. */
static DP_APART enum dp_taken tested_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	enum dp_plan_found found = dp_plan_test(agent, &site->plan, frame);

	if (found == DP_PLAN_GOES_ON && site->plan.words > 0)
		return logged_hit(agent, site, frame);
	if (found != DP_PLAN_ENDS)
		return rest_of_hit(agent, site, frame, found);
	site->plan.probe->left.at = DP_THIS_CPU(agent)->ring.head; /* no record to withdraw */
	return counted_hit(agent, site, frame);
}

/* The first hit works the plan out, and is itself the first to follow it. */
static DP_APART enum dp_taken unplanned_hit(struct dp_agent *agent, struct dp_site *site,
					    struct dp_frame *frame)
{
	if (site->plan.kind == DP_PLAN_NONE && site->armed && !DP_THIS_CPU(agent)->in_hit) {
		dp_move_settle(agent);
		dp_plan_make(agent, site);
		if (dp_plan_leaves(&site->plan) && DP_PORT_PLAIN(frame))
			return planned_hit(agent, site, frame);
	}
	return stepped_hit(agent, site, frame);
}

/* The common hits need no stack frame here: all calls are the last thing to do. The commonest kinds
 * of plan come first. */
static inline enum dp_taken trap(struct dp_agent *agent, struct dp_frame *frame, dp_addr address)
{
	struct dp_site *site;

	if (!agent) /* a trap word of the run before, met before dp_init */
		return DP_NOT_OURS;
	site = dp_site_lookup(agent, address);
	if (!site)
		return stray(agent, frame);
	if (DP_THIS_CPU(agent)->in_hit || !DP_PORT_PLAIN(frame))
		return unplanned_hit(agent, site, frame);
	if (site->plan.kind == DP_PLAN_NOTHING)
		return counted_hit(agent, site, frame);
	if (site->plan.kind == DP_PLAN_WORDS)
		return logged_hit(agent, site, frame);
	if (DP_WITH_LANGUAGE && site->plan.kind == DP_PLAN_TEST)
		return tested_hit(agent, site, frame);
	if (site->plan.kind == DP_PLAN_RUN)
		return planned_hit(agent, site, frame);
	return unplanned_hit(agent, site, frame);
}

/* While a comparator is armed, the comparators are off for the time of each hit. */
static DP_APART enum dp_taken trap_unwatched(struct dp_agent *agent, struct dp_frame *frame,
					     dp_addr address)
{
	enum dp_taken taken;

	dp_watches_hold(agent);
	taken = trap(agent, frame, address);
	dp_watches_release(agent);
	return taken;
}

enum dp_taken dp_agent_trap(struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	enum dp_taken taken;

	dp_lock_enter();
	if (dp_watches_armed(agent))
		taken = trap_unwatched(agent, frame, address);
	else
		taken = trap(agent, frame, address);
	dp_lock_leave();
	return taken;
}

/* The site whose copy has come to its end. *handled: by the hit that is being handled, not by one
 * that was only stepped over. */
static struct dp_site *stepped_site(struct dp_agent *agent, dp_addr address, bool *handled)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_site *site = cpu->pending;

	*handled = site && site->address == address;
	if (!*handled)
		return dp_site_find(agent, address);
	cpu->pending = NULL;
	return site;
}

/* The copy of the instruction at the address ended: DP_PHASE_AFTER, or DP_PHASE_FAULT. */
static enum dp_taken ended(struct dp_frame *frame, dp_addr address, unsigned phase)
{
	struct dp_agent *agent = dp_the_agent;
	bool handled;
	struct dp_site *site = stepped_site(agent, address, &handled);

	if (!site)
		return DP_NOT_OURS;
	dp_watches_hold(agent);
	if (phase == DP_PHASE_FAULT)
		dp_port_step_fault(site, frame);
	else
		dp_port_stepped(site, frame);
	if (!handled) {
		count_missed(agent, site, phase);
	} else if (phase == DP_PHASE_FAULT) {
		fail_access(agent, site, frame);
	} else {
		end_access(agent, frame);
		run_late(agent, site, phase, frame);
	}
	dp_watches_release(agent);
	return phase == DP_PHASE_FAULT ? DP_FIRMWARE : DP_RESUME;
}

static enum dp_taken ended_locked(struct dp_frame *frame, dp_addr address, unsigned phase)
{
	enum dp_taken taken;

	dp_lock_enter();
	taken = ended(frame, address, phase);
	dp_lock_leave();
	return taken;
}

enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address)
{
	return ended_locked(frame, address, DP_PHASE_AFTER);
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	return ended_locked(frame, address, DP_PHASE_FAULT);
}

/* The removed probe whose last hit was one at the address by this context, or null. */
static struct dp_probe *removed_hit_by(struct dp_agent *agent, dp_addr address, dp_word sp)
{
	struct dp_probe *probe = agent->probe;

	for (; probe < agent->probe + DP_MAX_PROBES; probe++)
		if (probe->site == DP_NONE && probe->left.address == address &&
		    probe->left.sp == sp)
			return probe;
	return NULL;
}

/* The probe at the site whose hits may leave by a one-trap slot, or null. It is the oldest one, and
 * was alone there. */
static struct dp_probe *leaving(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_probe *probe = site ? dp_probe_at(agent, site->chain) : NULL;

	return probe && probe->phase == DP_PHASE_BEFORE && !probe->logonfault ? probe : NULL;
}

/* The probe whose last hit was one at the address by this context. Null: the hit is not known. A
 * hit that logs nothing may leave no stack pointer, so hits of removed probes count only until the
 * probe that is there is hit. */
static struct dp_probe *last_hit_by(struct dp_agent *agent, dp_addr address, struct dp_probe *there,
				    dp_word sp)
{
	if (!there || dp_probe_hits(there) == 0)
		return removed_hit_by(agent, address, sp);
	return there->left.sp == sp ? there : NULL;
}

/* The frame of the hit is gone, and so may be the plan, the probe and the site. When the hit is not
 * known, its record stays: it may be another context's. */
static void fault_away(const struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	struct dp_probe *there = leaving(agent, dp_site_find(agent, address));
	struct dp_probe *left = last_hit_by(agent, address, there, DP_PORT_SP(frame));
	struct dp_probe *probe = left ? left : there;

	if (!probe || probe->logonfault)
		return;
	if (probe->program != DP_NONE)
		note_fault(probe);
	if (left)
		dp_hit_log_back(agent, left);
	if (probe->program == DP_NONE) /* the withdraw has the probe's number */
		probe->retired_at = DP_THIS_CPU(agent)->ring.head;
}

void dp_agent_fault_away(const struct dp_frame *frame, dp_addr address)
{
	dp_lock_enter();
	fault_away(frame, address);
	dp_lock_leave();
}

#if DP_PORT_COMPARATORS > 0
/* --- an access --- */

/* The instruction cannot be stepped: it runs with its comparators off, and the handlers behind the
 * access do not run. */
static enum dp_taken let_pass(struct dp_agent *agent, uint16_t covered)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_watches_rest(agent, covered);
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (cpu->watching.late >> n & 1)
			count_missed(agent, &agent->site[DP_WATCH_BASE + n], DP_PHASE_BEFORE);
	cpu->watching.late = 0;
	return DP_RESUME;
}

/* Complete the access with the comparators off. */
static enum dp_taken complete(struct dp_agent *agent, struct dp_frame *frame, uint16_t covered)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_watching *watching = &cpu->watching;
	struct dp_site *here = &watching->here;
	enum dp_step step;

	dp_clear(here, sizeof(*here));
	here->address = watching->access.pc;
	here->chain = DP_NONE;
	here->phases = 1u << DP_PHASE_AFTER; /* never one trap */
	if (dp_port_prepare_here(here, frame, dp_text_original) != DP_ERR_OK)
		return let_pass(agent, covered);
	watching->away = dp_port_slot_origin(dp_port_pc(frame)) != dp_port_pc(frame);
	DP_PORT_PC(frame) = here->address;
	step = dp_port_step(here, frame, false);
	if (step == DP_STEP_FAULT)
		return fail_access(agent, here, frame);
	if (step == DP_STEP_DONE)
		return DP_RESUME;
	cpu->pending = here;
	return DP_RESUME;
}

/* The handlers before the access have run. */
static enum dp_taken go_on(struct dp_agent *agent, struct dp_frame *frame, uint16_t covered,
			   bool in_slot)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_watching *watching = &cpu->watching;
	enum dp_taken taken = DP_RESUME;

	if (!(watching->access.kinds & DP_PORT_WATCH_AFTER)) {
		if (!in_slot)
			taken = complete(agent, frame, covered);
		if (cpu->pending) { /* the copy runs to its end with the comparators off */
			dp_watches_hold(agent);
			watching->stays = 1;
			return taken;
		}
	}
	if (taken == DP_RESUME)
		end_access(agent, frame);
	if (!in_slot && cpu->in_hit)
		finish(agent, &watching->here);
	return taken;
}

/* One access is one hit of each watchpoint that it is for. It may be that of a copy in a two-trap
 * slot, whose hit ends behind it. */
static enum dp_taken hit_watches(struct dp_agent *agent, struct dp_frame *frame,
				 const struct dp_watched *access)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_watching *watching = &cpu->watching;
	bool in_slot = cpu->pending && cpu->pending->address == access->pc;
	uint16_t covered, wanted = dp_watches_match(agent, access, &covered);

	if (covered == 0)
		return DP_NOT_OURS;
	dp_copy(&watching->access, access, sizeof(*access));
	watching->matched = watching->late = wanted;
	watching->here.chain = DP_NONE; /* of finish() */
	cpu->in_hit = 1;
	if (access->kinds & DP_WATCHED_EXECUTE) {
		run_watches(agent, wanted, frame);
		watching->late = 0;
	}
	return go_on(agent, frame, covered, in_slot);
}

enum dp_taken dp_agent_watch(struct dp_frame *frame, const struct dp_watched *access)
{
	struct dp_agent *agent = dp_the_agent;
	enum dp_taken taken;

	if (!agent)
		return DP_NOT_OURS;
	dp_lock_enter();
	dp_watches_hold(agent);
	taken = hit_watches(agent, frame, access);
	dp_watches_release(agent);
	dp_lock_leave();
	return taken;
}
#endif
