/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_IA32_PORT_H
#define DP_IA32_PORT_H

#include "dp_access.h"
#include "dp_agent.h"
#include "ia32_decode.h"

/* int3: the trap and the second trap. SDM 2A, INT n */
#define DP_IA32_TRAP 0xccu

extern struct dp_port_state *dp_ia32; /* null before dp_port_attach */

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

/* --- vectors.c, entry.S, access.S --- */

/* What the IDT leads to, in slot memory: the code pushes the address of the gate and jumps to
 * entry.S. A warm restart finds it again. */
struct dp_ia32_gate {
	uint8_t code[12];
	uint32_t handler; /* the firmware's; 0: the agent has left the vector alone */
	uint8_t vector, has_error;
	uint8_t is_trap; /* the firmware's gate leaves IF on */
	uint8_t zero;
};
struct dp_ia32_veneer {
	uint32_t magic;
#if DP_IA32_WITH_WATCH
	uint32_t armed; /* comparators that are armed, for the next run */
#endif
	struct dp_ia32_gate gate[DP_IA32_GATES];
};

/* Code of access.S in which a fault ends at dp_ia32_access_failed. */
extern const char dp_ia32_access_begin[], dp_ia32_access_end[], dp_ia32_access_failed[];
static inline bool dp_ia32_in_access(uint32_t pc)
{
	const uint32_t begin = (uintptr_t)dp_ia32_access_begin;

	return pc - begin < (uintptr_t)dp_ia32_access_end - begin;
}
/* rdmsr. Returns false: there is no such register. access.S */
bool dp_ia32_msr(uint32_t number, uint32_t out[2]);
void dp_ia32_entry(void);
#if DP_IA32_WITH_WATCH
enum {
	DP_IA32_GATE_DEBUG = 1 /* index of the gate of debug exceptions */
};
/* Read DR7. Returns false: the firmware guards the debug registers. access.S */
bool dp_ia32_dr7(uint32_t *dr7);
extern const char dp_ia32_entry_end[];
#endif

#endif
