/* SPDX-License-Identifier: BSD-2-Clause */
/* The common part of the session's files: requests, answers, the line, failures. */
#ifndef DPH_SESSION_REQUEST_H
#define DPH_SESSION_REQUEST_H

#include <dprobes/session.h>
#include "wire/messages.h"

struct dph_reply {
	bool nak;     /* seq arrived damaged; nothing else is set */
	bool damaged; /* the answer to seq came damaged; nothing else is set */
	bool hello;   /* checked with the seed of HELLO */
	uint8_t seq, command, error;
	uint8_t bytes; /* behind command and error */
	uint8_t payload[DP_PAYLOAD_MAX];
};

/* Send a request and wait for its answer, whatever its error. request: with its form, or two null
 * pointers for one without fields. */
bool dph_request(struct dp_session *session, enum dp_cmd command, const struct dph_form *form,
		 const void *request, struct dph_reply *reply);
/* The same, but an error in the answer is a failure. */
bool dph_request_ok(struct dp_session *session, enum dp_cmd command, const struct dph_form *form,
		    const void *request, struct dph_reply *reply);
/* Read the fields of an answer. A short answer is a failure. */
bool dph_answer(struct dp_session *session, const struct dph_reply *reply,
		const struct dph_form *form, void *answer);
/* The same, of one that may be too short: then *cut. */
void dph_answer_part(const struct dph_reply *reply, const struct dph_form *form, void *answer,
		     bool *cut);

/* Read the answer to LIMITS, and note the ring of the agent. */
bool dph_session_take_limits(struct dp_session *session, const struct dph_reply *reply,
			     struct dp_limits_answer *limits);

/* Fail with an error of the agent, and the reason of NOT_PROBEABLE. Returns false. */
bool dph_session_refused(struct dp_session *session, enum dp_err error, enum dp_refusal refusal);

/* Fetch the rest of a name that is too long for the answer to PROGRAM. */
bool dph_session_program_name(struct dp_session *session, struct dp_program_answer *program);

/* Send the bytes of an open upload. */
bool dph_session_send(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		      uint16_t transaction);

/* Has another client of the service removed a program of this session? Returns true once. */
bool dph_session_removed(struct dp_session *session);

/* Does the session use the line through a service? */
bool dph_session_is_served(const struct dp_session *session);

/* Do characters take time on the line of the session? */
bool dph_session_has_rate(const struct dp_session *session);

struct dph_request; /* pipeline.h */

/* A process that passes the requests of others on. */
struct dph_server {
	void *context;
	int fd;                       /* readable: others want something; */
	void (*ready)(void *context); /* called then, also in the middle of a request */
	/* An answer came, in its place among the lines of the listener. The asker gets the same
	 * answer later. repeated: the request was sent several times, so that the answer may be
	 * older than the lines before it. */
	void (*arrived)(void *context, const struct dph_request *request, bool repeated,
			const struct dph_reply *reply);
};
/* Serve from now on. */
void dph_session_serve(struct dp_session *session, const struct dph_server *server);

/* --- the line, for the pipeline --- */

struct dph_pipeline;
struct dph_resend; /* resend.h */

uint8_t dph_request_next_seq(struct dp_session *session);
/* In a sealed session a line is sent again only as long as no later request has its answer, and the
 * agent has not answered BUSY. Return whether the request must have another number now. */
bool dph_request_is_stale(const struct dp_session *session, uint8_t seq);
/* Return whether a NAK may show that the agent has executed a later request: the session is sealed.
 */
bool dph_request_counts(const struct dp_session *session);
/* Return whether another number may be used. */
bool dph_request_may_count(const struct dp_session *session);
/* Send one line. */
bool dph_request_send(struct dp_session *session, uint8_t seq, const struct dph_request *request);
/* Receive for at most timeout_ms milliseconds. */
bool dph_request_receive(struct dp_session *session, int timeout_ms);
/* Does a service hold a request back, and say so? Returns true once for each time. */
bool dph_request_is_kept(struct dp_session *session);
/* Fetch the next answer or NAK. Returns false when none is left. */
bool dph_request_take(struct dp_session *session, struct dph_reply *reply);

struct dph_pipeline *dph_session_pipeline(struct dp_session *session);
const struct dph_pipeline *dph_session_pipeline_of(const struct dp_session *session);
struct dph_resend *dph_session_resend(struct dp_session *session);
const struct dph_resend *dph_session_resend_of(const struct dp_session *session);
/* Acknowledge records from now on, or no longer. */
bool dph_session_acknowledge(struct dp_session *session, bool acknowledged);
/* Return how many repeatable requests may be without an answer beside those of the pipeline. */
unsigned dph_request_room(const struct dp_session *session);
const struct dp_listener *dph_session_listener(const struct dp_session *session);
/* Return the speed of the line. */
unsigned dph_session_baud(const struct dp_session *session);
/* When the last valid line came, and the last one of the stream. */
uint64_t dph_session_heard_ms(const struct dp_session *session);
uint64_t dph_session_streamed_ms(const struct dp_session *session);
/* How long the line was silent before the request at work, as far as the silence counts. */
unsigned dph_session_quiet_ms(const struct dp_session *session);
/* How long the first question may stay without answer; 0: as long as any. */
unsigned dph_session_silence_ms(const struct dp_session *session);
/* A question begins: the failure of the one before is forgotten. */
void dph_session_begin(struct dp_session *session);
/* held: the user's interrupt waits for an answer; without that answer the target's state is
 * unknown. */
void dph_session_hold_interrupt(struct dp_session *session, bool held);
/* Report to the user that the target has been silent for a while. */
void dph_session_tell_silence(struct dp_session *session);
/* Report to the user that no RESEND has had an answer that helps. */
void dph_session_tell_resend(struct dp_session *session);

/* --- failures --- */

/* Note a failure; returns false. */
__attribute__((format(printf, 3, 4))) bool
dph_session_fail(struct dp_session *session, enum dp_failure_kind kind, const char *format, ...);
/* The error that the last failure was about. */
void dph_session_set_error(struct dp_session *session, enum dp_err error);
bool dph_session_fail_error(struct dp_session *session, enum dp_cmd command, unsigned error);
bool dph_session_fail_silent(struct dp_session *session);
bool dph_session_fail_busy(struct dp_session *session, enum dp_cmd command);
/* The answers are to another command. */
bool dph_session_fail_other(struct dp_session *session, enum dp_cmd command, uint8_t came);
/* Answers come, and no request waits for them. reply: the last one. seq: of the request's last
 * sending. */
bool dph_session_fail_foreign(struct dp_session *session, enum dp_cmd command, uint8_t seq,
			      const struct dph_reply *reply);
/* The agent answers other requests, and never this one. */
bool dph_session_fail_ignored(struct dp_session *session, enum dp_cmd command);
/* Each answer came damaged. */
bool dph_session_fail_damaged(struct dp_session *session, enum dp_cmd command);
/* The agent answers, and the upload does not go on. */
bool dph_session_fail_stuck(struct dp_session *session, uint32_t have, uint32_t bytes);
bool dph_session_fail_unknown(struct dp_session *session); /* it NAKs whatever is sent */
/* The user's patience has ended: report the attempts. */
bool dph_session_fail_tried(struct dp_session *session, enum dp_cmd command, unsigned sent,
			    bool was_busy);

#endif
