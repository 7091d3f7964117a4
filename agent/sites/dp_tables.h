/* SPDX-License-Identifier: BSD-2-Clause */
/* The check that the tables of a site still match their seal. */
#ifndef DP_TABLES_H
#define DP_TABLES_H

#include "dp_build.h"
#include "dp_state.h"

/* End every probe and program as damaged, restore the text and send a notice, when an armed site is
 * no longer as dp_site_seal noted it. Interrupts are masked only when it is not.
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

#endif
