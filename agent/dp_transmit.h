/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines out. */
#ifndef DP_TRANSMIT_H
#define DP_TRANSMIT_H

#include "dp_state.h"

/* Send what fits, on each line at most as many characters as may_send says. wait: until everything
 * queued is out. returns: true while work is left. */
bool dp_transmit_pump(struct dp_agent *agent, bool wait);
/* Send a character; waits for the transmitter. returns: false when the transmitter is dead. */
bool dp_transmit_put(const struct dp_com *com, uint8_t byte);
/* Wait until the line under way on com is out. returns: false when the transmitter is dead; the
 * rest of the line stays to be sent. */
bool dp_transmit_flush(struct dp_agent *agent, unsigned com);

#endif
