/* SPDX-License-Identifier: BSD-2-Clause */
/* The feature INTEGRITY: the keep area at start, the patrol at each poll. */
#include "dp_build.h"
#include "dp_keep.h"
#include "dp_work.h"

static enum dp_err has_keep(const struct dp_memory *memory)
{
	return memory->keep && memory->keep_bytes >= DP_KEEP_BYTES ? DP_ERR_OK : DP_ERR_NO_SPACE;
}

static void restore(struct dp_agent *agent)
{
	agent->restored = dp_keep_restore(agent);
}

/* Where another thread is at work, the patrol waits for the next poll. */
static void patrol(struct dp_agent *agent)
{
	if (!dp_work_begin(agent, DP_WORK_PATROL))
		return;
	dp_patrol(agent);
	dp_work_end(agent);
}

const struct dp_feature dp_feature_integrity = {
	.accept = has_keep, .start = restore, .poll = patrol};
