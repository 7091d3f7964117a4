/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests for missing records and acknowledgements of arrived ones. PROTOCOL.md 4.1. */
#include "resend.h"

#include "pipeline.h"

#include <dprobes/records.h>

#include <string.h>

enum {
	ACKNOWLEDGE_MS = 250,
	BUSY_MS = 20, /* before a RESEND that was answered BUSY is sent again, */
	BUSY_MAX_MS = 200,
	ACKNOWLEDGEMENTS = 4, /* in a round trip, of a window of eight */
	TRIES_MAX = 64,       /* an agent that answers and sends nothing */
	COUNT_MAX = 0xffff,
	NEAR = 32, /* records between two that are asked for together */
};

static bool is_empty(const struct dph_asked *asked)
{
	return asked->from == asked->end;
}

static bool waits(const struct dph_asked *asked)
{
	return asked->open && !asked->answered;
}

static unsigned waiting(const struct dph_resend *resend)
{
	unsigned count = 0;

	for (unsigned i = 0; i < DPH_RESENDS; i++)
		count += waits(&resend->asked[i]);
	return count;
}

/* --- what is over --- */

/* The agent has sent the range, or another RESEND has taken its place, or the line is silent.
 * Repeated records come before new ones. */
static bool has_passed(const struct dp_session *session, const struct dph_asked *asked,
		       const struct dp_records_place *place)
{
	const uint64_t heard_ms = dph_session_heard_ms(session);

	return place->next != asked->next ||
	       (place->again != asked->again && place->resent == asked->end) ||
	       dp_clock_ms() - heard_ms >= dph_pipeline_wait_ms(dph_session_pipeline_of(session));
}

static bool is_over(const struct dp_session *session, const struct dph_asked *asked,
		    const struct dp_records_place *place)
{
	return asked->answered ? place->count == 0 || has_passed(session, asked, place)
			       : dp_clock_ms() >= asked->due_ms;
}

static void forget_over(struct dp_session *session, const struct dp_records_place *place)
{
	struct dph_resend *resend = dph_session_resend(session);

	for (unsigned i = 0; i < DPH_RESENDS; i++) {
		struct dph_asked *asked = &resend->asked[i];

		if (!asked->open || !is_over(session, asked, place))
			continue;
		resend->unsure = resend->unsure || !asked->answered;
		asked->open = false;
	}
}

/* --- asking --- */

static struct dph_asked *find_free(struct dph_resend *resend)
{
	for (unsigned i = 0; i < DPH_RESENDS; i++)
		if (!resend->asked[i].open)
			return &resend->asked[i];
	return NULL;
}

/* An acknowledgement leaves room for a RESEND that asks for records. */
static bool may_ask(const struct dp_session *session, bool for_records)
{
	const unsigned room = dph_request_room(session);
	const unsigned rest = room > 1 ? room - 1 : room;
	const unsigned most = for_records               ? room
			      : rest < ACKNOWLEDGEMENTS ? rest
							: ACKNOWLEDGEMENTS;

	return waiting(dph_session_resend_of(session)) < most;
}

static bool ask(struct dp_session *session, const struct dp_records_place *place, uint32_t from,
		uint32_t count)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dph_asked *asked = find_free(resend);
	const struct dp_resend_request fields = {place->have, from, (uint16_t)count};
	struct dph_request request = {0};
	const uint64_t now = dp_clock_ms();

	if (asked == NULL || !may_ask(session, count > 0) || !dph_request_may_count(session))
		return false;
	dph_request_set(&request, DP_CMD_RESEND, DPH_OF_CONST(resend_request, &fields));
	*asked = (struct dph_asked){
		.open = true,
		.seq = dph_request_next_seq(session),
		.have = place->have,
		.from = from,
		.end = from + count,
		.held = place->held,
		.arrived = place->next,
		.sent_ms = now,
		.due_ms = now + dph_pipeline_wait_ms(dph_session_pipeline_of(session)),
	};
	resend->told = place->have;
	resend->told_held = place->held;
	resend->told_ms = now;
	resend->unsure = false;
	resend->asks++;
	if (resend->waits_ms == 0)
		resend->waits_ms = now;
	return dph_request_send(session, asked->seq, &request);
}

/* Does a lost try cost a quarter of the ring? */
static bool is_far(const struct dph_resend *resend)
{
	return resend->ring > 0 && resend->flight > resend->ring / 4;
}

/* Are the records of this RESEND expected? Where a lost try costs a quarter of the ring, the
 * session asks twice in a round trip. */
static bool is_expected(const struct dp_session *session, const struct dph_asked *asked)
{
	const unsigned round_trip_ms =
		dph_patience_round_trip_ms(&dph_session_pipeline_of(session)->patience);
	const struct dph_resend *resend = dph_session_resend_of(session);

	return asked->open && !is_empty(asked) &&
	       (!is_far(resend) || dp_clock_ms() - asked->sent_ms < round_trip_ms / 2);
}

/* The RESEND that has asked for the record; null: none. */
static const struct dph_asked *covering(const struct dp_session *session, uint32_t number)
{
	const struct dph_resend *resend = dph_session_resend_of(session);

	for (unsigned i = 0; i < DPH_RESENDS; i++) {
		const struct dph_asked *asked = &resend->asked[i];

		if (is_expected(session, asked) && number - asked->from < asked->end - asked->from)
			return asked;
	}
	return NULL;
}

/* Records from `from` on up to the first one that was asked for. */
static uint32_t uncovered(const struct dp_session *session, uint32_t from, uint32_t count)
{
	const struct dph_resend *resend = dph_session_resend_of(session);

	count = count < COUNT_MAX ? count : COUNT_MAX;
	for (unsigned i = 0; i < DPH_RESENDS; i++) {
		const struct dph_asked *asked = &resend->asked[i];

		if (is_expected(session, asked) && asked->from - from < count)
			count = asked->from - from;
	}
	return count;
}

/* On a far line the requests of a round trip are few: one RESEND asks for missing records that are
 * near each other, and for those between them again. */
static uint32_t joined(struct dph_resend *resend, uint32_t from, uint32_t count)
{
	uint32_t next, more;

	while (is_far(resend) &&
	       (more = dp_records_missing(resend->records, from + count, &next)) &&
	       next - from - count <= NEAR)
		count = next + more - from;
	return count;
}

/* An agent that answers and sends nothing is asked so often for the first missing record. */
static bool is_hopeless(struct dph_resend *resend, uint32_t first)
{
	if (first != resend->first)
		resend->tries = 0;
	resend->first = first;
	return resend->tries >= TRIES_MAX;
}

/* No RESEND has had an answer that helps for so long that none will: the missing records are lost.
 * RESEND goes on, for later records, and its wait is short from now on. */
static void watch_help(struct dp_session *session, struct dp_records_place *place)
{
	struct dph_resend *resend = dph_session_resend(session);
	const uint64_t limit_ms = dph_pipeline_limit_of_ms(dph_session_pipeline_of(session),
							   resend->useless, resend->asks);

	if (resend->waits_ms == 0 || dp_clock_ms() - resend->waits_ms < limit_ms)
		return;
	if (!resend->useless)
		dph_session_tell_resend(session);
	resend->useless = true;
	resend->waits_ms = 0;
	resend->asks = 0;
	dp_records_give_up(resend->records, place->next);
	dp_records_place(resend->records, place);
}

/* Ask for each range that is missing and on no way. */
static void ask_again(struct dp_session *session, const struct dp_records_place *place)
{
	struct dph_resend *resend = dph_session_resend(session);
	uint32_t after = place->missing, from, count;

	while ((count = dp_records_missing(resend->records, after, &from)) > 0) {
		const struct dph_asked *asked = covering(session, from);

		if (asked != NULL) {
			after = asked->end;
			continue;
		}
		if (from == place->missing && is_hopeless(resend, from)) {
			dp_records_give_up(resend->records, from + count);
			return;
		}
		count = uncovered(session, from, joined(resend, from, count));
		if (!ask(session, place, from, count))
			return;
		resend->tries += from == place->missing;
		after = from + count;
	}
}

/* The bytes of arrived records for one acknowledgement. The ring has room for the records of two
 * round trips: a missing record comes a round trip later. Half of what is left waits for an
 * acknowledgement, a quarter of the ring at most. The acknowledgements of a round trip share what
 * arrives in it. */
static uint32_t batch(const struct dph_resend *resend)
{
	const uint32_t two = 2 * resend->flight, quarter = resend->ring / 4;
	const uint32_t left = resend->ring > two ? (resend->ring - two) / 2 : 0;
	const uint32_t most = left < quarter ? left : quarter;

	return most > resend->flight / ACKNOWLEDGEMENTS ? most : resend->flight / ACKNOWLEDGEMENTS;
}

static void acknowledge(struct dp_session *session, const struct dp_records_place *place)
{
	struct dph_resend *resend = dph_session_resend(session);
	const bool moved = place->have != resend->told;

	if (!resend->acknowledged ||
	    (resend->useless && dp_clock_ms() - resend->told_ms < ACKNOWLEDGE_MS))
		return;
	if ((moved && (place->held - resend->told_held >= batch(resend) ||
		       dp_clock_ms() - resend->told_ms >= ACKNOWLEDGE_MS)) ||
	    (resend->unsure && waiting(resend) == 0))
		ask(session, place, place->have, 0);
}

void dph_resend_turn(struct dp_session *session)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dp_records_place place;

	if (resend->records == NULL)
		return;
	dp_records_place(resend->records, &place);
	forget_over(session, &place);
	if (!place.known)
		return;
	watch_help(session, &place);
	if (place.count > 0)
		ask_again(session, &place);
	acknowledge(session, &place);
}

unsigned dph_resend_share(const struct dp_session *session)
{
	const struct dph_resend *resend = dph_session_resend_of(session);
	const unsigned count = waiting(resend);
	const unsigned few = dp_session_target(session)->window * 3U / 8;
	struct dp_records_place place;

	if (resend->records == NULL)
		return count;
	dp_records_place(resend->records, &place);
	if (!place.known || (place.count == 0 && !resend->acknowledged) || count > few)
		return count;
	return few > 0 ? few : 1;
}

/* --- answers --- */

static struct dph_asked *find(struct dph_resend *resend, uint8_t seq)
{
	for (unsigned i = 0; i < DPH_RESENDS; i++)
		if (waits(&resend->asked[i]) && resend->asked[i].seq == seq)
			return &resend->asked[i];
	return NULL;
}

/* Records that do not come again are gone, and so are older ones. */
static void give_up(struct dph_resend *resend, const struct dph_asked *asked,
		    const struct dp_resend_answer *answer)
{
	if (is_empty(asked) || (answer->count > 0 && answer->first == asked->from))
		return;
	dp_records_give_up(resend->records, answer->count == 0 ? asked->end : answer->first);
}

static void take_range(struct dph_resend *resend, struct dph_asked *asked,
		       const struct dp_resend_answer *answer)
{
	struct dp_records_place place;

	dp_records_sent(resend->records, answer->next);
	give_up(resend, asked, answer);
	dp_records_place(resend->records, &place);
	asked->open = answer->count > 0;
	asked->answered = true;
	asked->next = place.next;
	asked->again = place.again;
}

/* What arrives in a round trip, also behind a missing record; less counts slowly. */
static void learn_flight(struct dph_resend *resend, const struct dph_asked *asked)
{
	struct dp_records_place place;
	uint32_t delivered, flight;

	dp_records_place(resend->records, &place);
	delivered = place.have - asked->have;
	if (delivered > 0)
		resend->bytes = (place.held - asked->held) / delivered;
	flight = (place.next - asked->arrived) * resend->bytes;
	resend->flight -= resend->flight / 16;
	if (flight > resend->flight)
		resend->flight = flight;
}

static void take_answer(struct dp_session *session, struct dph_asked *asked,
			const struct dph_reply *reply)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dp_resend_answer answer;
	bool cut;

	resend->waits_ms = 0;
	resend->asks = resend->busy = 0;
	resend->useless = false;
	dph_patience_learn(&dph_session_pipeline(session)->patience,
			   dp_clock_ms() - asked->sent_ms);
	dph_answer_part(reply, DPH_OF(resend_answer, &answer), &cut);
	if (reply->error != DP_ERR_OK || cut) {
		asked->open = false;
		dp_records_give_up(resend->records, asked->end);
		return;
	}
	learn_flight(resend, asked);
	take_range(resend, asked, &answer);
}

static uint64_t busy_pause_ms(struct dph_resend *resend)
{
	const unsigned pause_ms = ++resend->busy * BUSY_MS;

	return pause_ms < BUSY_MAX_MS ? pause_ms : BUSY_MAX_MS;
}

bool dph_resend_take(struct dp_session *session, const struct dph_reply *reply)
{
	struct dph_resend *resend = dph_session_resend(session);
	struct dph_asked *asked = find(resend, reply->seq);
	const bool plain = !reply->nak && !reply->damaged;

	if (asked == NULL || reply->hello || (plain && reply->command != DP_CMD_RESEND))
		return false;
	dph_pipeline_hear(dph_session_pipeline(session), !plain);
	if (plain && reply->error != DP_ERR_BUSY)
		take_answer(session, asked, reply);
	else if (plain)
		asked->due_ms = dp_clock_ms() + busy_pause_ms(resend);
	else
		asked->due_ms = dp_clock_ms();
	return true;
}

/* --- for callers --- */

void dp_session_follow(struct dp_session *session, struct dp_records *records)
{
	const bool can = dp_hello_parts(dp_session_target(session)) >> DP_PART_RESEND & 1;
	struct dph_resend *resend = dph_session_resend(session);

	if (resend->records != NULL)
		dp_records_resends(resend->records, false);
	if (records == NULL)
		memset(resend->asked, 0, sizeof resend->asked);
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
	resend->acknowledged = true;
	return true;
}
