/* SPDX-License-Identifier: BSD-2-Clause */
/* The session asks the agent to send missing records again, and tells the agent which records have
 * arrived, beside all other requests. PROTOCOL.md 4.1.
 *
 * Each RESEND is repeatable and names all that is missing, so the session sends a new RESEND in
 * place of one without an answer. */
#ifndef DPH_RESEND_H
#define DPH_RESEND_H

#include "session_request.h"

struct dp_records;

struct dph_resend {
	struct dp_records *records; /* null: nothing is asked for */
	bool acknowledged;          /* the agent keeps records until they are acknowledged */
	uint32_t batch;             /* acknowledge when so many bytes of the ring have arrived */
	uint32_t told;              /* the agent knows that the records before it have arrived */
	uint32_t told_held;         /* their bytes in the ring */
	uint32_t asked_held;        /* the same, at the request */
	uint64_t told_ms;
	bool waits; /* asked, and no answer came */
	uint8_t seq;
	struct dp_resend_request asked;
	uint64_t asked_ms;
	unsigned tries; /* for the same records */
	/* The records that the agent sends again. */
	bool under_way;
	uint32_t end;   /* number behind the last one */
	uint32_t next;  /* number of the next new record at the answer */
	uint32_t again; /* lines that had come again at the request */
};

/* Send a RESEND when one is due. */
void dph_resend_turn(struct dp_session *session);

/* Take an answer, a NAK or a damaged answer. Returns false when the reply is another request's. */
bool dph_resend_take(struct dp_session *session, const struct dph_reply *reply);

/* Return the requests of this file that are without an answer. */
unsigned dph_resend_waiting(const struct dp_session *session);

#endif
