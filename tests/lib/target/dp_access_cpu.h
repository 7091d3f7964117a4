/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a port's dp_access_cpu.h, for test_access.c, which defines them. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "dp_access.h"
#include "dp_board.h"
#include "dp_stretch.h"

const struct dp_board *dp_access_board(void);
struct dp_stretch *dp_access_recent(void);
void dp_fault_status_get(struct dp_fault_status *status);

#endif
