/* SPDX-License-Identifier: BSD-2-Clause */
/* Rights by the board's key.  PROTOCOL.md 5.2, "Keys" */
#include "dp_rights.h"

#include "dp_at_work.h"
#include "dp_crc.h"
#include "dp_fields.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_sealed.h"

#if DP_WITH_ACCESS
/* What a proof is made of, in the order of the wire. */
enum {
	DP_MESSAGE_BYTES = DP_NONCE_BYTES + DP_SESSION_BYTES,
	DP_FORM_OPEN = 0,   /* the check of lines stays the CRC */
	DP_FORM_SEALED = 1, /* PROVE's form: the byte behind the message */
	DP_OPEN_RIGHTS = DP_RIGHT_LOOK | DP_RIGHT_LOG, /* of a session that is not sealed */
};

/* --- the start --- */

/* The next number lowest byte first. */
static void count_up(uint8_t *number)
{
	for (unsigned i = 0; i < DP_NONCE_BYTES && ++number[i] == 0; i++)
		;
}

/* A number of the memory that keeps it serves one start: the next one is there before it is used.
 */
static bool take_seed(struct dp_agent *agent)
{
	const struct dp_board *board = agent->board;
	uint8_t seed[DP_NONCE_BYTES], next[DP_NONCE_BYTES], kept[DP_NONCE_BYTES];
	uint32_t half[2];

	if (!board->seed || !board->seed(seed, false))
		return false;
	dp_copy(next, seed, sizeof(next));
	count_up(next);
	dp_copy(kept, next, sizeof(kept));
	if (!board->seed(kept, true) || !board->seed(kept, false) ||
	    !dp_equal(kept, next, sizeof(kept)))
		return false;
	dp_secret_hash(agent, board->key, seed, sizeof(seed));
	half[0] = dp_secret_word(agent, 0);
	half[1] = dp_secret_word(agent, 1);
	dp_copy(agent->nonce, half, sizeof(half));
	return true;
}

enum dp_err dp_rights_start(struct dp_agent *agent, const struct dp_memory *memory)
{
	uint64_t nonce;

	dp_copy(agent->nonce, &agent->board->entropy, sizeof(agent->nonce));
	if (agent->board->entropy == 0 && dp_rights_asks(agent) && !take_seed(agent))
		return DP_ERR_NO_ENTROPY;
	dp_copy(&nonce, agent->nonce, sizeof(nonce));
	nonce += dp_crc32(0, memory->slots, memory->slot_bytes);
	dp_copy(agent->nonce, &nonce, sizeof(nonce));
	return DP_ERR_OK;
}

unsigned dp_rights_source(const struct dp_agent *agent)
{
	if (agent->board->entropy != 0)
		return DP_NONCE_GENERATOR;
	return dp_rights_asks(agent) ? DP_NONCE_SEED : DP_NONCE_NONE;
}

/* --- proofs --- */

void dp_rights_nonce(const struct dp_agent *agent, uint8_t *nonce)
{
	dp_copy(nonce, agent->nonce, DP_NONCE_BYTES);
	/* Any number will do that was none before. */
	if (agent->link.proof != DP_PROOF_NONE)
		count_up(nonce);
}

bool dp_rights_proof_waits(struct dp_agent *agent)
{
	struct dp_link *link = &agent->link;
	uint8_t before = link->proof;

	if (before == DP_PROOF_NONE && agent->executing == DP_CMD_PROVE)
		link->proof = DP_PROOF_CAME;
	for (struct dp_wire *wire = agent->wire; wire < agent->wire + DP_LINES; wire++)
		for (uint8_t at = wire->tail; at != wire->head && before == DP_PROOF_NONE; at++)
			if (wire->request[at % DP_RX_LINES].payload[0] == DP_CMD_PROVE)
				link->proof = DP_PROOF_CAME;
	return link->proof != before;
}

void dp_rights_begin(struct dp_agent *agent, const uint8_t *session, const uint8_t *nonce)
{
	struct dp_link *link = &agent->link;

	dp_copy_words(agent->nonce, nonce, DP_NONCE_BYTES);
	link->proof = DP_PROOF_NONE;
	link->sealed = 0;
	link->count = 0;
	dp_copy_words(link->session, session, sizeof(link->session));
}

void dp_rights_withhold(struct dp_agent *agent)
{
	agent->link.withheld = agent->link.rights;
	if (dp_rights_asks(agent))
		agent->link.rights = 0;
}

/* Is the proof right? Then the key of a session that it seals is made as well. */
static bool is_proof(struct dp_agent *agent, const uint32_t *proof, unsigned form)
{
	uint8_t message[DP_MESSAGE_BYTES + 2];
	bool right;

	dp_copy(message, agent->nonce, DP_NONCE_BYTES);
	dp_copy(message + DP_NONCE_BYTES, agent->link.session, DP_SESSION_BYTES);
	message[DP_MESSAGE_BYTES] = DP_FORM_SEALED;
	dp_secret_hash(agent, agent->board->key, message, DP_MESSAGE_BYTES + form);
	right = dp_secret_is(agent, proof[0], proof[1], false);
	if (right && form == DP_FORM_SEALED)
		dp_sealed_key(agent, message, DP_MESSAGE_BYTES + form);
	return right;
}

/* The session gets the rights that HELLO has asked for. */
static void grant(struct dp_agent *agent, unsigned form)
{
	struct dp_link *link = &agent->link;
	bool open = dp_rights_asks(agent) && form == DP_FORM_OPEN;

	link->proof = DP_PROOF_RIGHT;
	link->rights = link->withheld & (agent->locked ? DP_RIGHT_LOOK : 0xff);
	if (open && !agent->board->unsealed)
		link->rights &= DP_OPEN_RIGHTS;
	link->sealed = dp_rights_asks(agent) && form == DP_FORM_SEALED;
}

/* A proof comes: the nonce serves no other one, of this session or the next. A hit may prove while
 * dp_poll compares: who is done first decides. */
static enum dp_err begin_proof(struct dp_agent *agent)
{
	struct dp_link *link = &agent->link;
	enum dp_err error = DP_ERR_OK;
	dp_irq irq = dp_lock_take();

	if (!dp_work_is_ours(agent))
		error = DP_ERR_BUSY; /* the proof was for the session before */
	else if (link->proof == DP_PROOF_RIGHT)
		error = DP_ERR_BAD_REQUEST;
	else if (link->proof == DP_PROOF_WRONG)
		error = DP_ERR_WRONG_PROOF;
	else
		link->proof = DP_PROOF_CAME;
	if (dp_work_in_hit(agent))
		dp_work_disturb(agent); /* a HELLO at work has looked at the proof */
	dp_lock_give(irq);
	return error;
}

/* The request at work was accepted before the proof of this hit, and has no right of it. A HELLO
 * goes on: it ends the session. */
static void end_older(struct dp_agent *agent)
{
	if (dp_work_in_hit(agent) && dp_rights_asks(agent) && agent->executing < DP_WORK_MODULES &&
	    agent->executing != DP_CMD_HELLO)
		agent->link.abandoned = agent->executing;
}

/* One wrong proof ends the session's chance: a guess costs a HELLO and another nonce. A sealed
 * session stays sealed by the one key: its counts go on. */
enum dp_err dp_do_prove(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	struct dp_link *link = &agent->link;
	unsigned form = ex->rest_bytes > 0 ? ex->rest[0] : DP_FORM_OPEN;
	enum dp_err error = DP_ERR_OK;
	bool right = true;
	dp_irq irq;

	(void)a;
	if (form > DP_FORM_SEALED)
		return DP_ERR_BAD_REQUEST;
	if (dp_rights_asks(agent)) {
		error = begin_proof(agent);
		if (error != DP_ERR_OK)
			return error;
		right = is_proof(agent, &DP_ARG(ex, prove, proof), form);
	}
	irq = dp_lock_take();
	if (!dp_work_is_ours(agent)) {
		error = DP_ERR_BUSY;
	} else if (!right || link->proof == DP_PROOF_WRONG) {
		error = DP_ERR_WRONG_PROOF;
		link->proof = DP_PROOF_WRONG;
		link->withheld = link->rights = 0;
	} else {
		grant(agent, form);
		end_older(agent);
		ex->n.hello.rights = link->rights;
	}
	dp_lock_give(irq);
	return error;
}
#endif
