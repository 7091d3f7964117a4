/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline keeps several requests unanswered at once, repeats those that were lost, and gives
 * each answer to who asked.  PROTOCOL.md 3.2.
 *
 * An asker supplies the requests one by one, as the window has room. A request that commands.def
 * does not mark as repeatable waits until all others are answered, and nothing is sent behind it.
 */
#ifndef DPH_PIPELINE_H
#define DPH_PIPELINE_H

#include "patience.h"
#include "session_request.h"

enum {
	DPH_WINDOW_MAX = 32,
	DPH_DOUBTS = 32,
	DPH_NOISE_ONE = 256,
	DPH_HELLOS = 16, /* the last sendings of HELLO that an answer is taken for, one each */
};

struct dph_request {
	enum dp_cmd command;
	bool alone; /* not repeatable, though its command is: VARS with reset */
	uint8_t bytes;
	uint8_t payload[DP_PAYLOAD_MAX]; /* command byte and fields */
	uint32_t tag;                    /* the asker's own */
};

/* Write the command and the fields. form, fields: null for a request without fields. */
void dph_request_set(struct dph_request *request, enum dp_cmd command, const struct dph_form *form,
		     const void *fields);

struct dph_asker {
	void *context;
	/* Supply the next request. Returns false when there is none now. */
	bool (*next)(void *context, struct dph_request *request);
	/* Take an answer, whatever its error; BUSY never arrives here. Returns false to end: the
	 * asker has noted the failure. */
	bool (*answer)(void *context, const struct dph_request *request,
		       const struct dph_reply *reply);
	/* Return whether another answer has settled this request. Null: never. */
	bool (*settled)(void *context, const struct dph_request *request);
	/* A request was lost. Returns true to repeat the request unchanged; false: the asker
	 * supplies another request in its place. Null: repeat. */
	bool (*lost)(void *context, const struct dph_request *request);
	/* The answer to a request came damaged, so the agent has the request. Returns true when the
	 * asker does without the answer. May be null: ask again. */
	bool (*damaged)(void *context, const struct dph_request *request);
};

/* Ask until the asker has no more requests and all are answered. Returns false on failure. */
bool dph_ask(struct dp_session *session, const struct dph_asker *asker);

/* A request without its answer. */
struct dph_pending {
	struct dph_request request;
	uint8_t seq; /* of HELLO that of the last sending */
	unsigned sent, naks;
	bool was_busy;
	bool was_other; /* an answer was to another command: */
	uint8_t other;
	bool refused;                     /* its last line got a NAK */
	unsigned first_order, last_order; /* of its first and last sending among all sendings */
	uint64_t first_ms, sent_ms;
	uint64_t pause_ms; /* after BUSY: send it again at this time; 0: no pause */
};

/* The round trip of a repeated request, if the first answer was to the first sending. */
struct dph_doubt {
	bool open;
	uint8_t seq;
	unsigned late; /* answers to its other sendings that may come */
	uint64_t round_trip_ms;
};

/* A sending of HELLO. */
struct dph_hello {
	uint8_t seq;
	bool open; /* no answer to it has come */
	uint64_t sent_ms;
};

struct dph_pipeline {
	struct dph_patience patience;
	struct dph_pending pending[DPH_WINDOW_MAX];
	unsigned count;
	unsigned orders;            /* sendings so far */
	unsigned timeouts, busy;    /* in a row */
	uint64_t busy_ms;           /* the first of these came */
	bool useless;               /* a request ended, because no answer to it helped */
	uint64_t answered_ms;       /* the last answer or NAK came, or the first request was sent */
	uint64_t kept_ms;           /* a service has said that a request waits there */
	uint64_t helped_ms;         /* so too, of those that a request has waited for, */
	unsigned helped_orders;     /* and the sendings until then */
	struct dph_reply unhelpful; /* the last reply since then that has not helped, */
	bool has_unhelpful;         /* if any came */
	bool silence_told;
	struct dph_doubt doubt[DPH_DOUBTS];
	unsigned noise; /* share of requests and answers that came damaged, of DPH_NOISE_ONE */
	struct dph_hello hello[DPH_HELLOS];
};

/* A line of the agent came, whole or damaged: an answer, or the request that a NAK is about. */
void dph_pipeline_hear(struct dph_pipeline *pipeline, bool damaged);
/* Return the wait before a repeatable request is sent again, by the round trips and the noise. */
uint64_t dph_pipeline_wait_ms(const struct dph_pipeline *pipeline);

/* Return how long the agent may be without an answer that helps. On a line that damages lines the
 * time is longer, until so many requests were lost that it is no noise. */
uint64_t dph_pipeline_limit_ms(const struct dph_pipeline *pipeline);
/* The same for requests beside those of the pipeline.
 * useless: a wait for an answer that helps was in vain. tries: those sent since the last such
 * answer. */
uint64_t dph_pipeline_limit_of_ms(const struct dph_pipeline *pipeline, bool useless,
				  unsigned tries);

/* Return the request of this number; null: none is without answer. */
struct dph_pending *dph_pending_find(struct dph_pipeline *pipeline, uint8_t seq);

#endif
