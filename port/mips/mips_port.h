/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_MIPS_PORT_H
#define DP_MIPS_PORT_H

#include "dp_access.h"
#include "dp_agent.h"
#include "mips_decode.h"

#if defined(__mips_hard_float) && !defined(__clang_analyzer__) /* which is run without the flag */
#error "compile agent and port with -msoft-float: nobody saves FP registers around a hit"
#endif

enum {
	DP_MIPS_RA = 31,
	DP_MIPS_SP = 29
};

/* Trap words: `break 0` and `break 5`. */
enum {
	DP_MIPS_TRAP = 0x0000000d,
	DP_MIPS_TRAP2 = 0x0000014d
};

/* Cause */
enum {
	DP_MIPS_CODE_BREAK = 9
};
static inline bool dp_mips_in_delay_slot(const struct dp_frame *frame)
{
	return frame->cause >> 31;
}

/* A compiler may call memcpy for a struct assignment, and the agent has no libc. */
static inline void dp_mips_copy(void *to, const void *from, size_t bytes)
{
	uint32_t *t = to;
	const uint32_t *f = from;

	for (size_t i = 0; i < bytes / 4; i++)
		t[i] = f[i];
}

extern struct dp_port_state *dp_mips; /* null before dp_port_attach */

static inline struct dp_mips_pending *dp_mips_pending(void)
{
	return &dp_mips->pending[dp_this_cpu()];
}

/* Coprocessor 0 registers. Hazards: release 1 counts instructions, release 2 has EHB.  MD00090 8.1
 */
#define DP_MIPS_GET(value, number) __asm__ volatile("mfc0 %0, " number : "=r"(value))
#if __mips_isa_rev >= 2
#define DP_MIPS_HAZARD "\n\tehb"
#else
#define DP_MIPS_HAZARD "\n\tssnop\n\tssnop\n\tssnop\n\tehb"
#endif
#define DP_MIPS_PUT(value, number)                                                                 \
	__asm__ volatile("mtc0 %0, " number DP_MIPS_HAZARD ::"r"(value) : "memory")
#define DP_MIPS_ENTRYHI  "$10"
#define DP_MIPS_CONTEXT  "$4"
#define DP_MIPS_BADVADDR "$8"
#define DP_MIPS_STATUS   "$12"
#define DP_MIPS_CAUSE    "$13"

/* --- slots.c --- */

/* A slot: the copy stands behind a jump and before the second trap.
 *    0  j next, or j 2: the copy is in its delay slot
 *    1  the instruction
 *    2  break 5
 * One trap: a step enters at 0, which jumps to the next instruction. Two traps: a step enters at
 * 1. Where the original is in a delay slot, the jump leads to 2, and a hit through the branch
 * enters at 0. The copy is then in a delay slot too: a fault sets Cause.BD, which software
 * cannot write. The slot of `jr` has the original and its delay slot at 0 and 1: one trap enters
 * at 0, and two traps use the slot of last resort. */
enum {
	DP_MIPS_SLOT_JUMP,
	DP_MIPS_SLOT_INSN,
	DP_MIPS_SLOT_TRAP2,
	DP_MIPS_SLOT_WORDS
};
_Static_assert((int)DP_MIPS_SLOT_WORDS == (int)DP_SLOT_WORDS, "dprobes_cpu.h");

enum dp_mips_site {
	DP_MIPS_SITE_DELAY = 1, /* jump leads to the second trap */
	DP_MIPS_SITE_FAR = 2,   /* a jump does not lead from the slots to the site */
	DP_MIPS_SITE_OUT = 4,   /* the jump is the original, which reads its target in a register */
};

/* Where to enter it: DP_MIPS_SLOT_JUMP or DP_MIPS_SLOT_INSN. */
static inline uint32_t dp_mips_slot_enter(const struct dp_site *site, unsigned word)
{
	return (uint32_t)(uintptr_t)&dp_slots_words(&dp_mips->slots, site->port.slot)[word];
}
/* Fill the slot of last resort; returns where to enter it. delay: the copy in a delay slot. */
uint32_t dp_mips_slot_scratch(const struct dp_site *site, bool delay, uint32_t insn);
/* Has the slot of the words a jump of its own, to the next instruction or the second trap? */
bool dp_mips_slot_has_jump(const uint32_t *words);
/* The copy in the site's slot. */
uint32_t dp_mips_slot_insn(const struct dp_site *site);
/* Can slots be reached from the address by a jump? */
bool dp_mips_same_region(uint32_t a, uint32_t b);

/* --- scan.c --- */

/* Scan the neighbourhood of the site: LL/SC windows, the branch before, the delay slot after.
 * Sets site->port.flags and delay_*.
 * delay: receives the word in the delay slot of a jump.
 * Returns DP_ERR_OK, IN_ATOMIC or BAD_DELAY_SLOT. */
enum dp_err dp_mips_scan(struct dp_site *site, dp_original_at original_at, uint32_t *delay);

/* --- step.c --- */

/* Repeat a copy that faulted in a one-trap slot. */
enum dp_taken dp_mips_step_again(struct dp_frame *frame);

/* --- emulate.c --- */

struct dp_mips_way {
	uint32_t next;
	bool nullified; /* a likely branch not taken: the delay slot is skipped */
};

/* Decide a jump at `address` from the registers, and write its link. Returns false for an
 * unknown instruction, and for a jump of coprocessor 1 while that coprocessor is off. */
bool dp_mips_jump(uint32_t insn, uint32_t address, struct dp_frame *frame, struct dp_mips_way *way);

/* Return whether a jump of the class goes to its target; true for all other instructions. */
bool dp_mips_taken(uint32_t insn, unsigned class, const struct dp_frame *frame);

/* Perform an instruction that is emulated, all but the PC. Returns false when it must run from a
 * slot, so that it faults as it should. */
bool dp_mips_emulate(uint32_t insn, unsigned class, struct dp_frame *frame);

/* --- patch.c --- */

/* Look at a word of text as the CPU does: it need not be in a readable range. */
bool dp_mips_peek(uint32_t address, uint32_t *word);
void dp_mips_cache_init(void);

/* --- vectors.c, entry.S, access.S --- */

/* The code that a vector jumps to, in slot memory. An interrupt continues in the firmware's
 * displaced words. Other exceptions continue in entry.S, with k0 = the vector's block in struct
 * dp_port_state. */
enum {
	DP_MIPS_VECTOR_CHAIN = 4, /* code[]: go on in the firmware, k0 in ErrorEPC */
	DP_MIPS_VECTOR_WORDS = 20,
};
struct dp_mips_vector {
	uint32_t code[DP_MIPS_VECTOR_WORDS];
	uint32_t magic, displaced[2];
	uint32_t base; /* of the vector this is for */
};
_Static_assert((DP_CLASSES * sizeof(struct dp_mips_vector) + 15) / 16 * 16 + 15 +
			       DP_PORT_SLOT_BYTES <=
		       DP_PORT_SLOTS_EXTRA * DP_PORT_SLOT_BYTES,
	       "the vectors, aligned, and the slot of last resort");

/* Code of access.S in which a fault ends at dp_mips_access_failed. */
extern const char dp_mips_access_begin[], dp_mips_access_end[], dp_mips_access_failed[];
void dp_mips_entry(void);
/* Return whether faults have changed the fault registers since the frame was made. A fault that
 * changes Context writes the page into EntryHi too. */
static inline bool dp_mips_fault_status_changed(const struct dp_frame *frame)
{
	uint32_t badvaddr, entryhi;

	DP_MIPS_GET(badvaddr, DP_MIPS_BADVADDR);
	DP_MIPS_GET(entryhi, DP_MIPS_ENTRYHI);
	return badvaddr != frame->fault.badvaddr || entryhi != frame->fault.entryhi;
}
/* Return whether the firmware's handler will read other fault registers, or another exception,
 * than the frame has. */
bool dp_mips_told_changed(const struct dp_frame *frame);

#endif
