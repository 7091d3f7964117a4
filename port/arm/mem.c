/* SPDX-License-Identifier: BSD-2-Clause */
/* This file saves and restores the registers that a caught abort overwrites, for a probed abort
 * handler. */
#include "dp_access_cpu.h"

#define DP_CP15_WRITE(value, where) __asm__ volatile("mcr p15, 0, %0, " where ::"r"(value))

void dp_fault_status_put(const struct dp_fault_status *status)
{
	DP_CP15_WRITE(status->dfsr, "c5, c0, 0");
	DP_CP15_WRITE(status->dfar, "c6, c0, 0");
}
