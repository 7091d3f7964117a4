/* SPDX-License-Identifier: BSD-2-Clause */
/* The feature D in dp_poll: stop a program whose handler executed `stop`, as the request STOP does.
 */
#include "dp_build.h"
#include "dp_entries.h"
#include "dp_install.h"
#include "dp_store.h"
#include "dp_work.h"

#if DP_WITH_D
static void stop_due(struct dp_agent *agent)
{
	if (!agent->stop_due)
		return;
	if (!dp_work_begin(agent, DP_WORK_STOP)) {
		agent->poll_due =
			1; /* another thread is at work: the next poll stops the program */
		return;
	}
	agent->stop_due = 0; /* a hit may set it again */
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		const struct dp_program *program = dp_program_at(agent, i);

		if (dp_program_there(program) && program->stopped)
			dp_stop(agent, i);
	}
	dp_work_end(agent);
}

const struct dp_feature dp_feature_d = {.poll = stop_due};
#endif
