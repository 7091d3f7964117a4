/* SPDX-License-Identifier: BSD-2-Clause */
/* The owner of the session: the text that names a host. A second host learns the owner, and the
 * owner learns who takes the session. Without STREAM every HELLO opens a session. */
#ifndef DP_OWNER_H
#define DP_OWNER_H

#include "dp_build.h"
#include "dp_stream_line.h"

#if DP_WITH_STREAM
/* Check the request before its execution. A HELLO that the owner's session refuses is answered
 * with IN_USE, and is done. Before a HELLO that takes the session the owner's line gets the
 * notice.
 * wire: that the request came on; its buffer is empty.
 * context: thread or HIT, interrupts masked.
 * returns: true when the buffer has bytes to send before the next request. */
bool dp_owner_answers(struct dp_agent *agent, struct dp_wire *wire,
		      const struct dp_request *request);
/* Build the notice of a session that went to another line. returns: false when there is none. */
bool dp_owner_line(const struct dp_agent *agent, struct dp_wire *wire, struct dp_draft *draft);
/* A HELLO with that owner opens a session; CLOSE ends the session. */
void dp_owner_comes(struct dp_agent *agent, uint8_t com, const uint8_t *text, unsigned bytes);
static inline void dp_owner_goes(struct dp_agent *agent)
{
	agent->link.owner.bytes = 0;
}
#else
static inline bool dp_owner_answers(struct dp_agent *agent, struct dp_wire *wire,
				    const struct dp_request *request)
{
	(void)agent, (void)wire, (void)request;
	return false;
}

static inline bool dp_owner_line(const struct dp_agent *agent, struct dp_wire *wire,
				 struct dp_draft *draft)
{
	(void)agent, (void)wire, (void)draft;
	return false;
}

static inline void dp_owner_comes(struct dp_agent *agent, uint8_t com, const uint8_t *text,
				  unsigned bytes)
{
	(void)agent, (void)com, (void)text, (void)bytes;
}

static inline void dp_owner_goes(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
