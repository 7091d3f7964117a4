/* SPDX-License-Identifier: BSD-2-Clause */
/* `exit 3`: the records of a core of the context that is hit: the feature HISTORY. */
#ifndef DP_CORE_LOG_H
#define DP_CORE_LOG_H

#include "dp_build.h"
#include "dp_state.h"

enum {
	DP_CORE_EXIT = 3
};

/* Append the registers of the hit, the stack from its stack pointer on and the words at each
 * register that points to memory, as records CORE of the probe. The first record without room is
 * counted as dropped, and ends the core. A program of the flight recorder has no core: the probe
 * counts a dropped record. number: of the probe. context: HIT. */
void dp_core_log(struct dp_agent *agent, unsigned number, const struct dp_frame *frame);

/* The same, if the handler has said `exit 3`. */
static inline void dp_core_exit(struct dp_agent *agent, unsigned number,
				const struct dp_frame *frame)
{
	if (DP_WITH_HISTORY && DP_THIS_CPU(agent)->vm.exit_number == DP_CORE_EXIT)
		dp_core_log(agent, number, frame);
}

#endif
