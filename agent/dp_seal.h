/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksum over the facts of a site that a hit uses without a check. */
#ifndef DP_SEAL_H
#define DP_SEAL_H

#include "dp_build.h"
#include "dp_state.h"

/* Return the checksum of the site, its slot and the probes of its chain. The checksum covers the
 * members that hits do not change, and `phases`. dp_site_settle updates the noted sum for
 * `phases`. */
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
