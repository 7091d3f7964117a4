/* SPDX-License-Identifier: BSD-2-Clause */
/* One request and its answer: what session.c offers to session_query.c and session_upload.c. */
#ifndef DP_SESSION_REQUEST_H
#define DP_SESSION_REQUEST_H

#include "dprobes_session.h"

struct dp_reply {
	bool nak;   /* seq arrived damaged; nothing else is set */
	bool hello; /* checked with the seed of HELLO */
	uint8_t seq, command, error;
	uint8_t bytes; /* behind command and error */
	uint8_t payload[DP_PAYLOAD_MAX];
};

/* Send a request and wait for its answer, whatever its error. */
bool dp_request(struct dp_session *session, enum dp_cmd command, const uint8_t *arguments,
		size_t bytes, struct dp_reply *reply);
/* The same, but an error in the answer is a failure. */
bool dp_request_ok(struct dp_session *session, enum dp_cmd command, const uint8_t *arguments,
		   size_t bytes, struct dp_reply *reply);

/* For requests that do not wait for one another: send a line, fetch what came back. */
uint8_t dp_request_next_seq(struct dp_session *session);
bool dp_request_send(struct dp_session *session, uint8_t seq, enum dp_cmd command,
		     const uint8_t *arguments, size_t bytes);
bool dp_request_receive(struct dp_session *session, int timeout_ms);
bool dp_request_take(struct dp_session *session, struct dp_reply *reply);
const struct dp_listener *dp_session_listener(const struct dp_session *session);
/* How long to wait for an answer before asking again, from the round trips seen. */
int dp_request_patience_ms(const struct dp_session *session);
void dp_request_round_trip(struct dp_session *session, uint64_t ms);
/* Milliseconds since anything valid came from the target. */
uint64_t dp_request_silence_ms(const struct dp_session *session);
/* A request was answered BUSY, for the `busy`th time (from 0): receive for a while, longer each
 * time, before it is sent again. False when that was too often; then the failure says so. */
bool dp_request_pause(struct dp_session *session, enum dp_cmd command, unsigned busy);
enum {
	DP_SILENCE_MAX_MS = 5000, /* then the target is given up */
	DP_NAKS_MAX = 60,         /* for one request, in a row: it is not noise */
};

/* Note a failure; returns false. */
__attribute__((format(printf, 3, 4))) bool
dp_session_fail(struct dp_session *session, enum dp_failure_kind kind, const char *format, ...);
/* The error that the last failure was about. */
void dp_session_set_error(struct dp_session *session, enum dp_err error);
bool dp_session_fail_error(struct dp_session *session, enum dp_cmd command, unsigned error);
bool dp_session_fail_silent(struct dp_session *session);
bool dp_session_fail_busy(struct dp_session *session, enum dp_cmd command);
bool dp_session_fail_unknown(struct dp_session *session); /* it NAKs whatever is sent */

/* Reads the payload of an answer from the front. */
struct dp_fields {
	const uint8_t *p;
	size_t left;
	bool cut;
};
struct dp_fields dp_fields_of(const struct dp_reply *reply);
uint8_t dp_field_u8(struct dp_fields *fields);
void dp_fields_status(struct dp_fields *fields, struct dp_target_status *status);
uint16_t dp_field_u16(struct dp_fields *fields);
uint32_t dp_field_u32(struct dp_fields *fields);
uint64_t dp_field_u64(struct dp_fields *fields);
/* Copies what is there, at most room, to `to`; returns how many. */
size_t dp_field_rest(struct dp_fields *fields, void *to, size_t room);
/* True when nothing was missing; else a failure. */
bool dp_fields_done(struct dp_session *session, const struct dp_fields *fields);

#endif
