/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the firmware that dp_poll has work. */
#include "dp_wire.h"

void dp_wake_now(struct dp_agent *agent)
{
	agent->woken = agent->poll_due = 1;
	if (agent->board->wake)
		agent->board->wake();
}
