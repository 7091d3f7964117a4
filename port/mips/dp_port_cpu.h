/* SPDX-License-Identifier: BSD-2-Clause */
/* The MIPS32 port (release 1 to 5, both byte orders) has these types.  port/dp_port.h. entry.S also
 * includes the constants. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#if defined(__mips16) || defined(__mips_micromips) || __mips_isa_rev >= 6
#error "this port is for MIPS32 release 1 to 5, compiled as such"
#endif

#define DP_PORT_ACCESS_MAX 4

#ifdef __MIPSEB__
#define DP_PORT_BIG_ENDIAN 1
#else
#define DP_PORT_BIG_ENDIAN 0
#endif

#if DP_PORT_CPUS != 1
#error "one CPU for now: more than one needs a vector block for each"
#endif

/* 0: nothing runs in user mode, so mapped code below 0x80000000 (kuseg) may be probed as well.
 * Else the port refuses such code: slots lie in kseg0 or kseg1, where a hit in user mode cannot
 * fetch. */
#ifndef DP_MIPS_USER_MODE
#define DP_MIPS_USER_MODE 1
#endif

#define DP_PORT_TRAP_STORES 1

/* kseg0 and kseg1 are two views of one memory. */
#define DP_PORT_ALIAS(address) ((address) >> 30 == 2 ? (address) ^ 0x20000000u : (address))

/* Offsets in struct dp_frame, for entry.S. */
#define DP_FRAME_HI       128
#define DP_FRAME_LO       132
#define DP_FRAME_STATUS   136
#define DP_FRAME_CAUSE    140
#define DP_FRAME_EPC      144
#define DP_FRAME_BADVADDR 148
#define DP_FRAME_CONTEXT  152
#define DP_FRAME_ENTRYHI  156
#define DP_FRAME_BYTES    168

/* Offsets in struct dp_mips_block. */
#define DP_BLOCK_ENTRY        0
#define DP_BLOCK_SAVED_K1     4
#define DP_BLOCK_SAVED_AT     8
#define DP_BLOCK_CHAIN        12
#define DP_BLOCK_STACK_TOP    16
#define DP_BLOCK_STACK_BOTTOM 20
#define DP_BLOCK_SLOTS        24
#define DP_BLOCK_SLOT_BYTES   28
#define DP_BLOCK_GP           32
#define DP_BLOCK_CLASS        36

#define DP_MIPS_RESUME 1 /* DP_RESUME, for entry.S */

/* Status */
#define DP_STATUS_IE  0x01
#define DP_STATUS_EXL 0x02
#define DP_STATUS_ERL 0x04
#define DP_STATUS_KSU 0x18
#define DP_STATUS_LOW 0x1f

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"

/* r0 to r31, hi, lo */
#define DP_PORT_REG_AT(index)                                                                      \
	((index) < 0x22 ? (unsigned)sizeof(uint32_t) * (index) : DP_REG_ELSEWHERE)
#define DP_PORT_PC(frame)    ((frame)->epc)
#define DP_PORT_SP(frame)    ((frame)->r[29])
#define DP_PORT_PLAIN(frame) (!((frame)->cause >> 31)) /* BD */
/* v0, v1. System V ABI, MIPS RISC Processor Supplement, 3-16 */
#define DP_PORT_RESULT(frame, n) ((frame)->r[2 + (n)])
#define DP_PORT_RETURN(frame)    ((void)((frame)->epc = (frame)->r[31]))
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->epc = (address), (frame)->r[29] = (sp), (frame)->r[31] = (ra))
/* The delay slot of a jump that a slot executes. */
#define DP_PORT_RESUME_BEHIND 4

#define DP_PORT_CPU    DP_CPU_MIPS
#define DP_PORT_ISAS   (1u << DP_ISA_MAIN)
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK)
#define DP_PORT_PHASES ((1u << DP_PHASE_BEFORE) | (1u << DP_PHASE_AFTER) | (1u << DP_PHASE_FAULT))

#define DP_PORT_IS_NOOP(site) ((site)->original == 0)

_Static_assert(sizeof(struct dp_frame) == DP_FRAME_BYTES, "entry.S");
_Static_assert(offsetof(struct dp_frame, fault.entryhi) == DP_FRAME_ENTRYHI, "entry.S");

struct dp_port_site {
	_Alignas(4) uint8_t action; /* enum dp_mips_action; aligned: gcc copies it by memcpy else */
	uint8_t detail;             /* enum dp_mips_class */
	uint8_t slot;               /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	uint8_t flags : 3;          /* enum dp_mips_site */
	/* of the instruction in a jump's delay slot, which is no jump */
	uint8_t delay_action : 3, delay_detail : 3;
};

/* The part of the context that a two-trap step has changed, per CPU. */
struct dp_mips_pending {
	uint32_t address; /* of the site */
	uint32_t next;    /* where the context goes on */
	uint32_t fault;   /* EPC of a fault: the site, or the branch before it */
	uint32_t entry;   /* in the slot */
	uint32_t status;  /* as it was */
	uint8_t active;
	uint8_t left;    /* the hit is over: a one-trap slot faulted */
	uint8_t deliver; /* the fault is being repeated, for the firmware */
};

/* The data that entry.S reads through k0, one block per vector. */
struct dp_mips_block {
	uint32_t entry; /* in entry.S */
	uint32_t saved_k1, saved_at;
	uint32_t chain; /* where the firmware goes on, k0 in ErrorEPC */
	uint32_t stack_top, stack_bottom;
	uint32_t slots, slot_bytes;
	uint32_t gp;    /* as dp_init had it: the board's callbacks may need it */
	uint32_t class; /* DP_CLASS_* */
};
_Static_assert(offsetof(struct dp_mips_block, chain) == DP_BLOCK_CHAIN &&
		       offsetof(struct dp_mips_block, slots) == DP_BLOCK_SLOTS &&
		       offsetof(struct dp_mips_block, slot_bytes) == DP_BLOCK_SLOT_BYTES &&
		       offsetof(struct dp_mips_block, gp) == DP_BLOCK_GP &&
		       offsetof(struct dp_mips_block, class) == DP_BLOCK_CLASS,
	       "entry.S");

struct dp_mips_vector;

struct dp_port_state {
	const struct dp_board *board;
	const struct dp_memory *memory;
	struct dp_mips_vector *vector; /* one per class; null with own_vectors */
	struct dp_mips_block block[DP_CLASSES];
	struct dp_slot_pool slots;
	uint32_t data_line, code_line; /* bytes of a cache line; 0: no such cache */
	uint32_t ticks_high, ticks_last;
	uint8_t release; /* of the architecture */
	struct dp_mips_pending pending[DP_PORT_CPUS];
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
};

#define DP_PORT_COUNTER() dp_mips_count()
static inline uint32_t dp_mips_count(void)
{
	uint32_t value;

	__asm__ volatile("mfc0 %0, $9" : "=r"(value)); /* Count */
	return value;
}

#define DP_PORT_HERE(place)                                                                        \
	__asm__ volatile(".set push\n\t.set noreorder\n\tbal 1f\n\tnop\n1:\tmove %0, $31\n\t"      \
			 ".set pop"                                                                \
			 : "=r"(place)                                                             \
			 :                                                                         \
			 : "$31")

typedef uint32_t dp_irq;
#endif
#endif
