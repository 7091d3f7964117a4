/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for the board's rows of memory: a part of the feature CHECKS. */
#include "dp_exchange.h"

#include "dp_fields.h"

enum dp_err dp_do_ranges(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const struct dp_board *board = agent->board;
	unsigned index = DP_ARG(ex, ranges, index);
	const struct dp_range *row = &board->ranges[index];

	(void)a;
	if (index >= board->range_count)
		return DP_ERR_BAD_RANGE;
	/* Member by member: gcc copies a row of 64-bit addresses by memcpy. */
	ex->n.ranges.row.start = row->start;
	ex->n.ranges.row.bytes = row->bytes;
	ex->n.ranges.row.access = row->access;
	ex->n.ranges.rows = (uint8_t)board->range_count;
	return DP_ERR_OK;
}
