/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the MIPS32 port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#define DP_WORD_BITS 32
#define DPROBES_WORD uint32_t
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
#define DP_PORT_INSN_BYTES_MAX 4
#define DP_PORT_SLOT_BYTES     16
#define DP_PORT_SLOT_ALIGN     16
#define DP_PORT_SLOTS_EXTRA    16  /* beside one for each probe: vector blocks, the last resort */
#define DP_PORT_STATE_BYTES    168 /* at most, of struct dp_port_state */
#ifndef DP_PORT_STACK_BYTES        /* the deepest hit, and a nested one on top of it */
#define DP_PORT_STACK_BYTES (DP_DEEP_HITS ? 3200 : 2560)
#endif
#endif
