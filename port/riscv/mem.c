/* SPDX-License-Identifier: BSD-2-Clause */
/* This file restores the registers that a caught fault overwrites. */
#include "dp_access_cpu.h"

void dp_fault_status_put(const struct dp_fault_status *status)
{
	const dp_word of_fault = DP_STATUS_MPP | DP_STATUS_MPIE;
	dp_word mstatus;

	DP_RISCV_PUT(status->mcause, DP_CSR_MCAUSE);
	DP_RISCV_PUT(status->mtval, DP_CSR_MTVAL);
	DP_RISCV_PUT(status->mepc, DP_CSR_MEPC);
	DP_RISCV_GET(mstatus, DP_CSR_MSTATUS);
	mstatus = (mstatus & ~of_fault) | (status->mstatus & of_fault);
	DP_RISCV_PUT(mstatus, DP_CSR_MSTATUS);
}
