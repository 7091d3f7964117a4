/* SPDX-License-Identifier: BSD-2-Clause */
/* Arm and disarm the probes of modules that the firmware loads and unloads. */
#ifndef DP_MODULE_ARM_H
#define DP_MODULE_ARM_H

#include "dp_build.h"
#include "dp_state.h"

/* Arm the probes that wait for the module, or for any module that is there.
 * context: at work; dp_modules_arm: when the work is done. */
#if DP_WITH_MODULES
void dp_module_arm(struct dp_agent *agent, const struct dp_module *module);
void dp_modules_arm(struct dp_agent *agent);
#else
static inline void dp_modules_arm(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
