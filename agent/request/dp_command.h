/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the requests that wait. */
#ifndef DP_COMMAND_H
#define DP_COMMAND_H

#include "dp_state.h"

/* Run the oldest request of each line and answer it; the `serve` of struct dp_agent.
 * in_hit: waits for the transmitter, and answers BUSY to requests that a hit does not serve.
 * context: thread; HIT with in_hit.
 * returns: false if there are no requests, or their lines are not free. */
bool dp_command_run(struct dp_agent *agent, bool in_hit);

#endif
