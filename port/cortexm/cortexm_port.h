/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_CORTEXM_PORT_H
#define DP_CORTEXM_PORT_H

#include "cortexm_decode.h"
#include "cortexm_traps.h"
#include "dp_access.h"
#include "dp_agent.h"

#define DP_CORTEXM_ARCHITECTURE (DP_CORTEXM_HAS_FAULTS ? DP_CORTEXM_V7 : DP_CORTEXM_V6)

#define DP_SCS(register) (*(volatile uint32_t *)(uintptr_t)DP_SCS_##register)

extern struct dp_port_state *dp_cortexm; /* null before dp_port_attach */

static inline bool dp_cortexm_in_handler(const struct dp_frame *frame)
{
	return frame->xpsr & DP_XPSR_EXCEPTION;
}

/* May the context change masks? Not an unprivileged thread.  DDI 0403E B1.4.4 */
static inline bool dp_cortexm_privileged(const struct dp_frame *frame)
{
	return dp_cortexm_in_handler(frame) || !(frame->control & 1);
}

/* Does the copy jump out of the slot itself? */
static inline bool dp_cortexm_jumps_out(const struct dp_site *site)
{
	return site->port.action >= DP_ARM_OUT;
}

/* --- slots.c --- */

/* The words of a slot in executable memory. The slot has both ends, and the hit decides between
 * them: in the middle of an IT block the jump would lose ITSTATE. */
enum {
	DP_CORTEXM_SLOT_INSN, /* the instruction; 16 bits: in the second half */
	DP_CORTEXM_SLOT_JUMP, /* to `next` */
	DP_CORTEXM_SLOT_NEXT = DP_CORTEXM_SLOT_JUMP + (DP_CORTEXM_HAS_FAULTS ? 1 : 2), /* bit 0 */
	DP_CORTEXM_SLOT_INSN2, /* the instruction again; 16 bits: in the first half, and a trap */
	DP_CORTEXM_SLOT_TRAP2, /* the second trap */
	DP_CORTEXM_SLOT_WORDS
};
_Static_assert((int)DP_CORTEXM_SLOT_WORDS == (int)DP_SLOT_WORDS, "dprobes_cpu.h");

/* The instruction as the slot holds it. */
uint32_t dp_cortexm_slot_insn(const struct dp_site *site);
/* The words of the site's slot; the slot of last resort is filled. */
const uint32_t *dp_cortexm_slot_words(const struct dp_site *site);
/* The slot of last resort, filled with a 16-bit instruction for two traps. */
const uint32_t *dp_cortexm_slot_with(const struct dp_site *site, uint32_t insn);
static inline bool dp_cortexm_in_slots(uint32_t pc)
{
	return dp_slots_contain(&dp_cortexm->slots, pc);
}
/* Has the copy been executed? pc: in the slots. */
bool dp_cortexm_behind_copy(uint32_t pc);

/* --- emulate.c --- */

/* Perform the instruction in the frame. Returns false when an access faulted: the frame is
 * unchanged, and `pending` has the access. */
bool dp_cortexm_emulate(const struct dp_site *site, struct dp_frame *frame);

/* --- access.S: dp_access_load, dp_access_store --- */

/* The same as dp_access_load, as an unprivileged thread may. */
bool dp_cortexm_user_load(uint32_t address, unsigned width, void *to);

/* --- vectors.c, entry.S --- */

static inline struct dp_cortexm_pending *dp_cortexm_pending(void)
{
	return &dp_cortexm->pending[dp_this_cpu()];
}

/* The entry of HardFault, MemManage, BusFault and UsageFault in the agent's table; and that of
 * firmware with its own vectors: r0 has the firmware's handler, all else is as the CPU has it. */
void dp_cortexm_entry(void);
void dp_cortexm_monitor(void); /* of DebugMonitor */
void dprobes_cortexm_exception(void);
/* bx lr, for an exception return that was probed. */
void dp_cortexm_return(void);
/* Called by entry.S at the interrupted level, with PRIMASK set.
 * returns: 0 to resume, or the exception to enter; and DP_CFSR_UNDEF and DP_HFSR_FORCED where these
 * bits of the fault status are not the agent's. */
unsigned dp_cortexm_run(unsigned class, struct dp_frame *frame);
/* time.c */
void dp_cortexm_time_init(void);

#endif
