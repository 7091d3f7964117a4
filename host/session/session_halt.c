/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions stop a target, read and write its registers, and let it go on. */
#include "pipeline.h"

#include "dp_bytes.h"

#include <string.h>

enum {
	BYTES_MAX = 52, /* of the registers of a request */
	WORD_MAX = 8
};

static unsigned word_of(struct dp_session *session)
{
	return dp_session_target(session)->word_bytes;
}

static uint64_t get_word(const uint8_t *bytes, unsigned count)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < count; i++)
		word = word << 8 | bytes[i];
	return word;
}

bool dp_session_halt(struct dp_session *session, uint16_t seconds, struct dp_halt_answer *answer)
{
	const struct dp_halt_request request = {.seconds = seconds};
	struct dph_reply reply;

	return dp_session_has_part(session, DP_PART_HALT) &&
	       dph_request_ok(session, DP_CMD_HALT, DPH_OF_CONST(halt_request, &request), &reply) &&
	       dph_answer(session, &reply, DPH_OF(halt_answer, answer));
}

bool dp_session_resume(struct dp_session *session)
{
	struct dph_reply reply;

	return dp_session_has_part(session, DP_PART_HALT) &&
	       dph_request_ok(session, DP_CMD_RESUME, NULL, NULL, &reply);
}

/* The part is its own failure: older agents with HALT do not step. */
bool dp_session_step(struct dp_session *session, const struct dp_step_request *request,
		     struct dp_step_answer *answer)
{
	struct dph_reply reply;
	bool cut;

	*answer = (struct dp_step_answer){0};
	if (!dp_session_has_part(session, DP_PART_STEP) ||
	    !dph_request(session, DP_CMD_STEP, DPH_OF_CONST(step_request, request), &reply))
		return false;
	dph_answer_part(&reply, DPH_OF(step_answer, answer), &cut);
	return reply.error == DP_ERR_OK || dph_session_refused(session, (enum dp_err)reply.error,
							       (enum dp_refusal)answer->refusal);
}

static bool ask(struct dp_session *session, const struct dp_regs_request *request,
		struct dp_regs_answer *answer)
{
	struct dph_reply reply;

	if (!dp_session_has_part(session, DP_PART_HALT) ||
	    !dph_request_ok(session, DP_CMD_REGS, DPH_OF_CONST(regs_request, request), &reply) ||
	    !dph_answer(session, &reply, DPH_OF(regs_answer, answer)))
		return false;
	if (answer->words.count < request->count * word_of(session))
		return dph_session_fail(
			session, DP_FAILED_AGENT,
			"the agent answered fewer registers than the host has asked for");
	return true;
}

bool dp_session_regs(struct dp_session *session, uint16_t first, size_t count,
		     struct dp_register *regs)
{
	const unsigned word = word_of(session);
	struct dp_regs_request request = {0};
	struct dp_regs_answer answer;

	for (size_t at = 0; at < count; at += request.count) {
		const size_t left = count - at, most = BYTES_MAX / word;

		request.first = (uint16_t)(first + at);
		request.count = (uint8_t)(left < most ? left : most);
		if (!ask(session, &request, &answer))
			return false;
		for (unsigned i = 0; i < request.count; i++)
			regs[at + i] = (struct dp_register){
				.there = !(answer.failed >> i & 1),
				.value = get_word(answer.words.bytes + i * word, word),
			};
	}
	return true;
}

bool dp_session_reg_write(struct dp_session *session, uint16_t number, uint64_t value)
{
	const unsigned word = word_of(session);
	struct dp_regs_request request = {.first = number, .count = 1};
	struct dp_regs_answer answer;
	uint8_t all[WORD_MAX];

	dp_put_u64(all, value);
	request.value.count = (uint8_t)word;
	memcpy(request.value.bytes, all + sizeof all - word, word);
	return ask(session, &request, &answer);
}
