/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a session, for the files that send, receive and report. */
#ifndef DPH_SESSION_STATE_H
#define DPH_SESSION_STATE_H

#include "pipeline.h"
#include "resend.h"
#include "sealed.h"
#include "stream/frame_hold.h"
#include "wire/transport.h"
#include "dp_siphash.h"

enum {
	DPH_REPLIES = 64,
};

/* An object: as an installed program is told from others. */
struct dph_uploaded {
	uint32_t bytes, crc; /* bytes 0: none */
};

struct dp_session {
	struct dph_transport *line;
	struct dp_session_options options;
	struct dp_hello_answer target;
	int64_t began_ns; /* see dp_session_began_ns */
	struct dp_failure failure;
	struct dph_hold hold;
	uint64_t opened_ms, heard_ms, asked_ms, streamed_ms, counted_ms;
	uint64_t hello_ms; /* the answer to HELLO came */
	struct dph_pipeline pipeline;
	struct dph_resend resend;
	uint32_t number, seed;
	uint8_t seq; /* of the next request; a sealed session has counts */
	struct dph_sealed sealed;
	unsigned quiet_ms; /* how long the line was silent before the request at work */
	bool held;         /* the user's interrupt waits */
	bool open;         /* HELLO was answered */
	bool served;       /* the server of the line accepted the connection */
	bool queue_seen;   /* bytes came, or the queue of the server was looked at */
	bool restarted;    /* over: the target was, or may have been, restarted */
	bool again;        /* HELLO follows a restart */
	struct dph_uploaded uploaded, installed; /* the last of this session */
	uint8_t key[DP_KEY_BYTES];
	bool over;                /* line dead or target restarted: every later request fails */
	struct dph_server server; /* arrived is null: this process serves nobody */
	struct dph_reply replies[DPH_REPLIES];
	unsigned first_reply, reply_count;
};

enum {
	DPH_SHOWN_BYTES = 128, /* of an owner in a message */
};

/* The boot number of the target is another one: the session is over. Returns false. */
bool dph_session_fail_restarted(struct dp_session *session, unsigned boot);

/* Has a killed service left programs on the line of this session (session_left.c)? */
bool dph_session_has_left(const struct dp_session *session);

/* Remove the programs that a killed service has left on the line of this session. */
void dph_session_remove_left(struct dp_session *session);

/* Separate frames from console text and give both to their takers. */
struct dph_hold_listener dph_session_hold_listener(struct dp_session *session);

#endif
