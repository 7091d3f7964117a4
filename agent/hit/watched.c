/* SPDX-License-Identifier: BSD-2-Clause */
/* An access that a comparator has reported: the handlers of its watchpoints run, and the access is
 * completed. The comparators are off while the agent runs. */
#include "dp_watched.h"

#include "dp_handlers.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_text.h"
#include "dp_watches.h"

#if DP_PORT_COMPARATORS > 0
static void run_watches(struct dp_agent *agent, unsigned comparators, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const dp_addr pc = cpu->watching.access.pc, resume = (dp_addr)DP_PORT_PC(frame);

	DP_PORT_PC(frame) = pc;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (comparators >> n & 1)
			dp_handlers_run(agent, &agent->site[DP_WATCH_BASE + n], DP_PHASE_BEFORE,
					frame);
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
			dp_hit_settle(agent, &agent->site[DP_WATCH_BASE + n]);
	cpu->watching.matched = cpu->watching.late = 0;
	if (cpu->watching.stays)
		dp_watches_release(agent);
	cpu->watching.stays = 0;
}

void dp_watched_end(struct dp_agent *agent, struct dp_frame *frame)
{
	const struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;

	if (watching->late != 0)
		run_watches(agent, watching->late, frame);
	settle_watches(agent);
}

enum dp_taken dp_watched_fail(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;
	bool away = watching->away && site == &watching->here;

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (watching->matched & ~watching->late & 1u << n)
			dp_hit_note_faults(agent, &agent->site[DP_WATCH_BASE + n]);
	settle_watches(agent);
	dp_hit_fail(agent, site, frame);
	if (away)
		dp_hit_fault_away(frame, site->address);
	return DP_FIRMWARE;
}

void dp_watched_recover(struct dp_agent *agent)
{
	struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;

	watching->matched = watching->late = watching->stays = 0;
	if (watching->held != 0)
		dp_port_watch_resume();
	watching->held = 0;
}

/* The instruction cannot be stepped: it runs with its comparators off, and the handlers behind the
 * access do not run. */
static enum dp_taken let_pass(struct dp_agent *agent, uint16_t covered)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_watches_rest(agent, covered);
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (cpu->watching.late >> n & 1)
			dp_handlers_missed(agent, &agent->site[DP_WATCH_BASE + n], DP_PHASE_BEFORE);
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
		return dp_watched_fail(agent, here, frame);
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
		dp_watched_end(agent, frame);
	if (!in_slot && cpu->in_hit)
		dp_hit_finish(agent, &watching->here);
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
	watching->here.chain = DP_NONE; /* of dp_hit_finish() */
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
