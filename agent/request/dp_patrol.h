/* SPDX-License-Identifier: BSD-2-Clause */
/* The periodic check that traps and stored programs are intact. */
#ifndef DP_PATROL_H
#define DP_PATROL_H

#include "dp_state.h"

/* Check one site and a piece of one program. context: thread. */
void dp_patrol(struct dp_agent *agent);

#endif
