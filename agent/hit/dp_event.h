/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of a D program. */
#ifndef DP_EVENT_H
#define DP_EVENT_H

#include "dp_build.h"
#include "dp_object.h"
#include "dp_state.h"

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

#endif
