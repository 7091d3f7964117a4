/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies where in memory, and what the text was before probes. */
#include "dp_core.h"

/* Ranges are first match wins, so that a small no-probe row can stand before the text it cuts a
 * piece from; an instruction must not reach into such a row either. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes)
{
	const struct dp_range *range = agent->board->ranges;
	const struct dp_range *end = range + agent->board->range_count;

	for (; range < end; range++) {
		bool first_in = address - range->start < range->bytes;
		bool last_in = address + bytes - 1 - range->start < range->bytes;

		if (!first_in && !last_in)
			continue;
		if (range->access & DP_MEM_NO_PROBE)
			return DP_ERR_IN_AGENT;
		if (first_in && last_in)
			return range->access & DP_MEM_TEXT ? DP_ERR_OK : DP_ERR_NOT_TEXT;
	}
	return DP_ERR_NOT_TEXT;
}

bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count)
{
	const struct dp_site *site = dp_the_agent->site, *end = site + DP_MAX_PROBES;

	if (dp_port_read(address, bytes, count, 0) != count)
		return false;
	for (; site < end; site++) {
		dp_addr offset = site->address - address, last = site->insn_bytes - 1u;
		uint8_t original[8];

		if (!site->armed || offset + last >= count + last) /* none of it in there */
			continue;
		dp_port_insn_bytes(site, original);
		for (unsigned k = 0; k <= last; k++, offset++)
			if (offset < count)
				bytes[offset] = original[k];
	}
	return true;
}
