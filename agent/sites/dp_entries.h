/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the agent's tables by their index. */
#ifndef DP_ENTRIES_H
#define DP_ENTRIES_H

#include "dp_state.h"

/* Out of line, so that the caller's code works on short offsets. index: of an existing entry. */
struct dp_program *dp_program_at(struct dp_agent *agent, unsigned index);
/* Null for DP_NONE, the end of a chain. */
struct dp_site *dp_site_at(struct dp_agent *agent, unsigned index);
struct dp_probe *dp_probe_at(struct dp_agent *agent, unsigned index);

/* The next probe in the chain of the site, or null. */
static inline struct dp_probe *dp_probe_behind(struct dp_agent *agent, const struct dp_probe *probe)
{
	return dp_probe_at(agent, probe->next);
}

/* The index behind this one in a table of DP_MAX_PROBES entries, round and round. */
static inline unsigned dp_entry_behind(unsigned index)
{
	return index + 1 < DP_MAX_PROBES ? index + 1 : 0;
}

/* The same in the table of sites. */
static inline unsigned dp_site_behind(unsigned index)
{
	return index + 1 < DP_SITES ? index + 1 : 0;
}

#endif
