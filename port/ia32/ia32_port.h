/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_IA32_PORT_H
#define DP_IA32_PORT_H

#include "dp_access.h"
#include "dp_agent.h"
#include "ia32_decode.h"

/* int3: the trap and the second trap. SDM 2A, INT n */
#define DP_IA32_TRAP 0xccu

/* --- slots.c --- */

/* Take a slot for the site, as its plan asks for. */
void dp_ia32_slot_take(struct dp_site *site);
/* Where to enter the site's slot so that the copy runs and leaves. */
uint32_t dp_ia32_slot_enter(const struct dp_site *site);
/* The same, ending in the second trap: its own slot or that of last resort. */
uint32_t dp_ia32_slot_enter_two(const struct dp_site *site);
/* Is the copy the next instruction? pc: in the slots. */
bool dp_ia32_at_copy(uint32_t pc);

/* --- emulate.c --- */

/* Does the branch go to its target, with the counter as the branch leaves it? */
bool dp_ia32_taken(const struct dp_site *site, const struct dp_frame *frame);
/* Emulate the site's instruction. Returns false: it faults, and the frame is that of the fault. */
bool dp_ia32_emulate(const struct dp_site *site, struct dp_frame *frame);
/* The parts of the site's instruction, which is emulated. */
struct dp_ia32_insn dp_ia32_parts(const struct dp_site *site);
/* Where a call leads to that has no operand in memory. */
uint32_t dp_ia32_target(const struct dp_site *site, const struct dp_ia32_insn *insn,
			const struct dp_frame *frame);
/* Bytes that ret leaves out behind the return address. */
unsigned dp_ia32_popped(const struct dp_site *site, const struct dp_ia32_insn *insn);
/* popf of these flags, in the ring of the context. */
void dp_ia32_set_flags(struct dp_frame *frame, uint32_t flags);
#define DP_FLAGS_PUSHED 0x00fcffffu /* all but RF and VM. SDM 2B, PUSHF */

/* --- outer.c --- */

/* What an instruction in the slot does for an emulated one. */
enum dp_ia32_user_access {
	DP_IA32_NO_ACCESS,
	DP_IA32_STORES, /* pushes a word */
	DP_IA32_PUSHES_TARGET,
	DP_IA32_LOADS_FLAGS, /* from here on: to eax */
	DP_IA32_LOADS_RETURN,
	DP_IA32_LOADS_TARGET,
};
/* Fill the slot of last resort with the access of the emulated instruction. Returns false: it makes
 * none. Context: HIT, in ring 1 to 3. */
bool dp_ia32_begin_access(const struct dp_site *site, struct dp_frame *frame);
/* The access is done. frame: at the next instruction. Context: HIT. */
void dp_ia32_end_access(struct dp_frame *frame);
/* Handle an exception of ring 1 to 3, as dp_port_exception does. */
enum dp_taken dp_ia32_outer_exception(unsigned class, struct dp_frame *frame);

/* --- segments.c --- */

/* The context of an outer ring that entered ring 0, as the CPU has pushed it. */
struct dp_ia32_outer {
	uint32_t eip, cs, eflags, esp, ss;
};
/* Find it below a context in ring 0. Returns false: it is not found. Context: HIT. */
bool dp_ia32_outer(const struct dp_frame *frame, struct dp_ia32_outer *outer);
/* Is the base of the segment 0? Context: ANY. */
bool dp_ia32_is_flat(uint32_t selector);

/* --- vectors.c, entry.S, access.S --- */

/* What the IDT leads to, in slot memory: the code pushes the address of the gate and jumps to
 * entry.S. A warm restart finds it again. */
struct dp_ia32_gate {
	uint8_t code[12];
	uint32_t handler; /* the firmware's; 0: the agent has left the vector alone */
	uint8_t vector, has_error;
	uint8_t is_trap; /* the firmware's gate leaves IF on */
	uint8_t ring;    /* the outermost one that may use the firmware's gate by an instruction */
};
struct dp_ia32_veneer {
	uint32_t magic;
#if DP_IA32_WITH_WATCH
	uint32_t armed; /* what watch.c leaves behind, for the next run */
#endif
	struct dp_ia32_gate gate[DP_IA32_GATES];
};

/* Code of access.S in which a fault ends at dp_ia32_access_failed. */
extern const char dp_ia32_access_begin[], dp_ia32_access_end[], dp_ia32_access_failed[];
static inline bool dp_ia32_in_access(uint32_t pc)
{
	const uint32_t begin = (uintptr_t)dp_ia32_access_begin, end = (uintptr_t)dp_ia32_access_end;

	return pc - begin < end - begin;
}
/* rdmsr. Returns false: there is no such register. access.S */
bool dp_ia32_msr(uint32_t number, uint32_t out[2]);
void dp_ia32_entry(void);
enum {
	DP_VECTOR_DEBUG = 1,
	DP_VECTOR_BREAKPOINT = 3,
	DP_VECTOR_PROTECTION = 13,
	DP_VECTOR_PAGE = 14,
	DP_INT_N = 0xcd,
};
/* Is the byte there, and readable? Each hit asks: in registers, 25 instructions less. access.S */
__attribute__((__regparm__(2))) bool dp_ia32_has_byte(uint32_t address, uint8_t byte);
/* Is the byte the second one of the firmware's own `int $3`? */
static inline __attribute__((__always_inline__)) bool dp_ia32_of_int(uint32_t at)
{
	return dp_ia32_has_byte(at, DP_VECTOR_BREAKPOINT) && dp_ia32_has_byte(at - 1, DP_INT_N);
}
enum { /* indexes of gates */
	DP_IA32_GATE_DEBUG = DP_IA32_WITH_WATCH,
	DP_IA32_GATE_BREAKPOINT,
	DP_IA32_GATE_PROTECTION = 8 + DP_IA32_WITH_WATCH,
};
#if DP_IA32_WITH_WATCH
/* Read DR7. Returns false: the firmware guards the debug registers. access.S */
bool dp_ia32_dr7(uint32_t *dr7);
extern const char dp_ia32_entry_end[];
#endif

#endif
