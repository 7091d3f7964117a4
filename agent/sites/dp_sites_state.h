/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the floor sites: the tables of sites, probes and programs, and the keep area. */
#ifndef DP_SITES_STATE_H
#define DP_SITES_STATE_H

#include "dp_config.h"
#include "dp_object.h"
#include "dp_vm.h"
#include "dp_watch.h"

_Static_assert(DP_MAX_PROBES >= 1 && DP_MAX_PROBES <= 240, "record.h: probe numbers are 0..239");
_Static_assert(DP_ARENA_BYTES <= 65536 && DP_ARENA_BYTES % 8 == 0,
	       "offsets in an installed object have 16 bits; what lies there is aligned");
_Static_assert(DP_GVARS <= 256, "variable indices are one byte");
_Static_assert(DP_OVERRUNS_MAX <= 127, "counted in 7 bits");

enum {
	DP_SITE_FREE = 0xfe /* in dp_site.chain: the entry is free */
};

/* Buckets of sites, by address: the power of two at DP_MAX_PROBES or above. A bucket is found by
 * masking, never by a division routine. */
#define DP_OR_HALF(bits, by) ((bits) | (bits) >> (by))
enum {
	DP_SITE_BUCKETS = DP_OR_HALF(DP_OR_HALF(DP_OR_HALF(DP_MAX_PROBES - 1, 1), 2), 4) + 1
};

/* Kinds of probe points in this build: rows of point.c. */
#define DP_KINDS (1 + DP_WITH_D + DP_WITH_TIMERS + (DP_PORT_COMPARATORS > 0))

/* Sites of traps in the text come first, then those of comparators: dp_watches.h. */
enum {
	DP_WATCH_BASE = DP_MAX_PROBES,
	DP_SITES = DP_MAX_PROBES + DP_PORT_COMPARATORS
};
_Static_assert((int)DP_SITES < (int)DP_SITE_FREE, "indices of sites are bytes");

_Static_assert(DP_LISTED >= 1 && DP_LISTED <= 255, "indices in dp_plan.at are bytes");
/* The plan of one probe at a place with several. It has no resume address. */
struct dp_listed {
	struct dp_plan plan;
	uint8_t number; /* of the probe */
	uint8_t owner;  /* index of the site, plus 1; 0: none. Free, unless its plan is a list */
};

struct dp_probe {
	uint8_t program; /* index, DP_NONE: the entry is free */
	uint8_t point;   /* index in the object's PROBES */
	uint8_t site;    /* index; DP_NONE: none, or the probe waits */
	uint8_t next;    /* at the same site, or of phase RETURNED; in order of installation */
#if DP_KINDS > 1
	uint8_t logonfault : 1, taken : 1, kind : 6; /* kind: enum dp_point_kind */
#else
	uint8_t logonfault : 1, taken : 1; /* taken: only hits whose branch is taken */
#endif
	uint8_t phase;                     /* DP_PHASE_* */
	uint16_t entry, excpt_mask, minor; /* of the point, as numbers */
	/* hits do not change the members above: site_sum.c */
	uint8_t state;                 /* enum dp_probe_state */
	uint8_t overruns : 7, ran : 1; /* in a row; in the hit that is being handled */
	uint16_t overruns_total;
	uint32_t due; /* hits when maxhits is used up */
	uint32_t missed, faulted, dropped;
	uint32_t ignore; /* hits still to ignore */
	/* The last hit that left by a one-trap slot, for a fault there: plans come and go. The
	 * stack pointer distinguishes the contexts that may be in the slot. */
	struct {
		dp_addr address; /* of the last site, or of a function (returned.c); 0: none */
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
		/* free: the number is not given again before this has left the ring of each
		 * CPU */
		uint32_t retired_at[DP_PORT_CPUS];
	};
};

/* Bits of the options of COMMIT. */
enum {
	DP_COMMIT_ANY_OPCODE = 0x01,
	DP_COMMIT_MERGE = 0x02,
	DP_COMMIT_REPLACE = 0x04,
	DP_COMMIT_NO_IDENTITY = 0x08,
	DP_COMMIT_FAULTS = 0x10,
	DP_COMMIT_FLIGHT = 0x20,
	DP_COMMIT_OPTIONS = 0x3f,
};

/* An installed program. Its object has all other facts. */
struct dp_program {
	uint8_t probes;      /* points in the object */
	uint8_t items;       /* of its records: bits of enum dp_item, enum dp_derived */
	uint8_t options : 4; /* options of its COMMIT, for points of later modules; the others
			      * are in view */
	uint8_t module_count : 4;
	uint8_t damaged;
#if DP_WITH_COUNTS
	uint8_t maps; /* of view.maps */
#endif
#if DP_WITH_D
	uint8_t stopped; /* a handler has said `stop` */
#endif
#if DP_WITH_COUNTS
	uint16_t map_rows; /* offset in the object */
#endif
	uint8_t gone; /* removed while a request is at work: its bytes stay so long */
#if DP_WITH_HISTORY
	uint8_t flight : 1, embedded : 1; /* records go to the flight recorder; of the image */
#endif
	uint16_t modules, traits, points; /* offsets in the object */
#if DP_WITH_MODULES
	uint16_t strings; /* offset */
#endif
	uint8_t *object;             /* in the arena, view.lv behind it; null: the entry is free */
	uint32_t held;               /* arena bytes: object, padding, variables */
	uint32_t bytes, crc;         /* of the stored object */
	struct dp_program_view view; /* a hit adds the items that differ from probe to probe */
};

/* Do records of the program go to the flight recorder? */
static inline bool dp_program_flies(const struct dp_program *program)
{
#if DP_FLIGHT_BYTES > 0
	return program->flight;
#else
	(void)program;
	return false;
#endif
}

enum {
	DP_RECEIVED_MAX = 5, /* PROTOCOL.md 5.3 */
};

struct dp_upload {
	uint16_t transaction;
	uint8_t open;
	uint8_t done;        /* committed */
	uint32_t bytes, crc; /* announced */
	uint32_t installed;  /* of struct dp_commit, for a repeat of COMMIT */
	/* What was received, in order. The first range begins at 0, and a gap is before each other
	 * one.
	 */
	struct dp_received {
		uint32_t first, end;
	} received[DP_RECEIVED_MAX];
	uint8_t ranges;
};

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
#if DP_WITH_HISTORY
/* What the flight recorder and the programs of the image keep. */
struct dp_history {
	uint32_t magic;  /* DP_HISTORY_MAGIC */
	uint32_t frozen; /* DP_HISTORY_FROZEN: the ring is frozen */
	uint32_t starts; /* in a row that have not reached dp_poll */
	uint32_t starts_check;
#if !DP_WITH_INTEGRITY
	uint32_t boot; /* starts since the ring was made: the keep area counts none */
#endif
#if DP_FLIGHT_BYTES > 0
	uint8_t ring[DP_FLIGHT_BYTES]; /* dp_flight.h */
#endif
};
#endif
struct dp_keep {
	uint32_t magic;
	uint32_t boot;
	uint32_t boot_check; /* ~boot */
	uint32_t session;    /* DP_KEEP_SESSION: a host has a session */
#if DP_WITH_INTEGRITY
	struct dp_keep_entry entry[DP_MAX_PROBES];
#endif
#if DP_WITH_HISTORY
	struct dp_history history; /* the rest is cleared at each start */
#endif
};
#define DP_KEEP_BYTES sizeof(struct dp_keep)

#if DP_WITH_HISTORY
/* The ring in the keep area. */
struct dp_flight {
	uint32_t end;   /* position behind the newest record */
	uint32_t left;  /* records until it freezes; 0: it does not */
	uint8_t frozen; /* it takes no record */
};
/* The programs that the image carries. */
struct dp_embed {
	uint8_t state; /* enum dp_embed_state */
	uint8_t count;
	uint8_t refused, error; /* the first refused one, and why */
	uint8_t starts;         /* in a row that have not reached dp_poll, before this one */
	uint8_t polled;         /* this one has */
};
enum dp_embed_state {
	DP_EMBED_NONE,
	DP_EMBED_ARMED,
	DP_EMBED_REFUSED,
	DP_EMBED_OFF,
	DP_EMBED_DAMAGED
};
#endif

#if DP_PORT_COMPARATORS > 0
/* The instruction whose accesses have stopped this CPU. */
struct dp_watching {
	struct dp_watched access;             /* the last one */
	dp_addr address[DP_PORT_COMPARATORS]; /* of the first access to each range */
	struct dp_site here;                  /* the instruction, in the scratch slot */
	uint16_t matched, late; /* comparators of its accesses; those whose handlers still run */
	uint8_t away;           /* the first access was one of a copy in a one-trap slot */
	uint8_t strayed;        /* the last report was of an access that nothing covers */
	dp_addr stray;          /* its pc */
};
#endif

#if DP_WITH_HALT
/* The steps of a stopped target, and the place where HALT stops it (hit/halt_step.c). */
struct dp_steps {
	struct dp_site here;  /* the instruction that is stepped where no trap stands */
	dp_addr first, bytes; /* the steps end outside of this range; bytes 0: nowhere */
	uint16_t count;       /* instructions still to execute */
	uint16_t left;        /* when one was refused */
	uint8_t under_way;    /* not 0: one is in a two-trap slot, and the target stops behind it */
	uint8_t place;        /* index of the site at the place, plus 1; 0: none */
	uint8_t sampled;      /* the firmware calls dp_sample */
	/* Calls of dp_sample with a request that waits, since another one was taken; without a
	 * clock they count, else the time from `since` on. tails: of the lines' queues, added. */
	uint8_t unheard, tails;
	uint8_t hears; /* dp_sample serves a request now */
	uint8_t sends; /* its answer is under way */
	uint32_t since;
};
#endif

#if DP_WITH_TIMERS
_Static_assert(DP_TIMERS >= 1 && DP_TIMERS <= 255, "numbers of timers are bytes");
/* A number of ticks of the clock, or of calls of dp_sample. part: 2^-32 of one. */
struct dp_moment {
	uint64_t whole __attribute__((packed, aligned(4))); /* 4 bytes of a timer less */
	uint32_t part;
};
/* An armed probe of kind TIMER. */
struct dp_timer {
	struct dp_moment due, period;
	struct dp_plan plan; /* it has no resume address; not followed in synchronous mode */
	uint8_t probe;       /* its number */
	bool sampled;        /* it runs in dp_sample, else in dp_poll */
};
struct dp_timers {
	struct dp_timer timer[DP_TIMERS]; /* so many as count, in the order of arming */
	uint8_t count;
	uint8_t ticks;       /* of them, those in dp_poll */
	uint8_t renewed;     /* the one whose plan the patrol has worked out last */
	uint8_t started;     /* samples so far: each begins at another share of its period */
	uint64_t calls;      /* of dp_sample, but for those of the stretch that runs */
	uint32_t span, wait; /* calls of this stretch, at all and still to come; 0: no sample */
};
#endif

#if DP_WITH_HOOKS
/* The C exits of the firmware. */
struct dp_exits {
	struct dp_exit *first; /* in the order of their calls */
	uint32_t numbers;      /* bit n: an exit has the number n */
	uint16_t running;      /* dispatches that call exits now */
	/* The hooks of the image and of modules; rows null: the entry is free. */
	struct dp_hooks {
		const char *module; /* null: the image */
		const struct dp_hook_row *rows;
		dp_addr count;
	} hooks[DP_MAX_MODULES];
};
#endif

#if DP_GOVERNOR
/* The second in which the governor counts. */
struct dp_second {
	uint64_t began;       /* by the clock */
	uint32_t began_polls; /* by polls */
	uint32_t number;
};
#endif

#endif
