/* SPDX-License-Identifier: BSD-2-Clause */
/* session.c sends one request and returns its answer, for session_query.c and session_upload.c. */
#ifndef DPH_SESSION_REQUEST_H
#define DPH_SESSION_REQUEST_H

#include <dprobes/session.h>
#include "wire/messages.h"

struct dph_reply {
	bool nak;   /* seq arrived damaged; nothing else is set */
	bool hello; /* checked with the seed of HELLO */
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
/* Read the fields of an answer; a failure when it is too short. */
bool dph_answer(struct dp_session *session, const struct dph_reply *reply,
		const struct dph_form *form, void *answer);
/* The same, of one that may be too short: then *cut. */
void dph_answer_part(const struct dph_reply *reply, const struct dph_form *form, void *answer,
		     bool *cut);

/* For requests that do not wait for one another: send a line, fetch what came back. */
uint8_t dph_request_next_seq(struct dp_session *session);
bool dph_request_send(struct dp_session *session, uint8_t seq, enum dp_cmd command,
		      const struct dph_form *form, const void *request);
bool dph_request_receive(struct dp_session *session, int timeout_ms);
bool dph_request_take(struct dp_session *session, struct dph_reply *reply);
const struct dp_listener *dph_session_listener(const struct dp_session *session);
/* How long to wait for an answer before asking again, from the round trips seen. */
int dph_request_patience_ms(const struct dp_session *session);
void dph_request_round_trip(struct dp_session *session, uint64_t ms);
/* Milliseconds since anything valid came from the target. */
uint64_t dph_request_silence_ms(const struct dp_session *session);
/* A request was answered BUSY, for the `busy`th time (from 0): receive for a while, longer each
 * time, before it is sent again. False when that was too often; then the failure says so. */
bool dph_request_pause(struct dp_session *session, enum dp_cmd command, unsigned busy);
enum {
	DPH_SILENCE_MAX_MS = 5000, /* then the target is given up */
	DPH_NAKS_MAX = 60,         /* for one request, in a row: it is not noise */
};

/* Note a failure; returns false. */
__attribute__((format(printf, 3, 4))) bool
dph_session_fail(struct dp_session *session, enum dp_failure_kind kind, const char *format, ...);
/* The error that the last failure was about. */
void dph_session_set_error(struct dp_session *session, enum dp_err error);
bool dph_session_fail_error(struct dp_session *session, enum dp_cmd command, unsigned error);
bool dph_session_fail_silent(struct dp_session *session);
bool dph_session_fail_busy(struct dp_session *session, enum dp_cmd command);
bool dph_session_fail_unknown(struct dp_session *session); /* it NAKs whatever is sent */

#endif
