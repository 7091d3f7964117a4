/* SPDX-License-Identifier: BSD-2-Clause */
/* The session asks the agent to send missing records again, and tells the agent which records have
 * arrived, beside all other requests. PROTOCOL.md 4.1.
 *
 * Each RESEND asks for one range of missing records, and names the records that have arrived.
 * Several RESENDs may be without an answer. Each RESEND is repeatable, so the session sends a new
 * RESEND in place of one without an answer. */
#ifndef DPH_RESEND_H
#define DPH_RESEND_H

#include "session_request.h"

struct dp_records;

enum {
	DPH_RESENDS = 16, /* that wait for an answer or for their records */
};

/* A RESEND that waits. */
struct dph_asked {
	bool open, answered;
	uint8_t seq;
	uint32_t have;      /* as sent */
	uint32_t from, end; /* the range; empty: the RESEND only acknowledges */
	uint32_t held;      /* bytes of the delivered records in the ring, at the request, */
	uint32_t arrived;   /* and the number of the next new record */
	uint64_t sent_ms;
	uint64_t due_ms; /* without an answer: the RESEND is lost */
	/* With an answer: the numbers of new and of repeated records at that time. */
	uint32_t next, again;
};

struct dph_resend {
	struct dp_records *records; /* null: nothing is asked for */
	bool acknowledged;          /* the agent keeps records until they are acknowledged */
	uint32_t ring;              /* its bytes */
	uint32_t told,
		told_held; /* acknowledged last, and the bytes of these records in the ring */
	uint64_t told_ms;
	bool unsure;     /* that RESEND may be lost */
	uint32_t bytes;  /* of the ring for a record, on average; 0: not known */
	uint32_t flight; /* bytes of the ring that arrive in a round trip, at most */
	uint32_t first;  /* the first missing record of the latest requests, */
	unsigned tries;  /* and how often the session has asked for it */
	unsigned busy;   /* RESENDs answered BUSY in a row */
	unsigned asks;   /* RESENDs since the last answer that has helped */
	/* The first RESEND since the last answer that has helped was sent; 0: none was. */
	uint64_t waits_ms;
	bool useless; /* no answer has helped, and none since */
	struct dph_asked asked[DPH_RESENDS];
};

/* Send the RESENDs that are due. */
void dph_resend_turn(struct dp_session *session);

/* Take an answer, a NAK or a damaged answer. Returns false when the reply is another request's. */
bool dph_resend_take(struct dp_session *session, const struct dph_reply *reply);

/* Return the lines of the window that the pipeline leaves to this file. */
unsigned dph_resend_share(const struct dp_session *session);

#endif
