/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a thread's work: dp_at_work.h. */
#ifndef DP_WORK_H
#define DP_WORK_H

#include "dp_at_work.h"

/* End the work: free the entries that were removed during the work, and arm the modules that were
 * announced. */
void dp_work_end(struct dp_agent *agent);

#endif
