/* SPDX-License-Identifier: BSD-2-Clause */
/* An agent in this file sends numbered records over a line that loses, damages and doubles lines,
 * and sends records again. The reader delivers each record once, in order, with its data and time,
 * or counts it as lost: PROTOCOL.md 4.1. */
#include "check.h"

#include <dprobes/records.h>
#include "dp_bytes.h"

#include <stdlib.h>
#include <string.h>

enum {
	SENT = 20000,
	LINE_RECORDS = 5,
	ROUND = 0x1000,
};

static uint64_t state;

static uint32_t random_below(uint32_t bound)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % bound;
}

/* --- the agent --- */

struct agent {
	struct dp_records *records;
	uint32_t first, next; /* numbers: of record 0, of the next new one */
	uint64_t time[SENT];
	unsigned lose, doubled;
	uint32_t kept; /* records that the ring keeps */
	/* No lost record may hide a pause of 2^31 ticks. */
	bool times_certain;
	/* What the reader has delivered. */
	uint32_t delivered, lost;
};

/* What record n of the test holds. */
static uint32_t value_of(uint32_t n)
{
	return n * 2654435761u;
}

static void put(struct dp_frame_in *frame, uint64_t value, unsigned digits)
{
	while (digits-- > 0)
		frame->payload[frame->bytes++] = value >> 4 * digits & 15;
}

static void put_record(struct dp_frame_in *frame, uint32_t value, uint64_t delta, bool first)
{
	const unsigned size = delta == 0 ? 0 : delta < 0x1000 ? 1 : delta < 0x100000 ? 2 : 3;
	unsigned digits = 8;

	while (digits > 1 && value >> 4 * (digits - 1) == 0)
		digits--;
	put(frame, size | (first ? 0 : DP_RECORD_SAME), 1);
	put(frame, 1, first ? 2 : 0);
	put(frame, delta, DP_DELTA_DIGITS(size));
	put(frame, digits - 1, 1);
	put(frame, value, digits);
}

static void deliver(struct agent *agent, const struct dp_frame_in *frame)
{
	const bool lost = random_below(1000) < agent->lose;
	const bool doubled = frame->type == DP_FRAME_TIMED && random_below(1000) < agent->doubled;

	for (int i = 0; i < (lost ? 0 : doubled ? 2 : 1); i++)
		dp_records_line(agent->records, frame, 0);
}

/* A line of records [from, end), as many as may go together. Returns the first one behind it. */
static uint32_t send_line(struct agent *agent, uint32_t from, uint32_t end, bool whole)
{
	struct dp_frame_in frame = {.type = whole ? DP_FRAME_TIMED : DP_FRAME_RECORDS};
	uint32_t at = from;

	put(&frame, 0, 1);
	put(&frame, (agent->first + from) % ROUND, 3);
	put(&frame, agent->time[from], whole ? 16 : 8);
	for (; at < end && at - from < LINE_RECORDS; at++) {
		const uint64_t delta = at > from ? agent->time[at] - agent->time[at - 1] : 0;

		if (at > from && (agent->time[at] < agent->time[at - 1] || delta > UINT32_MAX))
			break;
		put_record(&frame, value_of(at), delta, at == from);
	}
	if (at > agent->next - agent->first)
		agent->next = agent->first + at;
	deliver(agent, &frame);
	return at;
}

static bool is_far(const struct agent *agent, uint32_t n)
{
	const uint64_t away = agent->time[n] - agent->time[n - 1] + ((uint64_t)1 << 30);

	return away >= (uint64_t)1 << 31;
}

static void send_new(struct agent *agent, uint32_t count)
{
	const uint32_t from = agent->next - agent->first;

	send_line(agent, from, from + count, from == 0 || is_far(agent, from));
}

static void send_sync(struct agent *agent)
{
	const uint32_t n = agent->next - agent->first;
	struct dp_frame_in frame = {.type = DP_FRAME_SYNC};

	put(&frame, 0, 1);
	put(&frame, agent->next % ROUND, 3);
	put(&frame, n > 0 ? agent->time[n - 1] : 0, 16);
	put(&frame, 1000000, 8);
	put(&frame, 1, 4);
	put(&frame, agent->next, 8);
	/* dropped, missed, withdrawn, notices and full are 0 */
	frame.bytes = DP_STREAM_HEAD + 16 + 8 + 4 + 4 * 8 + 8 + 16;
	deliver(agent, &frame);
}

/* The number of the next record in an answer. Records of hits may have gone before the answer. */
static uint32_t answered_next(const struct agent *agent)
{
	const uint32_t sent = agent->next - agent->first;

	return agent->next - random_below(sent < LINE_RECORDS ? sent + 1 : LINE_RECORDS);
}

/* The host asks, as host/session/resend.c does. The line may lose the request or the answer. */
static void ask(struct agent *agent)
{
	struct dp_records_place place;
	uint32_t from, end, oldest;

	dp_records_place(agent->records, &place);
	if (!place.known || place.count == 0 || random_below(1000) < agent->lose)
		return;
	oldest =
		agent->next - agent->first > agent->kept ? agent->next - agent->kept : agent->first;
	from = place.missing - agent->first;
	end = from + place.count;
	if ((int32_t)(oldest - agent->first - from) > 0)
		from = oldest - agent->first < end ? oldest - agent->first : end;
	if (random_below(1000) >= agent->lose) {
		dp_records_sent(agent->records, answered_next(agent));
		dp_records_give_up(agent->records, agent->first + from);
	}
	while (from < end)
		from = send_line(agent, from, end, true);
}

/* --- the listener --- */

static void on_record(void *context, const struct dp_log_record *record)
{
	struct agent *agent = context;
	const uint32_t n = agent->delivered + agent->lost;

	CHECK(n < agent->next - agent->first);
	if (n >= agent->next - agent->first)
		return;
	CHECK(record->bytes == 4 && record->probe == NULL && record->head.probe == 1);
	CHECK(dp_get_u32(record->data) == value_of(n));
	if (agent->times_certain)
		CHECK(!record->ticks_known || record->ticks == agent->time[n]);
	if (agent->lost == 0)
		CHECK(record->ticks_known && record->ticks == agent->time[n]);
	CHECK((uint32_t)record->ticks == (uint32_t)agent->time[n]);
	agent->delivered++;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	struct agent *agent = context;

	CHECK(gap->kind == DP_GAP_RECORDS && gap->count > 0);
	agent->lost += gap->count;
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	(void)notice;
	CHECK(!"a notice");
}

/* --- the cases --- */

/* Mostly small steps; sometimes a pause, and a step back within what one line tells. */
static void make_times(struct agent *agent, bool pauses)
{
	uint64_t time = 0x123456789;

	for (unsigned n = 0; n < SENT; n++) {
		const unsigned what = random_below(1000);

		time += random_below(2000);
		if (pauses && what == 0)
			time += (uint64_t)random_below(1000) << 28;
		agent->time[n] = what == 1 ? time - random_below(100) : time;
	}
}

static struct agent *new_agent(uint32_t first, unsigned lose, unsigned doubled, uint32_t kept)
{
	struct agent *agent = calloc(1, sizeof *agent);
	const struct dp_records_listener listener = {agent, on_record, on_gap, on_notice};

	agent->records = dp_records_new(4, true, &listener);
	agent->first = agent->next = first;
	agent->lose = lose;
	agent->doubled = doubled;
	agent->kept = kept;
	return agent;
}

/* Send everything; then the last records without loss, so that each loss shows. */
static void run(struct agent *agent, bool resends)
{
	dp_records_resends(agent->records, resends);
	agent->records != NULL ? dp_records_counts(agent->records,
						   &(struct dp_record_counts){.sent = agent->first})
			       : (void)0;
	while (agent->next - agent->first < SENT - 2 * LINE_RECORDS) {
		send_new(agent, 1 + random_below(LINE_RECORDS));
		if (random_below(20) == 0)
			send_sync(agent);
		if (resends && (agent->lose > 400 || random_below(3) == 0))
			ask(agent);
	}
	agent->lose = 0;
	send_sync(agent);
	for (unsigned i = 0; resends && i < 400; i++)
		ask(agent);
	dp_records_resends(agent->records, false);
	dp_records_flush(agent->records, UINT64_MAX);
	CHECK(agent->delivered + agent->lost == agent->next - agent->first);
	CHECK(dp_records_totals(agent->records)->records == agent->delivered);
	CHECK(dp_records_totals(agent->records)->lost == agent->lost);
	CHECK(dp_records_totals(agent->records)->unreadable == 0);
	dp_records_free(agent->records);
}

/* proves: R4.1 R4.14 R4.21 R7.7 */
static void check_line(unsigned lose, unsigned doubled, uint32_t kept, bool resends)
{
	static const uint32_t firsts[] = {0, 5, 0xffe, 0x7fffffff, 0xfffffff0, 0xffffe000};

	for (unsigned i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
		struct agent *agent = new_agent(firsts[i], lose, resends ? doubled : 0, kept);

		const int before = check_failures;

		state = 12345u + i;
		make_times(agent, resends || lose == 0);
		agent->times_certain = !resends;
		run(agent, resends);
		if (check_failures != before)
			printf("lose %u doubled %u kept %u resends %d first %x\n", lose, doubled,
			       kept, resends, firsts[i]);
		if (lose == 0 || (resends && kept == SENT))
			CHECK(agent->lost == 0);
		else
			CHECK(agent->lost > 0 && agent->delivered > SENT / 4);
		free(agent);
	}
}

int main(void)
{
	check_line(0, 0, SENT, false);
	check_line(0, 100, SENT, true);
	check_line(50, 0, 0, false);
	check_line(400, 0, 0, false);
	check_line(50, 20, SENT, true);
	check_line(300, 50, SENT, true);
	check_line(450, 0, SENT, true);
	check_line(300, 50, 100, true);
	check_line(600, 50, 20, true);
	return check_status();
}
