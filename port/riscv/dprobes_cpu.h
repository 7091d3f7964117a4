/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of the RISC-V port that size the firmware's memory: dprobes.h. */
#ifndef DPROBES_CPU_H
#define DPROBES_CPU_H
#if __riscv_xlen == 64
#define DP_WORD_BITS 64
#define DPROBES_WORD uint64_t
#else
#define DP_WORD_BITS 32
#define DPROBES_WORD uint32_t
#endif
#ifndef DP_PORT_CPUS
#define DP_PORT_CPUS 1
#endif
#ifndef DP_RISCV_VECTORS /* entries of a vectored mtvec at most; 0: the firmware's is direct */
#define DP_RISCV_VECTORS 32
#endif
/* The most triggers that the agent uses, for watchpoints and for probes in text that cannot be
 * written; 0: none. */
#ifndef DP_RISCV_TRIGGERS
#define DP_RISCV_TRIGGERS 0
#endif
#define DP_PORT_INSN_BYTES_MAX 4
#define DP_PORT_SLOT_BYTES     (8 + DP_WORD_BITS / 8)
#define DP_PORT_SLOT_ALIGN     (DP_WORD_BITS / 8)
/* Beside one for each probe: the veneer and its table with their alignment, the last resort. */
#define DP_PORT_SLOTS_EXTRA                                                                        \
	((260 + DP_WORD_BITS + (DP_RISCV_VECTORS > 0 ? 256 + 4 * DP_RISCV_VECTORS : 0)) /          \
		 DP_PORT_SLOT_BYTES +                                                              \
	 2)
/* Stretches of trap handlers where no probe may stand: one a handler, and more where it branches.
 */
#define DP_RISCV_STRETCHES (16 + DP_RISCV_VECTORS)
/* At most, of struct dp_port_state. */
#define DP_PORT_STATE_BYTES                                                                        \
	(DP_WORD_BITS / 32 * (56 + 8 * DP_RISCV_STRETCHES + (DP_RISCV_TRIGGERS > 0 ? 16 : 0)) +    \
	 DP_RISCV_TRIGGERS * (DP_WORD_BITS / 32 * 12 + 3 + 284 + (DP_WORD_BITS == 64 ? 76 : 0)))
#ifndef DP_PORT_STACK_BYTES /* the deepest hit, and a nested one on top of it */
#define DP_PORT_STACK_BYTES (DP_WORD_BITS == 64 ? 5120 : DP_DEEP_HITS ? 3072 : 2048)
#endif
#endif
