/* SPDX-License-Identifier: BSD-2-Clause */
/* The time stamp: the board's, or else the port's. */
#include "dp_clock.h"

uint64_t dp_clock_ticks(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->ticks() : dp_port_ticks();
}

uint32_t dp_clock_hz(const struct dp_agent *agent)
{
	return agent->board->ticks ? agent->board->tick_hz : dp_port_tick_hz();
}
