/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the IA32 port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#define DP_WORD_BITS 32
#define DPROBES_WORD uint32_t
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
/* Comparators of the debug registers, for watchpoints and for probes in text that cannot be
 * written. */
#ifndef DP_IA32_WITH_WATCH
#define DP_IA32_WITH_WATCH 0
#endif
#define DP_PORT_INSN_BYTES_MAX 15
#define DP_PORT_SLOT_BYTES     24 /* copy and jump back, or copy and second trap; address */
#define DP_PORT_SLOT_ALIGN     4
#define DP_IA32_GATES          (13 + DP_IA32_WITH_WATCH) /* exceptions that the agent looks at first */
/* Beside one for each probe: the code of the gates, the last resort. */
#define DP_PORT_SLOTS_EXTRA ((28 + 20 * DP_IA32_GATES) / DP_PORT_SLOT_BYTES + 2)
#if DP_IA32_WITH_WATCH
#define DP_PORT_STATE_BYTES (80 + 24 + 4 * 284) /* and four comparators */
#else
#define DP_PORT_STATE_BYTES 80 /* at most, of struct dp_port_state */
#endif
#ifndef DP_PORT_STACK_BYTES /* the deepest hit, and a nested one on top of it */
#define DP_PORT_STACK_BYTES ((DP_DEEP_HITS ? 3840 : 2816) + 512 * DP_IA32_WITH_WATCH)
#endif
#endif
