/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the floor line: the ring, requests and answers, lines in both directions, streams.
 */
#ifndef DP_LINE_STATE_H
#define DP_LINE_STATE_H

#include "dp_config.h"
#include "dp_frame.h"
#include "dp_port.h"
#include "dp_record.h"

_Static_assert((DP_RING_BYTES & (DP_RING_BYTES - 1)) == 0, "the ring is a power of two");
_Static_assert((DP_RING_MARKS & (DP_RING_MARKS - 1)) == 0 &&
		       (!DP_WITH_STREAM || DP_RING_BYTES / DP_RING_MARKS >= 64),
	       "a mark for each part of the ring");
_Static_assert(DP_LOG_MAX + 64 <= DP_RING_BYTES && DP_TRACE_MAX + 64 <= DP_RING_BYTES,
	       "the ring holds at least one full record");
_Static_assert(DP_LOG_MAX + 40 <= 4095 && DP_TRACE_MAX <= 4095,
	       "a record body has 12 bits of length");
_Static_assert(DP_WRITE_BYTES >= 1, "a call of write sends something");
_Static_assert(DP_POLL_BYTES >= 1 && DP_POLL_BYTES <= 65535, "counted in 16 bits");
_Static_assert(DP_CONSOLE_BYTES >= 16 && DP_CONSOLE_BYTES <= 16384 &&
		       (DP_CONSOLE_BYTES & (DP_CONSOLE_BYTES - 1)) == 0,
	       "a power of two: positions are counted modulo 2^16");
_Static_assert(DP_RX_LINES >= 1 && DP_RX_LINES <= 64 && (DP_RX_LINES & (DP_RX_LINES - 1)) == 0,
	       "a power of two: places in the queue are counted modulo 256");

enum {
	DP_RING_HEAD = sizeof(struct dp_record)
};
/* A record in the ring. */
struct dp_place {
	uint32_t number; /* of the record; records have numbers in the order of the ring */
	uint32_t at;     /* where the record or a void one before it begins */
	uint16_t body;   /* bytes of the body that its pieces so far hold */
	uint16_t piece;  /* index of its next piece, 0 = none begun */
};
/* Log ring. Written in a hit, read by record_line.c. kept <= next.at <= committed <= head, modulo
 * 2^32. What was sent stays readable until a hit overwrites it. */
struct dp_ring {
	struct dp_place next;                /* to be sent */
	uint32_t dropped, missed, withdrawn; /* since dp_init, modulo 2^32 */
	uint32_t kept; /* where the room ends that hits may use: what lies behind is not overwritten
			*/
	uint32_t committed, head;
	/* A head that begins before the end of the ring is written past it. */
	_Alignas(4) uint8_t bytes[DP_RING_BYTES + DP_RING_HEAD - 4];
};

/* How a request is known to be whole. */
enum dp_request_how {
	DP_REQUEST_CHECKED,   /* by its CRC */
	DP_REQUEST_UNCHECKED, /* of a sealed session: not yet */
	DP_REQUEST_SEALED,    /* by its seal */
	DP_REQUEST_BY = 3,    /* the bits of these */
	DP_REQUEST_SPENT = 4  /* added: it was executed before, and is not executed again */
};
struct dp_request {
	uint8_t age; /* counts the requests of both lines */
	uint8_t seq;
	uint8_t bytes;
	uint8_t how;    /* bits of enum dp_request_how */
	uint32_t check; /* as received; distinguishes a repeat from another request. SEALED: the
			   count */
	uint8_t payload[DP_PAYLOAD_MAX];
};

struct dp_answer {
	_Alignas(4) uint8_t bytes;
	uint8_t payload[DP_PAYLOAD_MAX];
};

/* Of the session: has it proved the key? The nonce of a session without a proof serves the next
 * session as well. */
enum dp_proof {
	DP_PROOF_NONE,
	DP_PROOF_CAME, /* and is not compared yet, or never was */
	DP_PROOF_RIGHT,
	DP_PROOF_WRONG
};
enum {
	DP_SESSION_BYTES = 5 /* of HELLO: session number and rights, in the order of the wire */
};

/* Requests and the session they belong to. */
struct dp_link {
	uint64_t heard_at; /* when the owner's last valid request came; STREAM, as `owner` */
	uint32_t seed;     /* check seed of the session's lines */
	uint32_t last_check;
	_Alignas(4) uint8_t session[(DP_SESSION_BYTES + 3) & ~3]; /* copied by words */
	uint16_t lines_lost;
	uint8_t opened; /* there is a session */
	uint8_t rights; /* granted: enum dp_right */
	uint8_t last_valid, last_seq;
	uint8_t last_com; /* line of the stored answer; NONE: of both, in a sealed session */
	/* The feature ACCESS: rights that wait for the proof; enum dp_proof; what HELLO asked for.
	 */
	uint8_t withheld;
	uint8_t proof;
	uint8_t age;       /* of the next request */
	uint8_t abandoned; /* the request that executes: its session has ended, or was proved since
			    */
	/* The feature STREAM: who has the session. */
	uint8_t owner_com; /* line of the session */
	uint8_t told;      /* the owner knows that the next HELLO takes the session */
	struct dp_owner {
		_Alignas(4) uint8_t bytes; /* 0: no host has the session */
		uint8_t text[DP_OWNER_MAX];
	} owner;
	struct dp_answer last; /* stored answer */
#if DP_WITH_ACCESS
	uint32_t count; /* of the highest request of a sealed session that was accepted */
	uint8_t sealed; /* lines have seals in place of checks */
#endif
};

static inline bool dp_link_sealed(const struct dp_link *link)
{
#if DP_WITH_ACCESS
	return link->sealed;
#else
	(void)link;
	return false;
#endif
}

#if DP_WITH_ACCESS
/* What nobody may read: the glue makes a row of memory of it. Words are low half, high half. */
struct dp_secret {
	_Alignas(8) volatile uint32_t key[2][2]; /* of the session */
	struct dp_hash {
		volatile uint32_t v[4][2];
		volatile uint32_t blank[2]; /* public numbers */
	} hash[2];                          /* of dp_poll, of a hit */
};
#endif

/* A notice waiting to be sent; more than DP_NOTICES while the line is busy are not kept. Begins as
 * struct dp_answer does. */
struct dp_notice_out {
	uint8_t bytes; /* 0: free */
	uint8_t body[14];
};
enum {
	DP_NOTICES = 4
};

/* The firmware's own text that waits to be sent. Positions count characters, modulo 2^16. */
struct dp_text {
	uint16_t tail;      /* next to be sent */
	uint16_t committed; /* end of what may be sent; a writer copies its text there */
	uint16_t first;     /* text before this goes before the line under way */
	uint8_t wanted;     /* somebody found no room: call console_ready when there is room */
	uint32_t turn;      /* counts the copies that writers have begun */
	uint8_t bytes[DP_CONSOLE_BYTES];
};

/* Both directions of one com. Each com has requests of its own: a line that takes no answer does
 * not delay the other line. */
struct dp_wire {
	uint64_t quiet_since;
	uint16_t may_send;      /* characters that this dp_poll may still send */
	uint8_t sent;           /* characters of the line under way that have left; all: idle */
	uint8_t now;            /* index of the line under way */
	uint8_t nak, nak_seq;   /* a NAK is to be sent */
	uint8_t taken;          /* its session went to another line: the notice is to be sent */
	volatile uint8_t typed; /* the line that removes all programs was typed */
	uint8_t typed_at;       /* characters of it so far */
	volatile uint8_t quiet; /* no byte since quiet_since */
	uint8_t damaged;        /* characters of a damaged request, in `in`; 0: none comes */
	volatile uint8_t head,
		tail; /* of the requests. head: next free; full when head - tail = lines */
	uint8_t dead; /* the transmitter took nothing until a hit's time-out, and nothing since */
	/* Of the line that comes: its place in the queue, null when the queue was full at the
	 * line's beginning; the seed of the session at that time; the check so far, from this seed
	 * and from HELLO's. */
	struct dp_request *place;
	uint32_t seed, crc, hello_crc;
	struct dp_splitter in;
#if DP_WITH_SHARED_LINE
	struct dp_text text;
#endif
	struct dp_line line[2]; /* one is under way, the other is built with interrupts open */
	struct dp_request request[DP_RX_LINES];
};

#if DP_WITH_HALT
/* A stopped target (hit/dp_halt.h). */
struct dp_halt {
	struct dp_frame *frame; /* where the target is stopped; null: not in a hit */
	dp_addr pc;             /* what the host is told */
	uint8_t on;             /* why the target is stopped; 0: it is not */
	uint8_t asked;          /* exit 1 or 2 of the hit's handler; probe: its number */
	uint8_t reset;          /* the board is reset behind the stop */
	uint8_t probe;
	/* HALT has been asked for so often, the last time at `due_at`, and the target is to stop;
	 * or DP_HALT_WITHDRAWN. */
	uint8_t due;
	uint8_t alone;       /* the last stop ended so, and no request has come since */
	uint8_t resume;      /* why the target is to go on; 0: it is not to */
	uint8_t typed_at[2]; /* of each line: characters of the typed line so far */
	uint16_t seconds;    /* of HALT */
	uint32_t due_at;
	uint64_t began; /* time of the stop, before its steps */
};
enum {
	DP_HALT_WITHDRAWN = 0xff
};
#endif

/* Where stream lines go. */
struct dp_transmit {
	uint8_t target; /* com of stream lines, DP_NONE = nowhere */
	uint8_t mode;   /* DP_MODE_* */
	uint8_t turn;   /* CPU whose stream dp_poll tries first */
	uint8_t form;   /* of lines of records: DP_LOG_* */
	/* Counts changes of the stream: a line that was built before is not sent. Wide, because a
	 * task may preempt dp_poll while hits send any number of lines. */
	uint32_t generation;
};
/* The state that a line of a CPU's stream changes. A line is built from a copy, which becomes the
 * state when the line is sent. */
struct dp_stream {
	uint64_t sync_at;  /* time of the last sync */
	uint64_t told;     /* the last time in a line of records */
	uint32_t hz;       /* of the sync */
	uint32_t notices;  /* sent, modulo 2^32 */
	uint8_t timed;     /* the next line of records has the whole time */
	uint8_t boot_told; /* the boot notice went to com1, or waits for a session */
	uint8_t sync_due;
	uint8_t lines_since_sync;
#if DP_WITH_STREAM
	/* Records to be sent again: from..until - 1. place: of `from`, or of one before. */
	uint32_t from, until;
	struct dp_place again;
#endif
};
enum {
	DP_MODE_SYNCHRONOUS = 0,
	DP_MODE_BUFFERED = 1,
	DP_MODE_ACKNOWLEDGED = 2
};
enum {
	DP_HEX_LINES = 0,
	DP_COMPACT_LINES = 1
};

#if DP_WITH_STREAM
enum {
	DP_RING_STRIDE = DP_RING_BYTES / DP_RING_MARKS
};
/* What was sent and is still in the ring. */
struct dp_sent {
	/* The last line of records in each stride of the ring ended before this record. */
	struct dp_mark {
		uint32_t number, at;
	} mark[DP_RING_MARKS];
	uint32_t floor; /* records before this place are not sent again: dp_sent_forget */
	uint32_t have;  /* acknowledged mode: the host has all records before this number */
	uint32_t kept;  /* number of the record at ring.kept */
	/* Ticks in which records found the ring full; the last drop, and the end of the records
	 * then. */
	uint64_t full, full_since;
	uint32_t full_at;
	uint8_t is_full;
};
#endif

#endif
