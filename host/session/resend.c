/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests for missing records and acknowledgements of arrived ones. PROTOCOL.md 4.1. */
#include "resend.h"

#include "pipeline.h"

#include <dprobes/records.h>

enum {
	ACKNOWLEDGE_MS = 250,
	BUSY_MS = 20,
	TRIES_MAX = 64, /* an agent that answers and sends nothing */
	COUNT_MAX = 0xffff,
};

static bool is_due(uint64_t since_ms, uint64_t after_ms)
{
	return dp_clock_ms() - since_ms >= after_ms;
}

static uint64_t patience_ms(const struct dp_session *session)
{
	return (uint64_t)dph_patience_ms(&dph_session_pipeline_of(session)->patience);
}

unsigned dph_resend_waiting(const struct dp_session *session)
{
	return dph_session_resend_of(session)->waits;
}

/* --- asking --- */

static bool ask(struct dp_session *session, const struct dp_resend_request *asked)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dph_request request = {0};

	dph_request_set(&request, DP_CMD_RESEND, DPH_OF_CONST(resend_request, asked));
	resend->asked = *asked;
	resend->seq = dph_request_next_seq(session);
	resend->asked_ms = dp_clock_ms();
	resend->waits = true;
	return dph_request_send(session, resend->seq, &request);
}

/* The agent has sent what it was to send again, or the line is silent. */
static bool is_over(const struct dp_session *session, const struct dp_records_place *place)
{
	const struct dph_resend *resend = dph_session_resend_of(session);
	const uint64_t wait = patience_ms(session);

	return place->next != resend->next ||
	       (place->again != resend->again && place->resent == resend->end) ||
	       (is_due(resend->asked_ms, wait) && is_due(dph_session_heard_ms(session), wait));
}

static void ask_again(struct dp_session *session, const struct dp_records_place *place)
{
	struct dph_resend *resend = dph_session_resend(session);
	const struct dp_resend_request asked = {
		.have = place->have,
		.from = place->missing,
		.count = (uint16_t)(place->count < COUNT_MAX ? place->count : COUNT_MAX)};
	const bool same = asked.from == resend->asked.from && asked.count == resend->asked.count;

	resend->tries = same ? resend->tries + 1 : 0;
	resend->under_way = false;
	resend->again = place->again;
	if (resend->tries < TRIES_MAX)
		ask(session, &asked);
	else
		dp_records_give_up(resend->records, place->missing + place->count);
}

static void acknowledge(struct dp_session *session, const struct dp_records_place *place)
{
	struct dph_resend *resend = dph_session_resend(session);

	if (!resend->acknowledged || place->have == resend->told ||
	    (place->held - resend->told_held < resend->batch &&
	     !is_due(resend->told_ms, ACKNOWLEDGE_MS)))
		return;
	ask(session, &(struct dp_resend_request){.have = place->have, .from = place->have});
}

void dph_resend_turn(struct dp_session *session)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dp_records_place place;

	if (resend->records == NULL || !dph_request_may_join(session))
		return;
	if (resend->waits && !is_due(resend->asked_ms, patience_ms(session)))
		return;
	resend->waits = false;
	dp_records_place(resend->records, &place);
	resend->asked_held = place.held;
	if (!place.known)
		return;
	if (place.count == 0)
		resend->under_way = false;
	if (place.count == 0)
		acknowledge(session, &place);
	else if (!resend->under_way || is_over(session, &place))
		ask_again(session, &place);
}

/* --- answers --- */

/* Records before the first one that comes again are gone. */
static void take_range(struct dph_resend *resend, const struct dp_resend_answer *answer)
{
	const struct dp_resend_request *asked = &resend->asked;
	struct dp_records_place place;

	dp_records_sent(resend->records, answer->next);
	if (asked->count == 0)
		return;
	dp_records_give_up(resend->records,
			   answer->count == 0 ? asked->from + asked->count : answer->first);
	dp_records_place(resend->records, &place);
	resend->under_way = answer->count > 0;
	resend->end = answer->first + answer->count;
	resend->next = place.next;
}

static void take_answer(struct dp_session *session, const struct dph_reply *reply)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dp_resend_answer answer;
	bool cut;

	dph_answer_part(reply, DPH_OF(resend_answer, &answer), &cut);
	resend->waits = false;
	if (reply->error != DP_ERR_OK || cut) {
		dp_records_give_up(resend->records, resend->asked.from + resend->asked.count);
		return;
	}
	resend->told = resend->asked.have;
	resend->told_held = resend->asked_held;
	resend->told_ms = dp_clock_ms();
	take_range(resend, &answer);
}

bool dph_resend_take(struct dp_session *session, const struct dph_reply *reply)
{
	struct dph_resend *resend = dph_session_resend(session);
	const bool plain = !reply->nak && !reply->damaged;

	if (!resend->waits || reply->seq != resend->seq || reply->hello ||
	    (plain && reply->command != DP_CMD_RESEND))
		return false;
	if (plain && reply->error != DP_ERR_BUSY)
		take_answer(session, reply);
	else if (plain)
		resend->asked_ms = dp_clock_ms() + BUSY_MS - patience_ms(session);
	else
		resend->waits = false;
	return true;
}

/* --- for callers --- */

void dp_session_follow(struct dp_session *session, struct dp_records *records)
{
	const bool can = dp_hello_parts(dp_session_target(session)) >> DP_PART_RESEND & 1;
	struct dph_resend *resend = dph_session_resend(session);

	if (resend->records != NULL)
		dp_records_resends(resend->records, false);
	resend->waits = resend->under_way = false;
	resend->records = can ? records : NULL;
	if (resend->records != NULL)
		dp_records_resends(records, true);
}

bool dph_session_acknowledge(struct dp_session *session, bool acknowledged)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dp_limits_answer limits;

	resend->acknowledged = false;
	if (!acknowledged)
		return true;
	if (!dp_session_limits(session, &limits))
		return false;
	resend->batch = limits.ring / 4;
	resend->acknowledged = true;
	return true;
}
