/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the firmware that dp_poll has work. */
#ifndef DP_WAKE_H
#define DP_WAKE_H

#include "dp_state.h"

void dp_wake_now(struct dp_agent *agent);

/* Call the board's wake because dp_poll has work, once between two calls of dp_poll.
 * context: dp_rx. A hit may stand in the middle of the kernel that wake calls. Hits therefore do
 * not wake: their records wait for the next dp_poll. */
static inline void dp_wake(struct dp_agent *agent)
{
	if (!agent->woken)
		dp_wake_now(agent);
}

#endif
