/* SPDX-License-Identifier: BSD-2-Clause */
/* A two-trap slot: the copy of the displaced instruction has come to its end, or has faulted. So
 * the hit that waits for it (hit.c) ends. */
#include "dp_halt_step.h"
#include "dp_handlers.h"
#include "dp_lock.h"
#include "dp_sites.h"
#include "dp_watched.h"
#include "dp_watches.h"

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
	enum dp_taken taken = phase == DP_PHASE_FAULT ? DP_FIRMWARE : DP_RESUME;

	if (!site)
		return DP_NOT_OURS;
	dp_watches_hold(agent);
	if (phase == DP_PHASE_FAULT)
		dp_port_step_fault(site, frame);
	else
		dp_port_stepped(site, frame);
	if (!handled) {
		dp_handlers_missed(agent, site, phase, frame);
	} else if (phase == DP_PHASE_FAULT) {
		dp_step_failed(agent);
		dp_watched_fail(agent, site, frame);
	} else {
		dp_watched_end(agent, frame);
		dp_hit_late(agent, site, phase, frame);
		taken = dp_step_ended(agent, frame);
	}
	dp_watches_release(agent);
	return taken;
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
