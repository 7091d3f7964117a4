/* SPDX-License-Identifier: BSD-2-Clause */
/* The PowerPC port (32 bits, big-endian) has these types.  port/dp_port.h, README.md. entry.S also
 * includes the constants. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#if defined(__LITTLE_ENDIAN__) || defined(__powerpc64__)
#error "this port is for 32-bit big-endian PowerPC"
#endif

/* The SPRG that is the port's alone: no handler of the firmware may use it. SPRG7, SPRG3. */
#ifndef DP_PPC_SPRG
#if DP_PPC_BOOKE
#define DP_PPC_SPRG 279
#else
#define DP_PPC_SPRG 275
#endif
#endif

/* BookE: where a machine check saves PC and MSR. 570: MCSRR0, and rfmci (440x5, e500); 58: CSRR0,
 * and rfci (440x4); 0: machine checks are not looked at. */
#ifndef DP_PPC_MACHINE_SRR0
#define DP_PPC_MACHINE_SRR0 570
#endif

#define DP_PORT_ACCESS_MAX 4
#define DP_PORT_BIG_ENDIAN 1

#if DP_PORT_CPUS != 1
#error "this port does not serve more than one CPU"
#endif

#define DP_PORT_TRAP_STORES 1

/* Offsets in struct dp_frame, for entry.S. */
#define DP_FRAME_CR        128
#define DP_FRAME_XER       132
#define DP_FRAME_LR        136
#define DP_FRAME_CTR       140
#define DP_FRAME_PC        144
#define DP_FRAME_MSR       148
#define DP_FRAME_ADDRESS   152
#define DP_FRAME_SYNDROME  156
#define DP_FRAME_ENTRY_MSR 160
#define DP_FRAME_BYTES     176

/* Offsets in struct dp_ppc_block. */
#define DP_BLOCK_R4           0
#define DP_BLOCK_R5           4
#define DP_BLOCK_CR           8
#define DP_BLOCK_CTR          12
#define DP_BLOCK_ENTRY        16
#define DP_BLOCK_CHAIN        20
#define DP_BLOCK_STACK_BOTTOM 24
#define DP_BLOCK_STACK_TOP    28
#define DP_BLOCK_SLOTS        32
#define DP_BLOCK_SLOT_BYTES   36
#define DP_BLOCK_CLASS        40
#define DP_BLOCK_R2           44
#define DP_BLOCK_R13          48

#define DP_PPC_RESUME 1 /* DP_RESUME, for entry.S */

/* SPR numbers */
#define DP_SPR_SRR0 26
#define DP_SPR_SRR1 27
#define DP_SPR_MCSR 572
#if DP_PPC_BOOKE
#define DP_SPR_ADDRESS  61 /* DEAR */
#define DP_SPR_SYNDROME 62 /* ESR */
#else
#define DP_SPR_ADDRESS  19 /* DAR */
#define DP_SPR_SYNDROME 18 /* DSISR */
#endif

/* MSR */
#define DP_MSR_EE 0x00008000
#define DP_MSR_PR 0x00004000
#define DP_MSR_FP 0x00002000
#define DP_MSR_ME 0x00001000
#if DP_PPC_BOOKE
#define DP_MSR_CE   0x00020000
#define DP_MSR_DE   0x00000200
#define DP_MSR_MASK (DP_MSR_EE | DP_MSR_CE) /* the bits that enable handlers */
#else
#define DP_MSR_IR   0x00000020
#define DP_MSR_DR   0x00000010
#define DP_MSR_RI   0x00000002
#define DP_MSR_MASK DP_MSR_EE
#endif

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"

/* r0 to r31; lnk: the caller; nip */
#define DP_PORT_REG_AT(index)                                                                      \
	((index)-0x10u < 32u ? (unsigned)sizeof(uint32_t) * ((index)-0x10u)                        \
	 : (index) == 0x04   ? (unsigned)offsetof(struct dp_frame, lr)                             \
	 : (index) == 0x01   ? (unsigned)offsetof(struct dp_frame, pc)                             \
			     : DP_REG_ELSEWHERE)
#define DP_PORT_PC(frame)    ((frame)->pc)
#define DP_PORT_SP(frame)    ((frame)->r[1])
#define DP_PORT_PLAIN(frame) ((void)(frame), true)
/* r3, r4. Power Architecture 32-bit ABI Supplement 1.0, 3.2.4 */
#define DP_PORT_RESULT(frame, n) ((frame)->r[3 + (n)])
#define DP_PORT_RETURN(frame)    ((void)((frame)->pc = (frame)->lr & ~3u))
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->pc = (address), (frame)->r[1] = (sp), (frame)->lr = (ra))

#define DP_PORT_CPU    DP_CPU_PPC
#define DP_PORT_ISAS   (1u << DP_ISA_MAIN)
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK)
#define DP_PORT_PHASES ((1u << DP_PHASE_BEFORE) | (1u << DP_PHASE_AFTER) | (1u << DP_PHASE_FAULT))

#define DP_PORT_IS_NOOP(site) ((site)->original == 0x60000000)

/* The registers that a caught abort overwrites: DEAR and ESR, or DAR and DSISR. On e500 also the
 * MMU assist registers, which a TLB miss handler may be using. */
struct dp_fault_status {
	uint32_t address, syndrome;
	uint32_t mas[6]; /* 0 1 2 3 6 7 */
};

_Static_assert(sizeof(struct dp_frame) == DP_FRAME_BYTES, "entry.S");
_Static_assert(offsetof(struct dp_frame, entry_msr) == DP_FRAME_ENTRY_MSR, "entry.S");

struct dp_port_site {
	uint8_t action; /* enum dp_ppc_action */
	uint8_t detail; /* enum dp_ppc_class */
	uint8_t slot;   /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	uint8_t flags;  /* enum dp_ppc_site */
};

/* The part of the context that a two-trap step has changed, per CPU. */
struct dp_ppc_pending {
	uint32_t address; /* of the site */
	uint32_t entry;   /* in the slot */
	uint32_t msr;     /* as it was */
	uint32_t active;
};

/* The data that entry.S reads through r3, one block per vector. */
struct dp_ppc_block {
	uint32_t r4, r5, cr, ctr; /* of the context, for a few instructions */
	uint32_t entry;           /* in entry.S */
	uint32_t chain;           /* where the firmware goes on: struct dp_ppc_vector */
	uint32_t stack_bottom, stack_top;
	uint32_t slots, slot_bytes;
	uint32_t class;   /* DP_CLASS_* */
	uint32_t r2, r13; /* as dp_init had them: the board's callbacks may need them */
};
_Static_assert(offsetof(struct dp_ppc_block, r13) == DP_BLOCK_R13, "entry.S");

struct dp_ppc_vector;

struct dp_port_state {
	const struct dp_board *board;
	const struct dp_memory *memory;
	struct dp_ppc_vector *vector; /* one per class; null with own_vectors */
	struct dp_ppc_block block[DP_CLASSES];
	struct dp_slot_pool slots;
	uint32_t mas;     /* how many of dp_fault_status.mas this CPU has */
	uint32_t not_msr; /* bits of SRR1 at a trap that are not of the context's MSR */
	struct dp_ppc_pending pending[DP_PORT_CPUS];
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
};

#define DP_PORT_COUNTER() dp_ppc_time_base()
static inline uint32_t dp_ppc_time_base(void)
{
	uint32_t value;

	__asm__ volatile("mftb %0" : "=r"(value)); /* TBL */
	return value;
}

#define DP_PORT_HERE(place) __asm__ volatile("bcl 20, 31, 1f\n1:\tmflr %0" : "=r"(place) : : "lr")

typedef uint32_t dp_irq;
#endif
#endif
