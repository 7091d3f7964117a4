/* SPDX-License-Identifier: BSD-2-Clause */
/* The ARM port (A32, Thumb, Thumb-2; ARMv5TE to ARMv7-A) has these types.  port/dp_port.h. entry.S
 * also includes the constants. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#define DP_PORT_ACCESS_MAX 8

#ifdef __ARM_BIG_ENDIAN
#error "big-endian ARM is not ported: BE-8 keeps instructions little-endian, BE-32 does not"
#endif
#define DP_PORT_BIG_ENDIAN 0

#if DP_PORT_CPUS != 1
#error "one CPU for now: the veneer saves registers in one place, vectors.c looks at the trap word"
#endif

#if __ARM_ARCH >= 7
#define DP_PORT_TRAP_STORES 2 /* 4 bytes of Thumb at an odd halfword */
#else
#define DP_PORT_TRAP_STORES 1
#endif

/* Offsets in struct dp_frame, for entry.S. */
#define DP_FRAME_R8       32
#define DP_FRAME_PC       60
#define DP_FRAME_ABT_SP   68
#define DP_FRAME_ABT_SPSR 76
#define DP_FRAME_CHAIN    80
#define DP_FRAME_CHAIN_LR 84
#define DP_FRAME_BYTES    96

#define DP_ARM_RESUME 1 /* DP_RESUME, for entry.S */

/* CPSR */
#define DP_PSR_MODE 0x1f
#define DP_PSR_T    0x20
#define DP_PSR_F    0x40
#define DP_PSR_I    0x80
#define DP_PSR_IT   0x0600fc00
#define DP_MODE_USR 0x10
#define DP_MODE_ABT 0x17
#define DP_MODE_UND 0x1b
#define DP_MODE_SYS 0x1f

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"

/* r0 to r15, cpsr */
#define DP_PORT_REG_AT(index)                                                                      \
	((index) <= 16 ? (unsigned)sizeof(uint32_t) * (index) : DP_REG_ELSEWHERE)
#define DP_PORT_PC(frame)    ((frame)->r[15])
#define DP_PORT_SP(frame)    ((frame)->r[13])
#define DP_PORT_PLAIN(frame) (!((frame)->cpsr & DP_PSR_IT))
/* Procedure Call Standard for the Arm Architecture (IHI 0042), 6.5 */
#define DP_PORT_RESULT(frame, n) ((frame)->r[n])
#define DP_PORT_RETURN(frame)    dp_arm_return(frame)
#define DP_PORT_ISA(frame)       ((frame)->cpsr & DP_PSR_T ? DP_ISA_THUMB : DP_ISA_MAIN)
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->r[15] = (address), (frame)->r[13] = (sp), (frame)->r[14] = (ra))

#define DP_PORT_CPU    DP_CPU_ARM
#define DP_PORT_ISAS   (1u << DP_ISA_MAIN | 1u << DP_ISA_THUMB)
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK)
#define DP_PORT_PHASES ((1u << DP_PHASE_BEFORE) | (1u << DP_PHASE_AFTER) | (1u << DP_PHASE_FAULT))

#define DP_PORT_IS_NOOP(site)                                                                      \
	((site)->isa == DP_ISA_THUMB                                                               \
		 ? (site)->original == 0xbf00 || (site)->original == 0x46c0                        \
		 : (site)->original == 0xe320f000 || (site)->original == 0xe1a00000)

#if DP_ARM_WITH_WATCH
#if __ARM_ARCH < 7
#error "comparators need ARMv7-A: build with DP_ARM_WITH_WATCH=0"
#endif
#define DP_ARM_BREAKPOINTS  6 /* of DP_PORT_COMPARATORS, the first ones */
#define DP_PORT_COMPARATORS 10
#define DP_PORT_WATCH_KINDS                                                                        \
	(1 << DP_PROBE_BREAK | 1 << DP_PROBE_WATCH_X | 1 << DP_PROBE_WATCH_W |                     \
	 1 << DP_PROBE_WATCH_RW | 1 << DP_PROBE_WATCH_R)

/* What watch.c has written, and who has the registers. */
struct dp_arm_watch {
	uint32_t control[DP_PORT_COMPARATORS]; /* 0: not armed */
	uint32_t first[DP_PORT_COMPARATORS], covers[DP_PORT_COMPARATORS];
	uint16_t foreign, off; /* a debugger's; off for a while: bit n */
	uint8_t open, all_off;
};
#endif

/* The registers that a caught abort overwrites. */
struct dp_fault_status {
	uint32_t dfsr, dfar;
};

/* As bx lr does. */
static inline void dp_arm_return(struct dp_frame *frame)
{
	const uint32_t to = frame->r[14];

	frame->cpsr = to & 1 ? frame->cpsr | DP_PSR_T : frame->cpsr & ~(uint32_t)DP_PSR_T;
	frame->r[15] = to & ~1u;
}

_Static_assert(sizeof(struct dp_frame) == DP_FRAME_BYTES, "entry.S");
_Static_assert(offsetof(struct dp_frame, chain_lr) == DP_FRAME_CHAIN_LR, "entry.S");
_Static_assert(DP_FRAME_PC == DP_FRAME_R8 + 28 &&
		       offsetof(struct dp_frame, cpsr) == DP_FRAME_PC + 4 &&
		       DP_FRAME_ABT_SP == DP_FRAME_PC + 8 &&
		       offsetof(struct dp_frame, abt_lr) == DP_FRAME_ABT_SP + 4,
	       "entry.S writes them in one piece");

struct dp_port_site {
	_Alignas(4) uint8_t action; /* enum dp_arm_action; aligned: gcc copies it by memcpy else */
	uint8_t detail;             /* enum dp_arm_class */
	uint8_t slot;               /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	int8_t condition;           /* of the instruction by itself: thumb/it_state.h */
};

/* The part of the context that a two-trap step has changed, per CPU. */
struct dp_arm_pending {
	uint32_t address; /* of the original */
	uint32_t cpsr;    /* as it was */
	uint32_t masks;   /* I and F when the instruction is done, as in CPSR */
	uint32_t r0;      /* as it was, if `rewritten` */
	uint32_t trap2;   /* where the second trap stands */
	uint8_t active;
	uint8_t rewritten;
};

struct dp_arm_vector;

struct dp_port_state {
	const struct dp_board *board;
	const struct dp_memory *memory;
	struct dp_arm_vector *vector; /* one per class; null with own_vectors */
	struct dp_slot_pool slots;
	uint32_t store_pc; /* distance that `str pc` adds to its address: 8 or 12 */
	uint32_t ticks_high, ticks_last;
	uint8_t ticks_run;
	struct dp_arm_pending pending[DP_PORT_CPUS];
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
#if DP_ARM_WITH_WATCH
	struct dp_arm_watch watch;
#endif
};

#if __ARM_ARCH >= 7
#define DP_PORT_COUNTER() dp_arm_cycles()
static inline uint32_t dp_arm_cycles(void)
{
	uint32_t value;

	__asm__ volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(value)); /* PMCCNTR */
	return value;
}
#endif

#define DP_PORT_HERE(place) __asm__ volatile("mov %0, pc" : "=r"(place))

typedef uint32_t dp_irq;
#endif
#endif
