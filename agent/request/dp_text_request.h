/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for a checksum of the text: the feature TEXT. */
#ifndef DP_TEXT_REQUEST_H
#define DP_TEXT_REQUEST_H

#include "dp_exchange.h"

enum dp_err dp_do_text(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

#endif
