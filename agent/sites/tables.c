/* SPDX-License-Identifier: BSD-2-Clause */
/* Disable all probes when the tables under the sum of a site have changed. */
#include "dp_site_check.h"

#include "dp_entries.h"
#include "dp_keep.h"
#include "dp_lock.h"
#include "dp_probes.h"
#include "dp_site_sum.h"
#include "dp_sites.h"
#include "dp_tell.h"
#include "dp_watches.h"

#if DP_WITH_INTEGRITY
/* Remove all traps, because no table is reliable. The keep area has address and original of the
 * bad site. Without a note in the keep area the bad site comes last, so that its address is not
 * taken for another site's trap. The notice reports a missing trap at that address. The buckets
 * are built again: an address may have changed since its site was linked. */
static void give_up(struct dp_agent *agent, struct dp_site *bad)
{
	uint32_t found;
	bool lost = false;

	dp_keep_recall(agent, bad);
	for (unsigned i = 0; i < DP_SITE_BUCKETS; i++)
		agent->bucket[i] = DP_NONE;
	dp_returned_clear(agent);
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_probe *probe = &agent->probe[i];

		probe->site = DP_NONE;
		probe->state = DP_PROBE_DAMAGED;
	}
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++)
		agent->program[i].damaged = 1;
	for (unsigned n = 0, i = (unsigned)(bad - agent->site); n < DP_SITES; n++) {
		struct dp_site *site = dp_site_at(agent, i = dp_site_behind(i));

		if (site->chain == DP_SITE_FREE && !site->armed)
			continue;
		lost = !dp_site_stands(agent, site, &found); /* the last is the bad one */
		site->chain = DP_NONE;
		dp_site_leave_exits(site);
		dp_site_drop_bare(agent, site);
		if (site->armed) { /* its trap cannot be removed */
			dp_site_link(agent, i);
			dp_site_sum_note(agent, site, agent->summing);
		}
	}
	dp_compare_end_all(agent); /* also those that no site names any more */
	DP_TELL(agent, DP_NOTICE_TABLES_DAMAGED, DP_WIDTHS_tables_damaged_notice, lost);
}

static bool is_whole(struct dp_agent *agent, const struct dp_site *site)
{
	return !site->armed || site - agent->site == agent->summing ||
	       dp_site_sum_holds(agent, site);
}

/* A hit may have changed the site while its sum was computed: look again before the end of all. */
bool dp_tables_check(struct dp_agent *agent, struct dp_site *site)
{
	bool whole = is_whole(agent, site);
	dp_irq irq;

	if (whole)
		return whole;
	irq = dp_lock_take();
	whole = is_whole(agent, site);
	if (!whole)
		give_up(agent, site);
	dp_lock_give(irq);
	return whole;
}
#endif
