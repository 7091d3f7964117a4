/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline sends, repeats and settles requests. The agent answers the requests of a line in
 * their order. An answer therefore shows the loss of each earlier request without an answer. */
#include "pipeline.h"
#include "resend.h"

#include <string.h>

enum {
	NAKS_MAX = 60,       /* for one request, in a row: more is no noise, */
	NAKS_LEAST_MS = 500, /* unless somebody else writes to the line for a moment */
	BUSY_PAUSE_MS = 20,  /* before a request that was answered BUSY is sent again, */
	BUSY_PAUSE_MAX_MS = 200,
	REQUEST_MAX_MS = 30000, /* without the answer, though work or noise may delay it */
	SILENCE_TOLD_MS = 2500,
	SILENCE_MAX_MS = 5000,
	USELESS_MS = 400,         /* behind a request that ended so: what a command clears up */
	SILENCE_PATIENCES = 3,    /* on a slower line */
	SILENCE_NOISY_MS = 15000, /* on a line that damages lines: tries are lost, too */
	TRIES_LOST = 20,          /* a request that was sent so often is not lost; */
	TRIES_NOISY = 60,         /* on a noisy line, where a quarter arrives */
	SLOWER_MAX = 6,           /* time-outs in a row that make the wait longer */
	DOUBLED_MAX = 4,          /* of these, before the first answer, */
	DOUBLED_IN_SILENCE = 1,   /* and when the user knows that no answer comes */
	LOOK_MS = 100,
	NOISE_SHIFT = 3, /* the last eight lines count most */
	NOISY = 40,      /* of DPH_NOISE_ONE: a request without answer is lost, not late */
};

void dph_request_set(struct dph_request *request, enum dp_cmd command, const struct dph_form *form,
		     const void *fields)
{
	struct dph_writer writer = {.room = sizeof request->payload, .used = 1};

	memset(request, 0, sizeof *request);
	request->command = command;
	request->payload[0] = (uint8_t)command;
	writer.p = request->payload;
	if (form != NULL)
		dph_write(&writer, form, fields);
	request->bytes = (uint8_t)writer.used;
}

struct dph_pending *dph_pending_find(struct dph_pipeline *pipeline, uint8_t seq)
{
	for (unsigned i = 0; i < pipeline->count; i++)
		if (pipeline->pending[i].seq == seq)
			return &pipeline->pending[i];
	return NULL;
}

static void forget(struct dph_pipeline *pipeline, struct dph_pending *pending)
{
	struct dph_pending *end = pipeline->pending + pipeline->count--;

	memmove(pending, pending + 1, (size_t)(end - pending - 1) * sizeof *pending);
}

/* --- sending --- */

struct run {
	struct dp_session *session;
	struct dph_pipeline *pipeline;
	const struct dph_asker *asker;
	struct dph_request coming; /* supplied, not sent */
	bool has_coming;
	uint64_t start_ms;
};

static bool is_repeatable(const struct dph_request *request)
{
	if (request->alone)
		return false;
	switch (request->command) {
#define DP_CMD(number, name, text, from_hit, right, repeatable)                                    \
	case number:                                                                               \
		return repeatable;
#include "commands.def"
	}
	return false;
}

/* In a sealed session: does a request that is sent again need another number? After a NAK the agent
 * may be at a later count; then a request that is not repeatable is sent as it was. */
static bool needs_number(const struct run *run, const struct dph_pending *pending)
{
	return dph_request_may_count(run->session) &&
	       (dph_request_is_stale(run->session, pending->seq) ||
		(dph_request_counts(run->session) && pending->refused &&
		 is_repeatable(&pending->request)));
}

static bool send(struct run *run, struct dph_pending *pending)
{
	struct dph_pipeline *pipeline = run->pipeline;

	/* At first no fact of the line is known. Each HELLO has its own number, so that its
	 * answer shows the round trip. Every HELLO opens the same session. */
	if (pending->sent > 0 &&
	    (pending->request.command == DP_CMD_HELLO || needs_number(run, pending)))
		pending->seq = dph_request_next_seq(run->session);
	pending->refused = false;
	pending->sent_ms = dp_clock_ms();
	if (pending->request.command == DP_CMD_HELLO)
		pipeline->hello[pending->seq % DPH_HELLOS] =
			(struct dph_hello){pending->seq, true, pending->sent_ms};
	pending->last_order = pipeline->orders++;
	pending->pause_ms = 0;
	pending->sent++;
	return dph_request_send(run->session, pending->seq, &pending->request);
}

/* Has the window room for one more request? */
static bool has_room(const struct run *run)
{
	const struct dph_pipeline *pipeline = run->pipeline;
	const unsigned window = dp_session_target(run->session)->window;

	return pipeline->count == 0 || (is_repeatable(&pipeline->pending[0].request) &&
					pipeline->count + dph_resend_share(run->session) < window &&
					pipeline->count < DPH_WINDOW_MAX);
}

unsigned dph_request_room(const struct dp_session *session)
{
	const struct dph_pipeline *pipeline = dph_session_pipeline_of(session);
	const unsigned window = dp_session_target(session)->window;

	if (pipeline->count > 0 && !is_repeatable(&pipeline->pending[0].request))
		return 0;
	return window > pipeline->count ? window - pipeline->count : pipeline->count == 0;
}

/* Is it the turn of the request that was supplied? */
static bool may_go(const struct run *run)
{
	return run->pipeline->count == 0 || is_repeatable(&run->coming);
}

static bool supply(struct run *run)
{
	if (!run->has_coming)
		run->has_coming = run->asker->next(run->asker->context, &run->coming);
	return run->has_coming;
}

static bool send_new(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;

	while (has_room(run) && supply(run) && may_go(run)) {
		struct dph_pending *pending = &pipeline->pending[pipeline->count++];

		*pending = (struct dph_pending){.request = run->coming,
						.seq = dph_request_next_seq(run->session)};
		run->has_coming = false;
		if (!send(run, pending))
			return false;
		pending->first_ms = pending->sent_ms;
		pending->first_order = pending->last_order;
	}
	return true;
}

/* A request was lost: repeat it, unless the asker supplies another one. */
static bool repeat(struct run *run, struct dph_pending *pending)
{
	const struct dph_asker *asker = run->asker;

	if (asker->lost == NULL || asker->lost(asker->context, &pending->request))
		return send(run, pending);
	forget(run->pipeline, pending);
	return true;
}

/* --- what comes back --- */

static uint64_t later(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

/* Noise may have lost so many tries. */
static bool may_be_noise(const struct dph_pipeline *pipeline, unsigned tries)
{
	return pipeline->noise > NOISY && tries < TRIES_NOISY;
}

/* The sendings since the last answer that has helped. */
static unsigned tries_of(const struct dph_pipeline *pipeline)
{
	return pipeline->orders - pipeline->helped_orders;
}

static uint64_t no_help_ms(const struct dph_pipeline *pipeline, uint64_t least_ms, unsigned tries)
{
	if (may_be_noise(pipeline, tries))
		return SILENCE_NOISY_MS;
	return later(least_ms, SILENCE_PATIENCES * (uint64_t)dph_patience_ms(&pipeline->patience));
}

uint64_t dph_pipeline_limit_ms(const struct dph_pipeline *pipeline)
{
	return no_help_ms(pipeline, pipeline->useless ? USELESS_MS : SILENCE_MAX_MS,
			  tries_of(pipeline));
}

uint64_t dph_pipeline_limit_of_ms(const struct dph_pipeline *pipeline, bool useless, unsigned tries)
{
	return no_help_ms(pipeline, useless ? USELESS_MS : SILENCE_MAX_MS, tries);
}

/* The agent is busy: the refused requests wait. */
static bool pause(struct run *run, struct dph_pending *pending)
{
	struct dph_pipeline *pipeline = run->pipeline;
	const unsigned pause_ms = pipeline->busy >= BUSY_PAUSE_MAX_MS / BUSY_PAUSE_MS
					  ? BUSY_PAUSE_MAX_MS
					  : (pipeline->busy + 1) * BUSY_PAUSE_MS;
	const uint64_t now = dp_clock_ms();

	if (pipeline->busy++ == 0)
		pipeline->busy_ms = now;
	if (now + pause_ms - pipeline->busy_ms >= dph_pipeline_limit_ms(pipeline)) {
		pipeline->useless = true;
		return dph_session_fail_busy(run->session, pending->request.command);
	}
	pending->was_busy = true;
	pending->pause_ms = now + pause_ms;
	for (unsigned i = 0; i < pipeline->count; i++)
		if (pipeline->pending[i].pause_ms != 0)
			pipeline->pending[i].pause_ms = pending->pause_ms;
	return true;
}

/* The agent takes requests again: so it does the others. */
static void end_pauses(struct dph_pipeline *pipeline)
{
	for (unsigned i = 0; pipeline->busy > 0 && i < pipeline->count; i++)
		if (pipeline->pending[i].pause_ms != 0)
			pipeline->pending[i].pause_ms = 1;
	pipeline->busy = 0;
}

/* Is a request out that shows whether the agent is still busy? */
static bool tries_busy(const struct dph_pipeline *pipeline)
{
	for (unsigned i = 0; pipeline->busy > 0 && i < pipeline->count; i++)
		if (pipeline->pending[i].was_busy && pipeline->pending[i].pause_ms == 0)
			return true;
	return false;
}

static void forget_settled(struct run *run)
{
	const struct dph_asker *asker = run->asker;

	for (unsigned i = run->pipeline->count; asker->settled != NULL && i-- > 0;)
		if (asker->settled(asker->context, &run->pipeline->pending[i].request))
			forget(run->pipeline, &run->pipeline->pending[i]);
}

/* Everything that was sent before `order` and has no answer. */
static bool repeat_older(struct run *run, unsigned order)
{
	struct dph_pipeline *pipeline = run->pipeline;

	for (unsigned i = 0; i < pipeline->count;) {
		const unsigned count = pipeline->count;

		if (pipeline->pending[i].last_order < order && pipeline->pending[i].pause_ms == 0 &&
		    !repeat(run, &pipeline->pending[i]))
			return false;
		i += pipeline->count == count;
	}
	return true;
}

/* Which sending was answered? Of a repeated request the last one, when there was time for it or the
 * one before came damaged. */
static unsigned answered_order(const struct dph_pipeline *pipeline,
			       const struct dph_pending *pending, uint64_t now)
{
	const unsigned least_ms = dph_patience_round_trip_ms(&pipeline->patience) / 2;

	return pending->naks > 0 || now - pending->sent_ms >= least_ms ? pending->last_order
								       : pending->first_order;
}

/* Learn from an answer. The round trip of a repeated request is in doubt. */
static void learn(struct dph_pipeline *pipeline, const struct dph_pending *pending,
		  const struct dph_reply *reply, uint64_t now)
{
	if (reply->hello)
		dph_patience_learn(&pipeline->patience,
				   now - pipeline->hello[reply->seq % DPH_HELLOS].sent_ms);
	else if (pending->sent == 1)
		dph_patience_learn(&pipeline->patience, now - pending->sent_ms);
	else
		pipeline->doubt[pending->seq % DPH_DOUBTS] =
			(struct dph_doubt){pending->naks == 0, pending->seq, pending->sent - 1,
					   now - pending->first_ms};
}

/* A second answer to one request: so the first answer was late, not lost, and its round trip is
 * certain. Returns false for a reply to no request of this session. */
static bool learn_late(struct dph_pipeline *pipeline, const struct dph_reply *reply)
{
	struct dph_doubt *doubt = &pipeline->doubt[reply->seq % DPH_DOUBTS];

	if (doubt->seq != reply->seq || doubt->late == 0)
		return false;
	doubt->late--;
	if (!reply->nak && !reply->damaged && doubt->open)
		dph_patience_learn(&pipeline->patience, doubt->round_trip_ms);
	doubt->open = doubt->open && (reply->nak || reply->damaged);
	return true;
}

static void note_help(struct dph_pipeline *pipeline)
{
	pipeline->helped_ms = dp_clock_ms();
	pipeline->helped_orders = pipeline->orders;
	pipeline->has_unhelpful = false;
}

static void note_unhelpful(struct dph_pipeline *pipeline, const struct dph_reply *reply)
{
	pipeline->unhelpful = *reply;
	pipeline->has_unhelpful = true;
}

static bool take_answer(struct run *run, struct dph_pending *pending, const struct dph_reply *reply)
{
	struct dph_pipeline *pipeline = run->pipeline;
	const struct dph_request request = pending->request;
	const uint64_t now = dp_clock_ms();
	const unsigned order = answered_order(pipeline, pending, now);

	learn(pipeline, pending, reply, now);
	note_help(pipeline);
	if (reply->error == DP_ERR_BUSY)
		return pause(run, pending);
	end_pauses(pipeline);
	pipeline->useless = false;
	forget(pipeline, pending);
	if (!run->asker->answer(run->asker->context, &request, reply))
		return false;
	forget_settled(run);
	return repeat_older(run, order);
}

static bool take_nak(struct run *run, struct dph_pending *pending)
{
	pending->refused = true;
	if (++pending->naks >= NAKS_MAX && dp_clock_ms() - pending->first_ms >= NAKS_LEAST_MS)
		return dph_session_fail_unknown(run->session);
	return repeat(run, pending);
}

/* When the first line that comes is damaged, half of the lines are taken for damaged. */
void dph_pipeline_hear(struct dph_pipeline *pipeline, bool damaged)
{
	if (damaged && dph_patience_round_trip_ms(&pipeline->patience) == 0)
		pipeline->noise = DPH_NOISE_ONE / 2;
	pipeline->noise +=
		((damaged ? DPH_NOISE_ONE : 0u) >> NOISE_SHIFT) - (pipeline->noise >> NOISE_SHIFT);
}

/* Nothing was sent behind it, so no other answer will show whether the agent has it. */
static bool is_last(const struct dph_pipeline *pipeline, const struct dph_pending *pending)
{
	for (unsigned i = 0; i < pipeline->count; i++)
		if (pipeline->pending[i].last_order > pending->last_order)
			return false;
	return true;
}

/* The answer is lost, as a time-out would show later. Its way is as long as that of the next one.
 */
static bool take_damaged(struct run *run, struct dph_pending *pending,
			 const struct dph_reply *reply)
{
	struct dph_pipeline *pipeline = run->pipeline;

	if (pending->request.command == DP_CMD_HELLO)
		dph_patience_learn(&pipeline->patience,
				   dp_clock_ms() -
					   pipeline->hello[reply->seq % DPH_HELLOS].sent_ms);
	if (run->asker->damaged != NULL &&
	    run->asker->damaged(run->asker->context, &pending->request)) {
		forget(pipeline, pending);
		return true;
	}
	return pending->pause_ms != 0 || !is_last(pipeline, pending) || repeat(run, pending);
}

/* Is it the first answer to one sending of HELLO? */
static bool ends_hello(struct dph_pipeline *pipeline, const struct dph_reply *reply)
{
	struct dph_hello *hello = &pipeline->hello[reply->seq % DPH_HELLOS];
	const bool first = reply->hello && hello->open && hello->seq == reply->seq;

	hello->open = hello->open && !first;
	return first;
}

/* Is it a further answer to a request that was sent more than once? */
static bool is_late(struct dph_pipeline *pipeline, const struct dph_reply *reply)
{
	return learn_late(pipeline, reply) || ends_hello(pipeline, reply);
}

/* The request of an answer or NAK. */
static struct dph_pending *find(struct dph_pipeline *pipeline, const struct dph_reply *reply)
{
	struct dph_pending *first = pipeline->pending;
	const unsigned sent = first->sent < DPH_HELLOS ? first->sent : DPH_HELLOS;

	if (pipeline->count == 1 && first->request.command == DP_CMD_HELLO)
		return (uint8_t)(first->seq - reply->seq) < sent ? first : NULL;
	return dph_pending_find(pipeline, reply->seq);
}

/* Not damaged; of HELLO or of another request. */
static bool take_whole(struct run *run, struct dph_pending *pending, const struct dph_reply *reply)
{
	const enum dp_cmd command = pending->request.command;

	if (reply->command == command && reply->hello == (command == DP_CMD_HELLO))
		return take_answer(run, pending, reply);
	pending->was_other = true;
	pending->other = reply->command;
	note_unhelpful(run->pipeline, reply);
	return true;
}

/* The service of the line decides how long a request may wait there. */
static void take_kept(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;

	if (!dph_request_is_kept(run->session))
		return;
	pipeline->answered_ms = pipeline->kept_ms = dp_clock_ms();
	pipeline->timeouts = 0;
	note_help(pipeline);
}

static bool take_replies(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;
	struct dph_reply reply;

	take_kept(run);
	while (dph_request_take(run->session, &reply)) {
		struct dph_pending *pending = find(pipeline, &reply);

		pipeline->answered_ms = dp_clock_ms();
		pipeline->timeouts = 0;
		dph_pipeline_hear(pipeline, reply.nak || reply.damaged);
		if (pending != NULL)
			ends_hello(pipeline, &reply);
		if (pending == NULL ? !is_late(pipeline, &reply) : reply.nak || reply.damaged)
			note_unhelpful(pipeline, &reply);
		if (pending == NULL)
			continue;
		if (reply.nak && !take_nak(run, pending))
			return false;
		if (reply.damaged && !take_damaged(run, pending, &reply))
			return false;
		if (!reply.nak && !reply.damaged && !take_whole(run, pending, &reply))
			return false;
	}
	return true;
}

/* --- time --- */

/* Nobody knows the line before the first answer. A line that is late, not dead, has answered before
 * the user is told of the silence. Behind that HELLO is more likely lost than late. */
static uint64_t wait_for_hello_ms(const struct dph_pipeline *pipeline)
{
	const unsigned doubled = pipeline->silence_told             ? DOUBLED_IN_SILENCE
				 : pipeline->timeouts < DOUBLED_MAX ? pipeline->timeouts
								    : DOUBLED_MAX;

	return (uint64_t)DPH_PATIENCE_START_MS << doubled;
}

uint64_t dph_pipeline_wait_ms(const struct dph_pipeline *pipeline)
{
	return (uint64_t)(pipeline->noise > NOISY ? dph_patience_noisy_ms(&pipeline->patience)
						  : dph_patience_ms(&pipeline->patience));
}

/* A target that does not answer is asked less and less often. On a noisy line the tries are lost,
 * and waiting helps nobody. In a silence that the user knows of they may be lost too. */
static uint64_t wait_ms(const struct dph_pipeline *pipeline)
{
	const struct dph_patience *patience = &pipeline->patience;
	const unsigned slower = pipeline->timeouts < SLOWER_MAX ? pipeline->timeouts : SLOWER_MAX;
	const uint64_t ms = (uint64_t)dph_patience_ms(patience);

	if (dph_patience_round_trip_ms(patience) == 0)
		return wait_for_hello_ms(pipeline);
	if (pipeline->noise > NOISY || pipeline->silence_told)
		return (uint64_t)dph_patience_noisy_ms(patience);
	return ms * (4 + slower) / 4;
}

/* When the request is sent again, if nothing comes before. An answer on its way shows that the line
 * is slow, not dead: the wait begins again with each. */
static uint64_t due_ms(const struct dph_pipeline *pipeline, const struct dph_pending *pending)
{
	const uint64_t since = later(pending->sent_ms, pipeline->answered_ms);

	return pending->pause_ms != 0 ? pending->pause_ms : since + wait_ms(pipeline);
}

static bool repeat_late(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;
	const uint64_t now = dp_clock_ms();
	const unsigned before = pipeline->orders; /* not those of this loop */
	bool late = false;

	for (unsigned i = 0; i < pipeline->count;) {
		struct dph_pending *pending = &pipeline->pending[i];
		const unsigned count = pipeline->count;
		const bool paused = pending->pause_ms != 0;

		if (paused && pending->pause_ms <= now && tries_busy(pipeline)) {
			pending->pause_ms = now + LOOK_MS;
		} else if (pending->last_order < before && due_ms(pipeline, pending) <= now) {
			if (!(paused ? send(run, pending) : repeat(run, pending)))
				return false;
			late = late || !paused;
		}
		i += pipeline->count == count;
	}
	pipeline->timeouts += late;
	return true;
}

/* An agent that works on one of these may only send stream lines meanwhile. */
static bool takes_long(enum dp_cmd command)
{
	return command == DP_CMD_CHECK || command == DP_CMD_COMMIT || command == DP_CMD_TEXT;
}

/* The last answer may be older than the end of the target. */
static bool is_answering(const struct dph_pipeline *pipeline)
{
	const uint64_t recent_ms =
		later(SILENCE_TOLD_MS,
		      SILENCE_PATIENCES * (uint64_t)dph_patience_ms(&pipeline->patience));

	return dp_clock_ms() - pipeline->answered_ms < recent_ms;
}

/* Do answers come that do not help? */
static bool answers_come(const struct dph_pipeline *pipeline)
{
	return pipeline->has_unhelpful && is_answering(pipeline);
}

/* The agent is silent after this time without an answer. */
static uint64_t silence_max_ms(const struct run *run)
{
	const struct dph_pipeline *pipeline = run->pipeline;
	const unsigned limit_ms = dph_session_silence_ms(run->session);

	if (limit_ms != 0) /* many ports are asked one after the other */
		return limit_ms;
	return no_help_ms(pipeline, SILENCE_MAX_MS, 0);
}

/* The sentence says what came in place of the answer. */
static bool fail_without_help(struct run *run, const struct dph_pending *pending)
{
	const struct dph_pipeline *pipeline = run->pipeline;
	const enum dp_cmd command = pending->request.command;

	if (!is_answering(pipeline))
		return dph_session_fail_silent(run->session);
	if (!pipeline->has_unhelpful)
		return dph_session_fail_ignored(run->session, command);
	if (pending->was_other)
		return dph_session_fail_other(run->session, command, pending->other);
	if (pipeline->unhelpful.nak && pending->naks > 0)
		return dph_session_fail_unknown(run->session);
	if (pipeline->unhelpful.damaged)
		return dph_session_fail_damaged(run->session, command);
	return dph_session_fail_foreign(run->session, command, pending->seq, &pipeline->unhelpful);
}

/* How long a request may wait, though the agent answers others. */
static uint64_t answer_max_ms(const struct dph_pipeline *pipeline,
			      const struct dph_pending *pending)
{
	if (!is_answering(pipeline) || pending->sent < TRIES_LOST ||
	    may_be_noise(pipeline, pending->sent))
		return REQUEST_MAX_MS;
	return later(SILENCE_MAX_MS,
		     SILENCE_PATIENCES * (uint64_t)dph_patience_ms(&pipeline->patience));
}

/* A request whose answer does not come, though the agent answers. */
static bool watch_answers(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;

	for (unsigned i = 0; i < pipeline->count; i++) {
		const struct dph_pending *pending = &pipeline->pending[i];
		const uint64_t waited_ms =
			dp_clock_ms() - later(pending->first_ms, pipeline->kept_ms);

		if (pending->was_other && waited_ms >= dph_pipeline_limit_ms(pipeline)) {
			pipeline->useless = true;
			return dph_session_fail_other(run->session, pending->request.command,
						      pending->other);
		}
		if (waited_ms < answer_max_ms(pipeline, pending))
			continue;
		pipeline->useless = true;
		if (pending->was_busy)
			return dph_session_fail_busy(run->session, pending->request.command);
		return fail_without_help(run, pending);
	}
	return true;
}

/* Answers come, and none helps the request that waits longest. Noise may lose those that would. */
static bool watch_help(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;
	const unsigned silence_ms = dph_session_silence_ms(run->session);
	const uint64_t limit_ms = silence_ms != 0 ? silence_ms : dph_pipeline_limit_ms(pipeline);

	if (!answers_come(pipeline) || pipeline->count == 0 ||
	    may_be_noise(pipeline, tries_of(pipeline)) ||
	    dp_clock_ms() - pipeline->helped_ms < limit_ms)
		return watch_answers(run);
	pipeline->useless = true;
	return fail_without_help(run, &pipeline->pending[0]);
}

static bool watch_silence(struct run *run)
{
	struct dph_pipeline *pipeline = run->pipeline;
	const bool long_work =
		pipeline->count > 0 && takes_long(pipeline->pending[0].request.command);
	const uint64_t since =
		later(pipeline->answered_ms, long_work ? dph_session_streamed_ms(run->session) : 0);
	const uint64_t silence_ms = dp_clock_ms() - since;

	if (silence_ms >= SILENCE_TOLD_MS && !pipeline->silence_told) {
		pipeline->silence_told = true;
		dph_session_tell_silence(run->session);
	}
	if (silence_ms >= silence_max_ms(run))
		return dph_session_fail_silent(run->session);
	return watch_help(run);
}

static bool receive(struct run *run)
{
	const struct dph_pipeline *pipeline = run->pipeline;
	const uint64_t now = dp_clock_ms();
	uint64_t until = now + LOOK_MS;

	for (unsigned i = 0; i < pipeline->count; i++) {
		const uint64_t due = due_ms(pipeline, &pipeline->pending[i]);

		until = due < until ? due : until;
	}
	return dph_request_receive(run->session, until > now ? (int)(until - now) : 0);
}

/* --- a run --- */

static bool ask_all(struct run *run)
{
	while (send_new(run)) {
		if (run->pipeline->count == 0)
			return true;
		if (!receive(run) || !take_replies(run) || !repeat_late(run) || !watch_silence(run))
			return false;
	}
	return false;
}

/* The user's patience has ended: report the attempts. */
static void tell_tried(struct run *run)
{
	const struct dph_pending *oldest = run->pipeline->pending;

	if (run->pipeline->count > 0 &&
	    dp_session_failure(run->session)->kind == DP_FAILED_INTERRUPTED)
		dph_session_fail_tried(run->session, oldest->request.command, oldest->sent,
				       oldest->was_busy);
}

bool dph_ask(struct dp_session *session, const struct dph_asker *asker)
{
	struct run run = {
		.session = session,
		.pipeline = dph_session_pipeline(session),
		.asker = asker,
		.start_ms = dp_clock_ms(),
	};
	bool good;

	dph_session_begin(session);
	/* Silence counts from the first request: the line may be quiet before, unless the host
	 * listened. */
	run.pipeline->answered_ms = run.start_ms - dph_session_quiet_ms(session);
	note_help(run.pipeline);
	run.pipeline->helped_ms = run.pipeline->answered_ms;
	run.pipeline->timeouts = run.pipeline->busy = 0;
	run.pipeline->count = 0;
	good = ask_all(&run);
	if (!good)
		tell_tried(&run);
	run.pipeline->count = 0;
	return good;
}

/* --- one request --- */

struct single {
	const struct dph_request *request;
	struct dph_reply *reply;
	bool supplied;
};

static bool single_next(void *context, struct dph_request *request)
{
	struct single *single = context;
	const bool fresh = !single->supplied;

	*request = *single->request;
	single->supplied = true;
	return fresh;
}

static bool single_answer(void *context, const struct dph_request *request,
			  const struct dph_reply *reply)
{
	struct single *single = context;

	(void)request;
	*single->reply = *reply;
	return true;
}

bool dph_request(struct dp_session *session, enum dp_cmd command, const struct dph_form *form,
		 const void *fields, struct dph_reply *reply)
{
	struct dph_request request = {0};
	struct single single = {.request = &request, .reply = reply};
	const struct dph_asker asker = {
		.context = &single, .next = single_next, .answer = single_answer};

	dph_request_set(&request, command, form, fields);
	return dph_ask(session, &asker);
}

bool dph_request_ok(struct dp_session *session, enum dp_cmd command, const struct dph_form *form,
		    const void *request, struct dph_reply *reply)
{
	if (!dph_request(session, command, form, request, reply))
		return false;
	return reply->error == DP_ERR_OK || dph_session_fail_error(session, command, reply->error);
}
