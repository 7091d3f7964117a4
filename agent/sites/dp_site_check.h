/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks that an armed site is intact: its tables match their sum, and its trap or comparator
 * is there. */
#ifndef DP_SITE_CHECK_H
#define DP_SITE_CHECK_H

#include "dp_build.h"
#include "dp_state.h"

/* End every probe and program as damaged, restore the text and send a notice, when an armed site is
 * no longer as dp_site_sum_note noted it. Interrupts are masked only when it is not.
 * returns: false then. context: ANY. */
#if DP_WITH_INTEGRITY
bool dp_tables_check(struct dp_agent *agent, struct dp_site *site);

/* Was the probe damaged while its site was checked? */
static inline bool dp_probe_damaged(const struct dp_probe *probe)
{
	return probe->state == DP_PROBE_DAMAGED;
}
#else
static inline bool dp_tables_check(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return true;
}

static inline bool dp_probe_damaged(const struct dp_probe *probe)
{
	(void)probe;
	return false;
}
#endif

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
