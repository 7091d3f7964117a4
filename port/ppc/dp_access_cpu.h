/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. Inline, and with aligned stretches, a
 * load takes 12 instructions less. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "ppc_port.h"
#include "dp_stretch.h"

/* The registers that a TLB miss of e500 overwrites. */
void dp_ppc_mas_get(struct dp_fault_status *status);

static inline const struct dp_board *dp_access_board(void)
{
	return dp_ppc->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_ppc->recent[dp_this_cpu()];
}

static inline void dp_fault_status_get(struct dp_fault_status *status)
{
	DP_PPC_GET(status->address, DP_SPR_ADDRESS);
	DP_PPC_GET(status->syndrome, DP_SPR_SYNDROME);
	if (dp_ppc->mas > 0)
		dp_ppc_mas_get(status);
}

#endif
