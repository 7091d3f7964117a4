/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines out. */
#ifndef DP_TRANSMIT_H
#define DP_TRANSMIT_H

#include "dp_state.h"

/* Polls until a transmitter that takes no byte is dead. A search makes them fewer. */
#ifndef DP_PUT_SPINS
#define DP_PUT_SPINS 2000000
#endif

/* Send the characters that fit, at most may_send of each line.
 * context: dp_poll.
 * returns: true while work is left. */
bool dp_transmit_pump(struct dp_agent *agent);
/* Send everything that waits for the line of the records; the other line is left alone.
 * context: HIT. */
void dp_transmit_records(struct dp_agent *agent);
/* Send what comes next, text of the firmware or the line under way, without waiting. Interrupts are
 * masked for one call of put or write. most: at most so many characters; 1: by put, as a hit does.
 * returns: how many went. */
unsigned dp_transmit_some(const struct dp_com *com, struct dp_wire *wire, unsigned most);
/* Wait until the line under way on com is out. context: HIT. returns: false when the transmitter is
 * dead; the rest of the line stays to be sent. A dead transmitter is offered one character then,
 * until it takes one. */
bool dp_transmit_flush(struct dp_agent *agent, unsigned com);

#endif
