/* SPDX-License-Identifier: BSD-2-Clause */
/* The check that a site, its trap included, is intact. */
#ifndef DP_SITE_CHECK_H
#define DP_SITE_CHECK_H

#include "dp_build.h"
#include "dp_state.h"

/* After dp_tables_check: end the probes of an armed site whose trap the firmware overwrote, each
 * with a notice; the text stays as found. context: interrupts masked. */
#if DP_WITH_INTEGRITY
void dp_site_check(struct dp_agent *agent, struct dp_site *site);
#else
static inline void dp_site_check(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
#endif

#endif
