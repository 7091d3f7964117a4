/* SPDX-License-Identifier: BSD-2-Clause */
/* What a hit believes without looking again: sites, their slots, and what probes are. A bit that
 * flips there must not run. Not looked at: `armed`, and the buckets; a trap whose site is not found
 * through them is a stray one. */
#include "dp_core.h"
#include "dp_crc.h"

static uint16_t sum_of(struct dp_agent *agent, const struct dp_site *site)
{
	size_t bytes;
	const void *slot = dp_port_slot(site, &bytes);
	uint32_t crc = dp_crc32(0, site, offsetof(struct dp_site, armed));
	unsigned number = site->chain;

	crc = dp_crc32(crc, &site->port, sizeof(site->port));
	crc = dp_crc32(crc, slot, bytes);
	for (unsigned i = 0; i < DP_MAX_PROBES && number < DP_MAX_PROBES; i++) {
		const struct dp_probe *probe = dp_probe_at(agent, number);

		crc = dp_crc32(crc, probe, offsetof(struct dp_probe, state));
		number = DP_WITH_CHAINS ? probe->next : DP_NONE;
	}
	return (uint16_t)(crc + number + site->phases); /* dp_site_settle counts on this */
}

void dp_site_seal(struct dp_agent *agent, struct dp_site *site)
{
	site->sum = sum_of(agent, site);
}

/* No table can be believed any more: traps out, by what the keep area says of the bad one. Where it
 * says nothing the bad one comes last, so that it is not taken for another's trap; the notice tells
 * when there is no trap at its address. The buckets are made anew: an address may have changed
 * since its site was linked. */
static void give_up(struct dp_agent *agent, struct dp_site *bad)
{
	uint32_t found;
	bool lost = false;

	if (DP_WITH_RESTART)
		dp_keep_recall(agent, bad);
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		agent->bucket[i] = DP_NONE;
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_probe *probe = &agent->probe[i];

		probe->site = DP_NONE;
		probe->state = DP_PROBE_DAMAGED;
	}
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++)
		agent->program[i].damaged = 1;
	for (unsigned n = 1; n <= DP_MAX_PROBES; n++) {
		unsigned i = ((unsigned)(bad - agent->site) + n) & (DP_MAX_PROBES - 1);
		struct dp_site *site = dp_site_at(agent, i);

		if (site->chain == DP_SITE_FREE && !site->armed)
			continue;
		lost = !dp_port_is_armed(site, &found); /* the last is the bad one */
		site->chain = DP_NONE;
		dp_site_drop_bare(agent, site);
		if (site->armed) { /* its trap cannot be taken out */
			dp_site_link(agent, i);
			dp_site_seal(agent, site);
		}
	}
	dp_notice(agent, DP_NOTICE_TABLES_DAMAGED, DP_WIDTHS(1), lost);
}

void dp_tables_check(struct dp_agent *agent, struct dp_site *site)
{
	if (site->armed && site->sum != sum_of(agent, site))
		give_up(agent, site);
}
