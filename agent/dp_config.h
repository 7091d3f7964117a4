/* SPDX-License-Identifier: BSD-2-Clause */
/* Every knob of the agent, with its default (but DP_CRC_TABLE: protocol/dp_crc.c). Override any of
 * them with -DNAME=value; hello and LIMITS report the values in force. */
#ifndef DP_CONFIG_H
#define DP_CONFIG_H

/* What programs may do. READ: no memory, register or port write, no callk, no exit 1..3 hook; the
 * agent then contains no code that writes the firmware's memory but the trap word and the slot.
 * FULL: all of it, when the object and the session ask for it as well. */
#define DP_PROFILE_READ 0
#define DP_PROFILE_FULL 1
#ifndef DP_PROFILE
#define DP_PROFILE DP_PROFILE_READ
#endif

#ifndef DP_MAX_PROBES /* probe points installed at once; at most 240 */
#define DP_MAX_PROBES 64
#endif
#ifndef DP_MAX_PROGRAMS
#define DP_MAX_PROGRAMS 16
#endif
#ifndef DP_MAX_MODULES /* announced modules, the firmware image included */
#define DP_MAX_MODULES 4
#endif
#ifndef DP_ARENA_BYTES /* programs with their local variables, and the upload in progress */
#define DP_ARENA_BYTES 16384
#endif
#ifndef DP_STACK_WORDS /* RPN stack, a power of two, at least 32. decisions.txt C01 */
#define DP_STACK_WORDS 1024
#endif
#ifndef DP_LOG_MAX /* user log bytes of one hit: the limit of logmax */
#define DP_LOG_MAX 1024
#endif
#ifndef DP_TRACE_MAX /* stack trace bytes of one hit: the limit of excpt_log */
#define DP_TRACE_MAX DP_LOG_MAX
#endif
#ifndef DP_GVARS /* global variables shared by all programs, at most 256 */
#define DP_GVARS 64
#endif
#ifndef DP_RING_BYTES /* log ring, a power of two */
#define DP_RING_BYTES 8192
#endif
#ifndef DP_STEP_BUDGET /* per hit: instructions and elements moved. decisions.txt C29 */
#define DP_STEP_BUDGET 4096
#endif
#ifndef DP_OVERRUNS_MAX /* budget overruns in a row after which a probe is disabled */
#define DP_OVERRUNS_MAX 8
#endif
#ifndef DP_RX_LINES /* request lines queued of each com, dp_rx to dp_poll: the window of hello */
#define DP_RX_LINES 4
#endif
#ifndef DP_CALLBACK_BYTES /* of each private stack, for a callback of the board (dp_agent.h) */
#define DP_CALLBACK_BYTES 512
#endif

/* Parts that a small firmware may leave out: 0. A program or request that needs one is refused with
 * LEFT_OUT before anything changes; hello tells the host what is there (protocol/parts.def). Files
 * that agent/sources.mk lists under the part's name need not be compiled then. `scons size` shows
 * what all of them cost (minimal). */
#ifndef DP_WITH_ALL /* 0: all that are not asked for */
#define DP_WITH_ALL 1
#endif
#ifndef DP_WITH_TRACES /* log st, purge st, trace, push stp, pop stp, autostacktrace */
#define DP_WITH_TRACES DP_WITH_ALL
#endif
#ifndef DP_WITH_HANDLERS /* sx, ux, push x, rx; without them an exception ends the program */
#define DP_WITH_HANDLERS DP_WITH_ALL
#endif
#ifndef DP_WITH_CALLS /* call, ret, and what reaches below the top of the stack (sbp, tsp) */
#define DP_WITH_CALLS DP_WITH_ALL
#endif
#ifndef DP_WITH_INDEXED /* variables by an index from the stack; log lv, log gv */
#define DP_WITH_INDEXED DP_WITH_ALL
#endif
#ifndef DP_WITH_BYTES /* log mrf, log str */
#define DP_WITH_BYTES DP_WITH_ALL
#endif
#ifndef DP_WITH_BITS /* div, idiv, rol, ror, pbl, pbr */
#define DP_WITH_BITS DP_WITH_ALL
#endif
#ifndef DP_WITH_MODULES /* dp_module_loaded, dp_module_unloaded, programs that wait */
#define DP_WITH_MODULES DP_WITH_ALL
#endif
#ifndef DP_WITH_TEXT /* request TEXT */
#define DP_WITH_TEXT DP_WITH_ALL
#endif
/* the identity of an image without build-id; without the part there must be one. It needs TEXT. */
#ifndef DP_WITH_IDENTITY
#if DP_WITH_TEXT
#define DP_WITH_IDENTITY DP_WITH_ALL
#else
#define DP_WITH_IDENTITY 0
#endif
#endif
#ifndef DP_WITH_VARS /* requests VARS and NAME */
#define DP_WITH_VARS DP_WITH_ALL
#endif
#ifndef DP_WITH_SYNC /* synchronous log mode */
#define DP_WITH_SYNC DP_WITH_ALL
#endif
#ifndef DP_WITH_STORM /* a few requests are served from hits when dp_poll is kept from running */
#define DP_WITH_STORM DP_WITH_ALL
#endif
#ifndef DP_WITH_NOTICES /* what happens unasked; states and counts tell it too */
#define DP_WITH_NOTICES DP_WITH_ALL
#endif
#ifndef DP_WITH_PATROL /* looks whether the firmware overwrote traps or programs */
#define DP_WITH_PATROL DP_WITH_ALL
#endif
/* looks, with PATROL, whether sites, slots and probes in RAM are what they were */
#ifndef DP_WITH_TABLES
#define DP_WITH_TABLES DP_WITH_PATROL
#endif
#ifndef DP_WITH_RESTART /* the keep area; without it every start must load the text anew */
#define DP_WITH_RESTART DP_WITH_ALL
#endif
#ifndef DP_WITH_DETAILS /* where and found of verdicts; without them an error only */
#define DP_WITH_DETAILS DP_WITH_ALL
#endif
#ifndef DP_WITH_ITEMS /* record items; without them a record is the user log alone */
#define DP_WITH_ITEMS DP_WITH_ALL
#endif
#ifndef DP_WITH_MERGE /* programs of one name and id side by side; replacing one in one step */
#define DP_WITH_MERGE DP_WITH_ALL
#endif
#ifndef DP_WITH_COM2 /* the agent on both lines of struct dp_board; else on the first */
#define DP_WITH_COM2 DP_WITH_ALL
#endif
#ifndef DP_WITH_PHASES /* probes after an instruction, and on its fault; else BAD_PHASE */
#define DP_WITH_PHASES DP_WITH_ALL
#endif
#ifndef DP_WITH_CONSOLE /* console_in, dp_console_write: else lines are the agent's alone */
#define DP_WITH_CONSOLE DP_WITH_ALL
#endif
#ifndef DP_WITH_TIMES /* a clock: ticks in records and sync lines; STATUS counts all the same */
#define DP_WITH_TIMES DP_WITH_ALL
#endif
#ifndef DP_WITH_LIMITS /* request LIMITS */
#define DP_WITH_LIMITS DP_WITH_ALL
#endif
/* request LOG; without it records go to the line of the last HELLO, buffered */
#ifndef DP_WITH_LOG
#define DP_WITH_LOG DP_WITH_ALL
#endif
#ifndef DP_WITH_RULES /* what of an object harms nobody but its own program is checked as well */
#define DP_WITH_RULES DP_WITH_ALL
#endif
#ifndef DP_WITH_CHAINS /* several probes at one address */
#define DP_WITH_CHAINS DP_WITH_ALL
#endif
/* all is refused when the board's ranges let code be probed that every hit runs */
#ifndef DP_WITH_OWN_TEXT
#define DP_WITH_OWN_TEXT DP_WITH_ALL
#endif
#ifndef DP_WITH_STATE /* setmin, setmaj, lp, plp, pid, procid, vfyr, vfyrw */
#define DP_WITH_STATE DP_WITH_ALL
#endif
#ifndef DP_WITH_SELECT /* some points of a program; else all of them */
#define DP_WITH_SELECT DP_WITH_ALL
#endif
#ifndef DP_WITH_GLOBALS /* global variables */
#define DP_WITH_GLOBALS DP_WITH_ALL
#endif

_Static_assert(DP_MAX_PROBES >= 1 && DP_MAX_PROBES <= 240, "record.h: probe numbers are 0..239");
_Static_assert(DP_STACK_WORDS >= 32 && (DP_STACK_WORDS & (DP_STACK_WORDS - 1)) == 0,
	       "the RPN stack is circular: a power of two, at least 32");
_Static_assert((DP_RING_BYTES & (DP_RING_BYTES - 1)) == 0, "the ring is a power of two");
_Static_assert(DP_LOG_MAX + 64 <= DP_RING_BYTES && DP_TRACE_MAX + 64 <= DP_RING_BYTES,
	       "the ring holds at least one full record");
_Static_assert(DP_LOG_MAX + 40 <= 4095 && DP_TRACE_MAX <= 4095,
	       "a record body has 12 bits of length");
_Static_assert(DP_RX_LINES >= 1 && DP_RX_LINES <= 64 && (DP_RX_LINES & (DP_RX_LINES - 1)) == 0,
	       "a power of two: places in the queue are counted modulo 256");
_Static_assert(DP_ARENA_BYTES <= 65536 && DP_ARENA_BYTES % 8 == 0,
	       "offsets in an installed object have 16 bits; what lies there is aligned");
_Static_assert(DP_WITH_TEXT || !DP_WITH_IDENTITY, "such an identity is a checksum of the text");
_Static_assert(DP_GVARS <= 256, "variable indices are one byte");

#endif
