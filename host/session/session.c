/* SPDX-License-Identifier: BSD-2-Clause */
/* The session opens, sends lines, listens and closes. */
#define _GNU_SOURCE
#include "session_state.h"
#include "owner.h"
#include "rights.h"

#include <dprobes/errors.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
	QUIET_MS = 1500, /* syncs come each second: a longer silence is looked into */
	ALIVE_MS = 2500, /* a quiet host asks something */
	COUNT_MS = 1000, /* an agent without syncs is asked what it counted */
	QUEUED_MAX_MS = 5000,
	QUEUED_LOOK_MS = 2, /* a server that is free accepts at once */
	IDLE_GONE_S = 10,   /* an owner without a request for so long has exited */
	IDLE_UNKNOWN = 0xffff,
	BAUD = 115200, /* of a line without a speed of its own */
	COUNTS_MAX = 0xffffff00,
	AGAIN_MS = 30000, /* a restarted target may be without power, and loads its firmware */
};

const struct dp_hello_answer *dp_session_target(const struct dp_session *session)
{
	return &session->target;
}

int64_t dp_session_began_ns(const struct dp_session *session)
{
	return session->began_ns;
}

const struct dp_failure *dp_session_failure(const struct dp_session *session)
{
	return &session->failure;
}

const struct dp_listener *dph_session_listener(const struct dp_session *session)
{
	return &session->options.listener;
}

struct dph_pipeline *dph_session_pipeline(struct dp_session *session)
{
	return &session->pipeline;
}

const struct dph_pipeline *dph_session_pipeline_of(const struct dp_session *session)
{
	return &session->pipeline;
}

struct dph_resend *dph_session_resend(struct dp_session *session)
{
	return &session->resend;
}

const struct dph_resend *dph_session_resend_of(const struct dp_session *session)
{
	return &session->resend;
}

unsigned dph_session_baud(const struct dp_session *session)
{
	return session->options.baud > 0 ? session->options.baud : DPH_BAUD_DEFAULT;
}

uint64_t dph_session_heard_ms(const struct dp_session *session)
{
	return session->heard_ms;
}

uint64_t dph_session_streamed_ms(const struct dp_session *session)
{
	return session->streamed_ms;
}

unsigned dph_session_silence_ms(const struct dp_session *session)
{
	return session->again ? AGAIN_MS : session->open ? 0 : session->options.silence_ms;
}

unsigned dph_session_quiet_ms(const struct dp_session *session)
{
	return session->quiet_ms;
}

void dph_session_begin(struct dp_session *session)
{
	session->failure.kind = session->over ? session->failure.kind : DP_FAILED_NOT;
}

void dph_session_hold_interrupt(struct dp_session *session, bool held)
{
	session->held = held;
}

/* --- requests --- */

uint8_t dph_request_next_seq(struct dp_session *session)
{
	return session->sealed.on ? (uint8_t)++session->sealed.count : session->seq++;
}

bool dph_request_counts(const struct dp_session *session)
{
	return session->sealed.on;
}

bool dph_request_may_count(const struct dp_session *session)
{
	const struct dph_sealed *sealed = &session->sealed;

	return !sealed->on || sealed->count - sealed->answered < DPH_COUNTS_AHEAD;
}

bool dph_request_is_stale(const struct dp_session *session, uint8_t seq)
{
	const struct dph_sealed *sealed = &session->sealed;

	return sealed->on && dph_sealed_count(sealed, seq) <= sealed->answered;
}

bool dph_request_is_kept(struct dp_session *session)
{
	return dph_transport_kept(session->line);
}

bool dph_session_is_served(const struct dp_session *session)
{
	return dph_transport_is_service(session->line);
}

bool dph_session_has_rate(const struct dp_session *session)
{
	return dph_transport_has_rate(session->line);
}

bool dph_session_removed(struct dp_session *session)
{
	return dph_transport_removed(session->line);
}

static size_t put_line(const struct dp_session *session, char *line, uint8_t seq,
		       const struct dph_request *request)
{
	const bool hello = request->command == DP_CMD_HELLO;

	if (session->sealed.on)
		return dph_sealed_put(&session->sealed, line, seq, request->payload,
				      request->bytes);
	return dp_frame_put_control(line, DP_FRAME_REQUEST, seq, request->payload, request->bytes,
				    hello ? DP_HELLO_SEED : session->seed);
}

static bool send_line(struct dp_session *session, uint8_t seq, const struct dph_request *request)
{
	char line[DP_LINE_MAX];
	const size_t count = put_line(session, line, seq, request);

	if (!dph_transport_write(session->line, line, count))
		return dph_session_fail(session, DP_FAILED_LINK, "%s",
					dph_transport_why(session->line));
	session->asked_ms = dp_clock_ms();
	return true;
}

static void close_session(struct dp_session *session);

/* The counts behind the last one are left for CLOSE: the next session finds no owner. */
bool dph_request_send(struct dp_session *session, uint8_t seq, const struct dph_request *request)
{
	if (session->over)
		return false;
	if (session->sealed.count < COUNTS_MAX)
		return send_line(session, seq, request);
	close_session(session);
	return dph_session_fail(session, DP_FAILED_LINK,
				"the session has used all its numbers; open another one");
}

/* Return whether the host must ask the agent for its counts. */
static bool counts_when_asked(const struct dp_session *session)
{
	return session->options.listener.counts != NULL && !session->options.mute &&
	       !(session->target.parts >> DP_PART_TIMES & 1);
}

/* The silence before the request counts, but not a pause of the host. */
static bool look_alive(struct dp_session *session, uint64_t now, uint64_t quiet_ms)
{
	struct dp_status_answer status;
	bool good;

	session->quiet_ms = quiet_ms < QUIET_MS ? (unsigned)quiet_ms : QUIET_MS;
	session->counted_ms = session->heard_ms = now;
	good = dp_session_status(session, &status);
	session->quiet_ms = 0;
	return good;
}

bool dp_session_listen(struct dp_session *session, int timeout_ms)
{
	const uint64_t now = dp_clock_ms(), quiet_ms = now - session->heard_ms;

	/* Only requests show the agent that a quiet host still runs. */
	if ((!session->options.mute &&
	     (quiet_ms >= QUIET_MS || now - session->asked_ms >= ALIVE_MS)) ||
	    (counts_when_asked(session) && now - session->counted_ms >= COUNT_MS))
		return look_alive(session, now, quiet_ms);
	return dph_request_receive(session, timeout_ms);
}

bool dp_session_type(struct dp_session *session, const void *bytes, size_t count)
{
	if (session->over)
		return false;
	if (!dph_transport_write(session->line, bytes, count))
		return dph_session_fail(session, DP_FAILED_LINK, "%s",
					dph_transport_why(session->line));
	return true;
}

bool dp_session_queued(struct dp_session *session)
{
	session->served = session->served || !dph_transport_queued(session->line);
	return !session->served;
}

/* A HELLO in the queue of a server would reach the target after this host has gone. QEMU drops such
 * a connection after its first bytes, and the firmware's shell would get a lone '~'. */
static bool wait_for_server(struct dp_session *session)
{
	const unsigned silence_ms =
		session->options.silence_ms > 0 ? session->options.silence_ms : QUEUED_MAX_MS;

	while (dp_session_queued(session)) {
		if (dp_clock_ms() - session->opened_ms >= silence_ms)
			return dph_session_fail_silent(session);
		if (!dph_request_receive(session, QUEUED_LOOK_MS))
			return false;
	}
	return true;
}

/* --- hello --- */

static bool fail_in_use(struct dp_session *session, struct dp_hello_in_use *in_use)
{
	char when[64] = "", shown[DPH_SHOWN_BYTES];

	dph_owner_shown(in_use->owner, shown, sizeof shown);

	if (in_use->idle != IDLE_UNKNOWN)
		snprintf(when, sizeof when, ", with its last request %u s ago", in_use->idle);
	dph_session_fail(session, DP_FAILED_AGENT,
			 "%s uses the agent on %s%s; end that program, or take the session over "
			 "with --take ('dprobes serve' lets several commands use a line)",
			 shown, session->options.url, when);
	dph_session_set_error(session, DP_ERR_IN_USE);
	return false;
}

/* Return whether the host that has the session has exited. False: that host is alive, which is a
 * failure. */
static bool is_gone(struct dp_session *session, const struct dph_reply *reply)
{
	struct dp_hello_in_use in_use;
	bool cut;

	dph_answer_part(reply, DPH_OF(hello_in_use, &in_use), &cut);
	if (!cut && ((in_use.idle != IDLE_UNKNOWN && in_use.idle >= IDLE_GONE_S) ||
		     dph_owner_has_ended(in_use.owner)))
		return true;
	return fail_in_use(session, &in_use);
}

/* The time of day at tick 0 of the agent, by its ticks in the answer that has just come. 0: the
 * agent has no clock, or one that cannot be right. */
static int64_t began_ns(const struct dp_hello_answer *target)
{
	const uint64_t ns_a_second = 1000000000;
	struct timespec now;
	uint64_t seconds;

	if (target->hz == 0 || clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	seconds = target->ticks / target->hz;
	if (seconds >= (uint64_t)now.tv_sec) /* since before 1970 */
		return 0;
	return (int64_t)(((uint64_t)now.tv_sec - seconds) * ns_a_second + (uint64_t)now.tv_nsec -
			 target->ticks % target->hz * ns_a_second / target->hz);
}

static bool take_hello(struct dp_session *session, const struct dph_reply *reply)
{
	struct dp_hello_answer *t = &session->target;
	bool cut;

	dph_answer_part(reply, DPH_OF(hello_answer, t), &cut);
	if (reply->error == DP_ERR_BAD_PROTOCOL) {
		dph_session_fail(session, DP_FAILED_AGENT,
				 "the agent uses protocol version %u, this dprobes version %u; "
				 "use the dprobes that matches the agent",
				 t->version, DP_PROTOCOL_VERSION);
		dph_session_set_error(session, DP_ERR_BAD_PROTOCOL);
		return false;
	}
	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(session, DP_CMD_HELLO, reply->error);
	if (!dph_answer(session, reply, DPH_OF(hello_answer, t)))
		return false;
	if (t->word_bytes != 4 && t->word_bytes != 8)
		return dph_session_fail(
			session, DP_FAILED_AGENT,
			"the agent reports words of %u bytes; dprobes supports 4 and 8",
			t->word_bytes);
	session->began_ns = began_ns(t);
	session->hello_ms = dp_clock_ms();
	return true;
}

static bool hello(struct dp_session *session)
{
	struct dp_hello_request request = {.version = DP_PROTOCOL_VERSION,
					   .rights = session->options.rights};
	struct dph_reply reply;

	if ((request.rights & ~DP_RIGHT_TAKE) == 0)
		request.rights |= DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT;
	if (dph_session_has_left(session))
		request.rights |= DP_RIGHT_LOOK | DP_RIGHT_INSERT;
	if (session->options.owner != NULL)
		snprintf(request.owner, DP_OWNER_MAX + 1, "%s", session->options.owner);
	else
		dph_owner_of_process(getpid(), request.owner);

	while (session->number == 0)
		if (getrandom(&session->number, sizeof session->number, 0) < 0)
			return dph_session_fail(session, DP_FAILED_LINK, "no random numbers");
	/* An answer that a dead host left on the line is not taken for ours. */
	session->seq = (uint8_t)(session->number >> 8);
	request.session = session->number;
	if (!dph_request(session, DP_CMD_HELLO, DPH_OF_CONST(hello_request, &request), &reply))
		return false;
	if (reply.error == DP_ERR_IN_USE) {
		request.rights |= DP_RIGHT_TAKE;
		if (!is_gone(session, &reply) ||
		    !dph_request(session, DP_CMD_HELLO, DPH_OF_CONST(hello_request, &request),
				 &reply))
			return false;
	}
	if (!take_hello(session, &reply))
		return false;
	session->seed = dp_frame_seed(DP_PROTOCOL_VERSION, session->number, session->target.nonce);
	session->open = true;
	return dph_session_prove(session, session->options.key, &request, &session->target,
				 &session->sealed);
}

struct dp_session *dp_session_open(const struct dp_session_options *options,
				   struct dp_failure *failure)
{
	const struct dph_line_settings settings = {
		.baud = options->baud,
		.dtr = options->dtr,
		.rts = options->rts,
		.direct = options->direct,
		.temporary = options->temporary,
		.purpose = options->purpose,
	};
	struct dp_session *session = calloc(1, sizeof *session);

	*failure = (struct dp_failure){.kind = DP_FAILED_LINK, .no_line = true};
	if (session == NULL) {
		snprintf(failure->text, sizeof failure->text, "out of memory");
		return NULL;
	}
	session->options = *options;
	if (options->key != NULL)
		session->options.key = memcpy(session->key, options->key, sizeof session->key);
	session->hold.listener = dph_session_hold_listener(session);
	session->line =
		dph_transport_open(options->url, &settings, failure->text, sizeof failure->text);
	session->opened_ms = dp_clock_ms();
	if (session->line != NULL &&
	    (options->mute || (wait_for_server(session) && hello(session)))) {
		if (!options->mute)
			dph_session_remove_left(session);
		if (!session->over)
			return session;
	}
	if (session->line != NULL)
		*failure = session->failure;
	dp_session_close(session);
	return NULL;
}

void dph_session_serve(struct dp_session *session, const struct dph_server *server)
{
	session->server = *server;
	dph_transport_watch(session->line, server->fd, server->ready, server->context);
}

/* Was the target started again between two answers to HELLO? A target that has lost its power may
 * count its starts from the same number, and make the same nonce. Then its ticks have not gone on;
 * without ticks it has lost its programs.
 * Returns true also for a target whose ticks stood still, or that makes another nonce behind a
 * proof. */
static bool may_be_restarted(const struct dp_session *session, const struct dp_hello_answer *before,
			     uint64_t before_ms)
{
	const struct dp_hello_answer *now = &session->target;
	const uint64_t passed = (session->hello_ms - before_ms) * now->hz / 1000;

	return before->nonce != now->nonce ||
	       (now->hz != 0 ? now->ticks < before->ticks + passed / 2 : now->programs == 0);
}

/* The search of a program. */
struct search {
	struct dph_uploaded wanted;
	bool found;
};

static bool compare(void *context, const struct dp_program_answer *program)
{
	struct search *search = context;

	search->found =
		program->bytes == search->wanted.bytes && program->crc == search->wanted.crc;
	return !search->found;
}

/* A target that has the program of this session was not started again.
 * Returns false also when the session fails. */
static bool was_restarted(struct dp_session *session, const struct dp_hello_answer *before,
			  uint64_t before_ms)
{
	struct search search = {.wanted = session->installed};
	const struct dp_walk walk = {.context = &search, .program = compare};

	/* Another client may have inserted the same program again meanwhile. */
	if (dph_transport_restarted(session->line) || before->boot != session->target.boot)
		return true;
	if (!may_be_restarted(session, before, before_ms))
		return false;
	return session->installed.bytes == 0 || (dp_session_walk(session, &walk) && !search.found);
}

static bool hello_again(struct dp_session *session)
{
	bool good;

	session->again = true;
	good = hello(session);
	session->again = false;
	return good;
}

bool dp_session_restarted(const struct dp_session *session)
{
	return session->restarted;
}

bool dp_session_open_again(struct dp_session *session)
{
	const struct dp_hello_answer before = session->target;
	const uint64_t before_ms = session->hello_ms;

	if (!session->restarted)
		return false;
	session->restarted = session->over = session->open = false;
	session->failure.kind = DP_FAILED_NOT;
	session->number = 0;
	session->sealed = (struct dph_sealed){0};
	session->reply_count = 0;
	session->pipeline = (struct dph_pipeline){0};
	session->resend = (struct dph_resend){.records = session->resend.records};
	session->asked_ms = session->heard_ms = session->counted_ms = dp_clock_ms();
	if (!hello_again(session))
		return false;
	if (was_restarted(session, &before, before_ms))
		return true;
	return session->failure.kind == DP_FAILED_NOT &&
	       dph_session_fail(session, DP_FAILED_LINK,
				"the target on %s was not restarted, but was silent for some "
				"seconds, or another host had the session; 'dprobes list' shows "
				"the installed programs",
				session->options.url);
}

/* Send CLOSE once, and wait for the answer only as long as for the answer of any request.
 * Without an answer the agent keeps the owner until the owner's time ends. */
static void close_session(struct dp_session *session)
{
	const uint8_t seq = dph_request_next_seq(session);
	const uint64_t end = dp_clock_ms() + (uint64_t)dph_patience_ms(&session->pipeline.patience);
	struct dph_request request;
	struct dph_reply reply = {0};

	/* A RESEND behind CLOSE would be refused. */
	session->resend = (struct dph_resend){0};
	dph_request_set(&request, DP_CMD_CLOSE, NULL, NULL);
	session->options.interrupt = NULL;
	if (!send_line(session, seq, &request))
		return;
	for (uint64_t now = dp_clock_ms(); now < end; now = dp_clock_ms()) {
		while (dph_request_take(session, &reply))
			if (reply.seq == seq && !reply.nak)
				return;
		if (!dph_request_receive(session, (int)(end - now)))
			return;
	}
}

int dp_session_fd(const struct dp_session *session)
{
	return dph_transport_fd(session->line);
}

void dp_session_close(struct dp_session *session)
{
	if (session == NULL)
		return;
	if (session->open && !session->over)
		close_session(session);
	dph_transport_close(session->line);
	explicit_bzero(session->key, sizeof session->key);
	explicit_bzero(&session->sealed, sizeof session->sealed);
	free(session);
}
