/* SPDX-License-Identifier: BSD-2-Clause */
/* The session receives answers, stream lines and console text, and sees a silent line. */
#define _GNU_SOURCE
#include "session_state.h"
#include "owner.h"
#include "told.h"

#include <dprobes/records.h>
#include "stream/record_line.h"

#include <stdio.h>
#include <string.h>

enum {
	QUEUED_MS = 1000, /* a server that is free accepts sooner */
	LOOK_MS = 10,     /* the most that one look which finds nothing counts as */
	SLICE_MS = 100,
	ANSWER_BYTES_MIN = 8, /* marker, type, number, command and error */
};

static void put_reply(struct dp_session *session, const struct dph_reply *reply)
{
	if (dph_resend_take(session, reply))
		return;
	if (session->reply_count == DPH_REPLIES) {
		session->first_reply = (session->first_reply + 1) % DPH_REPLIES;
		session->reply_count--;
	}
	session->replies[(session->first_reply + session->reply_count++) % DPH_REPLIES] = *reply;
}

bool dph_request_take(struct dp_session *session, struct dph_reply *reply)
{
	if (session->reply_count == 0)
		return false;
	*reply = session->replies[session->first_reply];
	session->first_reply = (session->first_reply + 1) % DPH_REPLIES;
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
		dph_session_fail_restarted(session, boot);
}

static void fail_taken(struct dp_session *session, const char *owner)
{
	char shown[DPH_SHOWN_BYTES];

	dph_owner_shown(owner, shown, sizeof shown);
	dph_session_fail(session, DP_FAILED_LINK,
			 "%s has taken over the session on %s; its programs stay installed", shown,
			 session->options.url);
}

static void stream(struct dp_session *session, const struct dp_frame_in *frame, const uint8_t *line,
		   size_t bytes)
{
	const struct dp_listener *listener = &session->options.listener;
	struct dp_session_taken_notice taken;

	session->streamed_ms = session->heard_ms;
	if (dph_told_taken(frame, &taken)) {
		if (session->open)
			fail_taken(session, taken.owner);
		return;
	}
	watch_boot(session, frame);
	/* A restarted target counts from zero: its lines would look like losses. */
	if (listener->stream != NULL && !session->over)
		listener->stream(listener->context, frame, (const char *)line, bytes - 1);
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

/* The same answers that the pipeline takes. */
static void tell_server(struct dp_session *session, const struct dph_reply *reply)
{
	const struct dph_server *server = &session->server;
	const struct dph_pending *asked = dph_pending_find(&session->pipeline, reply->seq);

	if (server->arrived != NULL && asked != NULL && !reply->hello &&
	    asked->request.command == reply->command && reply->error != DP_ERR_BUSY)
		server->arrived(server->context, &asked->request, asked->sent > 1, reply);
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
	tell_server(session, &reply);
	put_reply(session, &reply);
}

static void put_damaged(struct dp_session *session, uint8_t seq)
{
	put_reply(session, &(struct dph_reply){.damaged = true, .seq = seq});
}

/* The text begins as an answer does: the agent has answered, and the line has damaged the answer.
 */
static void watch_damaged(struct dp_session *session, const uint8_t *bytes, size_t count)
{
	if (count < ANSWER_BYTES_MIN || bytes[0] != '~' || bytes[1] != 'Z' ||
	    dp_hex_digit(bytes[2]) > 15 || dp_hex_digit(bytes[3]) > 15)
		return;
	put_damaged(session, (uint8_t)dp_hex_number(bytes + 2, 2));
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct dp_session *session = context;
	const struct dp_listener *listener = &session->options.listener;

	watch_damaged(session, bytes, count);
	if (listener->settled != NULL)
		listener->settled(listener->context, bytes, count);
}

/* A complete line came. False: no frame. An answer of a sealed session that has the CRC in place of
 * the seal counts as damaged. */
static bool on_line(void *context, const uint8_t *line, size_t bytes)
{
	struct dp_session *session = context;
	struct dp_frame_in frame;
	bool hello = false, good = dp_frame_check(line, bytes, session->seed, &frame);

	if (session->sealed.on && frame.type == DP_FRAME_ANSWER) {
		const bool checked = good;

		good = dph_sealed_answer(&session->sealed, &frame);
		if (checked && !good) {
			put_damaged(session, frame.seq);
			return true;
		}
	} else if (!good && frame.type == DP_FRAME_ANSWER)
		good = hello = dp_frame_check(line, bytes, DP_HELLO_SEED, &frame);
	if (!good)
		return false;
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

void dph_session_tell_resend(struct dp_session *session)
{
	const struct dp_session_options *options = &session->options;
	char sentence[640];

	if (options->waiting == NULL)
		return;
	snprintf(sentence, sizeof sentence,
		 "the agent on %s has taken no request for missing records ('resend') for some "
		 "seconds: they are lost, and records that have arrived stay in its ring",
		 options->url);
	options->waiting(options->waiting_context, sentence);
}

struct dph_hold_listener dph_session_hold_listener(struct dp_session *session)
{
	return (struct dph_hold_listener){session, on_console, on_settled, on_line};
}

static void tell_service(struct dp_session *session)
{
	const struct dp_session_options *options = &session->options;
	char sentence[768];

	if (dph_transport_told(session->line, sentence, sizeof sentence) &&
	    options->waiting != NULL)
		options->waiting(options->waiting_context, sentence);
}

static bool interrupted(struct dp_session *session)
{
	if (session->held || session->options.interrupt == NULL || !*session->options.interrupt)
		return false;
	return !dph_session_fail(session, DP_FAILED_INTERRUPTED, "interrupted");
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
	tell_service(session);
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
