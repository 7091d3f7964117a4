/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own state. Boards need only the sizes; nothing here is for firmware to touch. */
#ifndef DP_STATE_H
#define DP_STATE_H

#include "dp_agent.h" /* which includes this one in its turn: start there */
#include "dp_frame.h"
#include "dp_record.h"
#include "dp_vm.h"

enum {
	DP_NONE = 0xff
}; /* no index */

enum dp_probe_state {
	DP_PROBE_ARMED = 0,
	DP_PROBE_WAITING = 1,      /* its module is not loaded */
	DP_PROBE_DISABLED = 2,     /* maxhits reached */
	DP_PROBE_REMOVED = 3,      /* `remove` ran */
	DP_PROBE_OVERRUN = 4,      /* the step budget was overrun too often */
	DP_PROBE_TEXT_CHANGED = 5, /* the firmware overwrote the trap */
	DP_PROBE_DAMAGED = 6,      /* the stored program failed its checksum */
	DP_PROBE_UNSELECTED = 7,   /* left out when the program was committed */
};

struct dp_probe {
	uint8_t used;
	uint8_t state;   /* enum dp_probe_state */
	uint8_t program; /* index */
	uint8_t point;   /* index in the object's PROBES */
	uint8_t site;    /* index, DP_NONE while waiting */
	uint8_t next;    /* next probe at the same site, in order of installation */
	uint8_t logonfault;
	uint8_t overruns; /* in a row */
	uint16_t entry;
	uint16_t minor;
	uint16_t excpt_mask;
	uint16_t overruns_total;
	uint32_t ignore; /* hits still to ignore */
	uint32_t maxhits;
	uint32_t hits, missed, ignored, faulted, dropped;
	uint32_t retired_at; /* its number is not given again before this has left the ring */
};

struct dp_program {
	uint8_t used;
	uint8_t items;   /* enum dp_item bits of its records */
	uint8_t options; /* of its COMMIT, for points whose module comes later */
	uint8_t damaged;
	uint8_t probes; /* points in the object */
	uint8_t name_bytes;
	uint32_t bytes; /* of the object */
	uint32_t crc;   /* over the stored object */
	uint32_t id;
	uint8_t *object; /* in the arena */
	dp_word *lv;     /* in the arena, behind the object */
	const uint8_t *code;
	const uint8_t *name; /* in the object */
	uint32_t held;       /* arena bytes: object, padding, variables */
	uint16_t code_bytes;
	uint16_t probes_offset, modules_offset, strings_offset;
	uint16_t vars, gvars, major, jmpmax, logmax, excpt_log;
	bool autostacktrace;
};

struct dp_upload {
	uint16_t transaction;
	uint8_t open;
	uint8_t done;        /* committed; `answer` is what COMMIT said */
	uint32_t bytes, crc; /* announced */
	uint32_t have;
};

/* Log ring. Written in a hit, read by transmit.c. tail <= committed <= head, modulo 2^32. */
struct dp_ring {
	uint8_t bytes[DP_RING_BYTES];
	uint32_t tail, committed, head;
	uint32_t sent, dropped, missed, withdrawn; /* since dp_init, modulo 2^32 */
};

struct dp_request {
	uint8_t com;
	uint8_t seq;
	uint8_t bytes;
	uint32_t check; /* CRC as received: tells a repeat from another request */
	uint8_t payload[DP_PAYLOAD_MAX];
};

struct dp_answer {
	uint8_t bytes;
	uint8_t payload[DP_PAYLOAD_MAX];
};

struct dp_link {
	uint32_t session; /* 0 = none */
	uint8_t rights;   /* DP_RIGHT_* granted */
	uint8_t last_valid, last_seq, last_com;
	uint32_t last_check;
	struct dp_answer last; /* stored answer */
	struct dp_splitter splitter[DP_COMS];
	struct dp_request queue[DP_RX_LINES];
	volatile uint8_t queue_head,
		queue_tail; /* head: next free; full when head - tail = lines */
	uint16_t lines_lost;
	uint8_t nak[DP_COMS], nak_seq[DP_COMS];
	volatile uint8_t quiet[DP_COMS]; /* no byte since quiet_since */
	uint64_t quiet_since[DP_COMS];
};

/* One notice waiting to be sent: more than one of a kind while the line is busy is counted, not
 * kept. */
struct dp_notice_out {
	uint8_t number; /* 0 = none */
	uint8_t bytes;
	uint8_t arguments[16];
};

struct dp_transmit {
	struct dp_line line[DP_COMS];
	uint8_t sent[DP_COMS]; /* characters of line already out; == used: idle */
	uint8_t target;        /* com of stream lines, DP_NONE = nowhere */
	uint8_t mode;          /* DP_MODE_* */
	uint8_t seq;           /* of stream lines */
	uint8_t piece;         /* index of the next piece, 0 = none begun */
	uint16_t piece_digits; /* of the record in pieces already sent */
	uint8_t boot_told;     /* the boot notice went to com1 */
	uint8_t sync_due;
	uint8_t lines_since_sync;
	uint64_t sync_at; /* when the last sync was due */
	uint64_t told;    /* the last time told, by a sync or a record */
	struct dp_notice_out notice[4];
};
enum {
	DP_MODE_SYNCHRONOUS = 0,
	DP_MODE_BUFFERED = 1
};
enum {
	DP_RIGHT_WRITE = 0x01
};

/* What survives a warm restart: which text words are ours. Every entry has its own check, so that a
 * reset in the middle of a change costs no other entry. */
struct dp_keep_entry {
	dp_addr address;
	uint32_t original;
	uint8_t isa, insn_bytes, zero[2];
	uint32_t check; /* CRC-32 of all before */
};
struct dp_keep {
	uint32_t magic;
	uint32_t boot;
	uint32_t boot_check; /* ~boot */
	struct dp_keep_entry entry[DP_MAX_PROBES];
};
#define DP_KEEP_BYTES sizeof(struct dp_keep)

struct dp_agent {
	const struct dp_board *board;
	struct dp_keep *keep;
	struct dp_module module[DP_MAX_MODULES]; /* [0] is the image */
	uint8_t module_count;
	uint8_t identity[DP_IDENTITY_BYTES]; /* CRC and length of the image's text without build-id
					      */
	uint8_t locked;
	uint8_t polling;   /* dp_poll is active */
	uint8_t executing; /* a request runs that hits may interrupt */
	uint8_t in_hit;    /* a handler runs, or a displaced instruction is being stepped */
	uint8_t pending;   /* site whose instruction is in a two-trap slot, DP_NONE */
	uint16_t boot;
	uint32_t strays; /* traps that belong to nobody */
	uint32_t hits_since_poll;

	struct dp_site site[DP_MAX_PROBES];
	uint8_t site_used[DP_MAX_PROBES];
	uint8_t site_next[DP_MAX_PROBES]; /* same bucket */
	uint8_t bucket[DP_MAX_PROBES];    /* first site, by address */
	struct dp_probe probe[DP_MAX_PROBES];
	uint8_t probe_last; /* numbers go round: a late record is not mistaken */
	struct dp_program program[DP_MAX_PROGRAMS];

	struct dp_upload upload;
	struct dp_answer committed; /* what the last COMMIT said, for a repeat of it */
	uint32_t arena_used;        /* programs; the upload lies behind them */
	struct dp_link link;
	struct dp_transmit transmit;
	struct dp_ring ring;
	dp_word gv[DP_GVARS];
	uint16_t gv_count; /* the most any program asked for: rpn.md C65 */
	struct dp_vm vm;
	struct dp_port_state port;
	_Alignas(8) uint8_t arena[DP_ARENA_BYTES];
};

#endif
