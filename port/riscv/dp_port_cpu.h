/* SPDX-License-Identifier: BSD-2-Clause */
/* The RISC-V port (RV32, RV64; M mode) has these types.  port/dp_port.h, README.md. entry.S also
 * includes the constants. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#ifdef __riscv_32e
#error "RV32E is not ported: a frame has 32 registers"
#endif
#ifdef __riscv_vector
#error "compile the agent without the vector extension: a hit saves no vector registers"
#endif

#define DP_PORT_ACCESS_MAX (DP_WORD_BITS / 8)
#define DP_PORT_BIG_ENDIAN 0

#if DP_PORT_CPUS != 1
#error "this port does not serve more than one CPU"
#endif

#define DP_PORT_TRAP_STORES 1

/* Instructions of 16 bits: the trap then has 16 bits too. */
#if defined(__riscv_compressed) || defined(__riscv_zca)
#define DP_RISCV_WITH_C 1
#else
#define DP_RISCV_WITH_C 0
#endif

/* Offsets in struct dp_frame, in words, for entry.S. */
#define DP_FRAME_PC      32
#define DP_FRAME_MSTATUS 33
#define DP_FRAME_MCAUSE  34
#define DP_FRAME_MTVAL   35
#define DP_FRAME_WORDS   36

/* Offsets in struct dp_riscv_block, in words. */
#define DP_BLOCK_T0           0
#define DP_BLOCK_T1           1
#define DP_BLOCK_T2           2
#define DP_BLOCK_MSCRATCH     3
#define DP_BLOCK_ENTRY        4
#define DP_BLOCK_CHAIN        5
#define DP_BLOCK_STACK_BOTTOM 6
#define DP_BLOCK_STACK_TOP    7
#define DP_BLOCK_SLOTS        8
#define DP_BLOCK_SLOT_BYTES   9
#define DP_BLOCK_GP           10
#define DP_BLOCK_TP           11
#define DP_BLOCK_WORDS        12

#define DP_RISCV_RESUME 1 /* DP_RESUME, for entry.S */

/* CSR numbers. Privileged ISA 2.2 */
#define DP_CSR_MSTATUS  0x300
#define DP_CSR_MISA     0x301
#define DP_CSR_MIE      0x304
#define DP_CSR_MTVEC    0x305
#define DP_CSR_MSCRATCH 0x340
#define DP_CSR_MEPC     0x341
#define DP_CSR_MCAUSE   0x342
#define DP_CSR_MTVAL    0x343
#define DP_CSR_TSELECT  0x7a0
#define DP_CSR_TDATA1   0x7a1
#define DP_CSR_TDATA2   0x7a2
#define DP_CSR_TCONTROL 0x7a5
#define DP_CSR_MCYCLE   0xb00
#define DP_CSR_MCYCLEH  0xb80

/* mstatus. Privileged ISA 3.1.6 */
#define DP_STATUS_MIE  0x00000008
#define DP_STATUS_MPIE 0x00000080
#define DP_STATUS_MPP  0x00001800
#define DP_STATUS_MPRV 0x00020000

/* mcause. Privileged ISA, table 3.6 */
#define DP_CAUSE_MISALIGNED 0 /* instruction address misaligned */
#define DP_CAUSE_BREAK      3

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"

/* x0 to x31, pc */
#define DP_PORT_REG_AT(index)                                                                      \
	((index)-0x10u < 32u ? (unsigned)sizeof(DPROBES_WORD) * ((index)-0x10u)                    \
	 : (index) == 0x01   ? (unsigned)offsetof(struct dp_frame, pc)                             \
			     : DP_REG_ELSEWHERE)
#define DP_PORT_PC(frame)    ((frame)->pc)
#define DP_PORT_SP(frame)    ((frame)->x[2])
#define DP_PORT_PLAIN(frame) ((void)(frame), true)
/* a0, a1. RISC-V ELF psABI, integer calling convention */
#define DP_PORT_RESULT(frame, n) ((frame)->x[10 + (n)])
#define DP_PORT_RETURN(frame)    ((void)((frame)->pc = (frame)->x[1] & ~(DPROBES_WORD)1))
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->pc = (address), (frame)->x[2] = (sp), (frame)->x[1] = (ra))

#define DP_PORT_CPU    DP_CPU_RISCV
#define DP_PORT_ISAS   (1u << DP_ISA_MAIN)
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK)
#define DP_PORT_PHASES ((1u << DP_PHASE_BEFORE) | (1u << DP_PHASE_AFTER) | (1u << DP_PHASE_FAULT))

#define DP_PORT_IS_NOOP(site) ((site)->original == 0x00000013 || (site)->original == 0x0001)

#if DP_RISCV_TRIGGERS > 0
/* The type of a trigger that is tried first, 2 or 6: a CPU may have both. */
#ifndef DP_RISCV_TRIGGER_TYPE
#define DP_RISCV_TRIGGER_TYPE 2
#endif
_Static_assert(DP_RISCV_TRIGGER_TYPE == 2 || DP_RISCV_TRIGGER_TYPE == 6, "mcontrol or mcontrol6");
#define DP_PORT_COMPARATORS  DP_RISCV_TRIGGERS
#define DP_PORT_WATCH_SHARED 1
#define DP_PORT_LACKS_CODE   1
#define DP_PORT_WATCH_KINDS                                                                        \
	(1 << DP_PROBE_BREAK | 1 << DP_PROBE_WATCH_X | 1 << DP_PROBE_WATCH_W |                     \
	 1 << DP_PROBE_WATCH_RW | 1 << DP_PROBE_WATCH_R)

/* What the triggers of the CPU can do, what triggers.c has written, and who has the registers. */
struct dp_riscv_triggers {
	DPROBES_WORD control[DP_RISCV_TRIGGERS]; /* tdata1; 0: not armed */
	DPROBES_WORD first[DP_RISCV_TRIGGERS], covers[DP_RISCV_TRIGGERS];
	uint8_t type[DP_RISCV_TRIGGERS];       /* 2 or 6; 0: none that is ours */
	uint8_t kinds[DP_RISCV_TRIGGERS];      /* load, store, execute, as in tdata1 */
	uint8_t range_bits[DP_RISCV_TRIGGERS]; /* of the largest range; 0: no ranges */
	uint16_t foreign, off, armed;          /* a debugger's; off for a while; on: bit n */
	uint8_t open, count, has_tcontrol;
};
#endif

/* The registers that a caught abort overwrites; of mstatus MPP and MPIE. */
struct dp_fault_status {
	DPROBES_WORD mcause, mtval, mepc, mstatus;
};

_Static_assert(sizeof(struct dp_frame) == DP_FRAME_WORDS * sizeof(DPROBES_WORD), "entry.S");
_Static_assert(offsetof(struct dp_frame, mtval) == DP_FRAME_MTVAL * sizeof(DPROBES_WORD),
	       "entry.S");

struct dp_port_site {
	_Alignas(
		4) uint8_t action; /* enum dp_riscv_action; aligned: gcc copies it by memcpy else */
	uint8_t detail;            /* enum dp_riscv_class */
	uint8_t slot;              /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	uint8_t flags;             /* enum dp_riscv_site */
};

/* The part of the context that a two-trap step has changed, per CPU. */
struct dp_riscv_pending {
	DPROBES_WORD address; /* of the site */
	DPROBES_WORD entry;   /* in the slot */
	DPROBES_WORD mstatus; /* as it was */
	DPROBES_WORD mie;     /* as it was, where the step has masked it */
	uint8_t active;
	uint8_t bytes;   /* of the instruction */
	uint8_t has_mie; /* mie has been changed, else mstatus */
};

/* The data that entry.S reads through t0. */
struct dp_riscv_block {
	DPROBES_WORD t0, t1, t2; /* of the context, for a few instructions */
	DPROBES_WORD mscratch;   /* as dp_init had it */
	DPROBES_WORD entry;      /* in entry.S */
	DPROBES_WORD chain;      /* where the firmware goes on: struct dp_riscv_veneer */
	DPROBES_WORD stack_bottom, stack_top;
	DPROBES_WORD slots, slot_bytes;
	DPROBES_WORD gp, tp; /* as dp_init had them: the board's callbacks may need them */
};
_Static_assert(sizeof(struct dp_riscv_block) == DP_BLOCK_WORDS * sizeof(DPROBES_WORD), "entry.S");

struct dp_riscv_veneer;

/* A stretch of a trap handler that has not saved, or has restored, what a trap overwrites. */
struct dp_riscv_stretch {
	DPROBES_WORD start;
	uint32_t what; /* bytes << 4 | state: scan.c */
};

struct dp_port_state {
	const struct dp_board *board;
	const struct dp_memory *memory;
	struct dp_riscv_veneer *veneer; /* null with own_vectors */
	struct dp_slot_pool slots;
	uint8_t cpu;       /* enum dp_riscv_cpu */
	uint8_t has_u;     /* misa.U: mret leaves MPP = 0, not 3 */
	uint8_t stretches; /* so many of: */
	struct dp_riscv_stretch stretch[DP_RISCV_STRETCHES];
	struct dp_riscv_pending pending[DP_PORT_CPUS];
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
#if DP_RISCV_TRIGGERS > 0
	struct dp_riscv_triggers triggers;
#endif
};

#define DP_PORT_COUNTER() dp_riscv_cycles()
static inline uint32_t dp_riscv_cycles(void)
{
	DPROBES_WORD value;

	/* csrr of mcycle; its number with a sign */
	__asm__ volatile(".insn i 0x73, 2, %0, x0, %1" : "=r"(value) : "i"(DP_CSR_MCYCLE - 0x1000));
	return (uint32_t)value;
}

#define DP_PORT_HERE(place) __asm__ volatile("auipc %0, 0" : "=r"(place))

typedef DPROBES_WORD dp_irq;
#endif
#endif
