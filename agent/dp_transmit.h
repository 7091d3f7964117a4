/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines out. */
#ifndef DP_TRANSMIT_H
#define DP_TRANSMIT_H

#include "dp_state.h"

enum {
	DP_PUT_SPINS = 2000000, /* polls of a transmitter that takes nothing: then it is dead */
};

/* Send what fits, on each line at most as many characters as may_send says. wait: until everything
 * queued is out. returns: true while work is left. */
bool dp_transmit_pump(struct dp_agent *agent, bool wait);
/* Is a line half sent? */
static inline bool dp_transmit_under_way(const struct dp_wire *wire)
{
	return wire->sent < wire->out.used;
}
/* Send one character of the line under way, without waiting; interrupts masked. returns: false when
 * none was sent. */
bool dp_transmit_one(const struct dp_com *com, struct dp_wire *wire);
/* Wait until the line under way on com is out. returns: false when the transmitter is dead; the
 * rest of the line stays to be sent. */
bool dp_transmit_flush(struct dp_agent *agent, unsigned com);

#endif
