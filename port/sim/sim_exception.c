/* SPDX-License-Identifier: BSD-2-Clause */
/* This part of the simulated port needs the core and serves tests that run the whole agent. */
#include "dp_port.h"
#include "sim.h"

/* class: SIM_TRAP, SIM_SECOND_TRAP, SIM_ABORT. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	dp_addr pc = dp_port_pc(frame), origin = dp_port_slot_origin(pc);

	if (class == SIM_TRAP)
		return dp_agent_trap(frame, pc);
	if (origin == pc)
		return DP_NOT_OURS;
	if (dp_sim.one_trap[(pc - DP_SIM_SLOT_BASE) / SIM_SLOT_BYTES]) {
		dp_port_step_fault(&(struct dp_site){.address = origin}, frame);
		dp_agent_fault_away(frame, origin);
		return DP_FIRMWARE;
	}
	return class == SIM_SECOND_TRAP ? dp_agent_stepped(frame, origin)
					: dp_agent_fault(frame, origin);
}
