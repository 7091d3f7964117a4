/* SPDX-License-Identifier: BSD-2-Clause */
/* Storms end with the next dp_poll. */
#include "dp_storm.h"

#include "dp_build.h"
#include "dp_governor.h"

#if DP_WITH_STORM
static void polled(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		agent->cpu[i].hits_since_poll = 0;
	dp_governor_polled(agent);
}

const struct dp_feature dp_feature_storm = {.poll = polled};
#endif
