/* SPDX-License-Identifier: BSD-2-Clause */
/* The owner of the session: the text that names a host. A second host learns the owner, and the
 * owner learns who takes the session. Without STREAM every HELLO opens a session. */
#ifndef DP_OWNER_H
#define DP_OWNER_H

#include "dp_build.h"
#include "dp_stream_line.h"

/* What a HELLO makes of the session. */
struct dp_opening {
	/* Copied by words. */
	_Alignas(4) uint8_t nonce[DP_NONCE_BYTES];
	_Alignas(4) uint8_t session[(DP_SESSION_BYTES + 3) & ~3];
	uint32_t seed;
#if DP_WITH_STREAM
	struct dp_owner owner;
	uint64_t now;
	bool another; /* than the owner so far */
#endif
};

#if DP_WITH_STREAM
/* Does the owner of the session, on the same line, have to learn first that this request takes the
 * session? */
bool dp_owner_must_tell(const struct dp_agent *agent, const struct dp_wire *wire,
			const struct dp_request *request);
/* Send that notice, built in the line; when something else was sent meanwhile, nothing. */
void dp_owner_tell(struct dp_agent *agent, struct dp_wire *wire, const struct dp_request *request,
		   struct dp_line *line);
/* Note when the owner spoke. */
void dp_owner_heard(struct dp_agent *agent, const struct dp_request *request);
/* Does another owner's session refuse this HELLO? Gives the fields of IN_USE then.
 * begin: of the HELLO's fields. */
bool dp_owner_refuses(const struct dp_agent *agent, const uint8_t *begin, struct dp_answer *a);
/* A HELLO opens a session: prepare its owner. text: names the host. */
void dp_owner_prepare(const struct dp_agent *agent, const uint8_t *begin, const uint8_t *text,
		      unsigned bytes, struct dp_opening *opening);
/* The prepared owner has the session. An owner on another line gets a notice. CLOSE ends the
 * session. context: interrupts masked. */
void dp_owner_comes(struct dp_agent *agent, uint8_t com, const struct dp_opening *opening);
static inline void dp_owner_goes(struct dp_agent *agent)
{
	agent->link.owner.bytes = 0;
}
/* Build the notice of a session that went to another line. returns: false when there is none. */
bool dp_owner_line(const struct dp_agent *agent, struct dp_wire *wire, struct dp_draft *draft);
#else
static inline bool dp_owner_must_tell(const struct dp_agent *agent, const struct dp_wire *wire,
				      const struct dp_request *request)
{
	(void)agent, (void)wire, (void)request;
	return false;
}

static inline void dp_owner_tell(struct dp_agent *agent, struct dp_wire *wire,
				 const struct dp_request *request, struct dp_line *line)
{
	(void)agent, (void)wire, (void)request, (void)line;
}

static inline void dp_owner_heard(struct dp_agent *agent, const struct dp_request *request)
{
	(void)agent, (void)request;
}

static inline bool dp_owner_refuses(const struct dp_agent *agent, const uint8_t *begin,
				    struct dp_answer *a)
{
	(void)agent, (void)begin, (void)a;
	return false;
}

static inline void dp_owner_prepare(const struct dp_agent *agent, const uint8_t *begin,
				    const uint8_t *text, unsigned bytes, struct dp_opening *opening)
{
	(void)agent, (void)begin, (void)text, (void)bytes, (void)opening;
}

static inline void dp_owner_comes(struct dp_agent *agent, uint8_t com,
				  const struct dp_opening *opening)
{
	(void)agent, (void)com, (void)opening;
}

static inline void dp_owner_goes(struct dp_agent *agent)
{
	(void)agent;
}

static inline bool dp_owner_line(const struct dp_agent *agent, struct dp_wire *wire,
				 struct dp_draft *draft)
{
	(void)agent, (void)wire, (void)draft;
	return false;
}
#endif

#endif
