/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a thread's work: dp_at_work.h. */
#ifndef DP_WORK_H
#define DP_WORK_H

#include "dp_at_work.h"

/* The work is done: what was removed meanwhile leaves the tables, the modules that came are armed.
 */
void dp_work_end(struct dp_agent *agent);

#endif
