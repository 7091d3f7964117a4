/* SPDX-License-Identifier: BSD-2-Clause */
/* Who has the session, and what another host and the owner are told.  PROTOCOL.md section 5 */
#include "dp_owner.h"

#include "dp_answer.h"
#include "dp_bytes.h"
#include "dp_clock.h"
#include "dp_crc.h"
#include "dp_fields.h"
#include "dp_memory.h"
#include "dp_stream_line.h"

#if DP_WITH_STREAM
enum {
	IDLE_MAX = 60, /* seconds: more are told as so many */
	IDLE_UNKNOWN = 0xffff,
	/* of HELLO, behind the command */
	AT_VERSION = 1,
	AT_SESSION = 2,
	AT_RIGHTS = 6,
	AT_OWNER = 7
};

static void set_owner(struct dp_owner *owner, const uint8_t *text, unsigned bytes)
{
	owner->bytes = (uint8_t)(bytes < DP_OWNER_MAX ? bytes : DP_OWNER_MAX);
	dp_copy(owner->text, text, owner->bytes);
}

/* A HELLO of this version that would end the session of another host. */
static bool is_another(const struct dp_agent *agent, const struct dp_request *request)
{
	const uint8_t *payload = request->payload;

	if (payload[0] != DP_CMD_HELLO || request->bytes < AT_OWNER ||
	    payload[AT_VERSION] != DP_PROTOCOL_VERSION || dp_get_u32(payload + AT_SESSION) == 0)
		return false;
	return agent->link.owner.bytes > 0 &&
	       dp_crc32(dp_crc32(0, payload + AT_VERSION, 5), agent->nonce, DP_NONCE_BYTES) !=
		       agent->link.seed;
}

static uint16_t idle_seconds(const struct dp_agent *agent)
{
	uint64_t left = dp_now(agent) - agent->link.heard_at;
	uint32_t hz = dp_tick_hz(agent);
	uint16_t idle = 0;

	if (hz == 0)
		return IDLE_UNKNOWN;
	for (; idle < IDLE_MAX && left >= hz; idle++) /* no division of 64 bits */
		left -= hz;
	return idle;
}

/* Not stored: the answer to the owner's last request stays the stored one. */
static void answer_in_use(struct dp_agent *agent, struct dp_wire *wire,
			  const struct dp_request *request)
{
	const struct dp_owner *owner = &agent->link.owner;
	struct dp_line *line = dp_line_now(wire);
	struct dp_answer a;
	uint16_t idle = idle_seconds(agent);

	a.bytes = 2;
	a.payload[0] = DP_CMD_HELLO;
	a.payload[1] = DP_ERR_IN_USE;
	dp_give_number(&a, &idle, sizeof(idle));
	dp_give_bytes(&a, owner->text, owner->bytes);
	line->used = (uint8_t)dp_frame_put_control(line->text, DP_FRAME_ANSWER, request->seq,
						   a.payload, a.bytes, DP_HELLO_SEED);
	dp_line_start(wire, line);
}

/* The notice has the number of the next one and takes none: the session ends with it. */
static void tell_taken(struct dp_draft *draft, const struct dp_owner *by)
{
	struct dp_line *line =
		dp_stream_begin(draft, DP_FRAME_NOTICE, draft->stream.notices);

	dp_line_put(line, DP_NOTICE_SESSION_TAKEN, 2);
	for (unsigned i = 0; i < by->bytes; i++)
		dp_line_put(line, by->text[i], 2);
	dp_line_end(line);
}

bool dp_owner_answers(struct dp_agent *agent, struct dp_wire *wire,
		      const struct dp_request *request)
{
	struct dp_link *link = &agent->link;
	struct dp_owner by;
	struct dp_draft draft;

	if (!is_another(agent, request)) {
		if (request->payload[0] != DP_CMD_HELLO)
			link->heard_at = dp_now(agent);
		return false;
	}
	if (!(request->payload[AT_RIGHTS] & DP_RIGHT_TAKE)) {
		wire->tail++;
		answer_in_use(agent, wire, request);
		return true;
	}
	if (link->told)
		return false;
	link->told = 1;
	if (wire != &agent->wire[link->owner_com]) {
		agent->wire[link->owner_com].taken = 1; /* when that line is free */
		return false;
	}
	set_owner(&by, request->payload + AT_OWNER, request->bytes - (unsigned)AT_OWNER);
	dp_draft_begin(agent, &draft, dp_line_reuse(wire));
	tell_taken(&draft, &by);
	dp_draft_send(agent, wire, &draft);
	return true;
}

bool dp_owner_line(const struct dp_agent *agent, struct dp_wire *wire, struct dp_draft *draft)
{
	if (!wire->taken)
		return false;
	draft->done = &wire->taken;
	tell_taken(draft, &agent->link.owner);
	return true;
}

void dp_owner_comes(struct dp_agent *agent, uint8_t com, const uint8_t *text, unsigned bytes)
{
	struct dp_link *link = &agent->link;

	set_owner(&link->owner, text, bytes);
	link->owner_com = com;
	link->told = 0;
	link->heard_at = dp_now(agent);
}
#endif
