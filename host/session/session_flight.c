/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions read and change the ring of the flight recorder, and ask for the programs of the
 * image. */
#include "pipeline.h"

#include "dp_flight_ring.h"

#include <stdlib.h>
#include <string.h>

enum {
	PIECE = 40,        /* bytes of the ring in an answer */
	RING_MAX = 1 << 20 /* of a ring */
};

static bool ask(struct dp_session *session, const struct dp_flight_request *request,
		struct dp_flight_answer *answer)
{
	struct dph_reply reply;

	return dp_session_has_part(session, DP_PART_FLIGHT) &&
	       dph_request_ok(session, DP_CMD_FLIGHT, DPH_OF_CONST(flight_request, request),
			      &reply) &&
	       dph_answer(session, &reply, DPH_OF(flight_answer, answer));
}

bool dp_session_flight(struct dp_session *session, enum dp_flight_how how,
		       struct dp_flight_answer *answer)
{
	const struct dp_flight_request request = {.how = (uint8_t)how, .at = UINT32_MAX};

	return ask(session, &request, answer);
}

struct reading {
	struct dp_session *session;
	struct dp_flight_ring *ring;
	uint32_t next;
};

static bool next_request(void *context, struct dph_request *request)
{
	struct reading *r = context;
	const struct dp_flight_request fields = {.how = DP_FLIGHT_READ, .at = r->next};

	if (r->next >= r->ring->size)
		return false;
	dph_request_set(request, DP_CMD_FLIGHT, DPH_OF_CONST(flight_request, &fields));
	request->tag = r->next;
	r->next += PIECE;
	return true;
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct reading *r = context;
	const uint32_t left = r->ring->size - request->tag;
	struct dp_flight_answer answer;

	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(r->session, request->command, reply->error);
	if (!dph_answer(r->session, reply, DPH_OF(flight_answer, &answer)))
		return false;
	if (answer.bytes.count < (left < PIECE ? left : PIECE) || answer.size != r->ring->size)
		return dph_session_fail(r->session, DP_FAILED_AGENT,
					"the agent answered fewer bytes of the flight recorder "
					"than the host has asked for");
	memcpy(r->ring->bytes + request->tag, answer.bytes.bytes, left < PIECE ? left : PIECE);
	if (dp_flight_before(r->ring->latest, answer.end) > 0)
		r->ring->latest = answer.end;
	return true;
}

bool dp_session_flight_read(struct dp_session *session, struct dp_flight_ring *ring)
{
	struct reading reading = {.session = session, .ring = ring};
	const struct dph_asker asker = {
		.context = &reading, .next = next_request, .answer = take_answer};
	struct dp_flight_answer answer;

	*ring = (struct dp_flight_ring){0};
	if (!dp_session_flight(session, DP_FLIGHT_READ, &answer))
		return false;
	if (answer.size > RING_MAX || (answer.size & (answer.size - 1)) != 0)
		return dph_session_fail(session, DP_FAILED_AGENT,
					"the agent answered a flight recorder of %u bytes, which "
					"is no size of one",
					answer.size);
	ring->size = answer.size;
	ring->boot = answer.boot;
	ring->state = answer.state;
	ring->end = ring->latest = answer.end;
	ring->bytes = malloc(answer.size + 1);
	if (ring->bytes == NULL)
		return dph_session_fail(session, DP_FAILED_AGENT, "out of memory");
	if (dph_ask(session, &asker))
		return true;
	free(ring->bytes);
	ring->bytes = NULL;
	return false;
}

bool dp_session_embedded(struct dp_session *session, struct dp_embed_answer *answer)
{
	struct dph_reply reply;

	*answer = (struct dp_embed_answer){0};
	if (!(dp_hello_parts(dp_session_target(session)) >> DP_PART_EMBED & 1))
		return true;
	return dph_request_ok(session, DP_CMD_EMBED, NULL, NULL, &reply) &&
	       dph_answer(session, &reply, DPH_OF(embed_answer, answer));
}
