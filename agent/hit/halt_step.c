/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a stopped target. The port executes one instruction as for a probe whose handlers
 * run behind it: by emulation, or in a two-trap slot. Then the target stops again. PROTOCOL.md 5.13
 */
#include "dp_halt_step.h"

#include "dp_entries.h"
#include "dp_handlers.h"
#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_sites.h"
#include "dp_watches.h"
#include "dp_wire.h"

#if DP_WITH_HALT
/* The instruction in a two-trap slot: dp_steps.under_way. */
enum {
	STEPS_PROBE = 1, /* or a watchpoint */
	STEPS_HERE       /* where no trap stands */
};

/* A site with a trap is prepared. Null: no trap stands at the pc. */
static struct dp_site *armed_at(struct dp_agent *agent, dp_addr pc)
{
	struct dp_site *site = dp_site_find(agent, pc);

	return site && site->armed ? site : NULL;
}

/* Prepare the instruction at the pc, where no trap stands, never for one trap. */
static enum dp_err prepare_here(struct dp_agent *agent, const struct dp_frame *frame,
				enum dp_refusal *why)
{
	return dp_draft_prepare(agent, &agent->steps.here, dp_port_pc(frame), DP_PORT_ISA(frame),
				1u << DP_PHASE_AFTER, why);
}

enum dp_err dp_step_check(struct dp_agent *agent, enum dp_refusal *why)
{
	const struct dp_frame *frame = agent->halt.frame;
	enum dp_err error;

	*why = DP_REFUSE_NOTHING;
	if (armed_at(agent, dp_port_pc(frame)))
		return DP_ERR_OK;
	error = prepare_here(agent, frame, why);
	if (error == DP_ERR_OK)
		dp_port_release(&agent->steps.here);
	return error;
}

/* The stepped instruction at the site of a probe may not leave by one trap. */
static enum dp_step step_late(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_site late;

	dp_copy(&late, site, sizeof(late));
	late.phases |= 1u << DP_PHASE_AFTER;
	return dp_site_step(&late, frame, false);
}

/* Where no trap stands the slot is free again. */
static void release(struct dp_agent *agent, const struct dp_site *site)
{
	if (site == &agent->steps.here)
		dp_port_release(&agent->steps.here);
}

/* Execute the instruction, or let its function return, as a handler wants. returns: is it done?
 * Else *taken is how the context goes on. */
static bool execute(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame,
		    bool fires, enum dp_taken *taken)
{
	enum dp_step step;

	agent->steps.count--;
	if (dp_hit_returns(agent)) {
		dp_hit_return(agent, site, frame);
		dp_hit_finish(agent, site);
		return true;
	}
	step = step_late(site, frame);
	if (step == DP_STEP_PENDING) {
		DP_THIS_CPU(agent)->pending = site;
		agent->steps.under_way = site == &agent->steps.here ? STEPS_HERE : STEPS_PROBE;
		*taken = DP_RESUME;
		return false;
	}
	release(agent, site);
	if (step == DP_STEP_FAULT) {
		agent->steps.count = 0;
		dp_halt_lost(agent);
		*taken = dp_hit_fail(agent, site, frame);
		return false;
	}
	if (fires && dp_site_is_late(site))
		dp_hit_late(agent, site, DP_PHASE_AFTER, frame);
	else
		dp_hit_finish(agent, site);
	return true;
}

/* Step over a probe that was not hit here: its handlers run. `exit 1` stops nothing, because the
 * target stops behind the instruction. */
static bool step_probed(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame,
			enum dp_taken *taken)
{
	bool fires = dp_port_fires(site, frame, false);

	if (fires)
		dp_handlers_run(agent, site, DP_PHASE_BEFORE, frame);
	dp_halt_forget(agent);
	return execute(agent, site, frame, fires, taken);
}

/* Execute the instruction at the pc. *why: receives why the target then is stopped. */
static bool step(struct dp_agent *agent, struct dp_frame *frame, enum dp_taken *taken,
		 enum dp_halt_why *why)
{
	struct dp_site *site = armed_at(agent, dp_port_pc(frame));
	enum dp_refusal refusal;

	*why = DP_HALT_STEP;
	DP_THIS_CPU(agent)->in_hit = 1;
	if (site)
		return step_probed(agent, site, frame, taken);
	if (prepare_here(agent, frame, &refusal) == DP_ERR_OK)
		return execute(agent, &agent->steps.here, frame, false, taken);
	agent->steps.left = agent->steps.count;
	agent->steps.count = 0;
	*why = DP_HALT_REFUSED;
	return true;
}

/* Is the target to step on at once? A request between two steps may end them. */
static bool goes_on(struct dp_agent *agent, struct dp_frame *frame)
{
	struct dp_steps *steps = &agent->steps;
	dp_addr pc = dp_port_pc(frame);

	if (steps->count != 0 && steps->bytes != 0 && pc - steps->first >= steps->bytes)
		steps->count = 0;
	if (steps->count == 0)
		return false;
	dp_halt_look(agent, frame, pc);
	if (agent->halt.resume == DP_RESUME_STEP)
		agent->halt.resume = 0;
	else if (agent->halt.resume != 0)
		steps->count = 0;
	return steps->count != 0;
}

enum dp_taken dp_step_stop(struct dp_agent *agent, struct dp_frame *frame, enum dp_halt_why why)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	enum dp_taken taken;

	do {
		cpu->in_hit = 1;
		if (!goes_on(agent, frame))
			dp_halt(agent, frame, dp_port_pc(frame), why);
		if (!dp_step_asked(agent)) {
			cpu->in_hit = 0;
			return DP_RESUME;
		}
	} while (step(agent, frame, &taken, &why));
	return taken;
}

enum dp_taken dp_step_hit(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame,
			  bool fires)
{
	enum dp_taken taken;

	if (!execute(agent, site, frame, fires, &taken))
		return taken;
	return dp_step_stop(agent, frame, DP_HALT_STEP);
}

enum dp_taken dp_step_go(struct dp_agent *agent, struct dp_frame *frame)
{
	enum dp_taken taken;
	enum dp_halt_why why;

	if (!step(agent, frame, &taken, &why))
		return taken;
	return dp_step_stop(agent, frame, why);
}

void dp_step_stop_hit(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc)
{
	dp_ring_commit(&DP_THIS_CPU(agent)->ring);
	dp_transmit_records(agent);
	dp_halt(agent, frame, pc, dp_halt_reason(agent));
	dp_hit_recall(agent);
}

void dp_step_begin(struct dp_agent *agent)
{
	struct dp_steps *steps = &agent->steps;

	if (steps->count == 0)
		return;
	steps->count--;
	steps->under_way = STEPS_PROBE;
}

static void leave_slot(struct dp_agent *agent)
{
	if (agent->steps.under_way == STEPS_HERE)
		dp_port_release(&agent->steps.here);
	agent->steps.under_way = 0;
}

enum dp_taken dp_step_over(struct dp_agent *agent, struct dp_frame *frame)
{
	const bool asked = dp_halt_asked(agent); /* by a watchpoint: it ends the steps */

	leave_slot(agent);
	if (asked)
		agent->steps.count = 0;
	return dp_step_stop(agent, frame, asked ? dp_halt_reason(agent) : DP_HALT_STEP);
}

void dp_step_lost(struct dp_agent *agent)
{
	leave_slot(agent);
	agent->steps.count = 0;
	dp_halt_lost(agent);
}
#endif
