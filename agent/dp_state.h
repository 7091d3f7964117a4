/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own state. Boards need only the sizes; nothing here is for firmware to touch. */
#ifndef DP_STATE_H
#define DP_STATE_H

#include "dp_board.h"
#include "dp_frame.h"
#include "dp_object.h"
#include "dp_record.h"
#include "dp_vm.h"
#include "dp_watch.h"

/* The knobs of dp_config.h. */
_Static_assert(DP_MAX_PROBES >= 1 && DP_MAX_PROBES <= 240, "record.h: probe numbers are 0..239");
_Static_assert(DP_STACK_WORDS >= 32 && (DP_STACK_WORDS & (DP_STACK_WORDS - 1)) == 0,
	       "the RPN stack is circular: a power of two, at least 32");
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
_Static_assert(DP_ARENA_BYTES <= 65536 && DP_ARENA_BYTES % 8 == 0,
	       "offsets in an installed object have 16 bits; what lies there is aligned");
_Static_assert(DP_GVARS <= 256, "variable indices are one byte");
_Static_assert(DP_OVERRUNS_MAX <= 127, "counted in 7 bits");

enum {
	DP_NONE = 0xff,     /* no index */
	DP_SITE_FREE = 0xfe /* in dp_site.chain: the entry is free */
};

/* Buckets of sites, by address: the power of two at DP_MAX_PROBES or above. A bucket is found by
 * masking, never by a division routine. */
#define DP_OR_HALF(bits, by) ((bits) | (bits) >> (by))
enum {
	DP_SITE_BUCKETS = DP_OR_HALF(DP_OR_HALF(DP_OR_HALF(DP_MAX_PROBES - 1, 1), 2), 4) + 1
};

/* Kinds of probe points in this build: rows of point.c. */
#define DP_KINDS (1 + DP_WITH_D + (DP_PORT_COMPARATORS > 0))

/* Sites of traps in the text come first, then those of comparators: dp_watches.h. */
enum {
	DP_WATCH_BASE = DP_MAX_PROBES,
	DP_SITES = DP_MAX_PROBES + DP_PORT_COMPARATORS
};
_Static_assert((int)DP_SITES < (int)DP_SITE_FREE, "indices of sites are bytes");

struct dp_probe {
	uint8_t program; /* index, DP_NONE: the entry is free */
	uint8_t point;   /* index in the object's PROBES */
	uint8_t site;    /* index, DP_NONE while waiting */
	uint8_t next;    /* next probe at the same site, in order of installation */
#if DP_KINDS > 1
	uint8_t logonfault : 1, kind : 7; /* kind: enum dp_point_kind */
#else
	uint8_t logonfault;
#endif
	uint8_t phase;                     /* DP_PHASE_* */
	uint16_t entry, excpt_mask, minor; /* of the point, as numbers */
	/* hits do not change the members above: seal.c */
	uint8_t state;                 /* enum dp_probe_state */
	uint8_t overruns : 7, ran : 1; /* in a row; in the hit that is being handled */
	uint16_t overruns_total;
	uint32_t due; /* hits when maxhits is used up */
	uint32_t missed, faulted, dropped;
	uint32_t ignore; /* hits still to ignore */
	/* The last hit that left by a one-trap slot, for a fault there: plans come and go. The
	 * stack pointer distinguishes the contexts that may be in the slot. */
	struct {
		dp_addr address; /* of the last site; 0: none */
		dp_word sp;
		uint32_t at; /* place in the ring where the records of the hit begin */
	} left;
#if DP_GOVERNOR
	uint32_t later;   /* hits to do behind maxhits */
	uint32_t allowed; /* hits that may still be added to maxhits in this second */
	uint32_t second;  /* its number */
#endif
	union {
		uint32_t maxhits; /* hits still to do; one that logs nothing because its instruction
				   * faulted is not done */
		/* free: the number is not given again before this has left the ring */
		uint32_t retired_at;
	};
};

/* Bits of the options of COMMIT. */
enum {
	DP_COMMIT_ANY_OPCODE = 0x01,
	DP_COMMIT_MERGE = 0x02,
	DP_COMMIT_REPLACE = 0x04,
	DP_COMMIT_NO_IDENTITY = 0x08,
	DP_COMMIT_OPTIONS = 0x0f,
};

/* An installed program. Its object has all other facts. */
struct dp_program {
	uint8_t probes;      /* points in the object */
	uint8_t items;       /* enum dp_item bits of its records */
	uint8_t options : 4; /* options of its COMMIT, for points of later modules */
	uint8_t module_count : 4;
	uint8_t damaged;
#if DP_WITH_D
	uint8_t maps;      /* of view.maps */
	uint8_t stopped;   /* a handler has said `stop` */
	uint16_t map_rows; /* offset in the object */
#endif
	uint8_t gone; /* removed while a request is at work: its bytes stay so long */
	uint16_t modules, traits, points; /* offsets in the object */
#if DP_WITH_MODULES
	uint16_t strings; /* offset */
#endif
	uint8_t *object;             /* in the arena, view.lv behind it; null: the entry is free */
	uint32_t held;               /* arena bytes: object, padding, variables */
	uint32_t bytes, crc;         /* of the stored object */
	struct dp_program_view view; /* a hit adds the items that differ from probe to probe */
};

struct dp_upload {
	uint16_t transaction;
	uint8_t open;
	uint8_t done;        /* committed */
	uint32_t bytes, crc; /* announced */
	uint32_t have;
	uint32_t installed; /* of struct dp_commit, for a repeat of COMMIT */
};

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

struct dp_request {
	uint8_t age; /* counts the requests of both lines */
	uint8_t seq;
	uint8_t bytes;
	uint32_t check; /* CRC as received; distinguishes a repeat from another request */
	uint8_t payload[DP_PAYLOAD_MAX];
};

struct dp_answer {
	_Alignas(4) uint8_t bytes;
	uint8_t payload[DP_PAYLOAD_MAX];
};

/* Of the session: has it proved the key? */
enum dp_proof {
	DP_PROOF_NONE,
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
	uint8_t last_valid, last_seq, last_com;
	/* The feature ACCESS: rights that wait for the proof; enum dp_proof; what HELLO asked for.
	 */
	uint8_t withheld;
	uint8_t proof;
	uint8_t age;       /* of the next request */
	uint8_t abandoned; /* the request that executes: its session has ended */
	/* The feature STREAM: who has the session. */
	uint8_t owner_com; /* line of the session */
	uint8_t told;      /* the owner knows that the next HELLO takes the session */
	struct dp_owner {
		_Alignas(4) uint8_t bytes; /* 0: no host has the session */
		uint8_t text[DP_OWNER_MAX];
	} owner;
	struct dp_answer last; /* stored answer */
};

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
	uint16_t committed; /* end of what may be sent */
	uint16_t head;      /* end of what writers have reserved */
	uint16_t first;     /* text before this goes before the line under way */
	uint8_t writers;    /* that copy their text into what they have reserved */
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

/* Where stream lines go. */
struct dp_transmit {
	uint8_t target; /* com of stream lines, DP_NONE = nowhere */
	uint8_t mode;   /* DP_MODE_* */
	uint8_t turn;   /* CPU whose stream dp_poll tries first */
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
	uint8_t boot_told; /* the boot notice went to com1 */
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

/* The memory that survives a warm restart: the table of patched text words. Every entry has its
 * own check, so that a reset in the middle of a change costs no other entry. */
struct dp_keep_entry {
	dp_addr address;
	uint32_t original; /* as in struct dp_site */
#if DP_PORT_INSN_BYTES_MAX > 4
	uint8_t original_bytes[DP_PORT_INSN_BYTES_MAX];
#endif
	uint8_t isa, insn_bytes, means, zero;
	uint32_t check; /* CRC-32 of all before */
};
struct dp_keep {
	uint32_t magic;
	uint32_t boot;
	uint32_t boot_check; /* ~boot */
#if DP_WITH_INTEGRITY
	struct dp_keep_entry entry[DP_MAX_PROBES];
#endif
};
#define DP_KEEP_BYTES sizeof(struct dp_keep)

/* What a hit changes besides its site and probes, for each CPU: hits of two CPUs share none of it.
 * The often used ones first, as in struct dp_agent. */
#if DP_PORT_COMPARATORS > 0
/* The access that stopped this CPU. */
struct dp_watching {
	struct dp_watched access; /* the last one */
	struct dp_site here;      /* the instruction of the access, in the scratch slot */
	uint16_t matched, late;   /* comparators of the access; those whose handlers still run */
	uint8_t held;             /* how many ask for the comparators to be off */
	uint8_t stays;            /* one of them is the step that completes the access */
	uint8_t away;             /* the access was one of a copy in a one-trap slot */
};
#endif

struct dp_per_cpu {
	uint8_t in_hit;    /* a handler runs, or a displaced instruction is being stepped */
	uint8_t unsettled; /* a probe of this hit may have done its last one */
	uint32_t hits_since_poll;
	struct dp_site *pending; /* site with its instruction in a two-trap slot; null: none */
	uint64_t clock; /* the time of the last hit or poll, where the board has a counter */
	struct dp_ring ring;
#if DP_WITH_STREAM
	struct dp_sent sent;
#endif
	struct dp_vm vm;
#if DP_PORT_COMPARATORS > 0
	struct dp_watching watching;
#endif
};
/* The part of the agent that this CPU's hits use, const as the agent is. */
#define DP_THIS_CPU(agent) (&(agent)->cpu[dp_this_cpu()])

/* Small and often used members first, bytes before the others: their offsets fit into short
 * instructions. */
struct dp_agent {
#if DP_PORT_CPUS > 1
	struct {
		uint32_t owner; /* number of the CPU + 1; 0: nobody */
		uint32_t depth;
		uint32_t tickets, turn;
	} lock; /* dp_lock.h */
#endif
	uint8_t locked;
	uint8_t polling; /* dp_poll is active */
#if DP_WITH_D
	uint8_t stop_due; /* a program is to be stopped by dp_poll */
#endif
#if DP_PORT_COMPARATORS > 0
	uint8_t watching; /* armed comparators */
#endif
	uint8_t woken; /* the board knows that dp_poll has work */
	/* The work of a thread, which hits may interrupt: a request of dp_poll by its number, or
	 * enum dp_work. 0: none. */
	uint8_t executing;
	uint8_t leavings;     /* something was removed while a request was at work: work.c */
	uint8_t modules_came; /* while a request was at work */
	uint8_t moving;       /* the program on the move in the arena: move.c; DP_NONE: none */
	uint8_t sealing;      /* the site whose sum is being computed; DP_NONE: none */
	uint8_t bounds;       /* the board's table of functions is whole */
	uint8_t programs;     /* that are installed, and their probes */
	uint8_t probes;
	uint8_t probe_last; /* numbers go round: a late record is not mistaken */
	uint8_t module_count;
	uint8_t patrol_site, patrol_program; /* looked at next */
	uint8_t restored;                    /* traps of the previous run that were removed */
	/* Changes that another context made while a request was at work; those that the request
	 * knows of. */
	uint16_t changes, noted;
	uint16_t boot;
	uint16_t gv_count; /* the most any program asked for: decisions.txt C65 */
	struct dp_transmit transmit;
	_Alignas(4) uint8_t nonce[DP_NONCE_BYTES]; /* of this start, in the order of the wire */
	struct dp_upload upload;
	const struct dp_board *board;
	struct dp_keep *keep;
	/* Runs waiting requests: dp_command_run. A hit calls it through this pointer alone:
	 * requests use nearly every file, the hit path among them, and calls between files go one
	 * way. */
	bool (*serve)(struct dp_agent *agent, bool in_hit);
	uint32_t strays;       /* traps without a site */
	uint32_t text_dropped; /* characters of the firmware that found no room */
	/* Near the front, where the lines of all CPUs are made. */
	struct dp_stream stream[DP_PORT_CPUS];
#if DP_GOVERNOR
	struct {
		uint64_t began;       /* by the clock */
		uint32_t began_polls; /* by polls */
		uint32_t number;
	} second;
	uint32_t polls;
#endif
	uint32_t arena_used;            /* programs; the upload lies behind them */
	uint32_t move_bytes, moved;     /* how far the program moves; its bytes that are there */
	uint32_t patrol_at, patrol_crc; /* of the program: bytes looked at, and their CRC */
	struct dp_notice_out notice[DP_NOTICES];
	uint8_t identity[8]; /* CRC and length of the image's text without build-id */

	struct dp_link link;
	struct dp_wire wire[DP_LINES];
	struct dp_module module[DP_MAX_MODULES]; /* [0] is the image */
	struct dp_port_state port;
	uint8_t bucket[DP_SITE_BUCKETS]; /* first site, by address */
	struct dp_site site[DP_SITES];
#if DP_PORT_COMPARATORS > 0
	struct dp_watch watch[DP_PORT_COMPARATORS];
#endif
	struct dp_probe probe[DP_MAX_PROBES];
	struct dp_program program[DP_MAX_PROGRAMS];
	dp_word gv[DP_GVARS];
	struct dp_per_cpu cpu[DP_PORT_CPUS];
	_Alignas(8) uint8_t arena[DP_ARENA_BYTES];
};

#endif
