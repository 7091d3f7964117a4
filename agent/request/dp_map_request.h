/* SPDX-License-Identifier: BSD-2-Clause */
/* The request MAP: the feature D. */
#ifndef DP_MAP_REQUEST_H
#define DP_MAP_REQUEST_H

#include "dp_exchange.h"

enum dp_err dp_do_map(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

#endif
