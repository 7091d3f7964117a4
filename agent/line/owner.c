/* SPDX-License-Identifier: BSD-2-Clause */
/* Store the owner of the session, and inform another host and the owner.  PROTOCOL.md section 5 */
#include "dp_owner.h"

#include "dp_bytes.h"
#include "dp_clock.h"
#include "dp_crc.h"
#include "dp_fields.h"
#include "dp_memory.h"
#include "dp_stream_line.h"
#include "dp_tell.h"

#if DP_WITH_STREAM
enum {
	DP_IDLE_MAX = 60, /* seconds: more are told as so many */
	DP_IDLE_UNKNOWN = 0xffff,
	/* of HELLO, behind the command */
	DP_AT_VERSION = 0,
	DP_AT_SESSION = 1,
	DP_AT_RIGHTS = 5,
	DP_AT_OWNER = 6,
	DP_SEED_BYTES = DP_AT_RIGHTS
};

static void set_owner(struct dp_owner *owner, const uint8_t *text, unsigned bytes)
{
	owner->bytes = (uint8_t)(bytes < DP_OWNER_MAX ? bytes : DP_OWNER_MAX);
	dp_copy(owner->text, text, owner->bytes);
}

/* begin: of the HELLO's fields. */
static bool is_another(const struct dp_agent *agent, const uint8_t *begin)
{
	return agent->link.owner.bytes > 0 &&
	       dp_crc32(dp_crc32(0, begin, DP_SEED_BYTES), agent->nonce, DP_NONCE_BYTES) !=
		       agent->link.seed;
}

static uint16_t idle_seconds(const struct dp_agent *agent)
{
	uint64_t left = dp_now(agent) - agent->link.heard_at;
	uint32_t hz = dp_tick_hz(agent);
	uint16_t idle = 0;

	if (hz == 0)
		return DP_IDLE_UNKNOWN;
	for (; idle < DP_IDLE_MAX && left >= hz; idle++) /* no division of 64 bits */
		left -= hz;
	return idle;
}

bool dp_owner_refuses(const struct dp_agent *agent, const uint8_t *begin, struct dp_answer *a)
{
	const struct dp_owner *owner = &agent->link.owner;
	uint16_t idle;

	if ((begin[DP_AT_RIGHTS] & DP_RIGHT_TAKE) || !is_another(agent, begin))
		return false;
	idle = idle_seconds(agent);
	dp_give_number(a, &idle, sizeof(idle));
	dp_give_bytes(a, owner->text, owner->bytes);
	return true;
}

/* The notice has the number of the next one and takes none: the session ends with it. */
static void tell_taken(struct dp_draft *draft, const struct dp_owner *by)
{
	struct dp_line *line = dp_stream_begin(draft, DP_FRAME_NOTICE, draft->stream.notices);

	dp_line_put(line, DP_NOTICE_SESSION_TAKEN, 2);
	for (unsigned i = 0; i < by->bytes; i++)
		dp_line_put(line, by->text[i], 2);
	dp_line_end(line);
}

bool dp_owner_must_tell(const struct dp_agent *agent, const struct dp_wire *wire,
			const struct dp_request *request)
{
	const uint8_t *begin = request->payload + 1;

	return request->payload[0] == DP_CMD_HELLO && request->bytes > DP_AT_OWNER &&
	       (begin[DP_AT_RIGHTS] & DP_RIGHT_TAKE) &&
	       begin[DP_AT_VERSION] == DP_PROTOCOL_VERSION &&
	       dp_get_u32(begin + DP_AT_SESSION) != 0 && !agent->link.told &&
	       wire == &agent->wire[agent->link.owner_com] && is_another(agent, begin);
}

void dp_owner_tell(struct dp_agent *agent, struct dp_wire *wire, const struct dp_request *request,
		   struct dp_line *line)
{
	struct dp_owner by;
	struct dp_draft draft;

	set_owner(&by, request->payload + 1 + DP_AT_OWNER, request->bytes - 1u - DP_AT_OWNER);
	dp_draft_of(agent, dp_this_cpu(), &draft, line);
	tell_taken(&draft, &by);
	if (dp_draft_send(agent, wire, &draft))
		agent->link.told = 1;
}

void dp_owner_heard(struct dp_agent *agent, const struct dp_request *request)
{
	if (request->payload[0] != DP_CMD_HELLO)
		agent->link.heard_at = dp_now(agent);
}

bool dp_owner_line(const struct dp_agent *agent, struct dp_wire *wire, struct dp_draft *draft)
{
	if (!wire->taken)
		return false;
	draft->done = &wire->taken;
	tell_taken(draft, &agent->link.owner);
	return true;
}

void dp_owner_prepare(const struct dp_agent *agent, const uint8_t *begin, const uint8_t *text,
		      unsigned bytes, struct dp_opening *opening)
{
	set_owner(&opening->owner, text, bytes);
	opening->another = is_another(agent, begin);
	opening->now = dp_now(agent);
}

void dp_owner_comes(struct dp_agent *agent, uint8_t com, const struct dp_opening *opening)
{
	struct dp_link *link = &agent->link;

	/* The owner on the other line learns it when that line is free. */
	if (link->owner_com != com && opening->another)
		agent->wire[link->owner_com].taken = 1;
	dp_copy_words(&link->owner, &opening->owner, sizeof(link->owner));
	link->owner_com = com;
	link->told = 0;
	link->heard_at = opening->now;
}
#endif
