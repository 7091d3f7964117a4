/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules that came while a request was at work. */
#ifndef DP_MODULES_H
#define DP_MODULES_H

#include "dp_build.h"
#include "dp_state.h"

/* Arm the probes that wait for a module that is there.
 * context: the request at work, when it is done. */
#if DP_WITH_MODULES
void dp_modules_arm(struct dp_agent *agent);
#else
static inline void dp_modules_arm(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
