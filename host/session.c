/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "session_request.h"

#include "dprobes_errors.h"
#include "dprobes_records.h"
#include "transport.h"

#include "dp_bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
	HOLD_MS = 50, /* a possible frame start is shown as text: PROTOCOL.md 3.1 */
	LOOK_MS = 10, /* the most that one look which finds nothing counts as */
	SLICE_MS = 100,
	PATIENCE_START_MS = 150, /* nothing is known of the line yet */
	PATIENCE_MIN_MS = 60,
	PATIENCE_MAX_MS = 3000,
	REQUEST_MAX_MS = 30000,
	BUSY_PAUSE_MS = 20, /* before a request that was answered BUSY is sent again, */
	BUSY_PAUSE_MAX_MS = 200,
	BUSY_MAX = 60,   /* and how often: ten seconds */
	ALIVE_MS = 2500, /* syncs come each second, */
	COUNT_MS = 1000, /* or the agent is asked what it counted */
	REPLIES = 64,
};
#define HEARD "ZKRPYN"

struct dp_session {
	struct dp_transport *line;
	struct dp_session_options options;
	struct dp_hello target;
	struct dp_failure failure;
	struct dp_splitter splitter;
	unsigned quiet_ms; /* looked for the rest of what is held, in vain */
	size_t shown;      /* of what is held: the console has it already */
	uint64_t heard_ms, counted_ms;
	unsigned round_trip_ms8; /* smoothed, in eighths; 0: none seen */
	uint32_t number, seed;
	uint8_t seq, asked; /* the next, and that of the request which waits for its answer */
	bool repeated;      /* that one was sent more than once */
	bool open;          /* HELLO was answered */
	bool over;          /* line dead or target restarted: fails ever after */
	struct dp_reply replies[REPLIES];
	unsigned first_reply, reply_count;
};

uint64_t dp_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

const struct dp_hello *dp_session_target(const struct dp_session *session)
{
	return &session->target;
}

const struct dp_failure *dp_session_failure(const struct dp_session *session)
{
	return &session->failure;
}

const struct dp_listener *dp_session_listener(const struct dp_session *session)
{
	return &session->options.listener;
}

uint64_t dp_request_silence_ms(const struct dp_session *session)
{
	return dp_clock_ms() - session->heard_ms;
}

int dp_request_patience_ms(const struct dp_session *session)
{
	int ms = (int)session->round_trip_ms8 / 2 + 30; /* four round trips */

	if (session->round_trip_ms8 == 0)
		return PATIENCE_START_MS;
	return ms < PATIENCE_MIN_MS ? PATIENCE_MIN_MS : ms < PATIENCE_MAX_MS ? ms : PATIENCE_MAX_MS;
}

void dp_request_round_trip(struct dp_session *session, uint64_t ms)
{
	const unsigned now = ms < PATIENCE_MAX_MS ? (unsigned)ms + 1 : PATIENCE_MAX_MS;

	if (session->round_trip_ms8 == 0)
		session->round_trip_ms8 = now * 8;
	else
		session->round_trip_ms8 += now - session->round_trip_ms8 / 8;
}

/* --- failures --- */

bool dp_session_fail(struct dp_session *session, enum dp_failure_kind kind, const char *format, ...)
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
#define CMD(number, name, text, from_hit, arguments, answer)                                       \
	case number:                                                                               \
		return text;
#include "commands.def"
	}
	return "?";
}

void dp_session_set_error(struct dp_session *session, enum dp_err error)
{
	session->failure.error = error;
}

bool dp_session_fail_error(struct dp_session *session, enum dp_cmd command, unsigned error)
{
	dp_session_fail(session, DP_FAILED_AGENT, "the agent refused '%s': %s",
			command_text(command), dp_error_sentence(error));
	dp_session_set_error(session, (enum dp_err)error);
	return false;
}

bool dp_session_fail_silent(struct dp_session *session)
{
	if (!session->open)
		return dp_session_fail(session, DP_FAILED_LINK,
				       "nobody answers on %s: is the firmware running, does it "
				       "call dp_poll, is the speed right (--baud), and does no "
				       "other program hold the line?",
				       session->options.url);
	return dp_session_fail(session, DP_FAILED_LINK,
			       "the target on %s stopped answering: it hangs, was switched off, "
			       "or no longer calls dp_poll",
			       session->options.url);
}

bool dp_session_fail_busy(struct dp_session *session, enum dp_cmd command)
{
	dp_session_fail(session, DP_FAILED_AGENT,
			"the agent on %s answers '%s' with 'busy' all the time: hits come so fast "
			"that the firmware does not get to dp_poll; remove a probe that hits that "
			"often ('dprobes remove' works meanwhile), or take load off the firmware",
			session->options.url, command_text(command));
	dp_session_set_error(session, DP_ERR_BUSY);
	return false;
}

bool dp_session_fail_unknown(struct dp_session *session)
{
	return dp_session_fail(session, DP_FAILED_LINK,
			       "the target on %s does not know this session any more: it was "
			       "restarted, or another dprobes took it over; 'dprobes list' shows "
			       "what is installed now",
			       session->options.url);
}

static bool fail_restarted(struct dp_session *session, unsigned boot)
{
	return dp_session_fail(session, DP_FAILED_LINK,
			       "the target was restarted (boot %u, now %u): its probes are gone; "
			       "insert them again",
			       session->target.boot, boot);
}

static bool interrupted(struct dp_session *session)
{
	if (session->options.interrupt == NULL || !*session->options.interrupt)
		return false;
	dp_session_fail(session, DP_FAILED_INTERRUPTED, "interrupted");
	return true;
}

/* --- receiving --- */

static void put_reply(struct dp_session *session, const struct dp_reply *reply)
{
	if (session->reply_count == REPLIES) {
		session->first_reply = (session->first_reply + 1) % REPLIES;
		session->reply_count--;
	}
	session->replies[(session->first_reply + session->reply_count++) % REPLIES] = *reply;
}

bool dp_request_take(struct dp_session *session, struct dp_reply *reply)
{
	if (session->reply_count == 0)
		return false;
	*reply = session->replies[session->first_reply];
	session->first_reply = (session->first_reply + 1) % REPLIES;
	session->reply_count--;
	return true;
}

/* Text that was held, or begins with what was: what the console has of it is left out. */
static void console(struct dp_session *session, const uint8_t *bytes, size_t count)
{
	const struct dp_listener *listener = &session->options.listener;
	const size_t shown = session->shown;

	session->shown = 0;
	if (count > shown && listener->console != NULL)
		listener->console(listener->context, bytes + shown, count - shown);
}

static uint32_t digits_value(const struct dp_frame_in *frame, unsigned first, unsigned digits)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < digits; i++)
		value = value << 4 | frame->payload[first + i];
	return value;
}

/* A sync or the notice BOOT tells the boot number. */
static void watch_boot(struct dp_session *session, const struct dp_frame_in *frame)
{
	uint32_t boot = session->target.boot;

	if (frame->type == DP_FRAME_SYNC && frame->bytes >= 31)
		boot = digits_value(frame, 27, 4);
	if (frame->type == DP_FRAME_NOTICE && frame->bytes >= 9 &&
	    digits_value(frame, 3, 2) == DP_NOTICE_BOOT)
		boot = digits_value(frame, 5, 4);
	if (session->open && boot != session->target.boot)
		fail_restarted(session, boot);
}

static void stream(struct dp_session *session, const struct dp_frame_in *frame)
{
	const struct dp_listener *listener = &session->options.listener;
	char text[DP_LINE_MAX];
	size_t count = session->splitter.used - 1u;

	memcpy(text, session->splitter.held, count);
	dp_splitter_take(&session->splitter);
	watch_boot(session, frame);
	/* A restarted target counts from zero: its lines would look like losses. */
	if (listener->stream != NULL && !session->over)
		listener->stream(listener->context, frame, text, count);
}

/* Does the agent have to be asked what it counted? */
static bool counts_when_asked(const struct dp_session *session)
{
	return session->options.listener.counts != NULL && !session->options.mute &&
	       !(session->target.parts >> DP_PART_TIMES & 1);
}

/* An answer to STATUS stands between stream lines as a sync does, if it goes the same way and was
 * made just now: one that was stored is older than the lines before it. */
static void watch_counts(struct dp_session *session, const struct dp_reply *reply)
{
	const struct dp_listener *listener = &session->options.listener;
	struct dp_fields f = dp_fields_of(reply);
	struct dp_target_status status;
	struct dp_record_counts counts;

	if (reply->command != DP_CMD_STATUS || reply->error != DP_ERR_OK || session->over ||
	    reply->seq != session->asked || session->repeated || !counts_when_asked(session))
		return;
	dp_fields_status(&f, &status);
	counts = (struct dp_record_counts){status.sent, status.dropped, status.missed,
					   status.withdrawn};
	if (!f.cut && status.line == status.log_target)
		listener->counts(listener->context, &counts);
}

static void answer(struct dp_session *session, const struct dp_frame_in *frame, bool hello)
{
	struct dp_reply reply = {.hello = hello, .seq = frame->seq};

	if (frame->bytes < 2)
		return;
	reply.command = frame->payload[0];
	reply.error = frame->payload[1];
	reply.bytes = (uint8_t)(frame->bytes - 2);
	memcpy(reply.payload, frame->payload + 2, reply.bytes);
	watch_counts(session, &reply);
	put_reply(session, &reply);
}

/* A complete line is held. */
static void line_held(struct dp_session *session)
{
	const struct dp_splitter *s = &session->splitter;
	uint8_t text[DP_LINE_MAX];
	struct dp_frame_in frame;
	bool hello = false, good = dp_frame_check(s->held, s->used, session->seed, &frame);

	if (!good && frame.type == DP_FRAME_ANSWER)
		good = hello = dp_frame_check(s->held, s->used, dp_frame_seed(0, 0), &frame);
	if (!good) {
		console(session, text, dp_splitter_flush(&session->splitter, text));
		return;
	}
	session->heard_ms = dp_clock_ms();
	session->shown = 0;
	if (frame.type == DP_FRAME_ANSWER) {
		dp_splitter_take(&session->splitter);
		answer(session, &frame, hello);
	} else if (frame.type == DP_FRAME_NAK) {
		dp_splitter_take(&session->splitter);
		if (frame.bytes == 2)
			put_reply(session,
				  &(struct dp_reply){.nak = true,
						     .seq = (uint8_t)digits_value(&frame, 0, 2)});
	} else {
		stream(session, &frame);
	}
}

static void take_byte(struct dp_session *session, uint8_t byte)
{
	uint8_t text[DP_LINE_MAX];
	size_t count = 0;

	switch (dp_splitter_feed(&session->splitter, byte, HEARD, text, &count)) {
	case DP_SPLIT_HELD:
		break;
	case DP_SPLIT_CONSOLE:
		console(session, text, count);
		break;
	case DP_SPLIT_FRAME:
		line_held(session);
		break;
	}
}

/* Is there something that the console lacks, because it may become a frame? */
static bool holds(const struct dp_session *session)
{
	return session->splitter.used > session->shown;
}

/* A look that took so long found nothing. Pauses of our own do not count: not the time between two
 * looks, and of one look only what it was meant to take. What is shown can still become a frame,
 * when it was the target that paused. */
static void nothing_came(struct dp_session *session, uint64_t look_ms)
{
	const struct dp_splitter *s = &session->splitter;
	const size_t held = s->used;

	session->quiet_ms += look_ms < LOOK_MS ? (unsigned)look_ms : LOOK_MS;
	if (!holds(session) || session->quiet_ms < HOLD_MS)
		return;
	console(session, s->held, held);
	session->shown = held;
}

bool dp_request_receive(struct dp_session *session, int timeout_ms)
{
	const int most_ms = holds(session) ? LOOK_MS : SLICE_MS;
	const uint64_t start = dp_clock_ms();
	uint8_t bytes[4096];
	long count;

	if (session->over || interrupted(session))
		return false;
	count = dp_transport_read(session->line, bytes, sizeof bytes,
				  timeout_ms < most_ms ? timeout_ms : most_ms);
	if (count < 0) {
		uint8_t text[DP_LINE_MAX];

		console(session, text, dp_splitter_flush(&session->splitter, text));
		return dp_session_fail(session, DP_FAILED_LINK, "%s",
				       dp_transport_why(session->line));
	}
	if (count > 0)
		session->quiet_ms = 0;
	else
		nothing_came(session, dp_clock_ms() - start);
	for (long i = 0; i < count; i++)
		take_byte(session, bytes[i]);
	return !session->over;
}

/* --- requests --- */

uint8_t dp_request_next_seq(struct dp_session *session)
{
	return session->seq++;
}

bool dp_request_send(struct dp_session *session, uint8_t seq, enum dp_cmd command,
		     const uint8_t *arguments, size_t bytes)
{
	uint8_t payload[DP_PAYLOAD_MAX];
	char line[DP_LINE_MAX];
	size_t count;

	if (session->over)
		return false;
	payload[0] = (uint8_t)command;
	if (bytes > 0)
		memcpy(payload + 1, arguments, bytes);
	count = dp_frame_put_control(line, DP_FRAME_REQUEST, seq, payload, 1 + bytes,
				     command == DP_CMD_HELLO ? dp_frame_seed(0, 0) : session->seed);
	if (!dp_transport_write(session->line, line, count))
		return dp_session_fail(session, DP_FAILED_LINK, "%s",
				       dp_transport_why(session->line));
	return true;
}

enum try_end {
	TRY_ANSWERED,
	TRY_NAKED,
	TRY_NOTHING,
	TRY_FAILED
};

/* Wait for the answer to one sending of a request. */
static enum try_end await(struct dp_session *session, uint8_t seq, enum dp_cmd command, int wait_ms,
			  struct dp_reply *reply)
{
	uint64_t end = dp_clock_ms() + (uint64_t)wait_ms;

	for (;;) {
		uint64_t now;

		while (dp_request_take(session, reply)) {
			if (reply->seq != seq)
				continue;
			if (reply->nak)
				return TRY_NAKED;
			if (reply->command == command && reply->hello == (command == DP_CMD_HELLO))
				return TRY_ANSWERED;
		}
		now = dp_clock_ms();
		if (now >= end)
			return TRY_NOTHING;
		if (!dp_request_receive(session, (int)(end - now)))
			return TRY_FAILED;
	}
}

bool dp_request_pause(struct dp_session *session, enum dp_cmd command, unsigned busy)
{
	const uint64_t pause_ms = busy >= BUSY_PAUSE_MAX_MS / BUSY_PAUSE_MS
					  ? BUSY_PAUSE_MAX_MS
					  : (busy + 1) * BUSY_PAUSE_MS;
	const uint64_t end = dp_clock_ms() + pause_ms;

	if (busy >= BUSY_MAX)
		return dp_session_fail_busy(session, command);
	for (uint64_t now = dp_clock_ms(); now < end; now = dp_clock_ms())
		if (!dp_request_receive(session, (int)(end - now)))
			return false;
	return true;
}

static bool ask(struct dp_session *session, enum dp_cmd command, const uint8_t *arguments,
		size_t bytes, struct dp_reply *reply)
{
	uint8_t seq = dp_request_next_seq(session);
	uint64_t start = dp_clock_ms();
	int wait_ms = dp_request_patience_ms(session), naks = 0;
	unsigned busy = 0;
	bool first = true;

	session->asked = seq;
	session->repeated = false;
	/* Silence counts from the first question: nobody has to speak before. */
	session->heard_ms = start;
	while (dp_request_send(session, seq, command, arguments, bytes)) {
		switch (await(session, seq, command, wait_ms, reply)) {
		case TRY_ANSWERED:
			if (first)
				dp_request_round_trip(session, dp_clock_ms() - start);
			if (reply->error != DP_ERR_BUSY)
				return true;
			if (!dp_request_pause(session, command, busy++))
				return false;
			break;
		case TRY_NAKED:
			if (++naks >= DP_NAKS_MAX)
				return dp_session_fail_unknown(session);
			break;
		case TRY_NOTHING:
			/* A busy target is asked less and less often, a noisy line does not care.
			 */
			if (wait_ms < 8 * dp_request_patience_ms(session))
				wait_ms = wait_ms * 5 / 4;
			break;
		case TRY_FAILED:
			return false;
		}
		first = false;
		session->repeated = true;
		if (dp_request_silence_ms(session) >= DP_SILENCE_MAX_MS ||
		    dp_clock_ms() - start >= REQUEST_MAX_MS)
			return dp_session_fail_silent(session);
	}
	return false;
}

bool dp_request(struct dp_session *session, enum dp_cmd command, const uint8_t *arguments,
		size_t bytes, struct dp_reply *reply)
{
	const volatile sig_atomic_t *interrupt = session->options.interrupt;
	bool good;

	session->failure.kind = session->over ? session->failure.kind : DP_FAILED_NOT;
	/* An interrupt waits for the answer: without it nobody knows whether the probes are armed.
	 */
	if (command == DP_CMD_COMMIT)
		session->options.interrupt = NULL;
	good = ask(session, command, arguments, bytes, reply);
	session->options.interrupt = interrupt;
	return good;
}

bool dp_request_ok(struct dp_session *session, enum dp_cmd command, const uint8_t *arguments,
		   size_t bytes, struct dp_reply *reply)
{
	if (!dp_request(session, command, arguments, bytes, reply))
		return false;
	return reply->error == DP_ERR_OK || dp_session_fail_error(session, command, reply->error);
}

bool dp_session_listen(struct dp_session *session, int timeout_ms)
{
	struct dp_target_status status;

	if ((!session->options.mute && dp_request_silence_ms(session) >= ALIVE_MS) ||
	    (counts_when_asked(session) && dp_clock_ms() - session->counted_ms >= COUNT_MS)) {
		session->counted_ms = dp_clock_ms();
		return dp_session_status(session, &status);
	}
	return dp_request_receive(session, timeout_ms);
}

bool dp_session_type(struct dp_session *session, const void *bytes, size_t count)
{
	if (session->over)
		return false;
	if (!dp_transport_write(session->line, bytes, count))
		return dp_session_fail(session, DP_FAILED_LINK, "%s",
				       dp_transport_why(session->line));
	return true;
}

/* --- hello --- */

static bool take_hello(struct dp_session *session, const struct dp_reply *reply)
{
	struct dp_fields f = dp_fields_of(reply);
	struct dp_hello *t = &session->target;

	t->version = dp_field_u8(&f);
	if (reply->error == DP_ERR_BAD_PROTOCOL)
		return dp_session_fail(session, DP_FAILED_AGENT,
				       "the agent speaks protocol version %u, this dprobes version "
				       "%u; use the dprobes that matches the agent",
				       t->version, DP_PROTOCOL_VERSION);
	if (reply->error != DP_ERR_OK)
		return dp_session_fail_error(session, DP_CMD_HELLO, reply->error);
	t->boot = dp_field_u16(&f);
	t->cpu = dp_field_u8(&f);
	t->word_bytes = dp_field_u8(&f);
	t->big_endian = dp_field_u8(&f);
	t->groups = dp_field_u8(&f);
	t->phases = dp_field_u8(&f);
	t->coms = dp_field_u8(&f);
	t->window = dp_field_u8(&f);
	t->profile = dp_field_u8(&f);
	t->rights = dp_field_u8(&f);
	t->hz = dp_field_u32(&f);
	t->ticks = dp_field_u64(&f);
	t->programs = dp_field_u8(&f);
	t->modules = dp_field_u8(&f);
	t->agent_version = dp_field_u16(&f);
	t->parts = f.left == 0 ? UINT32_MAX : dp_field_u32(&f); /* the first agents had all */
	if (f.left != 0) {
		t->log_max = dp_field_u16(&f);
		t->trace_max = dp_field_u16(&f);
	}
	if (!dp_fields_done(session, &f))
		return false;
	if (t->word_bytes != 4 && t->word_bytes != 8)
		return dp_session_fail(session, DP_FAILED_AGENT,
				       "the agent says its words have %u bytes; 4 or 8 are known",
				       t->word_bytes);
	return true;
}

static bool hello(struct dp_session *session)
{
	uint8_t arguments[6] = {DP_PROTOCOL_VERSION};
	struct dp_reply reply;

	while (session->number == 0)
		if (getrandom(&session->number, sizeof session->number, 0) < 0)
			return dp_session_fail(session, DP_FAILED_LINK, "no random numbers");
	/* An answer that a dead host left on the line is not taken for ours. */
	session->seq = (uint8_t)(session->number >> 8);
	session->seed = dp_frame_seed(DP_PROTOCOL_VERSION, session->number);
	dp_put_u32(arguments + 1, session->number);
	arguments[5] = session->options.rights;
	if (!dp_request(session, DP_CMD_HELLO, arguments, sizeof arguments, &reply) ||
	    !take_hello(session, &reply))
		return false;
	session->open = true;
	return true;
}

struct dp_session *dp_session_open(const struct dp_session_options *options,
				   struct dp_failure *failure)
{
	struct dp_session *session = calloc(1, sizeof *session);

	*failure = (struct dp_failure){.kind = DP_FAILED_LINK};
	if (session == NULL) {
		snprintf(failure->text, sizeof failure->text, "out of memory");
		return NULL;
	}
	session->options = *options;
	session->line =
		dp_transport_open(options->url, options->baud, failure->text, sizeof failure->text);
	if (session->line != NULL && (options->mute || hello(session)))
		return session;
	if (session->line != NULL)
		*failure = session->failure;
	dp_session_close(session);
	return NULL;
}

void dp_session_close(struct dp_session *session)
{
	if (session == NULL)
		return;
	dp_transport_close(session->line);
	free(session);
}
