/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the PowerPC port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#define DP_WORD_BITS            32
#define DPROBES_WORD            uint32_t
#define DP_QUIRK_TRAP_SETS_CE   1 /* QEMU, BookE: SRR1 after a trap has MSR[CE] set */
#define DP_QUIRK_MTMSR_KEEPS_ME 2 /* QEMU: mtmsr does not change MSR[ME] */
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
#define DP_PORT_INSN_BYTES_MAX 4
#define DP_PORT_SLOT_BYTES     12
#define DP_PORT_SLOT_ALIGN     4
#define DP_PORT_SLOTS_EXTRA    44 /* beside one for each probe: the vectors' code, the last resort */
#define DP_PORT_STATE_BYTES    368 /* at most, of struct dp_port_state */
#ifndef DP_PORT_STACK_BYTES        /* the deepest hit, and a nested one on top of it */
#define DP_PORT_STACK_BYTES (DP_DEEP_HITS ? 3584 : 2560)
#endif
#endif
