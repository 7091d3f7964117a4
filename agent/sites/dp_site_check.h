/* SPDX-License-Identifier: BSD-2-Clause */
/* The check that a site, its trap or comparator included, is intact. */
#ifndef DP_SITE_CHECK_H
#define DP_SITE_CHECK_H

#include "dp_build.h"
#include "dp_state.h"

/* End the probes of an armed site without its trap, each with a notice. The firmware's text
 * stays. dp_tables_check comes first. Interrupts are masked only when the trap is gone.
 * context: ANY. */
#if DP_WITH_INTEGRITY
void dp_site_check(struct dp_agent *agent, struct dp_site *site);
#else
static inline void dp_site_check(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
#endif

#endif
