/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the simulated CPU that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#ifndef DP_SIM_WIDE
#define DP_SIM_WIDE 0
#endif
#if DP_SIM_WIDE
#define DP_WORD_BITS           64
#define DP_PORT_INSN_BYTES_MAX 15
#elif !defined(DP_WORD_BITS)
#define DP_WORD_BITS 32
#endif
#if DP_WORD_BITS == 64
#define DPROBES_WORD uint64_t
#else
#define DPROBES_WORD uint32_t
#endif
#ifndef DP_PORT_INSN_BYTES_MAX
#define DP_PORT_INSN_BYTES_MAX 4
#endif
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
#define DP_PORT_SLOT_BYTES  24 /* SIM_SLOT_BYTES */
#define DP_PORT_SLOT_ALIGN  8
#define DP_PORT_SLOTS_EXTRA 0
#define DP_PORT_STATE_BYTES (32 + 4 * 284) /* and four comparators */
#ifndef DP_PORT_STACK_BYTES                /* handlers run on the caller's stack */
#define DP_PORT_STACK_BYTES 0
#endif
#endif
