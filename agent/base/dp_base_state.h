/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the floor base. */
#ifndef DP_BASE_STATE_H
#define DP_BASE_STATE_H

#include "dp_port.h"

enum {
	DP_NONE = 0xff /* no index */
};

#if DP_PORT_CPUS > 1
/* The lock: each CPU has its turn. lock.c */
struct dp_turns {
	uint32_t owner; /* number of the CPU + 1; 0: nobody */
	uint32_t depth;
	uint32_t tickets, turn;
};
#endif

#endif
