/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a sealed session: a hash under the session key in place of the check. The feature
 * ACCESS.  PROTOCOL.md 5.2 */
#ifndef DP_SEALED_H
#define DP_SEALED_H

#include "dp_build.h"
#include "dp_state.h"

#if DP_WITH_ACCESS
/* --- SipHash-2-4 in memory that no program reads: of a secret no register and no stack has a part
 * when a hit comes: secret.c --- */

/* Compute the hash of a message. It stays in the agent's secret until the next one in the same
 * context. key: 16 bytes; null: the session key.
 * context: dp_poll, or masked in a hit: each has a state of its own. */
void dp_secret_hash(struct dp_agent *agent, const uint8_t *key, const uint8_t *message,
		    unsigned bytes);
/* Is that hash this number? The time does not depend on the numbers. low_only: compare the low 32
 * bits. */
bool dp_secret_is(struct dp_agent *agent, uint32_t high, uint32_t low, bool low_only);
/* Return the low (0) or high (1) 32 bits of that hash, which are a secret no longer. */
uint32_t dp_secret_word(struct dp_agent *agent, unsigned half);
/* Let that hash be a half of the session key, unless a hit has ended the session of the request. */
void dp_secret_keep(struct dp_agent *agent, unsigned half);

/* --- lines --- */

/* A proof was right: make the session key, and seal the session from the answer on. message: what
 * the proof is made of, and room for one byte more.
 * context: the request PROVE. */
void dp_sealed_key(struct dp_agent *agent, uint8_t *message, unsigned bytes);

/* May the request be executed, or its stored answer be sent? False: nothing acts on it, and its
 * line gets a NAK. A sealed request that was executed before is SPENT then.
 * request: a repeat of the last executed one that has a CRC is SPENT already.
 * context: dp_poll, or masked in a hit; the request has left its queue. */
bool dp_sealed_accept(struct dp_agent *agent, uint8_t com, struct dp_request *request);
/* Seal the answer to a sealed request. line: with its check. */
void dp_sealed_answer(struct dp_agent *agent, const struct dp_request *request,
		      struct dp_line *line);

/* Does the request's count name it, on both lines? */
static inline bool dp_sealed_known(const struct dp_request *request)
{
	return (request->how & DP_REQUEST_BY) == DP_REQUEST_SEALED;
}

/* Has a hit answered a later request of the sealed session? */
static inline bool dp_sealed_overtaken(const struct dp_link *link, const struct dp_request *request)
{
	return dp_sealed_known(request) && request->check != link->count;
}
#else
static inline bool dp_sealed_accept(struct dp_agent *agent, uint8_t com, struct dp_request *request)
{
	(void)agent, (void)com, (void)request;
	return true;
}

static inline void dp_sealed_answer(struct dp_agent *agent, const struct dp_request *request,
				    struct dp_line *line)
{
	(void)agent, (void)request, (void)line;
}

static inline bool dp_sealed_known(const struct dp_request *request)
{
	(void)request;
	return false;
}

static inline bool dp_sealed_overtaken(const struct dp_link *link, const struct dp_request *request)
{
	(void)link, (void)request;
	return false;
}
#endif

#endif
