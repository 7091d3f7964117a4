/* SPDX-License-Identifier: BSD-2-Clause */
/* The works of a thread beside its requests, and the end of each work: dp_at_work.h. */
#ifndef DP_WORK_H
#define DP_WORK_H

#include "dp_at_work.h"
#include "dp_build.h"

/* End the work: free the entries that were removed during the work, and arm the modules that were
 * announced. */
void dp_work_end(struct dp_agent *agent);

/* --- modules that the firmware loads and unloads --- */

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

/* --- programs that the image carries --- */

#if DP_EMBED_BYTES > 0
/* Install the programs of the image, unless starts in a row have not reached dp_poll.
 * context: dp_init, behind all else. */
void dp_embed_arm(struct dp_agent *agent);
#else
static inline void dp_embed_arm(struct dp_agent *agent)
{
	(void)agent;
}
#endif

/* --- the periodic check that traps and stored programs are intact --- */

/* Check one site and a piece of one program. context: thread. */
void dp_patrol(struct dp_agent *agent);

#endif
