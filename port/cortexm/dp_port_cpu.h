/* SPDX-License-Identifier: BSD-2-Clause */
/* The Cortex-M port (ARMv6-M, ARMv7-M, ARMv8-M mainline) has these types.  port/dp_port.h. entry.S
 * also includes the constants. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#define DP_PORT_ACCESS_MAX 4
#define DP_PORT_BIG_ENDIAN 0

#if defined(__ARM_BIG_ENDIAN)
#error "big-endian Cortex-M is not ported"
#endif
#if defined(__ARM_ARCH) && !defined(__ASSEMBLER__)
#if __ARM_ARCH_PROFILE != 'M' || defined(__ARM_ARCH_8M_BASE__)
#error "this port is for ARMv6-M, ARMv7-M and ARMv8-M mainline"
#endif
#endif

#if DP_CORTEXM_WITH_FPB && defined(__ARM_ARCH_6M__)
#error "comparators need ARMv7-M: build with DP_CORTEXM_WITH_FPB=0"
#endif

/* Comparators of data. */
#define DP_CORTEXM_WATCHERS (DP_CORTEXM_WITH_MPU + 4 * DP_CORTEXM_WITH_DWT)

#if DP_CORTEXM_WATCHERS > 0 && (defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_MAIN__) ||       \
				defined(__ARM_ARCH_8_1M_MAIN__))
#error "watchpoints need ARMv7-M: build with DP_CORTEXM_WITH_MPU=0, DP_CORTEXM_WITH_DWT=0"
#endif

#if DP_CORTEXM_WITH_MPU && DP_CORTEXM_WITH_DWT
#error "one reports before the access, the other behind: DP_CORTEXM_WITH_MPU or DP_CORTEXM_WITH_DWT"
#endif

#if DP_PORT_CPUS != 1
#error "one CPU for now: each has its own vector table"
#endif

#if defined(__ARM_ARCH_6M__)
#define DP_CORTEXM_HAS_FAULTS 0 /* no faults but HardFault, and no status of them */
#define DP_PORT_TRAP_STORES   1
#else
#define DP_CORTEXM_HAS_FAULTS 1
#define DP_PORT_TRAP_STORES   2 /* 4 bytes at an odd halfword */
#endif
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#define DP_CORTEXM_HAS_LIMITS 1
#else
#define DP_CORTEXM_HAS_LIMITS 0
#endif

/* Offsets in struct dp_frame, for entry.S. */
#define DP_FRAME_XPSR       64
#define DP_FRAME_PRIMASK    68
#define DP_FRAME_CONTROL    72
#define DP_FRAME_EXC_RETURN 76
#define DP_FRAME_HARDWARE   80
#define DP_FRAME_HANDLER    84
#define DP_FRAME_EXCEPTION  88
#define DP_FRAME_LIMIT      92
#define DP_FRAME_BYTES      96

/* Offsets in struct dp_port_state, for entry.S. */
#define DP_STATE_PASSING      0
#define DP_STATE_STACK_BOTTOM 4
#define DP_STATE_STACK_FRAME  8
#define DP_STATE_HANDLERS     12
#define DP_STATE_UNSTACKED    28
#define DP_STATE_WATCHES      32
#define DP_STATE_MONITOR      36
#define DP_STATE_SLOTS        (32 + 4 * DP_CORTEXM_WITH_MPU + 8 * DP_CORTEXM_WITH_DWT)
#define DP_STATE_PENDING      (DP_STATE_SLOTS + 32)
#define DP_PENDING_PRIMASK    25
#define DP_PENDING_ACTIVE     26
#define DP_STEP_LOST          2

/* Words in front of the agent's vector table: magic, handlers of exceptions 3 to 6, and of
 * DebugMonitor. */
#define DP_VECTORS_HEAD (20 + 4 * DP_CORTEXM_WITH_DWT)

/* In the number of HardFault and that of UsageFault, but in none of MemManage, BusFault and
 * DebugMonitor. */
#define DP_CLASS_EXECUTED_BIT 1

/* System control space.  DDI 0403E B3.2 */
#define DP_SCS_ICTR             0xe000e004
#define DP_SCS_VTOR             0xe000ed08
#define DP_SCS_AIRCR            0xe000ed0c
#define DP_SCS_CCR              0xe000ed14
#define DP_SCS_SHPR1            0xe000ed18
#define DP_SCS_SHCSR            0xe000ed24
#define DP_SCS_CFSR             0xe000ed28
#define DP_SCS_HFSR             0xe000ed2c
#define DP_SCS_MMFAR            0xe000ed34
#define DP_SCS_BFAR             0xe000ed38
#define DP_SCS_MPU_TYPE         0xe000ed90
#define DP_SCS_MPU_CTRL         0xe000ed94
#define DP_SCS_MPU_RNR          0xe000ed98
#define DP_SCS_MPU_RBAR         0xe000ed9c
#define DP_SCS_MPU_RASR         0xe000eda0
#define DP_SCS_DEMCR            0xe000edfc
#define DP_SCS_FPCCR            0xe000ef34
#define DP_SCS_FPCAR            0xe000ef38
#define DP_SCS_ICIMVAU          0xe000ef58
#define DP_SCS_DCCMVAU          0xe000ef64
#define DP_SCS_DCCMVAC          0xe000ef68
#define DP_SCS_BPIALL           0xe000ef78
#define DP_SHCSR_BUS_PENDED_BIT 14
#define DP_CFSR_DACCVIOL        0x00000002
#define DP_CFSR_DACCVIOL_BIT    1
#define DP_CFSR_MMARVALID       0x00000080
#define DP_CFSR_UNDEF           0x00010000
#define DP_CFSR_UNDEF_BIT       16
#define DP_CFSR_INVPC_BIT       18
#define DP_CFSR_IMPRECISE       0x00000400
#define DP_CFSR_STACKING        0x00101818 /* MUNSTKERR MSTKERR UNSTKERR STKERR STKOF */
#define DP_HFSR_FORCED          0x40000000
#define DP_HFSR_FORCED_BIT      30

#define DP_XPSR_T          0x01000000
#define DP_XPSR_IT         0x0600fc00
#define DP_XPSR_PADDED     0x00000200
#define DP_XPSR_PADDED_BIT 9
#define DP_XPSR_EXCEPTION  0x000001ff

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"

/* r0 to r15, xpsr, primask */
#define DP_PORT_REG_AT(index)                                                                      \
	((index) <= 17 ? (unsigned)sizeof(uint32_t) * (index) : DP_REG_ELSEWHERE)
#define DP_PORT_PC(frame)    ((frame)->r[15])
#define DP_PORT_SP(frame)    ((frame)->r[13])
#define DP_PORT_PLAIN(frame) (!((frame)->xpsr & DP_XPSR_IT))
/* Procedure Call Standard for the Arm Architecture (IHI 0042), 6.5 */
#define DP_PORT_RESULT(frame, n) ((frame)->r[n])
#define DP_PORT_RETURN(frame)    ((void)((frame)->r[15] = (frame)->r[14] & ~1u))
/* No link value of an exception.  DDI 0403E B1.5.8 */
#define DP_PORT_MAY_RETURN(frame) ((frame)->r[14] < 0xf0000000u)
#define DP_PORT_ISA(frame)        DP_ISA_THUMB
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->r[15] = (address), (frame)->r[13] = (sp), (frame)->r[14] = (ra))

#define DP_PORT_CPU    DP_CPU_CORTEXM
#define DP_PORT_ISAS   (1u << DP_ISA_THUMB)
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK)
#define DP_PORT_PHASES ((1u << DP_PHASE_BEFORE) | (1u << DP_PHASE_AFTER) | (1u << DP_PHASE_FAULT))

#define DP_PORT_IS_NOOP(site) ((site)->original == 0xbf00 || (site)->original == 0x46c0)

/* Numbers: DP_FPB_PLACES places of code, two for each comparator; then the region of the MPU, or
 * the comparators of the DWT. */
#if DP_CORTEXM_WITH_FPB || DP_CORTEXM_WATCHERS > 0
#define DP_CORTEXM_PLACES   (12 * DP_CORTEXM_WITH_FPB)
#define DP_PORT_COMPARATORS (DP_CORTEXM_PLACES + DP_CORTEXM_WATCHERS)
#define DP_PORT_WATCH_KINDS                                                                        \
	(DP_CORTEXM_WITH_FPB << DP_PROBE_BREAK | (DP_CORTEXM_WATCHERS > 0) << DP_PROBE_WATCH_W |   \
	 (DP_CORTEXM_WATCHERS > 0) << DP_PROBE_WATCH_RW | DP_CORTEXM_WITH_DWT << DP_PROBE_WATCH_R)
#define DP_PORT_WATCH_AFTER                                                                        \
	(DP_CORTEXM_WITH_DWT << DP_PROBE_WATCH_R | DP_CORTEXM_WITH_DWT << DP_PROBE_WATCH_W |       \
	 DP_CORTEXM_WITH_DWT << DP_PROBE_WATCH_RW)
#define DP_PORT_LACKS_CODE DP_CORTEXM_WITH_FPB
#endif
#if DP_CORTEXM_WITH_FPB
#include "cortexm_fpb.h"
#endif
#if DP_CORTEXM_WITH_DWT
#include "cortexm_dwt.h"
#endif

/* How an instruction is stepped that has accessed what a comparator watches. */
struct dp_cortexm_plan {
	uint32_t insn;
	uint8_t bytes, action, detail; /* of insn; of struct dp_arm_plan */
};
enum {
	DP_CORTEXM_PLANS_KEPT = 8
};

/* The region that watches. */
struct dp_cortexm_region {
	uint32_t first, covers;
	uint32_t attributes; /* MPU_RASR; 0: not armed */
	uint8_t off;         /* paused */
};

/* The registers that a caught fault changes. */
struct dp_fault_status {
	uint32_t cfsr;
#if DP_CORTEXM_HAS_FAULTS
	uint32_t hfsr, mmfar, bfar;
#endif
};

_Static_assert(sizeof(struct dp_frame) == DP_FRAME_BYTES, "entry.S");
_Static_assert(offsetof(struct dp_frame, xpsr) == DP_FRAME_XPSR &&
		       offsetof(struct dp_frame, limit) == DP_FRAME_LIMIT,
	       "entry.S");

struct dp_port_site {
	_Alignas(4) uint8_t action; /* enum dp_arm_action; aligned: gcc copies it by memcpy else */
	uint8_t detail;             /* enum dp_cortexm_class */
	uint8_t slot;               /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	int8_t condition;           /* of the instruction by itself: thumb/it_state.h */
};

enum dp_cortexm_step {
	DP_CORTEXM_NO_STEP,
	DP_CORTEXM_STEP,
	DP_CORTEXM_STEP_LOST, /* it faulted, and the CPU could not store its frame: entry.S */
};
_Static_assert((int)DP_CORTEXM_STEP_LOST == DP_STEP_LOST, "entry.S");

/* The part of the context that a two-trap step has changed, per CPU. */
struct dp_cortexm_pending {
	uint32_t address;  /* of the original */
	uint32_t xpsr;     /* as it was */
	uint32_t r0;       /* as it was, if `rewritten` */
	uint32_t trap2;    /* where the second trap stands */
	uint32_t fault_at; /* where an emulated access has failed, and its width */
	uint32_t cfsr;     /* what earlier faults had left in CFSR */
	uint8_t fault_width;
	uint8_t primask; /* as it was */
	uint8_t active;  /* enum dp_cortexm_step */
	uint8_t rewritten : 1;
	uint8_t again : 1; /* the slot has an access that failed, not the instruction */
	uint8_t trial : 1; /* of executing slot memory */
#if DP_CORTEXM_WITH_DWT
	uint8_t accessed;        /* bytes that the copy accesses; 0: not known, or none */
	uint8_t accessed_kinds;  /* enum dp_watched_kinds */
	uint32_t accessed_first; /* where */
#endif
};

struct dp_port_state {
	uint32_t passing; /* pc of a UsageFault that is pended for the firmware; odd: none */
	uint32_t stack_bottom;
	uint32_t stack_frame; /* of the outermost hit: its frame, which ends at the top */
	uint32_t handlers[4]; /* the firmware's, of exceptions 3 to 6 */
	uint32_t unstacked;   /* bits of DP_CFSR_STACKING that an earlier exception has left */
#if DP_CORTEXM_WATCHERS > 0
	uint32_t watches; /* not 0: a comparator of data is armed */
#endif
#if DP_CORTEXM_WITH_DWT
	uint32_t monitor; /* the firmware's handler of DebugMonitor */
#endif
	struct dp_slot_pool slots;
	const struct dp_board *board;
	const struct dp_memory *memory;
	uint32_t *vectors; /* the agent's table; null with own_vectors */
	uint32_t ticks_high, ticks_last;
	struct dp_cortexm_pending pending[DP_PORT_CPUS];
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
	uint32_t held; /* what traps in callbacks leave of the fault status: vectors.c */
	uint8_t ticks_run;
#if DP_CORTEXM_WITH_FPB
	struct dp_fpb fpb;
#endif
#if DP_CORTEXM_WITH_FPB || DP_CORTEXM_WATCHERS > 0
	struct dp_cortexm_plan kept[DP_CORTEXM_PLANS_KEPT];
#endif
#if DP_CORTEXM_WITH_MPU
	struct dp_cortexm_region region;
#endif
#if DP_CORTEXM_WITH_DWT
	struct dp_dwt dwt;
#endif
};
#if DP_CORTEXM_WATCHERS > 0
_Static_assert(offsetof(struct dp_port_state, watches) == DP_STATE_WATCHES, "entry.S");
#endif
#if DP_CORTEXM_WITH_DWT
_Static_assert(offsetof(struct dp_port_state, monitor) == DP_STATE_MONITOR, "entry.S");
#endif
_Static_assert(offsetof(struct dp_port_state, stack_bottom) == DP_STATE_STACK_BOTTOM &&
		       offsetof(struct dp_port_state, stack_frame) == DP_STATE_STACK_FRAME &&
		       offsetof(struct dp_port_state, handlers) == DP_STATE_HANDLERS &&
		       offsetof(struct dp_port_state, unstacked) == DP_STATE_UNSTACKED &&
		       offsetof(struct dp_port_state, slots) == DP_STATE_SLOTS &&
		       offsetof(struct dp_port_state, pending) == DP_STATE_PENDING &&
		       offsetof(struct dp_cortexm_pending, primask) == DP_PENDING_PRIMASK &&
		       offsetof(struct dp_cortexm_pending, active) == DP_PENDING_ACTIVE,
	       "entry.S");

#if DP_CORTEXM_HAS_FAULTS
#define DP_PORT_COUNTER() (*(const volatile uint32_t *)0xe0001004u) /* DWT_CYCCNT */
#endif

#define DP_PORT_HERE(place) __asm__ volatile("mov %0, pc" : "=r"(place))

typedef uint32_t dp_irq;

/* A switch and a division call the compiler's library on ARMv6-M, where somebody may probe: the
 * agent has these functions itself (access.S). */
#if defined(__ARM_ARCH_6M__)
__asm__(".set __aeabi_uidiv, dprobes_cortexm_divide");
#ifndef __clang__
__asm__(".set __gnu_thumb1_case_uqi, dprobes_cortexm_case_uqi\n\t"
	".set __gnu_thumb1_case_sqi, dprobes_cortexm_case_sqi\n\t"
	".set __gnu_thumb1_case_uhi, dprobes_cortexm_case_uhi\n\t"
	".set __gnu_thumb1_case_shi, dprobes_cortexm_case_shi");
#endif
#endif
#endif
#endif
