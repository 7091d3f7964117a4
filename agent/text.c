/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies where in memory, and what the text was before probes. */
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"

const struct dp_range *dp_range_find(const struct dp_agent *agent, dp_addr address, dp_addr bytes)
{
	const struct dp_board *board = agent->board;

	for (uint16_t i = 0; i < board->range_count; i++) {
		const struct dp_range *range = &board->ranges[i];

		if (address - range->start < range->bytes &&
		    bytes <= range->bytes - (address - range->start))
			return range;
	}
	return NULL;
}

/* Ranges are first match wins, so that a small no-probe row can stand before the text it cuts a
 * piece from; an instruction must not reach into such a row either. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes)
{
	const struct dp_board *board = agent->board;

	for (uint16_t i = 0; i < board->range_count; i++) {
		const struct dp_range *range = &board->ranges[i];
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

/* Lay the displaced bytes of armed sites over what was read from [address, address + count). */
static uint16_t overlay_originals(const struct dp_agent *agent, dp_addr address, uint8_t *bytes,
				  unsigned count)
{
	uint16_t sites = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		const struct dp_site *site = &agent->site[i];
		uint8_t original[8];

		if (!site->armed || (site->address - address >= count &&
				     address - site->address >= site->insn_bytes))
			continue;
		sites++;
		dp_port_insn_bytes(site, original);
		for (unsigned k = 0; k < site->insn_bytes; k++)
			if (site->address + k - address < count)
				bytes[site->address + k - address] = original[k];
	}
	return sites;
}

bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count)
{
	if (dp_port_read(address, bytes, count, 0) != count)
		return false;
	overlay_originals(dp_the_agent, address, bytes, count);
	return true;
}

static uint16_t armed_within(const struct dp_agent *agent, dp_addr address, uint32_t bytes)
{
	uint16_t sites = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->site[i].armed && agent->site[i].address - address < bytes)
			sites++;
	return sites;
}

bool dp_text_crc(const struct dp_agent *agent, dp_addr address, uint32_t bytes, bool original,
		 uint32_t *crc, uint16_t *sites)
{
	uint8_t buffer[64];
	uint32_t done = 0;

	*crc = 0;
	while (done < bytes) {
		uint32_t piece = bytes - done < sizeof(buffer) ? bytes - done : sizeof(buffer);

		dp_irq irq = dp_port_mask(); /* a hit may disarm between the read and the overlay */
		bool whole = dp_port_read(address + done, buffer, piece, 0) == piece;

		if (whole && original)
			overlay_originals(agent, address + done, buffer, piece);
		dp_port_unmask(irq);
		if (!whole)
			return false;
		*crc = dp_crc32(*crc, buffer, piece);
		done += piece;
	}
	if (sites)
		*sites = armed_within(agent, address, bytes);
	return true;
}
