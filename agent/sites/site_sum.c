/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksum over the tables that a hit uses without a check: sites, their slots, and the
 * definitions of probes. A site with a flipped bit must not run. `armed` and the buckets are not
 * covered: a trap without a site in the buckets is a stray trap. */
#include "dp_site_sum.h"

#include "dp_crc.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_watches.h"

#if DP_WITH_INTEGRITY
/* What stands in the place of the site's instruction: its slot, or the range of its comparator. */
static const void *slot_of(struct dp_agent *agent, const struct dp_site *site, size_t *bytes)
{
#if DP_PORT_COMPARATORS > 0
	if (dp_site_is_watch(agent, site)) {
		*bytes = offsetof(struct dp_watch, rests);
		return dp_watch_of(agent, site);
	}
#endif
	(void)agent;
	return dp_port_slot(site, bytes);
}

static uint32_t sum_comparator(struct dp_agent *agent, const struct dp_site *site, uint32_t crc)
{
#if DP_PORT_COMPARATORS > 0
	const struct dp_watch *watch = dp_compare_of(agent, site);

	return watch ? dp_crc32(crc, watch, offsetof(struct dp_watch, rests)) : ~crc;
#else
	(void)agent, (void)site;
	return crc;
#endif
}

/* The sum but for `phases`, which hits change. */
static uint16_t steady_sum(struct dp_agent *agent, const struct dp_site *site)
{
	size_t bytes;
	const void *slot = slot_of(agent, site, &bytes);
	uint32_t crc = dp_crc32(0, site, offsetof(struct dp_site, armed));
	unsigned number = site->chain;

	crc = dp_crc32(crc, &site->port, sizeof(site->port));
	crc = dp_crc32(crc, slot, bytes);
	if (dp_site_is_compared(site) && !dp_site_is_watch(agent, site))
		crc = sum_comparator(agent, site, crc);
	for (unsigned i = 0; i < DP_MAX_PROBES && number < DP_MAX_PROBES; i++) {
		const struct dp_probe *probe = dp_probe_at(agent, number);

		crc = dp_crc32(crc, probe, offsetof(struct dp_probe, state));
		number = probe->next;
	}
	return (uint16_t)(crc + number);
}

bool dp_site_sum_holds(struct dp_agent *agent, const struct dp_site *site)
{
	uint16_t steady = steady_sum(agent, site);

	return site->sum == (uint16_t)(steady + site->phases);
}

void dp_site_sum_note(struct dp_agent *agent, struct dp_site *site, uint8_t outer)
{
	uint8_t index = (uint8_t)(site - agent->site);
	uint16_t steady;
	dp_irq irq;

	agent->summing = index;
	steady = steady_sum(agent, site);
	irq = dp_lock_take();
	if (agent->summing == index) /* else a hit has changed the site, and noted its sum */
		site->sum = (uint16_t)(steady + site->phases);
	agent->summing = outer == index ? DP_NONE : outer;
	dp_lock_give(irq);
}
#endif
