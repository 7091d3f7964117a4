/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof of a board's key.  PROTOCOL.md 5.2, "Keys" */
#include "rights.h"

#include "dp_bytes.h"
#include "dp_siphash.h"

/* The board has withheld the rights: with the part ACCESS, an answer to HELLO without any right
 * asks for a proof. */
static bool asks(const struct dp_hello_answer *target)
{
	return target->rights == 0 && (dp_hello_parts(target) >> DP_PART_ACCESS & 1);
}

bool dph_session_prove(struct dp_session *session, const uint8_t *key,
		       const struct dp_hello_request *hello, struct dp_hello_answer *target)
{
	uint8_t message[8 + 4 + 1];
	struct dp_prove_request request;
	struct dp_prove_answer answer;
	struct dph_reply reply;

	if (!asks(target))
		return true;
	if (key == NULL) {
		dph_session_fail(session, DP_FAILED_AGENT,
				 "the board requires a key; name the file of the key with --key, "
				 "or with 'key =' in dprobes.conf");
		dph_session_set_error(session, DP_ERR_NO_RIGHT);
		return false;
	}
	dp_put_u64(message, target->nonce);
	dp_put_u32(message + 8, hello->session);
	message[12] = hello->rights;
	request.proof = dp_siphash(key, message, sizeof message);
	if (!dph_request_ok(session, DP_CMD_PROVE, DPH_OF_CONST(prove_request, &request), &reply) ||
	    !dph_answer(session, &reply, DPH_OF(prove_answer, &answer)))
		return false;
	target->rights = answer.rights;
	return true;
}
