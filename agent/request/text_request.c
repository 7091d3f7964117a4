/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for a checksum of the text: the feature TEXT. */
#include "dp_exchange.h"

#include "dp_fields.h"
#include "dp_sites.h"
#include "dp_text.h"

enum {
	DP_TEXT_BYTES_MAX = 65536, /* of a request */
	DP_PIECE_BYTES = 64        /* a checksum of fewer bytes would reveal the bytes */
};

/* May a session know the checksum? Whole pieces of a module's text, and the rest at the end of the
 * text. */
static bool is_of_text(const struct dp_agent *agent, dp_addr address, uint32_t bytes)
{
	for (unsigned i = 0; i < agent->module_count; i++) {
		const struct dp_module *m = &agent->module[i];
		dp_addr at = address - m->base, left = m->bytes - at;

		if (at <= m->bytes && bytes <= left && at % DP_PIECE_BYTES == 0 &&
		    (bytes % DP_PIECE_BYTES == 0 || bytes == left))
			return true;
	}
	return false;
}

static uint16_t armed_within(const struct dp_agent *agent, dp_addr address, uint32_t bytes)
{
	uint16_t sites = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (dp_site_in_text(&agent->site[i]) && agent->site[i].address - address < bytes)
			sites++;
	return sites;
}

enum dp_err dp_do_text(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const uint32_t *halves = &DP_ARG(ex, text, address);
	uint64_t address = (uint64_t)halves[0] << 32 | halves[1];
	uint32_t bytes = DP_ARG(ex, text, bytes), how = DP_ARG(ex, text, how);
	bool readable;

	(void)a;
	if (how > 1)
		return DP_ERR_BAD_REQUEST;
	if (bytes > DP_TEXT_BYTES_MAX || address != (dp_addr)address ||
	    !is_of_text(agent, (dp_addr)address, bytes))
		return DP_ERR_BAD_RANGE;
	readable = dp_text_crc((dp_addr)address, bytes, how == 1, &ex->n.text.crc);
	ex->n.text.sites = armed_within(agent, (dp_addr)address, bytes);
	return readable ? DP_ERR_OK : DP_ERR_BAD_RANGE;
}
