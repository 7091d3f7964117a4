/* SPDX-License-Identifier: BSD-2-Clause */
/* The IA32 port (flat segments of 32 bits) has these types.  port/dp_port.h, README.md.
 * entry.S also includes the constants. */
#ifndef DP_PORT_CPU_H
#define DP_PORT_CPU_H

#include "dprobes_cpu.h"
#include "dprobes_frame.h"

#define DP_PORT_ACCESS_MAX 4
#define DP_PORT_BIG_ENDIAN 0

#if DP_PORT_CPUS != 1
#error "this port does not serve more than one CPU"
#endif

#define DP_PORT_TRAP_STORES 1

/* Offsets in struct dp_frame, in words, for entry.S. */
#define DP_FRAME_ESP    7
#define DP_FRAME_GATE   12
#define DP_FRAME_ERROR  13
#define DP_FRAME_EIP    14
#define DP_FRAME_CS     15
#define DP_FRAME_EFLAGS 16
#define DP_FRAME_SS     17
#define DP_FRAME_STACK  18
#define DP_FRAME_WORDS  24
/* What the frame has behind its registers: words of the stack, and where the CPU has begun to push.
 */
#define DP_FRAME_BEHIND ((DP_FRAME_WORDS - DP_FRAME_STACK + 1) * 4)

/* The return address, and arguments. System V ABI, Intel386 Architecture Processor Supplement, 3.9
 */
#define DP_PORT_STACK_WORDS (DP_FRAME_WORDS - DP_FRAME_STACK)

/* Offsets in struct dp_ia32_gate and struct dp_port_state, in bytes. */
#define DP_GATE_HANDLER    12
#define DP_GATE_VECTOR     16
#define DP_GATE_HAS_ERROR  17
#define DP_GATE_IS_TRAP    18
#define DP_STATE_STACK_TOP 0
#define DP_STATE_STACK     4

#define DP_IA32_RESUME 1 /* DP_RESUME, for entry.S */

/* EFLAGS. SDM 1 3.4.3 */
#define DP_FLAG_CF 0x00000001
#define DP_FLAG_PF 0x00000004
#define DP_FLAG_ZF 0x00000040
#define DP_FLAG_SF 0x00000080
#define DP_FLAG_IF 0x00000200
#define DP_FLAG_OF 0x00000800
#define DP_FLAG_RF 0x00010000
#define DP_FLAG_VM 0x00020000

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_object.h"
#include "dp_rpn.h"
#include "dp_slots.h"
#include "dp_stretch.h"

/* The general registers, eflags and eip; cs to ss of regs.def only where a word of the frame has
 * them. */
#define DP_PORT_REG_AT(index)                                                                      \
	((index) == 0x06   ? (unsigned)offsetof(struct dp_frame, eax)                              \
	 : (index) == 0x07 ? (unsigned)offsetof(struct dp_frame, ebx)                              \
	 : (index) == 0x08 ? (unsigned)offsetof(struct dp_frame, ecx)                              \
	 : (index) == 0x09 ? (unsigned)offsetof(struct dp_frame, edx)                              \
	 : (index) == 0x0a ? (unsigned)offsetof(struct dp_frame, edi)                              \
	 : (index) == 0x0b ? (unsigned)offsetof(struct dp_frame, esi)                              \
	 : (index) == 0x0d ? (unsigned)offsetof(struct dp_frame, eip)                              \
	 : (index) == 0x0e ? (unsigned)offsetof(struct dp_frame, esp)                              \
	 : (index) == 0x0f ? (unsigned)offsetof(struct dp_frame, ebp)                              \
			   : DP_REG_ELSEWHERE)
/* eip and esp of the ring that entered ring 0 are on the stack. */
#define DP_PORT_USER_AT(index)                                                                     \
	((index) == 0x0d || (index) == 0x0e ? DP_REG_ELSEWHERE : DP_PORT_REG_AT(index))
/* cpuid and msr pop a number first. */
#define DP_PORT_REG_ARGUMENTS(index) ((index) == 0x3c || (index) == 0x3d ? 1u : 0u)
#define DP_PORT_STACK_AT             ((unsigned)offsetof(struct dp_frame, stack))
#define DP_PORT_STACK_BASE           ((unsigned)offsetof(struct dp_frame, esp))
#define DP_PORT_PC(frame)            ((frame)->eip)
#define DP_PORT_SP(frame)            ((frame)->esp)
#define DP_PORT_PLAIN(frame)         ((void)(frame), true)
/* eax, edx. System V ABI, Intel386 Architecture Processor Supplement, 2.2.4 */
#define DP_PORT_RESULT(frame, n) (*((n) == 0 ? &(frame)->eax : &(frame)->edx))
/* The return address is on the stack: dp_ia32_may_return has looked at it. */
#define DP_PORT_RETURN(frame)     dp_ia32_return(frame)
#define DP_PORT_MAY_RETURN(frame) dp_ia32_may_return(frame)
#define DP_PORT_FRAME(frame, address, sp, ra)                                                      \
	((frame)->eip = (address), (frame)->esp = (sp), (void)(ra))

#define DP_PORT_CPU    DP_CPU_IA32
#define DP_PORT_ISAS   (1u << DP_ISA_MAIN)
#define DP_PORT_GROUPS (RPN_GROUP_WRITE | RPN_GROUP_HOOK | RPN_GROUP_IO | RPN_GROUP_SEG)
#define DP_PORT_PHASES ((1u << DP_PHASE_BEFORE) | (1u << DP_PHASE_AFTER) | (1u << DP_PHASE_FAULT))

#define DP_PORT_IS_NOOP(site) ((site)->original == 0x90)

_Static_assert(sizeof(struct dp_frame) == DP_FRAME_WORDS * 4, "entry.S");
_Static_assert(offsetof(struct dp_frame, esp) == DP_FRAME_ESP * 4, "entry.S");
_Static_assert(offsetof(struct dp_frame, eflags) == DP_FRAME_EFLAGS * 4, "entry.S");
_Static_assert(offsetof(struct dp_frame, stack) == DP_FRAME_STACK * 4, "entry.S");

/* The register that a caught fault overwrites. */
struct dp_fault_status {
	uint32_t cr2;
};

struct dp_port_site {
	_Alignas(4) uint8_t action; /* enum dp_ia32_action */
	uint8_t detail;             /* enum dp_ia32_class */
	uint8_t slot;               /* number, DP_SLOT_SCRATCH or DP_SLOT_NONE */
	uint8_t leaves;             /* the slot ends in a jump: one trap */
};

/* The step with two traps that is under way, per CPU. */
struct dp_ia32_pending {
	uint32_t address; /* of the site */
	uint32_t entry;   /* in the slot */
	uint32_t
		value; /* of an access in the place of an instruction: where control goes, or eax */
	uint16_t popped; /* bytes, of ret */
	uint8_t active;
	uint8_t bytes;  /* of what is in the slot */
	uint8_t behind; /* bytes of the instruction */
	uint8_t had_if; /* interrupts were on */
	uint8_t access; /* enum dp_ia32_user_access */
};

/* A fault that the port's own access had. */
struct dp_ia32_caught {
	uint32_t gate, error;
};

struct dp_ia32_veneer;

#if DP_IA32_WITH_WATCH
#define DP_PORT_COMPARATORS  4
#define DP_PORT_WATCH_SHARED 1
#define DP_PORT_WATCH_AFTER                                                                        \
	(1 << DP_PROBE_WATCH_W | 1 << DP_PROBE_WATCH_RW | 1 << DP_PROBE_WATCH_IO)
#define DP_PORT_WATCH_KINDS (DP_PORT_WATCH_AFTER | 1 << DP_PROBE_BREAK | 1 << DP_PROBE_WATCH_X)

/* The agent's comparators, bit n: comparator n. */
struct dp_ia32_watch {
	uint32_t first[DP_PORT_COMPARATORS];
	uint8_t form[DP_PORT_COMPARATORS]; /* R/W and LEN of DR7 */
	uint8_t armed, off;                /* off: those of the pause */
	uint8_t let_ports;                 /* the agent has set CR4.DE */
};
#endif

struct dp_port_state {
	/* Of the private stack: where the registers of a frame go, and its begin. entry.S */
	uint32_t stack_top, stack;
	const struct dp_board *board;
	const struct dp_memory *memory;
	struct dp_ia32_veneer *veneer;
	struct dp_slot_pool slots;
	struct dp_ia32_pending pending[DP_PORT_CPUS];
	struct dp_ia32_caught caught;
	struct dp_stretch recent[DP_PORT_CPUS]; /* dp_port_load */
	struct dp_stretch begins;               /* dp_ia32_load_stack */
#if DP_IA32_WITH_WATCH
	struct dp_ia32_watch watch;
#endif
};
_Static_assert(offsetof(struct dp_port_state, stack) == DP_STATE_STACK, "entry.S");

extern struct dp_port_state *dp_ia32; /* null before dp_port_attach */

/* Copy the words from the address on and catch a fault, which overwrites CR2. Returns false when
 * there was one. In registers: 8 instructions of a hit less. access.S */
__attribute__((__regparm__(2))) bool dp_ia32_copy_stack(uint32_t address, uint32_t *to);
/* Let dp_port_state.begins have the address. Returns false: no copy may begin there. */
bool dp_ia32_find_stack(uint32_t sp);

#define DP_PORT_LOAD_STACK(frame) dp_ia32_load_stack(frame)
static inline __attribute__((__always_inline__)) bool dp_ia32_load_stack(struct dp_frame *frame)
{
	const struct dp_stretch *begins = &dp_ia32->begins;
	uint32_t cr2;

	if (frame->esp - begins->start >= begins->bytes && !dp_ia32_find_stack(frame->esp))
		return false;
	__asm__ volatile("mov %%cr2, %0" : "=r"(cr2));
	if (dp_ia32_copy_stack(frame->esp, frame->stack))
		return true;
	__asm__ volatile("mov %0, %%cr2" : : "r"(cr2));
	return false;
}

bool dp_ia32_may_return(const struct dp_frame *frame);
void dp_ia32_return(struct dp_frame *frame);

#define DP_PORT_COUNTER() dp_ia32_cycles()
static inline uint32_t dp_ia32_cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return low;
}

#define DP_PORT_HERE(place) __asm__ volatile("call 1f\n1:\tpop %0" : "=r"(place))

typedef uint32_t dp_irq;
#endif
#endif
