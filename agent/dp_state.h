/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own state, composed of the states of the floors. Boards need only the sizes; nothing
 * here is for firmware to touch. tests/agent/test_layers_agent.py names the floor of each member.
 */
#ifndef DP_STATE_H
#define DP_STATE_H

#include "dp_base_state.h"
#include "dp_board.h"
#include "dp_line_state.h"
#include "dp_sites_state.h"
#include "dp_vm.h"
#include "dp_watch.h"

enum {
	DP_REST_POLLS = 16, /* without work, of which one looks for what no other part tells */
	DP_REST_HZ = 64     /* one does so, too, so often in a second */
};

/* What a hit changes besides its site and probes, for each CPU: hits of two CPUs share none of it.
 * The often used ones first, as in struct dp_agent. */
struct dp_per_cpu {
	uint8_t in_hit;    /* a handler runs, or a displaced instruction is being stepped */
	uint8_t unsettled; /* a probe of this hit may have done its last one */
#if DP_RETURNS
	/* A handler of this hit lets the function return: the number of its probe, plus 1. */
	uint8_t returns;
#endif
	uint8_t rests; /* polls since the last one that looked for all work */
	uint32_t hits_since_poll;
	struct dp_site *pending; /* site with its instruction in a two-trap slot; null: none */
	uint64_t clock; /* the time of the last hit or poll, where the board has a counter */
	/* Low half of the time of the last poll that looked for all work; ticks that polls may rest
	 * behind it. */
	uint32_t rests_since, rests_for;
	struct dp_ring ring;
#if DP_WITH_STREAM
	struct dp_sent sent;
#endif
	struct dp_vm vm;
#if DP_RETURNS
	struct dp_returned returned;
#endif
#if DP_PORT_COMPARATORS > 0
	struct dp_hold hold;
	struct dp_watching watching;
#endif
};
/* The part of the agent that this CPU's hits use, const as the agent is. */
#define DP_THIS_CPU(agent) (&(agent)->cpu[dp_this_cpu()])

/* Small and often used members first, bytes before the others: their offsets fit into short
 * instructions. */
struct dp_agent {
#if DP_PORT_CPUS > 1
	struct dp_turns lock;
#endif
	uint8_t locked;
	uint8_t polling; /* dp_poll is active on this CPU + 1; 0: on none */
#if DP_WITH_D
	uint8_t stop_due; /* a program is to be stopped by dp_poll */
#endif
#if DP_PORT_COMPARATORS > 0
	uint8_t comparators; /* that are armed */
#endif
	uint8_t woken; /* the board knows that dp_poll has work; poll_due is set too */
	/* The next dp_poll has work that its rest does not look for itself: agent.c. Whoever makes
	 * such work sets the member behind it. */
	uint8_t poll_due;
	/* The work of a thread, which hits may interrupt: a request of dp_poll by its number, or
	 * enum dp_work. 0: none. */
	uint8_t executing;
	uint8_t leavings;     /* something was removed while a request was at work: work.c */
	uint8_t modules_came; /* while a request was at work */
	uint8_t moving;       /* the program on the move in the arena: move.c; DP_NONE: none */
	uint8_t summing;      /* the site whose sum is being computed; DP_NONE: none */
	uint8_t bounds;       /* the board's table of functions is whole */
	uint8_t programs;     /* that are installed, and their probes */
	uint8_t probes;
	uint8_t probe_last; /* numbers go round: a late record is not mistaken */
	uint8_t module_count;
	uint8_t patrol_site, patrol_program; /* looked at next */
	uint8_t restored;                    /* traps of the previous run that were removed */
	uint8_t resumed; /* the previous run ended with a session or traps: a host may wait */
	/* Changes that another context made while a request was at work; those that the request
	 * knows of. */
	uint32_t changes, noted;
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
	uint32_t text_writes;  /* of the board: flash wears */
	uint32_t text_dropped; /* characters of the firmware that found no room */
	/* Near the front, where the lines of all CPUs are made. */
	struct dp_stream stream[DP_PORT_CPUS];
#if DP_GOVERNOR
	struct dp_second second;
	uint32_t polls;
#endif
	uint32_t arena_used;            /* programs; the upload lies behind them */
	uint32_t move_bytes, moved;     /* how far the program moves; its bytes that are there */
	uint32_t patrol_at, patrol_crc; /* of the program: bytes looked at, and their CRC */
	struct dp_notice_out notice[DP_NOTICES];
	uint8_t identity[8]; /* CRC and length of the image's text without build-id */

	struct dp_link link;
#if DP_WITH_ACCESS
	struct dp_secret secret;
#endif
#if DP_WITH_HALT
	struct dp_halt halt;
	struct dp_steps steps;
#endif
#if DP_WITH_HISTORY
	struct dp_flight flight;
	struct dp_embed embed;
#endif
#if DP_SPECULATES
	uint8_t spec_due; /* a speculation may be committed, whose records are to be sent */
#endif
#if DP_WITH_HOOKS
	struct dp_exits exits;
#endif
	struct dp_wire wire[DP_LINES];
	struct dp_module module[DP_MAX_MODULES]; /* [0] is the image */
	struct dp_port_state port;
#if DP_RETURNS
	/* The first armed probe of phase RETURNED; DP_NONE: none. The others follow by `next`, in
	 * order of installation. */
	uint8_t returned_probes;
#endif
	uint8_t bucket[DP_SITE_BUCKETS]; /* first site, by address */
	struct dp_site site[DP_SITES];
#if DP_PORT_COMPARATORS > 0
	struct dp_watch watch[DP_PORT_COMPARATORS];
	const struct dp_memory *memory;
#endif
	struct dp_probe probe[DP_MAX_PROBES];
#if DP_WITH_TIMERS
	struct dp_timers timers;
#endif
	struct dp_program program[DP_MAX_PROGRAMS];
	dp_word gv[DP_GVARS];
	struct dp_per_cpu cpu[DP_PORT_CPUS];
	struct dp_listed listed[DP_LISTED];
	_Alignas(8) uint8_t arena[DP_ARENA_BYTES];
};

#endif
