/* SPDX-License-Identifier: BSD-2-Clause */
/* The time stamp: the board's, or else the port's. Is the counter of hits its low half? */
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
/* Does the counter read the time, between what it reads before and after? */
static bool counts(const struct dp_board *board, dp_counter counter)
{
	uint32_t before = counter(), now = (uint32_t)board->ticks();
	uint32_t passed = counter() - before;

	return passed <= INT32_MAX && now - before <= passed;
}

/* The CPU's counter may not run before dp_port_attach, but is the time where the board has none. */
enum dp_err dp_clock_accept(const struct dp_board *board)
{
	dp_counter counter = dp_counter_of(board);
	bool right = DP_COUNTER == 0 || DP_COUNTER == DP_COUNTER_CPU;

	if (counter && board->ticks)
		right = counts(board, counter);
	return right ? DP_ERR_OK : DP_ERR_BAD_COUNTER;
}
#endif
