/* SPDX-License-Identifier: BSD-2-Clause */
/* Disable the probes of a site without its trap or comparator, which the firmware overwrote. */
#include "dp_site_check.h"

#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_probes.h"
#include "dp_sites.h"
#include "dp_tell.h"
#include "dp_watches.h"

#if DP_WITH_INTEGRITY
/* End the probe. compared: the site's comparator is no longer on. */
static void lose(struct dp_agent *agent, const struct dp_site *site, struct dp_probe *probe,
		 bool compared, uint32_t found)
{
	unsigned number = (unsigned)(probe - agent->probe);

	if (compared) {
		probe->state = DP_PROBE_WATCH_LOST;
		DP_TELL(agent, DP_NOTICE_WATCH_LOST, DP_WIDTHS_watch_lost_notice, number,
			site->address);
		return;
	}
	probe->state = DP_PROBE_TEXT_CHANGED;
	DP_TELL(agent, DP_NOTICE_TEXT_CHANGED, DP_WIDTHS_text_changed_notice, number, site->address,
		found);
}

/* The firmware's text stays. context: interrupts masked. */
static void give_up(struct dp_agent *agent, struct dp_site *site, uint32_t found)
{
	bool compared = !dp_site_comparator_stands(agent, site);

	dp_site_leave_exits(site);
	dp_site_disarm(agent, site);
	while (site->chain < DP_MAX_PROBES) { /* the last one takes the site with it */
		struct dp_probe *probe = dp_probe_at(agent, site->chain);

		if (probe->state == DP_PROBE_ARMED)
			lose(agent, site, probe, compared, found);
		dp_probe_unchain(agent, probe);
	}
	if (site->chain == DP_NONE) /* the trap could not be removed until now */
		dp_site_drop_bare(agent, site);
}

static bool stands(struct dp_agent *agent, const struct dp_site *site, uint32_t *found)
{
	return !site->armed || dp_site_stands(agent, site, found);
}

void dp_site_check(struct dp_agent *agent, struct dp_site *site)
{
	uint32_t found;
	dp_irq irq;

	dp_tables_check(agent, site);
	if (stands(agent, site, &found))
		return;
	irq = dp_lock_take(); /* look again: a hit may have disarmed the site */
	if (!stands(agent, site, &found))
		give_up(agent, site, found);
	dp_lock_give(irq);
}
#endif
