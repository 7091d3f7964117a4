/* SPDX-License-Identifier: BSD-2-Clause */
/* The session sends requests, repeats them, receives answers and stream lines, and ends on
 * failure. */
#define _GNU_SOURCE
#include "pipeline.h"
#include "owner.h"
#include "resend.h"
#include "rights.h"
#include "told.h"

#include <dprobes/errors.h>
#include <dprobes/records.h>
#include "stream/frame_hold.h"
#include "stream/record_line.h"
#include "wire/transport.h"
#include "dp_siphash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
	QUEUED_MS = 1000, /* a server that is free accepts sooner */
	LOOK_MS = 10,     /* the most that one look which finds nothing counts as */
	SLICE_MS = 100,
	QUIET_MS = 1500, /* syncs come each second: a longer silence is looked into */
	ALIVE_MS = 2500, /* a quiet host asks something */
	COUNT_MS = 1000, /* an agent without syncs is asked what it counted */
	REPLIES = 64,
	ANSWER_BYTES_MIN = 8, /* marker, type, number, command and error */
	IDLE_GONE_S = 10,     /* an owner without a request for so long has exited */
	IDLE_UNKNOWN = 0xffff,
};

struct dp_session {
	struct dph_transport *line;
	struct dp_session_options options;
	struct dp_hello_answer target;
	struct dp_failure failure;
	struct dph_hold hold;
	uint64_t opened_ms, heard_ms, asked_ms, damaged_ms, counted_ms;
	struct dph_pipeline pipeline;
	struct dph_resend resend;
	uint32_t number, seed;
	uint8_t seq;       /* of the next request */
	unsigned quiet_ms; /* how long the line was silent before the request at work */
	bool held;         /* the user's interrupt waits */
	bool open;         /* HELLO was answered */
	bool queue_seen;   /* bytes came, or the queue of the server was looked at */
	bool restarted;    /* over: the target was, or may have been, restarted */
	uint8_t key[DP_KEY_BYTES];
	bool over; /* line dead or target restarted: every later request fails */
	struct dph_reply replies[REPLIES];
	unsigned first_reply, reply_count;
};

const struct dp_hello_answer *dp_session_target(const struct dp_session *session)
{
	return &session->target;
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

uint64_t dph_session_heard_ms(const struct dp_session *session)
{
	return session->heard_ms;
}

unsigned dph_session_silence_ms(const struct dp_session *session)
{
	return session->open ? 0 : session->options.silence_ms;
}

unsigned dph_session_quiet_ms(const struct dp_session *session)
{
	return session->quiet_ms;
}

uint64_t dph_session_damaged_ms(const struct dp_session *session)
{
	return session->damaged_ms;
}

void dph_session_begin(struct dp_session *session)
{
	session->failure.kind = session->over ? session->failure.kind : DP_FAILED_NOT;
}

void dph_session_hold_interrupt(struct dp_session *session, bool held)
{
	session->held = held;
}

/* --- failures --- */

bool dph_session_fail(struct dp_session *session, enum dp_failure_kind kind, const char *format,
		      ...)
{
	va_list arguments;

	if (session->over)
		return false; /* the first reason is the cause of all others */
	session->failure.kind = kind;
	session->failure.error = DP_ERR_OK;
	va_start(arguments, format);
	vsnprintf(session->failure.text, sizeof session->failure.text, format, arguments);
	va_end(arguments);
	session->over = kind == DP_FAILED_LINK;
	return false;
}

static const char *command_text(enum dp_cmd command)
{
	switch (command) {
#define CMD(number, name, text, from_hit, right, repeatable)                                       \
	case number:                                                                               \
		return text;
#include "commands.def"
	}
	return "?";
}

void dph_session_set_error(struct dp_session *session, enum dp_err error)
{
	session->failure.error = error;
}

bool dph_session_fail_error(struct dp_session *session, enum dp_cmd command, unsigned error)
{
	dph_session_fail(session, DP_FAILED_AGENT, "the agent refused '%s': %s",
			 command_text(command), dp_error_sentence(error));
	dph_session_set_error(session, (enum dp_err)error);
	return false;
}

bool dph_session_fail_silent(struct dp_session *session)
{
	if (!session->open && dph_transport_queued(session->line)) {
		session->failure.no_line = true;
		return dph_session_fail(
			session, DP_FAILED_LINK,
			"no answer on %s: the server of this socket still serves another "
			"program, or is stopped; end that program first",
			session->options.url);
	}
	if (!session->open)
		return dph_session_fail(
			session, DP_FAILED_LINK,
			"no answer on %s: does the firmware run and call dp_poll, is "
			"the speed right (--baud), and does no other program hold "
			"the line?",
			session->options.url);
	return dph_session_fail(session, DP_FAILED_LINK,
				"the target on %s stopped answering: the firmware hangs, was "
				"switched off, or no longer calls dp_poll",
				session->options.url);
}

bool dph_session_fail_busy(struct dp_session *session, enum dp_cmd command)
{
	dph_session_fail(session, DP_FAILED_AGENT,
			 "the agent on %s always answers '%s' with 'busy': frequent hits keep the "
			 "firmware from dp_poll; remove a probe with many hits ('dprobes remove' "
			 "works meanwhile), or reduce the load of the firmware",
			 session->options.url, command_text(command));
	dph_session_set_error(session, DP_ERR_BUSY);
	return false;
}

bool dph_session_fail_unknown(struct dp_session *session)
{
	session->restarted = !session->over;
	return dph_session_fail(session, DP_FAILED_LINK,
				"the target on %s does not know this session any more: the target "
				"was restarted, or another dprobes took over; 'dprobes list' shows "
				"the installed programs",
				session->options.url);
}

bool dph_session_fail_tried(struct dp_session *session, enum dp_cmd command, unsigned sent,
			    bool was_busy)
{
	return dph_session_fail(session, DP_FAILED_INTERRUPTED,
				"the request '%s' was sent %u time(s) on %s, and %s",
				command_text(command), sent, session->options.url,
				was_busy ? "the agent was busy" : "no answer came");
}

static bool fail_restarted(struct dp_session *session, unsigned boot)
{
	session->restarted = !session->over;
	return dph_session_fail(session, DP_FAILED_LINK,
				"the target was restarted (boot %u, now %u): its probes are lost; "
				"insert them again",
				session->target.boot, boot);
}

static bool interrupted(struct dp_session *session)
{
	if (session->held || session->options.interrupt == NULL || !*session->options.interrupt)
		return false;
	return !dph_session_fail(session, DP_FAILED_INTERRUPTED, "interrupted");
}

/* --- receiving --- */

static void put_reply(struct dp_session *session, const struct dph_reply *reply)
{
	if (dph_resend_take(session, reply))
		return;
	if (session->reply_count == REPLIES) {
		session->first_reply = (session->first_reply + 1) % REPLIES;
		session->reply_count--;
	}
	session->replies[(session->first_reply + session->reply_count++) % REPLIES] = *reply;
}

bool dph_request_take(struct dp_session *session, struct dph_reply *reply)
{
	if (session->reply_count == 0)
		return false;
	*reply = session->replies[session->first_reply];
	session->first_reply = (session->first_reply + 1) % REPLIES;
	session->reply_count--;
	return true;
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	const struct dp_listener *listener = &((struct dp_session *)context)->options.listener;

	if (listener->console != NULL)
		listener->console(listener->context, bytes, count);
}

static void watch_boot(struct dp_session *session, const struct dp_frame_in *frame)
{
	uint16_t boot;

	if (session->open && dph_told_boot(frame, &boot) && boot != session->target.boot)
		fail_restarted(session, boot);
}

/* Bytes of a name from the line that are no text are shown as '?'. */
static const char *shown(char *name)
{
	for (char *p = name; *p != '\0'; p++)
		if (*p < 0x20 || *p > 0x7e)
			*p = '?';
	return *name != '\0' ? name : "another host";
}

static void stream(struct dp_session *session, const struct dp_frame_in *frame, const uint8_t *line,
		   size_t bytes)
{
	const struct dp_listener *listener = &session->options.listener;
	struct dp_session_taken_notice taken;

	if (dph_told_taken(frame, &taken)) {
		if (session->open)
			dph_session_fail(session, DP_FAILED_LINK,
					 "%s has taken over the session on %s; what was installed "
					 "stays installed",
					 shown(taken.owner), session->options.url);
		return;
	}
	watch_boot(session, frame);
	/* A restarted target counts from zero: its lines would look like losses. */
	if (listener->stream != NULL && !session->over)
		listener->stream(listener->context, frame, (const char *)line, bytes - 1);
}

/* Return whether the host must ask the agent for its counts. */
static bool counts_when_asked(const struct dp_session *session)
{
	return session->options.listener.counts != NULL && !session->options.mute &&
	       !(session->target.parts >> DP_PART_TIMES & 1);
}

/* An answer to STATUS has the same place between stream lines as a sync, if the answer uses the
 * same line and is new. A stored answer is older than the lines before it, and its counts are the
 * least that there are. */
static void watch_counts(struct dp_session *session, const struct dph_reply *reply)
{
	const struct dp_listener *listener = &session->options.listener;
	struct dp_status_answer status;
	struct dp_record_counts counts;
	const struct dph_pending *asked = dph_pending_find(&session->pipeline, reply->seq);
	bool cut;

	if (reply->command != DP_CMD_STATUS || reply->error != DP_ERR_OK || session->over ||
	    asked == NULL || listener->counts == NULL)
		return;
	dph_answer_part(reply, DPH_OF(status_answer, &status), &cut);
	counts = (struct dp_record_counts){
		.sent = status.sent,
		.dropped = status.dropped,
		.missed = status.missed,
		.withdrawn = status.withdrawn,
		.stored = asked->sent > 1,
	};
	if (!cut && status.line == status.log_target)
		listener->counts(listener->context, &counts);
}

static void answer(struct dp_session *session, const struct dp_frame_in *frame, bool hello)
{
	struct dph_reply reply = {.hello = hello, .seq = frame->seq};

	if (frame->bytes < 2)
		return;
	reply.command = frame->payload[0];
	reply.error = frame->payload[1];
	reply.bytes = (uint8_t)(frame->bytes - 2);
	memcpy(reply.payload, frame->payload + 2, reply.bytes);
	watch_counts(session, &reply);
	put_reply(session, &reply);
}

/* The text begins as an answer does: the agent has answered, and the line has damaged the answer.
 */
static void watch_damaged(struct dp_session *session, const uint8_t *bytes, size_t count)
{
	if (count < ANSWER_BYTES_MIN || bytes[0] != '~' || bytes[1] != 'Z' ||
	    dp_hex_digit(bytes[2]) > 15 || dp_hex_digit(bytes[3]) > 15)
		return;
	session->damaged_ms = dp_clock_ms();
	put_reply(session, &(struct dph_reply){.damaged = true,
					       .seq = (uint8_t)dp_hex_number(bytes + 2, 2)});
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct dp_session *session = context;
	const struct dp_listener *listener = &session->options.listener;

	watch_damaged(session, bytes, count);
	if (listener->settled != NULL)
		listener->settled(listener->context, bytes, count);
}

/* A complete line came. False: no frame. */
static bool on_line(void *context, const uint8_t *line, size_t bytes)
{
	struct dp_session *session = context;
	struct dp_frame_in frame;
	bool hello = false, good = dp_frame_check(line, bytes, session->seed, &frame);

	if (!good && frame.type == DP_FRAME_ANSWER)
		good = hello = dp_frame_check(line, bytes, DP_HELLO_SEED, &frame);
	if (!good) {
		session->damaged_ms =
			frame.type == DP_FRAME_NONE ? session->damaged_ms : dp_clock_ms();
		return false;
	}
	session->heard_ms = dp_clock_ms();
	if (frame.type == DP_FRAME_ANSWER)
		answer(session, &frame, hello);
	else if (frame.type != DP_FRAME_NAK)
		stream(session, &frame, line, bytes);
	else if (frame.bytes == 2)
		put_reply(session,
			  &(struct dph_reply){.nak = true,
					      .seq = (uint8_t)dph_digits_number(frame.payload, 2)});
	return true;
}

/* A connection in the queue of its server looks open, and nothing comes. */
static void watch_queue(struct dp_session *session)
{
	const struct dp_session_options *options = &session->options;
	char sentence[640];

	if (session->queue_seen || dp_clock_ms() - session->opened_ms < QUEUED_MS)
		return;
	session->queue_seen = true;
	if (options->waiting == NULL || !dph_transport_queued(session->line))
		return;
	snprintf(sentence, sizeof sentence,
		 "the server of %s serves another program (QEMU's sockets serve one at a time), or "
		 "is "
		 "stopped: waiting",
		 options->url);
	options->waiting(options->waiting_context, sentence);
}

void dph_session_tell_silence(struct dp_session *session)
{
	const struct dp_session_options *options = &session->options;
	char sentence[640];

	if (options->waiting == NULL || dph_transport_queued(session->line)) /* reported already */
		return;
	snprintf(sentence, sizeof sentence,
		 "the target on %s has not answered for some seconds: asking again", options->url);
	options->waiting(options->waiting_context, sentence);
}

bool dph_request_receive(struct dp_session *session, int timeout_ms)
{
	const int most_ms = dph_hold_waits(&session->hold) ? LOOK_MS : SLICE_MS;
	const uint64_t start = dp_clock_ms();
	uint64_t look_ms;
	uint8_t bytes[4096];
	long count;

	if (session->over || interrupted(session))
		return false;
	count = dph_transport_read(session->line, bytes, sizeof bytes,
				   timeout_ms < most_ms ? timeout_ms : most_ms);
	if (count < 0) {
		dph_hold_end(&session->hold);
		return dph_session_fail(session, DP_FAILED_LINK, "%s",
					dph_transport_why(session->line));
	}
	look_ms = dp_clock_ms() - start;
	/* Pauses of the host do not count. The time between two looks does not count, and a look
	 * counts with its planned time at most. */
	if (count == 0) {
		dph_hold_quiet(&session->hold, look_ms < LOOK_MS ? (unsigned)look_ms : LOOK_MS);
		watch_queue(session);
	} else {
		session->queue_seen = true;
	}
	dph_hold_bytes(&session->hold, bytes, (size_t)count);
	if (session->open && !session->over)
		dph_resend_turn(session);
	return !session->over;
}

/* --- requests --- */

uint8_t dph_request_next_seq(struct dp_session *session)
{
	return session->seq++;
}

bool dph_request_send(struct dp_session *session, uint8_t seq, const struct dph_request *request)
{
	char line[DP_LINE_MAX];
	size_t count;

	if (session->over)
		return false;
	count = dp_frame_put_control(line, DP_FRAME_REQUEST, seq, request->payload, request->bytes,
				     request->command == DP_CMD_HELLO ? DP_HELLO_SEED
								      : session->seed);
	if (!dph_transport_write(session->line, line, count))
		return dph_session_fail(session, DP_FAILED_LINK, "%s",
					dph_transport_why(session->line));
	session->asked_ms = dp_clock_ms();
	return true;
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

/* --- hello --- */

static bool fail_in_use(struct dp_session *session, struct dp_hello_in_use *in_use)
{
	char when[64] = "";

	if (in_use->idle != IDLE_UNKNOWN)
		snprintf(when, sizeof when, ", and asked something %u s ago", in_use->idle);
	dph_session_fail(session, DP_FAILED_AGENT,
			 "%s uses the agent on %s%s; end that program, or take the session over "
			 "with --take",
			 shown(in_use->owner), session->options.url, when);
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

static bool take_hello(struct dp_session *session, const struct dph_reply *reply)
{
	struct dp_hello_answer *t = &session->target;
	bool cut;

	dph_answer_part(reply, DPH_OF(hello_answer, t), &cut);
	if (reply->error == DP_ERR_BAD_PROTOCOL) {
		dph_session_fail(session, DP_FAILED_AGENT,
				 "the agent speaks protocol version %u, this dprobes version "
				 "%u; use the dprobes that matches the agent",
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
	return true;
}

static bool hello(struct dp_session *session)
{
	struct dp_hello_request request = {.version = DP_PROTOCOL_VERSION,
					   .rights = session->options.rights};
	struct dph_reply reply;

	if ((request.rights & ~DP_RIGHT_TAKE) == 0)
		request.rights |= DP_RIGHT_LOOK | DP_RIGHT_LOG | DP_RIGHT_INSERT;
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
	return dph_session_prove(session, session->options.key, &request, &session->target);
}

struct dp_session *dp_session_open(const struct dp_session_options *options,
				   struct dp_failure *failure)
{
	struct dp_session *session = calloc(1, sizeof *session);

	*failure = (struct dp_failure){.kind = DP_FAILED_LINK, .no_line = true};
	if (session == NULL) {
		snprintf(failure->text, sizeof failure->text, "out of memory");
		return NULL;
	}
	session->options = *options;
	if (options->key != NULL)
		session->options.key = memcpy(session->key, options->key, sizeof session->key);
	session->hold.listener =
		(struct dph_hold_listener){session, on_console, on_settled, on_line};
	session->line = dph_transport_open(options->url, options->baud, failure->text,
					   sizeof failure->text);
	session->opened_ms = dp_clock_ms();
	if (session->line != NULL && (options->mute || hello(session)))
		return session;
	if (session->line != NULL)
		*failure = session->failure;
	dp_session_close(session);
	return NULL;
}

bool dp_session_open_again(struct dp_session *session)
{
	const struct dp_hello_answer before = session->target;

	if (!session->restarted)
		return false;
	session->restarted = session->over = session->open = false;
	session->failure.kind = DP_FAILED_NOT;
	session->number = 0;
	session->reply_count = 0;
	session->pipeline = (struct dph_pipeline){0};
	session->resend.waits = session->resend.under_way = false;
	session->resend.acknowledged = false;
	session->asked_ms = session->heard_ms = session->counted_ms = dp_clock_ms();
	if (!hello(session))
		return false;
	if (before.boot != session->target.boot || before.nonce != session->target.nonce)
		return true;
	return dph_session_fail(session, DP_FAILED_LINK,
				"the target on %s was not restarted, but another host had the "
				"session; 'dprobes list' shows the installed programs",
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
	if (!dph_request_send(session, seq, &request))
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
	free(session);
}
