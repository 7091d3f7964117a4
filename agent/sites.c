/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites by address: a hash, because the trap handler looks up on every hit. Changed only with
 * interrupts masked. */
#include "dp_core.h"
#include "dp_memory.h"

static unsigned bucket_of(dp_addr address)
{
	return (unsigned)((address >> 1) ^ (address >> 7)) % DP_MAX_PROBES;
}

_Static_assert((DP_MAX_PROBES & (DP_MAX_PROBES - 1)) == 0,
	       "a power of two: the bucket is found by masking, never by a division routine");

uint8_t dp_site_find(const struct dp_agent *agent, dp_addr address)
{
	uint8_t i = agent->bucket[bucket_of(address)];

	while (i != DP_NONE && agent->site[i].address != address)
		i = agent->site_next[i];
	return i;
}

uint8_t dp_site_take(struct dp_agent *agent, dp_addr address)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		if (agent->site_used[i])
			continue;
		unsigned b = bucket_of(address);

		dp_clear(&agent->site[i], sizeof(agent->site[i]));
		agent->site[i].address = address;
		agent->site[i].chain = DP_NONE;
		agent->site_used[i] = 1;
		agent->site_next[i] = agent->bucket[b];
		agent->bucket[b] = (uint8_t)i;
		return (uint8_t)i;
	}
	return DP_NONE;
}

void dp_site_drop(struct dp_agent *agent, uint8_t site)
{
	uint8_t *link = &agent->bucket[bucket_of(agent->site[site].address)];

	while (*link != site)
		link = &agent->site_next[*link];
	*link = agent->site_next[site];
	agent->site_used[site] = 0;
}

enum dp_err dp_site_arm(struct dp_agent *agent, uint8_t site)
{
	struct dp_site *s = &agent->site[site];
	enum dp_err error;

	if (s->armed)
		return DP_ERR_OK;
	dp_keep_note(agent, site, s);
	s->armed = 1;
	error = dp_port_arm(s);
	if (error != DP_ERR_OK) {
		s->armed = 0;
		dp_keep_forget(agent, site);
	}
	return error;
}

enum dp_err dp_site_disarm(struct dp_agent *agent, uint8_t site)
{
	struct dp_site *s = &agent->site[site];
	enum dp_err error;

	if (!s->armed)
		return DP_ERR_OK;
	error = dp_port_disarm(s);
	s->armed = 0;
	dp_keep_forget(agent, site);
	return error;
}

void dp_site_settle(struct dp_agent *agent, uint8_t site)
{
	for (uint8_t p = agent->site[site].chain; p != DP_NONE; p = agent->probe[p].next)
		if (agent->probe[p].state == DP_PROBE_ARMED)
			return;
	dp_site_disarm(agent, site);
}
