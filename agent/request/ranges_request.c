/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for the board's rows of memory: a part of the feature CHECKS. */
#include "dp_exchange.h"

#include "dp_fields.h"

enum dp_err dp_do_ranges(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const struct dp_board *board = agent->board;
	unsigned index = DP_ARG(ex, ranges, index);

	(void)a;
	if (index >= board->range_count)
		return DP_ERR_BAD_RANGE;
	ex->n.ranges.row = board->ranges[index];
	ex->n.ranges.rows = (uint8_t)board->range_count;
	return DP_ERR_OK;
}
