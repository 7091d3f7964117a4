/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and answers of a sealed session.  PROTOCOL.md 5.2, "The seal" */
#include "dp_sealed.h"

#include "dp_at_work.h"
#include "dp_bytes.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_wire.h"

#if DP_WITH_ACCESS
enum {
	DP_SEALED_HEAD = 7, /* count, type, sequence, bytes of payload */
	DP_SEAL_DIGITS = 8,
};

/* Leave the seal of a line in the agent's secret. */
static void compute(struct dp_agent *agent, uint32_t count, enum dp_frame_type type, uint8_t seq,
		    const uint8_t *payload, unsigned bytes)
{
	uint8_t message[DP_SEALED_HEAD + DP_PAYLOAD_MAX];

	dp_put_u32(message, count);
	message[4] = (uint8_t)type;
	message[5] = seq;
	message[6] = (uint8_t)bytes;
	dp_copy(message + DP_SEALED_HEAD, payload, bytes);
	dp_secret_hash(agent, NULL, message, DP_SEALED_HEAD + bytes);
}

/* --- the session key --- */

void dp_sealed_key(struct dp_agent *agent, uint8_t *message, unsigned bytes)
{
	for (uint8_t half = 0; half < 2; half++) {
		message[bytes] = 2 + half;
		dp_secret_hash(agent, agent->board->key, message, bytes + 1);
		dp_secret_keep(agent, half);
	}
}

/* --- requests --- */

/* The count of a line by its low bits: that of the highest request, or the next one above. */
static uint32_t count_of(const struct dp_link *link, uint8_t seq)
{
	return link->count + (uint8_t)(seq - link->count);
}

/* The seal is right. Let the count be the highest. returns: false when a hit has served a later
 * request meanwhile, or has ended the session. */
static bool take_count(struct dp_agent *agent, struct dp_request *request, uint32_t count)
{
	struct dp_link *link = &agent->link;
	dp_irq irq = dp_lock_take();
	bool good = dp_work_is_ours(agent) && link->sealed && count >= link->count;

	request->how = DP_REQUEST_SEALED;
	if (good && count > link->count) {
		link->count = count;
		link->last_valid = 0;
	} else {
		request->how |= DP_REQUEST_SPENT;
	}
	request->check = count;
	dp_lock_give(irq);
	return good;
}

/* A sealed session accepts PROVE alone with a CRC and SPENT: no other stored answer has a CRC. */
static bool is_right(struct dp_agent *agent, struct dp_request *request)
{
	const struct dp_link *link = &agent->link;
	uint32_t count = count_of(link, request->seq);

	if ((request->how & DP_REQUEST_BY) == DP_REQUEST_CHECKED &&
	    (!link->sealed || request->payload[0] == DP_CMD_HELLO ||
	     (request->how & DP_REQUEST_SPENT)))
		return true;
	if (!link->sealed || request->payload[0] == DP_CMD_HELLO)
		return false;
	compute(agent, count, DP_FRAME_REQUEST, request->seq, request->payload, request->bytes);
	return dp_secret_is(agent, 0, request->check, true) && take_count(agent, request, count);
}

bool dp_sealed_accept(struct dp_agent *agent, uint8_t com, struct dp_request *request)
{
	bool right = is_right(agent, request);

	if (!right && dp_work_is_ours(agent))
		dp_receive_refuse(agent, &agent->wire[com], request->seq);
	return right;
}

/* --- answers --- */

void dp_sealed_answer(struct dp_agent *agent, const struct dp_request *request,
		      struct dp_line *line)
{
	uint8_t payload[DP_PAYLOAD_MAX];
	unsigned bytes = (line->used - (unsigned)(DP_CONTROL_HEAD + DP_SEAL_DIGITS + 1)) / 2;

	if (!dp_sealed_known(request))
		return;
	for (unsigned i = 0; i < bytes; i++)
		payload[i] = (uint8_t)dp_hex_number(
			(const uint8_t *)line->text + DP_CONTROL_HEAD + 2 * i, 2);
	compute(agent, request->check, DP_FRAME_ANSWER, request->seq, payload, bytes);
	dp_digits_put(line->text + line->used - 1 - DP_SEAL_DIGITS, dp_secret_word(agent, 0),
		      DP_SEAL_DIGITS);
}
#endif
