/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksum over the facts of a site that a hit uses without a check. */
#ifndef DP_SITE_SUM_H
#define DP_SITE_SUM_H

#include "dp_build.h"
#include "dp_state.h"

/* The checksum of a site covers the site, its slot and the probes of its chain: the members that
 * hits do not change, and `phases`. dp_site_settle updates the noted sum for `phases`.
 *
 * Between a change of a chain and the end of dp_site_sum_note the site has no sum that holds. Hits
 * and the requests they serve do not check the site so long. */
#if DP_WITH_INTEGRITY
/* Return whether the site still is as its sum was noted. */
bool dp_site_sum_holds(struct dp_agent *agent, const struct dp_site *site);
/* The site is about to change. context: interrupts masked, for the change as well.
 * returns: the site that the interrupted context has begun to change, for dp_site_sum_note. */
static inline uint8_t dp_site_sum_begin(struct dp_agent *agent, const struct dp_site *site)
{
	uint8_t outer = agent->summing;

	agent->summing = (uint8_t)(site - agent->site);
	return outer;
}
/* The site is intact now: note its checksum. context: ANY; interrupts may be open.
 * outer: of dp_site_sum_begin; DP_NONE: no context is interrupted. */
void dp_site_sum_note(struct dp_agent *agent, struct dp_site *site, uint8_t outer);
#else
static inline uint8_t dp_site_sum_begin(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return DP_NONE;
}
static inline void dp_site_sum_note(struct dp_agent *agent, struct dp_site *site, uint8_t outer)
{
	(void)agent, (void)site, (void)outer;
}
#endif

#endif
