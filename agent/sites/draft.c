/* SPDX-License-Identifier: BSD-2-Clause */
/* A site for an address that the agent itself wants, without a probe point. */
#include "dp_sites.h"

#include "dp_memory.h"
#include "dp_text.h"
#include "dp_watches.h"

#if DP_WITH_HALT || DP_WITH_HOOKS
enum dp_err dp_draft_prepare(const struct dp_agent *agent, struct dp_site *site, dp_addr address,
			     unsigned isa, unsigned phases, enum dp_refusal *why)
{
	enum dp_err error = dp_text_allowed(agent, address, 1);

	*why = DP_REFUSE_NOTHING;
	dp_clear(site, sizeof(*site));
	site->address = address;
	site->isa = isa & 0xfu;
	site->chain = DP_NONE;
	site->phases = (uint8_t)phases;
	dp_site_set_extent(site, 0, 0);
	if (error == DP_ERR_OK)
		error = dp_bounds_find(agent, site);
	if (error == DP_ERR_OK)
		error = dp_watches_fetch(site);
	if (error == DP_ERR_OK) /* only now is its length known */
		error = dp_text_allowed(agent, address, site->insn_bytes);
	return error == DP_ERR_OK ? dp_port_prepare(site, dp_text_original, why) : error;
}
#endif
