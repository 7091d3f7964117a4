/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites by address: a hash, because the trap handler looks up on every hit. Changed only with
 * interrupts masked. */
#include "dp_core.h"
#include "dp_memory.h"

_Static_assert((DP_MAX_PROBES & (DP_MAX_PROBES - 1)) == 0,
	       "a power of two: the bucket is found by masking, never by a division routine");

struct dp_site *dp_site_at(struct dp_agent *agent, unsigned index)
{
	return &agent->site[index];
}

struct dp_program *dp_program_at(struct dp_agent *agent, unsigned index)
{
	return &agent->program[index];
}

struct dp_probe *dp_probe_at(struct dp_agent *agent, unsigned index)
{
	return index == DP_NONE ? NULL : &agent->probe[index];
}

uint8_t dp_site_find(const struct dp_agent *agent, dp_addr address)
{
	uint8_t i = agent->bucket[dp_site_bucket(address)];

	while (i != DP_NONE && agent->site[i].address != address)
		i = agent->site_next[i];
	return i;
}

void dp_site_link(struct dp_agent *agent, uint8_t site)
{
	uint8_t *first = &agent->bucket[dp_site_bucket(agent->site[site].address)];

	agent->site_next[site] = *first;
	*first = site;
}

uint8_t dp_site_take(struct dp_agent *agent, dp_addr address)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_site *site = &agent->site[i];

		if (site->chain != DP_SITE_FREE)
			continue;
		dp_clear(site, sizeof(*site));
		site->address = address;
		site->chain = DP_NONE;
		dp_site_link(agent, (uint8_t)i);
		return (uint8_t)i;
	}
	return DP_NONE;
}

void dp_site_drop(struct dp_agent *agent, uint8_t site)
{
	uint8_t *link = &agent->bucket[dp_site_bucket(agent->site[site].address)];

	while (*link != site && *link != DP_NONE)
		link = &agent->site_next[*link];
	if (*link == site)
		*link = agent->site_next[site];
	agent->site[site].chain = DP_SITE_FREE;
}

static void note(struct dp_agent *agent, uint8_t site)
{
	if (DP_WITH_RESTART)
		dp_keep_note(agent, site);
}

enum dp_err dp_site_arm(struct dp_agent *agent, uint8_t site)
{
	struct dp_site *s = dp_site_at(agent, site);
	enum dp_err error = DP_ERR_OK;

	if (DP_WITH_TABLES)
		dp_site_seal(agent, site);
	if (s->armed)
		return error;
	s->armed = 1;
	note(agent, site);
	error = dp_port_arm(s);
	if (error != DP_ERR_OK) {
		s->armed = 0;
		note(agent, site);
	}
	return error;
}

void dp_site_disarm(struct dp_agent *agent, uint8_t site)
{
	struct dp_site *s = dp_site_at(agent, site);

	if (!s->armed)
		return;
	if (dp_port_disarm(s) == DP_ERR_NOT_PATCHABLE)
		return; /* the trap is still there, so it must be found and stepped */
	s->armed = 0;
	note(agent, site);
}

bool dp_site_stuck(const struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->site[i].chain == DP_NONE && agent->site[i].armed)
			return true;
	return false;
}

void dp_site_settle(struct dp_agent *agent, uint8_t site)
{
	struct dp_site *s = dp_site_at(agent, site);
	const struct dp_probe *p;
	unsigned phases = 0;

	DP_NEAR(s);
	for (p = dp_probe_at(agent, s->chain); p; p = dp_probe_at(agent, p->next))
		if (p->state == DP_PROBE_ARMED)
			phases |= DP_WITH_PHASES ? 1u << p->phase : 1;
	if (DP_WITH_TABLES) /* what was damaged stays so: the sum is not made anew */
		s->sum = (uint16_t)(s->sum + phases - s->phases);
	s->phases = (uint8_t)phases;
	if (phases == 0)
		dp_site_disarm(agent, site);
}
