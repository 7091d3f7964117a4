/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the empty port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
/* Bits of a register and of an address. 64 needs nothing else changed in the agent. */
#define DP_WORD_BITS 32
#define DPROBES_WORD uint32_t
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
#define DP_PORT_INSN_BYTES_MAX 4
#define DP_PORT_SLOT_BYTES     16 /* copy, jump back; copy, second trap */
#define DP_PORT_SLOT_ALIGN     4
#define DP_PORT_SLOTS_EXTRA    1    /* slots that the port uses itself: the last resort */
#define DP_PORT_STATE_BYTES    40   /* at most, of struct dp_port_state */
#define DP_PORT_STACK_BYTES    2048 /* `scons size` prints the worst path */
#endif
