/* SPDX-License-Identifier: BSD-2-Clause */
/* This part of the simulated port needs the core and serves tests that run the whole agent. */
#include "dp_watch.h"
#include "sim.h"

/* The CPU tells the address of an access, or names comparators. */
static enum dp_taken watched(struct dp_frame *frame, dp_addr pc)
{
	const struct sim_access *seen = &dp_sim.access;
	const struct dp_watched access = {.pc = pc,
					  .address = (dp_addr)seen->address,
					  .told = !dp_sim.watch_silent,
					  .bytes = dp_sim.watch_silent ? 0 : seen->bytes,
					  .comparators =
						  dp_sim.watch_silent > 1 ? 0 : seen->comparators,
					  .kinds = seen->kinds};

	return dp_agent_watch(frame, &access);
}

/* Is it a trap that a comparator lays over memory? */
static bool is_laid(unsigned class)
{
	const struct sim_access *seen = &dp_sim.access;

	for (unsigned n = 0; class == SIM_WATCHED && dp_sim.watch_lays && n < SIM_COMPARATORS; n++)
		if ((seen->comparators >> n & 1) && dp_sim.comparator[n].kind == DP_PROBE_BREAK)
			return true;
	return false;
}

/* class: SIM_TRAP, SIM_SECOND_TRAP, SIM_ABORT, SIM_WATCHED. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	dp_addr pc = dp_port_pc(frame), origin = dp_port_slot_origin(pc);
	unsigned slot = (unsigned)(pc - DP_SIM_SLOT_BASE) / SIM_SLOT_BYTES;

	if (class == SIM_TRAP || is_laid(class))
		return dp_agent_trap(frame, pc);
	if (class == SIM_WATCHED)
		return watched(frame, origin);
	if (origin == pc)
		return DP_NOT_OURS;
	if (class == SIM_SECOND_TRAP) /* its pc is behind the copy */
		return dp_agent_stepped(
			frame, dp_port_slot_origin(DP_SIM_SLOT_BASE + slot * SIM_SLOT_BYTES));
	if (dp_sim.one_trap[slot]) {
		dp_port_step_fault(&(struct dp_site){.address = origin}, frame);
		dp_agent_fault_away(frame, origin);
		return DP_FIRMWARE;
	}
	return dp_agent_fault(frame, origin);
}
