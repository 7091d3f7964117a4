/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "cortexm_port.h"
#include "dp_stretch.h"

static inline const struct dp_board *dp_access_board(void)
{
	return dp_cortexm->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_cortexm->recent[dp_this_cpu()];
}

static inline void dp_fault_status_get(struct dp_fault_status *status)
{
#if DP_CORTEXM_HAS_FAULTS
	status->cfsr = DP_SCS(CFSR);
	status->hfsr = DP_SCS(HFSR);
	status->mmfar = DP_SCS(MMFAR);
	status->bfar = DP_SCS(BFAR);
#else
	status->cfsr = 0;
#endif
}

#endif
