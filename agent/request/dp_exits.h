/* SPDX-License-Identifier: BSD-2-Clause */
/* The places of hooks follow the C exits that are armed, and the modules that come and go. */
#ifndef DP_EXITS_H
#define DP_EXITS_H

#include "dp_state.h"

/* The image has hooks. context: dp_init, with the board. */
#if DP_WITH_HOOKS
void dp_exits_start(struct dp_agent *agent);
#else
static inline void dp_exits_start(struct dp_agent *agent)
{
	(void)agent;
}
#endif

/* The module goes: its places lose their exits. context: ANY. */
#if DP_WITH_HOOKS && DP_WITH_MODULES
void dp_exits_leave(struct dp_agent *agent, const char *module);
#else
static inline void dp_exits_leave(struct dp_agent *agent, const char *module)
{
	(void)agent, (void)module;
}
#endif

#endif
