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

#if DP_WITH_STORM
/* Let hits serve requests by this function. */
static inline void dp_storm_serve_by(struct dp_agent *agent,
				     bool (*serve)(struct dp_agent *agent, bool in_hit))
{
	agent->serve = serve;
}

/* Count a hit. returns: are requests served from hits now? */
static inline bool dp_storm_hit(struct dp_agent *agent)
{
	return ++DP_THIS_CPU(agent)->hits_since_poll > DP_STORM_HITS;
}

/* Does a request that runs now run inside a hit? */
static inline bool dp_storm_serves(bool in_hit)
{
	return in_hit;
}

/* The storm ends. context: dp_poll, no other one is active. */
static inline void dp_storm_polled(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		agent->cpu[i].hits_since_poll = 0;
	dp_governor_polled(agent);
}
#else
static inline void dp_storm_serve_by(struct dp_agent *agent,
				     bool (*serve)(struct dp_agent *agent, bool in_hit))
{
	(void)agent, (void)serve;
}

static inline bool dp_storm_hit(struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline bool dp_storm_serves(bool in_hit)
{
	(void)in_hit;
	return false;
}

static inline void dp_storm_polled(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
