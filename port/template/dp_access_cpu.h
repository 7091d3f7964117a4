/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "dp_access.h"
#include "dp_agent.h"

static inline const struct dp_board *dp_access_board(void)
{
	return dp_template->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_template->recent[dp_this_cpu()];
}

/* Read the registers that an abort would overwrite. */
static inline void dp_fault_status_get(struct dp_fault_status *status)
{
	status->status = 0;
}

#endif
