/* SPDX-License-Identifier: BSD-2-Clause */
/* The knobs that dprobes.h needs, with their defaults for each agent by name (dp_agents.h);
 * -DNAME=value overrides. The other knobs are in dp_config.h, which includes this file. */
#ifndef DP_SIZES_H
#define DP_SIZES_H
#include "dp_agents.h"

#ifndef DP_MAX_PROBES /* probe points installed at once; at most 240 */
#define DP_MAX_PROBES DP_KNOB(8, 16, 64)
#endif
#ifndef DP_LISTED /* plans for places with several probes, one a probe */
#define DP_LISTED DP_KNOB(1, 2, (DP_MAX_PROBES / 8 + 2))
#endif
#ifndef DP_MAX_PROGRAMS /* programs installed at once */
#define DP_MAX_PROGRAMS DP_KNOB(4, 8, 16)
#endif
#ifndef DP_MAX_MODULES /* announced modules, the firmware image included */
#define DP_MAX_MODULES DP_KNOB(1, 1, 4)
#endif
#ifndef DP_MAX_RANGES /* of the firmware; dprobes_init adds 6, with a key 8 or 10 */
#define DP_MAX_RANGES DP_KNOB(12, 16, 16)
#endif
#ifndef DP_ARENA_BYTES /* programs with their local variables, and the upload in progress */
#define DP_ARENA_BYTES DP_KNOB(1024, 4096, 16384)
#endif
#ifndef DP_STACK_WORDS /* RPN stack, a power of two, at least 32. decisions.txt C01 */
#define DP_STACK_WORDS DP_KNOB(64, 64, 1024)
#endif
#ifndef DP_LOG_MAX /* user log bytes of one hit: the limit of logmax */
#define DP_LOG_MAX DP_KNOB(128, 128, 1024)
#endif
#ifndef DP_TRACE_MAX /* stack trace bytes of one hit: the limit of excpt_log */
#define DP_TRACE_MAX DP_LOG_MAX
#endif
#ifndef DP_GVARS /* global variables shared by all programs, at most 256 */
#define DP_GVARS DP_KNOB(4, 16, 64)
#endif
#ifndef DP_RING_BYTES /* log ring, a power of two */
#define DP_RING_BYTES DP_KNOB(1024, 2048, 8192)
#endif
#ifndef DP_RX_LINES /* request lines of each com that wait for dp_poll: the window of HELLO */
#define DP_RX_LINES DP_KNOB(2, 4, 8)
#endif
#ifndef DP_CONSOLE_BYTES /* queue of the firmware's text on each line, a power of two */
#define DP_CONSOLE_BYTES DP_KNOB(64, 64, 256)
#endif
#ifndef DP_SPARE_SLOTS /* slots of removed probes that code may still be in */
#define DP_SPARE_SLOTS DP_KNOB(8, 16, 32)
#endif
#ifndef DP_TIMERS /* timers (tick, profile) armed at once, at most 255 */
#define DP_TIMERS DP_KNOB(1, 2, 8)
#endif
/* Features (protocol/features.def): 0 leaves a feature out; programs that need it are refused.
 * DP_WITH_ALL: each feature that has no value of its own. Else the agent's name decides. */
#ifdef DP_WITH_ALL
#define DP_WITH_OF(tiny, counts) DP_WITH_ALL
#else
#define DP_WITH_OF(tiny, counts) DP_KNOB(tiny, counts, 1)
#endif
#ifndef DP_WITH_LANGUAGE /* the less common instructions; requests VARS and NAME */
#define DP_WITH_LANGUAGE DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_INTEGRITY /* periodic checks of RAM and text; the keep area */
#define DP_WITH_INTEGRITY DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_STREAM /* items and times of records; notices */
#define DP_WITH_STREAM DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_STORM /* requests served from hits when dp_poll does not run; the governor */
#define DP_WITH_STORM DP_WITH_OF(0, 0)
#endif
#if defined(DP_WITH_COUNTS) && !DP_WITH_COUNTS
#ifndef DP_WITH_D
#define DP_WITH_D 0
#elif DP_WITH_D
#error "the feature D needs the feature COUNTS: set DP_WITH_COUNTS to 1, or leave it out"
#endif
#endif
#ifndef DP_WITH_D /* 64-bit numbers, strings, distributions, events; brings COUNTS */
#define DP_WITH_D DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_COUNTS /* maps; request MAP */
#if DP_WITH_D
#define DP_WITH_COUNTS 1
#else
#define DP_WITH_COUNTS DP_WITH_OF(0, 1)
#endif
#endif
#ifndef DP_WITH_TIMERS /* programs that run at times */
#define DP_WITH_TIMERS DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_HISTORY /* exit 2 and 3, the flight recorder, boot programs */
#define DP_WITH_HISTORY DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_HALT /* exit 1 and the request HALT; 0 where programs only read */
#define DP_WITH_HALT DP_WITH_OF(0, 0)
#endif
/* Its room: the firmware, which places the memory, does not know the profile (dp_build.h). */
#if DP_WITH_HALT
#define DP_ROOM_OF_HALT 1
#else
#define DP_ROOM_OF_HALT 0
#endif
#ifndef DP_WITH_SHARED_LINE /* console_in, dp_console_write; both lines of struct dp_board */
#define DP_WITH_SHARED_LINE DP_WITH_OF(1, 1)
#endif
#ifndef DP_WITH_HOOKS /* C exits (agent/guide/hooks.md): left out unless set to 1 */
#define DP_WITH_HOOKS 0
#endif
#ifndef DP_FLIGHT_BYTES /* ring of the flight recorder, a power of two from 256 on; 0: none */
#define DP_FLIGHT_BYTES 0
#endif
#ifndef DP_WITH_ACCESS /* the board's key; 0: a firmware that sets a key does not compile */
#define DP_WITH_ACCESS DP_WITH_OF(0, 0)
#endif
/* Does a hit do more than run handlers that log and count, and send records? Then ports have a
 * deeper private stack. */
#define DP_DEEP_HITS                                                                               \
	(DP_WITH_LANGUAGE || DP_WITH_INTEGRITY || DP_WITH_STREAM || DP_WITH_STORM || DP_WITH_D ||  \
	 DP_WITH_TIMERS || DP_WITH_HISTORY || DP_WITH_HALT || DP_WITH_HOOKS)
#endif
