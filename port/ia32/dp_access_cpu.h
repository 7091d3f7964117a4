/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "dp_stretch.h"
#include "ia32_port.h"

static inline const struct dp_board *dp_access_board(void)
{
	return dp_ia32->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_ia32->recent[dp_this_cpu()];
}

static inline void dp_fault_status_get(struct dp_fault_status *status)
{
	__asm__ volatile("mov %%cr2, %0" : "=r"(status->cr2));
}

#endif
