/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines in and out. dp_rx (dp_agent.h) is the door for received bytes. */
#ifndef DP_WIRE_H
#define DP_WIRE_H

#include "dp_build.h"
#include "dp_state.h"

/* Is the target stopped? The agent then receives and sends by itself: halt.c. */
static inline bool dp_halted(const struct dp_agent *agent)
{
#if DP_WITH_HALT
	return agent && agent->halt.on;
#else
	(void)agent;
	return false;
#endif
}

/* --- in --- */

/* Do the bytes that come belong to a request? */
static inline bool dp_receives_request(const struct dp_wire *wire)
{
	return wire->damaged > 0 || wire->in.used > 1;
}

/* Answer a NAK to a request. context: of dp_rx or dp_poll, or a hit. */
void dp_receive_refuse(struct dp_agent *agent, struct dp_wire *wire, uint8_t seq);

/* No more comes of what is received. A marker that is held was text after all, and so were some
 * characters that may have begun a request where no session is open. A request is dropped. */
void dp_receive_end(struct dp_agent *agent, unsigned com);

/* End what is received after a time without a byte: 50 ms behind a marker, which a person may have
 * typed, and 2 s in a request. Bytes that the firmware has not read yet are in time: dp_poll reads
 * them before. Without a clock (STREAM) it ends with the bytes that come. */
#if DP_WITH_SHARED_LINE
void dp_end_held(struct dp_agent *agent);
#else
static inline void dp_end_held(struct dp_agent *agent)
{
	(void)agent;
}
#endif

void dp_wake_now(struct dp_agent *agent);

/* Call the board's wake because dp_poll has work, once between two calls of dp_poll.
 * context: dp_rx. A hit may stand in the middle of the kernel that wake calls. Hits therefore do
 * not wake: their records wait for the next dp_poll. */
static inline void dp_wake(struct dp_agent *agent)
{
	if (!agent->woken)
		dp_wake_now(agent);
}

/* --- out --- */

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
/* Call the board's console_ready for each writer that found no room, when a quarter of the queue is
 * free. context: dp_poll, interrupts open. returns: true when it was called, and text may wait. */
#if DP_WITH_SHARED_LINE
bool dp_console_tell_room(struct dp_agent *agent);
#else
static inline bool dp_console_tell_room(struct dp_agent *agent)
{
	(void)agent;
	return false;
}
#endif
/* Wait until the line under way on com is out. context: HIT. returns: false when the transmitter is
 * dead; the rest of the line stays to be sent. A dead transmitter is offered one character then,
 * until it takes one. */
bool dp_transmit_flush(struct dp_agent *agent, unsigned com);

#endif
