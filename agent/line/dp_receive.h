/* SPDX-License-Identifier: BSD-2-Clause */
/* Held bytes of a line that is no request. dp_rx (dp_agent.h) is the door for received bytes. */
#ifndef DP_RECEIVE_H
#define DP_RECEIVE_H

#include "dp_state.h"

/* Give the held part of a line to the console: it was text after all. */
void dp_receive_flush(struct dp_agent *agent, unsigned com);

#endif
