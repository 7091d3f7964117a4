/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of long work inside a request, after hits that may have served other requests. */
#include "dp_storm.h"

#include "dp_features.h"
#include "dp_store.h"

#if DP_WITH_STORM
void dp_command_close(struct dp_agent *agent)
{
	struct dp_answer *answer = &agent->link.last;

	dp_port_mask();
	/* hits' requests have used the answer; after a HELLO the answer is theirs */
	if (!agent->link.abandoned) {
		answer->bytes = 2;
		answer->payload[0] = agent->executing;
	}
	agent->executing = 0;
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++)
		if (agent->program[i].object && agent->program[i].gone)
			dp_store_remove(agent, i);
}

static void polled(struct dp_agent *agent)
{
	agent->hits_since_poll = 0;
}

const struct dp_feature dp_feature_storm = {.poll = polled};
#endif
