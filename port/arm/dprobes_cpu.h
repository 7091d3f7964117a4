/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the ARM port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#define DP_WORD_BITS 32
#define DPROBES_WORD uint32_t
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
/* Comparators, for watchpoints and for probes in text that cannot be written. ARMv7-A. */
#ifndef DP_ARM_WITH_WATCH
#define DP_ARM_WITH_WATCH 0
#endif
#define DP_PORT_INSN_BYTES_MAX 4
#define DP_PORT_SLOT_BYTES     24
#define DP_PORT_SLOT_ALIGN     4
/* Beside one for each probe: veneers, the last resort. */
#define DP_PORT_SLOTS_EXTRA (10 + DP_ARM_WITH_WATCH)
#if DP_ARM_WITH_WATCH
#define DP_PORT_STATE_BYTES (72 + 128 + 10 * 284) /* and ten comparators */
#else
#define DP_PORT_STATE_BYTES 72 /* at most, of struct dp_port_state */
#endif
#ifndef DP_PORT_STACK_BYTES /* the deepest hit, and a nested one on top of it */
#define DP_PORT_STACK_BYTES (DP_DEEP_HITS ? 2560 : 2048)
#endif
#endif
