/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof of a board's key.  PROTOCOL.md 5.2, "Keys" */
#include "rights.h"

#include "dp_bytes.h"
#include "dp_siphash.h"

enum {
	FORM_OPEN = 0,
	FORM_SEALED = 1,
	OPEN_RIGHTS = DP_RIGHT_LOOK | DP_RIGHT_LOG, /* of an agent with the part SEAL */
	MESSAGE_BYTES = 8 + 4 + 1,
};

static bool has_part(const struct dp_hello_answer *target, unsigned part)
{
	return dp_hello_parts(target) >> part & 1;
}

/* The board has withheld the rights: with the part ACCESS, an answer to HELLO without any right
 * asks for a proof. */
static bool asks(const struct dp_hello_answer *target)
{
	return target->rights == 0 && has_part(target, DP_PART_ACCESS);
}

static bool fail_no_key(struct dp_session *session)
{
	dph_session_fail(session, DP_FAILED_AGENT,
			 "the board requires a key; name the file of the key with --key, or with "
			 "'key =' in dprobes.conf");
	dph_session_set_error(session, DP_ERR_NO_RIGHT);
	return false;
}

/* The answer to HELLO has no part SEAL, but the agent treats the session as one that has it. */
static bool fail_unsealed(struct dp_session *session)
{
	dph_session_fail(session, DP_FAILED_AGENT,
			 "the agent grants only LOOK and LOG to an unsealed session: somebody may "
			 "have changed its answer on the line");
	dph_session_set_error(session, DP_ERR_NO_RIGHT);
	return false;
}

bool dph_session_prove(struct dp_session *session, const uint8_t *key,
		       const struct dp_hello_request *hello, struct dp_hello_answer *target,
		       struct dph_sealed *sealed)
{
	const uint8_t form = has_part(target, DP_PART_SEAL) ? FORM_SEALED : FORM_OPEN;
	uint8_t message[MESSAGE_BYTES + 1] = {[MESSAGE_BYTES] = FORM_SEALED};
	struct dp_prove_request request = {.form = form};
	struct dp_prove_answer answer;
	struct dph_reply reply;

	if (!asks(target))
		return true;
	if (key == NULL)
		return fail_no_key(session);
	dp_put_u64(message, target->nonce);
	dp_put_u32(message + 8, hello->session);
	message[12] = hello->rights;
	request.proof = dp_siphash(key, message, MESSAGE_BYTES + form);
	if (!dph_request_ok(session, DP_CMD_PROVE, DPH_OF_CONST(prove_request, &request), &reply) ||
	    !dph_answer(session, &reply, DPH_OF(prove_answer, &answer)))
		return false;
	target->rights = answer.rights;
	if (form == FORM_SEALED)
		dph_sealed_begin(sealed, key, message, MESSAGE_BYTES + form);
	else if ((hello->rights & DP_RIGHT_INSERT) &&
		 answer.rights == (hello->rights & OPEN_RIGHTS))
		return fail_unsealed(session);
	return true;
}
