/* SPDX-License-Identifier: BSD-2-Clause */
/* This file saves and restores the registers that a caught abort overwrites, for a probed abort
 * handler. */
#include "arm_port.h"

#define CP15_READ(value, where)  __asm__ volatile("mrc p15, 0, %0, " where : "=r"(value))
#define CP15_WRITE(value, where) __asm__ volatile("mcr p15, 0, %0, " where ::"r"(value))

const struct dp_board *dp_access_board(void)
{
	return dp_arm->board;
}

struct dp_stretch *dp_access_recent(void)
{
	return &dp_arm->recent[dp_this_cpu()];
}

void dp_fault_status_get(struct dp_fault_status *status)
{
	CP15_READ(status->dfsr, "c5, c0, 0");
	CP15_READ(status->dfar, "c6, c0, 0");
}

void dp_fault_status_put(const struct dp_fault_status *status)
{
	CP15_WRITE(status->dfsr, "c5, c0, 0");
	CP15_WRITE(status->dfar, "c6, c0, 0");
}
