/* SPDX-License-Identifier: BSD-2-Clause */
/* The knobs that dprobes.h needs, with their defaults; -DNAME=value overrides. The other knobs are
 * in dp_config.h, which includes this file. */
#ifndef DP_SIZES_H
#define DP_SIZES_H
#ifndef DP_MAX_PROBES /* probe points installed at once; at most 240 */
#define DP_MAX_PROBES 64
#endif
#ifndef DP_LISTED /* plans for places with several probes, one a probe */
#define DP_LISTED (DP_MAX_PROBES / 8 + 2)
#endif
#ifndef DP_MAX_PROGRAMS /* programs installed at once */
#define DP_MAX_PROGRAMS 16
#endif
#ifndef DP_MAX_MODULES /* announced modules, the firmware image included */
#define DP_MAX_MODULES 4
#endif
#ifndef DP_MAX_RANGES /* of the firmware; dprobes_init adds 6, with a key 8 or 10 */
#define DP_MAX_RANGES 16
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
#ifndef DP_RX_LINES /* request lines of each com that wait for dp_poll: the window of HELLO */
#define DP_RX_LINES 8
#endif
#ifndef DP_CONSOLE_BYTES /* queue of the firmware's text on each line, a power of two */
#define DP_CONSOLE_BYTES 256
#endif
#ifndef DP_TIMERS /* timers (tick, profile) armed at once, at most 255 */
#define DP_TIMERS 8
#endif
/* Features (protocol/features.def): 0 leaves a feature out; programs that need it are refused. */
#ifndef DP_WITH_ALL /* the default of each feature: 0 leaves out each that is not set to 1 */
#define DP_WITH_ALL 1
#endif
#ifndef DP_WITH_LANGUAGE /* the less common instructions; requests VARS and NAME */
#define DP_WITH_LANGUAGE DP_WITH_ALL
#endif
#ifndef DP_WITH_INTEGRITY /* periodic checks of RAM and text; the keep area */
#define DP_WITH_INTEGRITY DP_WITH_ALL
#endif
#ifndef DP_WITH_STREAM /* items and times of records; notices */
#define DP_WITH_STREAM DP_WITH_ALL
#endif
#ifndef DP_WITH_STORM /* requests served from hits when dp_poll does not run; the governor */
#define DP_WITH_STORM DP_WITH_ALL
#endif
#ifndef DP_WITH_D /* maps and 64-bit numbers; request MAP */
#define DP_WITH_D DP_WITH_ALL
#endif
#ifndef DP_WITH_TIMERS /* programs that run at times */
#define DP_WITH_TIMERS DP_WITH_ALL
#endif
#ifndef DP_WITH_HISTORY /* exit 2 and 3, the flight recorder, boot programs */
#define DP_WITH_HISTORY DP_WITH_ALL
#endif
#ifndef DP_WITH_SHARED_LINE /* console_in, dp_console_write; both lines of struct dp_board */
#define DP_WITH_SHARED_LINE DP_WITH_ALL
#endif
#ifndef DP_WITH_HOOKS /* C exits (agent/guide/hooks.md): left out unless set to 1 */
#define DP_WITH_HOOKS 0
#endif
#ifndef DP_FLIGHT_BYTES /* ring of the flight recorder, a power of two from 256 on; 0: none */
#define DP_FLIGHT_BYTES 0
#endif
#ifndef DP_WITH_ACCESS /* the board's key; 0: a firmware that sets a key does not compile */
#define DP_WITH_ACCESS DP_WITH_ALL
#endif
#endif
