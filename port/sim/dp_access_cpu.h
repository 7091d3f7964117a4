/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of dp_access.h that dp_patch.c needs. */
#ifndef DP_ACCESS_CPU_H
#define DP_ACCESS_CPU_H

#include "dp_agent.h"

const struct dp_board *dp_access_board(void);

#endif
