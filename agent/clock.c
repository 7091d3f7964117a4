/* SPDX-License-Identifier: BSD-2-Clause */
/* The time stamp: the board's, or else the port's. */
#include "dp_clock.h"

uint64_t dp_clock_ticks(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->ticks() : dp_port_ticks();
}

uint64_t dp_clock_hit_ticks(struct dp_agent *agent)
{
	const struct dp_board *board = agent->board;
	uint64_t *clock = &DP_THIS_CPU(agent)->clock;

	if (!board->counter)
		return dp_clock_ticks(agent);
	*clock += board->counter() - (uint32_t)*clock;
	return *clock;
}

uint32_t dp_clock_hz(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->tick_hz : dp_port_tick_hz();
}
