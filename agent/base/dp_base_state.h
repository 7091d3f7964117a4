/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the floor base. */
#ifndef DP_BASE_STATE_H
#define DP_BASE_STATE_H

#include "dp_port.h"
#include "dp_watch.h"

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

#if DP_PORT_COMPARATORS > 0
/* Which comparators of a CPU are off. */
struct dp_hold {
	uint16_t off;    /* until the step of their access ends */
	uint16_t paused; /* what the port was told last */
	uint8_t held;    /* how many ask for all of them to be off */
};
#endif

#endif
