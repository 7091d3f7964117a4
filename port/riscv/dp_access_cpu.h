/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of dp_access.h that each load of a hit calls. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "riscv_port.h"
#include "dp_stretch.h"

static inline const struct dp_board *dp_access_board(void)
{
	return dp_riscv->board;
}

static inline struct dp_stretch *dp_access_recent(void)
{
	return &dp_riscv->recent[dp_this_cpu()];
}

static inline void dp_fault_status_get(struct dp_fault_status *status)
{
	DP_RISCV_GET(status->mcause, DP_CSR_MCAUSE);
	DP_RISCV_GET(status->mtval, DP_CSR_MTVAL);
	DP_RISCV_GET(status->mepc, DP_CSR_MEPC);
	DP_RISCV_GET(status->mstatus, DP_CSR_MSTATUS);
}

#endif
