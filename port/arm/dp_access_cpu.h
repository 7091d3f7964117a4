/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. Inline, and with aligned stretches, a
 * load takes 4 instructions less. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "arm_port.h"
#include "dp_stretch.h"

#define DP_ARM_CP15_GET(value, where) __asm__ volatile("mrc p15, 0, %0, " where : "=r"(value))

static inline const struct dp_board *dp_access_board(void)
{
	return dp_arm->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_arm->recent[dp_this_cpu()];
}

static inline void dp_fault_status_get(struct dp_fault_status *status)
{
	DP_ARM_CP15_GET(status->dfsr, "c5, c0, 0");
	DP_ARM_CP15_GET(status->dfar, "c6, c0, 0");
}

#endif
