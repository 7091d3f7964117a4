/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of a watchpoint. */
#ifndef DP_WATCH_CHECK_H
#define DP_WATCH_CHECK_H

#include "dp_kind.h"

/* Find a comparator for the range, and prepare its site. `check` of struct dp_kind.
 * context: the request at work, or a thread at work on a module. */
enum dp_err dp_watch_check(struct dp_agent *agent, struct dp_spot *spot);

#endif
