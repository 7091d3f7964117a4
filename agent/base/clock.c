/* SPDX-License-Identifier: BSD-2-Clause */
/* The time stamp of the board or of the port, and the check that the counter of hits is its low
 * half. */
#include "dp_clock.h"

uint64_t dp_clock_ticks(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->ticks() : dp_port_ticks();
}

uint32_t dp_clock_hz(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->tick_hz : dp_port_tick_hz();
}

#if DP_WITH_STREAM
/* Does the time lie between what the counter reads before and after? */
static bool counts(const struct dp_agent *agent, dp_counter counter)
{
	uint32_t before = counter(), now = (uint32_t)dp_clock_ticks(agent);
	uint32_t passed = counter() - before;

	return passed <= INT32_MAX && now - before <= passed;
}

enum dp_err dp_clock_accept(const struct dp_agent *agent)
{
	dp_counter counter = dp_counter_of(agent->board);

	return !counter || counts(agent, counter) ? DP_ERR_OK : DP_ERR_BAD_COUNTER;
}
#endif
