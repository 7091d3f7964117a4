/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the Cortex-M port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#define DP_WORD_BITS 32
#define DPROBES_WORD uint32_t
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
/* Words of the vector table: 16, and one for each interrupt of the microcontroller. The agent has a
 * copy of the table. The CPU counts its interrupts in steps of 32, and the agent rounds the number
 * up before it compares. */
#ifndef DP_CORTEXM_VECTORS
#define DP_CORTEXM_VECTORS DP_KNOB(64, 128, 128)
#endif
/* Of the copy: a power of two, which is its alignment too.  DDI 0403E B3.2.5 */
#define DP_CORTEXM_TABLE_BYTES                                                                     \
	(DP_CORTEXM_VECTORS <= 32    ? 128                                                         \
	 : DP_CORTEXM_VECTORS <= 64  ? 256                                                         \
	 : DP_CORTEXM_VECTORS <= 128 ? 512                                                         \
	 : DP_CORTEXM_VECTORS <= 256 ? 1024                                                        \
				     : 2048)
/* Comparators of the Flash Patch and Breakpoint unit (Cortex-M3, M4), for probes in text that
 * cannot be written. Their table of 32 bytes, and its alignment, are in the memory of the slots. */
#ifndef DP_CORTEXM_WITH_FPB
#define DP_CORTEXM_WITH_FPB 0
#endif
/* A watchpoint by the memory protection unit (ARMv7-M), where the firmware does not use the unit.
 */
#ifndef DP_CORTEXM_WITH_MPU
#define DP_CORTEXM_WITH_MPU 0
#endif
#define DP_PORT_INSN_BYTES_MAX 4
#if defined(__ARM_ARCH_6M__) /* the jump back takes four instructions */
#define DP_PORT_SLOT_BYTES 28
#else
#define DP_PORT_SLOT_BYTES 24
#endif
#define DP_PORT_SLOT_ALIGN 4
/* Beside one for each probe: the last resort; the vector table, its alignment, and what stands in
 * front of it. */
#define DP_PORT_SLOTS_EXTRA                                                                        \
	(1 + (2 * DP_CORTEXM_TABLE_BYTES + 64 * DP_CORTEXM_WITH_FPB + 32 + DP_PORT_SLOT_BYTES) /   \
		     (DP_PORT_SLOT_BYTES + 1))
/* At most, of struct dp_port_state; and twelve places of comparators; and one region */
#define DP_PORT_STATE_BYTES                                                                        \
	(116 + DP_CORTEXM_WITH_FPB * (144 + 12 * 284) + DP_CORTEXM_WITH_MPU * (84 + 284))
#ifndef DP_PORT_STACK_BYTES /* the deepest hit, and a nested one on top of it */
#define DP_PORT_STACK_BYTES (DP_DEEP_HITS ? 2816 : 2048)
#endif
#endif
