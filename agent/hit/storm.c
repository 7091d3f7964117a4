/* SPDX-License-Identifier: BSD-2-Clause */
/* Storms end with the next dp_poll. */
#include "dp_storm.h"

#include "dp_build.h"

#if DP_WITH_STORM
static void polled(struct dp_agent *agent)
{
	dp_storm_polled(agent);
}

const struct dp_feature dp_feature_storm = {.poll = polled};
#endif
