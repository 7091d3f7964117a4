/* SPDX-License-Identifier: BSD-2-Clause */
/* The request for records that the line has lost. */
#ifndef DP_RESEND_H
#define DP_RESEND_H

#include "dp_exchange.h"

enum dp_err dp_do_resend(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

#endif
