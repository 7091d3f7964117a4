/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies where in memory, and what the text was before probes. */
#include "dp_core.h"
#include "dp_crc.h"

const struct dp_range *dp_range_find(const struct dp_agent *agent, dp_addr address, dp_addr bytes)
{
	const struct dp_range *range = agent->board->ranges;
	const struct dp_range *end = range + agent->board->range_count;

	for (; range < end; range++)
		if (address - range->start < range->bytes &&
		    bytes <= range->bytes - (address - range->start))
			return range;
	return NULL;
}

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

bool dp_text_own(const struct dp_agent *agent)
{
	typedef void (*code)(void);
	static const code folders[] = {(code)dp_agent_trap, (code)dp_crc32,
				       (code)dp_port_exception};
	enum {
		FOLDERS = sizeof(folders) / sizeof(folders[0])
	};

	for (unsigned i = 0; i < FOLDERS + DP_LINES; i++) {
		code at = i < FOLDERS ? folders[i] : (code)agent->board->com[i - FOLDERS].put;

		if (at && dp_text_allowed(agent, (dp_addr)(uintptr_t)at, 1) == DP_ERR_OK)
			return true;
	}
	return false;
}

void dp_text_overlay(const struct dp_agent *agent, dp_addr address, uint8_t *bytes, unsigned count)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		const struct dp_site *site = &agent->site[i];
		uint8_t original[8];

		DP_NEAR(site);
		if (!site->armed || (site->address - address >= count &&
				     address - site->address >= site->insn_bytes))
			continue;
		dp_port_insn_bytes(site, original);
		for (unsigned k = 0; k < site->insn_bytes; k++)
			if (site->address + k - address < count)
				bytes[site->address + k - address] = original[k];
	}
}

bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count)
{
	if (dp_port_read(address, bytes, count, 0) != count)
		return false;
	dp_text_overlay(dp_the_agent, address, bytes, count);
	return true;
}
