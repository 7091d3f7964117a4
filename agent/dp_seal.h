/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksum over what a hit believes of a site without checking it. */
#ifndef DP_SEAL_H
#define DP_SEAL_H

#include "dp_build.h"
#include "dp_state.h"

/* Checksum of the site, its slot and the probes of its chain: of what does not change by hits, and
 * of `phases`, in which dp_site_settle keeps the noted sum up to date. */
uint16_t dp_site_sum(struct dp_agent *agent, const struct dp_site *site);

/* The armed site is intact now: note its checksum. */
#if DP_WITH_INTEGRITY
void dp_site_seal(struct dp_agent *agent, struct dp_site *site);
#else
static inline void dp_site_seal(struct dp_agent *agent, struct dp_site *site)
{
	(void)agent, (void)site;
}
#endif

#endif
