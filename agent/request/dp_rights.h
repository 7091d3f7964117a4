/* SPDX-License-Identifier: BSD-2-Clause */
/* Rights by the board's key: the feature ACCESS. Without it, and on a board without a key, HELLO
 * grants the rights. */
#ifndef DP_RIGHTS_H
#define DP_RIGHTS_H

#include "dp_build.h"
#include "dp_exchange.h"
#include "dp_memory.h"
#include "dp_state.h"

#if DP_WITH_ACCESS
/* Does the board ask for a key? */
static inline bool dp_rights_asks(const struct dp_agent *agent)
{
	return agent->board->key != NULL;
}

/* Let the nonce be the random bits of this start. Returns NO_ENTROPY for a key without a source. */
enum dp_err dp_rights_start(struct dp_agent *agent, const struct dp_memory *memory);
static inline uint64_t dp_rights_entropy(const struct dp_agent *agent)
{
	uint64_t bits;

	dp_copy(&bits, agent->nonce, sizeof(bits));
	return bits;
}

/* Where they come from: enum dp_nonce_source. */
unsigned dp_rights_source(const struct dp_agent *agent);
/* The nonce of the session that a HELLO opens: after a proof another one than before. */
void dp_rights_nonce(const struct dp_agent *agent, uint8_t *nonce);
/* A HELLO empties the queues, and ends the work of dp_poll. Is there a proof, for which the nonce
 * was not used up yet? Then it is now. context: interrupts masked. */
bool dp_rights_proof_waits(struct dp_agent *agent);
/* A HELLO opens a session with that nonce. session: 5 bytes of the HELLO, session and rights in the
 * order of the wire, in whole words, as the nonce is. context: interrupts masked. */
void dp_rights_begin(struct dp_agent *agent, const uint8_t *session, const uint8_t *nonce);
/* Keep the rights that HELLO has granted until the proof. */
void dp_rights_withhold(struct dp_agent *agent);
/* The session has ended. */
static inline void dp_rights_end(struct dp_agent *agent)
{
	agent->link.withheld = 0;
}

enum dp_err dp_do_prove(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
#else
static inline bool dp_rights_asks(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline enum dp_err dp_rights_start(struct dp_agent *agent, const struct dp_memory *memory)
{
	(void)agent, (void)memory;
	return DP_ERR_OK;
}

static inline uint64_t dp_rights_entropy(const struct dp_agent *agent)
{
	return agent->board->entropy;
}

static inline void dp_rights_nonce(const struct dp_agent *agent, uint8_t *nonce)
{
	dp_copy(nonce, agent->nonce, DP_NONCE_BYTES);
}

static inline bool dp_rights_proof_waits(struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline void dp_rights_begin(struct dp_agent *agent, const uint8_t *session,
				   const uint8_t *nonce)
{
	(void)agent, (void)session, (void)nonce;
}

static inline void dp_rights_withhold(struct dp_agent *agent)
{
	(void)agent;
}

static inline void dp_rights_end(struct dp_agent *agent)
{
	(void)agent;
}
#endif

#endif
