/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of the hit path for the floor above. The path itself begins at dp_agent_trap
 * (dp_port.h). */
#ifndef DP_HIT_H
#define DP_HIT_H

#include "dp_build.h"
#include "dp_object.h"
#include "dp_state.h"

/* End the hit of a callback that faulted and never returned. dp_poll calls this function first.
 * context: thread, interrupts masked. */
void dp_hit_recover(struct dp_agent *agent);

#if DP_WITH_D || DP_WITH_TIMERS
/* Run the handler of an armed probe without a place, as a hit does: an event or a timer.
 * plan: what to do in place of the handler, or null.
 * frame: the registers that the handler reads.
 * context: locked, no hit. */
void dp_hit_nowhere(struct dp_agent *agent, unsigned number, const struct dp_plan *plan,
		    struct dp_frame *frame);
#endif

/* --- the events of a D program --- */

#if DP_WITH_D
/* Run the handlers of the event that have not run, in the order of the program's points. Registers
 * read 0 there. Where a hit is handled no handler runs. Interrupts are masked for each handler.
 * context: ANY; interrupts may be open. */
void dp_event_run(struct dp_agent *agent, uint8_t program, enum dp_event event);
/* Has a handler of the program said `stop`? */
static inline bool dp_event_stopped(const struct dp_program *program)
{
	return program->stopped;
}
#else
static inline bool dp_event_stopped(const struct dp_program *program)
{
	(void)program;
	return false;
}
static inline void dp_event_run(struct dp_agent *agent, uint8_t program, enum dp_event event)
{
	(void)agent;
	(void)program;
	(void)event;
}
#endif

/* --- the agent's own text --- */

/* Return whether the board's ranges allow probes in code of the hit path. One function speaks
 * for each folder, since linker scripts place by folder; the transmit functions speak for
 * themselves. */
bool dp_text_own(const struct dp_agent *agent);

#endif
