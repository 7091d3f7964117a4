/* SPDX-License-Identifier: BSD-2-Clause */
/* Test whether an address is text and may be probed, and read the text without traps. */
#include "dp_text.h"

#include "dp_at_work.h"
#include "dp_lock.h"
#include "dp_sites.h"
#include "dp_watches.h"

enum {
	DP_FEW_SITES = 16, /* are all looked at */
	DP_FEW_BYTES = 4   /* a scan reads at once */
};

/* The board's access rights of the byte at the address: the first matching range wins. */
static unsigned access_at(const struct dp_board *board, dp_addr address)
{
	const struct dp_range *range = board->ranges, *end = range + board->range_count;

	for (; range < end; range++)
		if (address - range->start < range->bytes)
			return range->access;
	return 0;
}

/* Every byte of the instruction counts: a small no-probe row may cut a piece from the middle. */
enum dp_err dp_text_allowed(const struct dp_agent *agent, dp_addr address, unsigned bytes)
{
	for (; bytes > 0; bytes--, address++) {
		unsigned access = access_at(agent->board, address);

		if (access & DP_MEM_NO_PROBE)
			return DP_ERR_IN_AGENT;
		if (!(access & DP_MEM_TEXT))
			return DP_ERR_NOT_TEXT;
	}
	return DP_ERR_OK;
}

/* Put the original of an armed trap over bytes that were read. */
static void lay_original(const struct dp_site *site, dp_addr address, uint8_t *bytes,
			 unsigned count)
{
	dp_addr offset = site->address - address, last = site->insn_bytes - 1u;
	uint8_t original[DP_PORT_INSN_BYTES_MAX];

	if (!dp_site_in_text(site) || last >= sizeof(original) || /* damaged: tables.c */
	    offset + last >= count + last)                        /* no trap byte in the range */
		return;
	dp_port_insn_bytes(site, original);
	for (unsigned k = 0; k <= last; k++, offset++)
		if (offset < count)
			bytes[offset] = original[k];
}

/* A scan of a function reads few bytes very often: the table finds the few sites that can matter.
 * Of many bytes, and by a small agent, all sites are looked at. */
static void lay_originals(dp_addr address, uint8_t *bytes, unsigned count)
{
	struct dp_agent *agent = dp_the_agent;
	const struct dp_site *site = agent->site, *end = site + DP_MAX_PROBES;
	dp_addr at = address - (DP_PORT_INSN_BYTES_MAX - 1);

	if (DP_MAX_PROBES <= DP_FEW_SITES || count > DP_FEW_BYTES) {
		for (; site < end; site++)
			lay_original(site, address, bytes, count);
		return;
	}
	for (; at != address + count; at++) {
		site = dp_site_find(agent, at);
		if (site)
			lay_original(site, address, bytes, count);
	}
}

/* A hit that disarms a site between the two steps has noted it. */
bool dp_text_original(dp_addr address, uint8_t *bytes, unsigned count)
{
	uint32_t before;

	do {
		before = dp_work_changes(dp_the_agent);
		if (dp_watches_read(address, bytes, count) != count)
			return false;
		lay_originals(address, bytes, count);
	} while (dp_work_changes(dp_the_agent) != before);
	return true;
}
