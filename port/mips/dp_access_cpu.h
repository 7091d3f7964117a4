/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. Inline, and with aligned stretches, a
 * load takes 7 instructions less. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "mips_port.h"
#include "dp_stretch.h"

static inline const struct dp_board *dp_access_board(void)
{
	return dp_mips->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_mips->recent[dp_this_cpu()];
}

static inline void dp_fault_status_get(struct dp_fault_status *status)
{
	DP_MIPS_GET(status->badvaddr, DP_MIPS_BADVADDR);
	DP_MIPS_GET(status->context, DP_MIPS_CONTEXT);
	DP_MIPS_GET(status->entryhi, DP_MIPS_ENTRYHI);
}

#endif
