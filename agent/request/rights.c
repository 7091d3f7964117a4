/* SPDX-License-Identifier: BSD-2-Clause */
/* Rights by the board's key.  PROTOCOL.md 5.2, "Keys" */
#include "dp_rights.h"

#include "dp_at_work.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_siphash.h"

#if DP_WITH_ACCESS
/* What a proof is made of, in the order of the wire. */
enum {
	DP_MESSAGE_BYTES = DP_NONCE_BYTES + DP_SESSION_BYTES
};

void dp_rights_nonce(const struct dp_agent *agent, uint8_t *nonce)
{
	dp_copy(nonce, agent->nonce, DP_NONCE_BYTES);
	/* Any number will do that was none before. */
	if (agent->link.proof != DP_PROOF_NONE)
		for (unsigned i = 0; i < DP_NONCE_BYTES && ++nonce[i] == 0; i++)
			;
}

void dp_rights_begin(struct dp_agent *agent, const uint8_t *session, const uint8_t *nonce)
{
	struct dp_link *link = &agent->link;

	dp_copy_words(agent->nonce, nonce, DP_NONCE_BYTES);
	link->proof = DP_PROOF_NONE;
	dp_copy_words(link->session, session, sizeof(link->session));
}

void dp_rights_withhold(struct dp_agent *agent)
{
	agent->link.withheld = agent->link.rights;
	if (dp_rights_asks(agent))
		agent->link.rights = 0;
}

/* Compare without a hint about the place of a difference. */
static bool is_proof(const struct dp_agent *agent, const uint8_t *proof)
{
	uint8_t message[DP_MESSAGE_BYTES], differs = 0;
	uint64_t right;

	dp_copy(message, agent->nonce, DP_NONCE_BYTES);
	dp_copy(message + DP_NONCE_BYTES, agent->link.session, DP_SESSION_BYTES);
	right = dp_siphash(agent->board->key, message, sizeof(message));
	for (unsigned i = DP_PROOF_BYTES; i-- > 0; right >>= 8)
		differs |= (uint8_t)right ^ proof[i];
	return differs == 0;
}

/* One wrong proof ends the session's chance: a guess costs a HELLO and another nonce. */
enum dp_err dp_do_prove(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	struct dp_link *link = &agent->link;
	bool right = !dp_rights_asks(agent) || is_proof(agent, ex->begin);
	enum dp_err error = DP_ERR_WRONG_PROOF;
	dp_irq irq = dp_lock_take();

	(void)a;
	if (dp_work_in_hit(agent))
		dp_work_disturb(agent); /* a HELLO at work has looked at the proof */
	if (!dp_work_in_hit(agent) && dp_work_abandoned(agent)) {
		error = DP_ERR_BUSY; /* the proof was for the session before */
	} else if (!right || link->proof == DP_PROOF_WRONG) {
		link->proof = DP_PROOF_WRONG;
		link->withheld = link->rights = 0;
	} else {
		link->proof = DP_PROOF_RIGHT;
		link->rights = link->withheld & (agent->locked ? DP_RIGHT_LOOK : 0xff);
		ex->n.hello.rights = link->rights;
		error = DP_ERR_OK;
	}
	dp_lock_give(irq);
	return error;
}
#endif
