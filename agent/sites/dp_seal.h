/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksum over the facts of a site that a hit uses without a check. */
#ifndef DP_SEAL_H
#define DP_SEAL_H

#include "dp_build.h"
#include "dp_state.h"

/* The checksum of a site covers the site, its slot and the probes of its chain: the members that
 * hits do not change, and `phases`. dp_site_settle updates the noted sum for `phases`.
 *
 * Between a change of a chain and the end of dp_site_seal the site has no seal that holds. Hits and
 * the requests they serve do not check the site so long. */
#if DP_WITH_INTEGRITY
/* Return whether the site still is as it was sealed. */
bool dp_site_sealed(struct dp_agent *agent, const struct dp_site *site);
/* The site is about to change. context: interrupts masked, for the change as well.
 * returns: the site that the interrupted context has unsealed, for dp_site_seal. */
static inline uint8_t dp_site_unseal(struct dp_agent *agent, const struct dp_site *site)
{
	uint8_t outer = agent->sealing;

	agent->sealing = (uint8_t)(site - agent->site);
	return outer;
}
/* The site is intact now: note its checksum. context: ANY; interrupts may be open.
 * outer: of dp_site_unseal; DP_NONE: no context is interrupted. */
void dp_site_seal(struct dp_agent *agent, struct dp_site *site, uint8_t outer);
#else
static inline uint8_t dp_site_unseal(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return DP_NONE;
}
static inline void dp_site_seal(struct dp_agent *agent, struct dp_site *site, uint8_t outer)
{
	(void)agent, (void)site, (void)outer;
}
#endif

#endif
