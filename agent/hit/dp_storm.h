/* SPDX-License-Identifier: BSD-2-Clause */
/* A storm of hits, which keeps dp_poll from running: requests are then served inside hits, also
 * while another request is at long work. */
#ifndef DP_STORM_H
#define DP_STORM_H

#include "dp_build.h"
#include "dp_governor.h"
#include "dp_state.h"

enum {
	DP_STORM_HITS = 2000 /* without a dp_poll, after which requests are served from hits */
};

/* Let hits serve requests by this function: in a storm, and where the target is stopped. */
static inline void dp_storm_serve_by(struct dp_agent *agent,
				     bool (*serve)(struct dp_agent *agent, bool in_hit))
{
	if (DP_HITS_SERVE)
		agent->serve = serve;
}

/* Does a request that runs now run inside a hit? */
static inline bool dp_storm_serves(bool in_hit)
{
	return DP_HITS_SERVE && in_hit;
}

#if DP_WITH_STORM
/* Count a hit. returns: are requests served from hits now? */
static inline bool dp_storm_hit(struct dp_agent *agent)
{
	return ++DP_THIS_CPU(agent)->hits_since_poll > DP_STORM_HITS;
}

/* The storm ends. context: dp_poll, no other one is active. */
static inline void dp_storm_polled(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		agent->cpu[i].hits_since_poll = 0;
	dp_governor_polled(agent);
}
#else
static inline bool dp_storm_hit(struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline void dp_storm_polled(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
