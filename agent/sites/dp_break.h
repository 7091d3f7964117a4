/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of a breakpoint. */
#ifndef DP_BREAK_H
#define DP_BREAK_H

#include "dp_kind.h"

/* Check the place and the instruction, and prepare the site. `check` of struct dp_kind.
 * context: the request at work, or a thread at work on a module. */
enum dp_err dp_break_check(struct dp_agent *agent, struct dp_spot *spot);

#endif
