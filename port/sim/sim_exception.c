/* SPDX-License-Identifier: BSD-2-Clause */
/* The one part of the simulated port that needs the core: for tests that run the whole agent. */
#include "dp_port.h"

/* class 0: a trap word was executed. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	return class == 0 ? dp_agent_trap(frame) : DP_NOT_OURS;
}
