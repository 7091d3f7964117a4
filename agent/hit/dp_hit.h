/* SPDX-License-Identifier: BSD-2-Clause */
/* The hit path's functions for dp_poll. The path itself begins at dp_agent_trap (dp_port.h). */
#ifndef DP_HIT_H
#define DP_HIT_H

#include "dp_state.h"

/* End the hit of a callback that faulted and never returned. dp_poll calls this function first.
 * context: thread, interrupts masked. */
void dp_hit_recover(struct dp_agent *agent);

#if DP_WITH_D
/* Run the handler of an event once, as a hit does; then the probe has ended.
 * frame: the registers that the handler reads.
 * context: thread, interrupts masked, no hit. */
void dp_hit_event(struct dp_agent *agent, unsigned number, struct dp_frame *frame);
#endif

#endif
