/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for the board's rows of memory: a part of the feature CHECKS. */
#ifndef DP_RANGES_REQUEST_H
#define DP_RANGES_REQUEST_H

#include "dp_exchange.h"

enum dp_err dp_do_ranges(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

#endif
