/* SPDX-License-Identifier: BSD-2-Clause */
/* Every knob of the agent with its default; -DNAME=value overrides. The knobs that dprobes.h needs
 * are in dp_sizes.h, and DP_CRC_TABLE is in dp_crc.h. */
#ifndef DP_CONFIG_H
#define DP_CONFIG_H

#include "dp_sizes.h"

/* The types of a tree (DPROBES_TYPES_H) often come without the limits of stdint.h. */
#ifdef DPROBES_TYPES_H
#ifndef UINT8_MAX
#define UINT8_MAX __UINT8_MAX__
#endif
#ifndef UINT16_MAX
#define UINT16_MAX __UINT16_MAX__
#endif
#ifndef INT32_MAX
#define INT32_MAX __INT32_MAX__
#endif
#ifndef UINT32_MAX
#define UINT32_MAX __UINT32_MAX__
#endif
#ifndef INT64_MAX
#define INT64_MAX __INT64_MAX__
#endif
#ifndef UINT64_MAX
#define UINT64_MAX __UINT64_MAX__
#endif
#ifndef UINTPTR_MAX
#define UINTPTR_MAX __UINTPTR_MAX__
#endif
#endif

/* The rights of programs. READ: the agent has no code to write memory, registers or ports, nor for
 * callk and the hooks of exit 1..3. FULL: all, if the object and the session request them too. */
#define DP_PROFILE_READ 0
#define DP_PROFILE_FULL 1
#ifndef DP_PROFILE
#define DP_PROFILE DP_PROFILE_READ
#endif
#ifndef DP_STEP_BUDGET /* per hit: instructions and elements moved. decisions.txt C29 */
#define DP_STEP_BUDGET 4096
#endif
#ifndef DP_OVERRUNS_MAX /* budget overruns in a row after which a probe is disabled */
#define DP_OVERRUNS_MAX 8
#endif
#ifndef DP_CALLBACK_BYTES /* of each private stack, for a callback of the board (dp_agent.h) */
#define DP_CALLBACK_BYTES 512
#endif
#ifndef DP_HITS_PER_SECOND /* more hits in a second disable a probe; 0: no limit */
#define DP_HITS_PER_SECOND (DP_PROFILE == DP_PROFILE_FULL ? 0 : 50000)
#endif
/* Whether the agent has a governor. */
#define DP_GOVERNOR (DP_WITH_STORM && DP_HITS_PER_SECOND > 0)
#ifndef DP_RING_MARKS /* marks of the ring, for finding sent records; a power of two */
#define DP_RING_MARKS 8
#endif
#ifndef DP_POLL_BYTES /* characters that one dp_poll sends on each line at most */
#define DP_POLL_BYTES 256
#endif
#ifndef DP_WRITE_BYTES /* characters of one call of a line's `write`, which masks interrupts */
#define DP_WRITE_BYTES 16
#endif
#ifndef DP_PLANS /* 0, for tests that compare: no hit follows a plan (plan.c) */
#define DP_PLANS 1
#endif
/* How a hit reads the low 32 bits of ticks. 0: by a call of `counter` or `ticks` of the board.
 * DP_COUNTER_CPU: from the counter of the CPU. Another value: from the 32-bit register at this
 * address. */
#define DP_COUNTER_CPU 1
#ifndef DP_COUNTER
#define DP_COUNTER 0
#endif
#ifndef DP_MAP_LOOKS /* places of a map that the agent searches for a key */
#define DP_MAP_LOOKS 32
#endif
/* Features: 0 leaves a feature out, and programs that need the feature are refused.
 * protocol/features.def */
#ifndef DP_WITH_CHECKS /* rules that protect only the program itself; details of verdicts */
#define DP_WITH_CHECKS DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_MODULES /* dp_module_loaded, dp_module_unloaded, programs that wait */
#define DP_WITH_MODULES DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_COMPACT /* compact lines of records */
#define DP_WITH_COMPACT DP_WITH_OF(0, 0)
#endif
#ifndef DP_WITH_TEXT /* request TEXT */
#define DP_WITH_TEXT DP_WITH_OF(1, 1)
#endif
#ifndef DP_WITH_MEMORY /* requests MEMORY and STORE */
#define DP_WITH_MEMORY DP_WITH_OF(0, 0)
#endif
#if DP_PROFILE != DP_PROFILE_FULL /* has no code that changes what the firmware does */
#undef DP_WITH_HALT
#define DP_WITH_HALT 0
#endif
#ifndef DP_HALT_SECONDS /* without a request, after which a stopped target goes on; 0: never */
#define DP_HALT_SECONDS 10
#endif
#ifndef DP_CORE_STACK_BYTES /* of the stack, in the records of exit 3 */
#define DP_CORE_STACK_BYTES 1024
#endif
/* Whether a handler can let the function return. */
#define DP_RETURNS (DP_PROFILE == DP_PROFILE_FULL && DP_WITH_LANGUAGE)
/* Whether programs have speculations. */
#define DP_SPECULATES (DP_WITH_D && DP_WITH_HISTORY)
/* Whether requests are served in hits. */
#define DP_HITS_SERVE (DP_WITH_STORM || DP_WITH_HALT)
#ifndef DP_WITH_TYPED /* the line that removes all programs from any terminal */
#define DP_WITH_TYPED DP_WITH_OF(0, 0)
#endif
/* Bytes of the section dprobes_embedded, which `dprobes embed` fills; 0: no section, no reader. */
#ifndef DP_EMBED_BYTES
#define DP_EMBED_BYTES 0
#endif
#if !DP_WITH_HISTORY
#undef DP_FLIGHT_BYTES
#define DP_FLIGHT_BYTES 0
#undef DP_EMBED_BYTES
#define DP_EMBED_BYTES 0
#endif
/* Bytes of the section dprobes_functions, which `dprobes table` fills; 0: no section, no reader. */
#ifndef DP_FUNCTIONS_BYTES
#define DP_FUNCTIONS_BYTES (DP_WITH_OF(0, 0) * 2304)
#endif
#endif
