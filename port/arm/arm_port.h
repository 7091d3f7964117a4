/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_ARM_PORT_H
#define DP_ARM_PORT_H

#include "arm_decode.h"
#include "dp_access.h"
#include "dp_agent.h"

#if defined(__thumb__) && !defined(__thumb2__)
#error "compile the port with -marm on cores without Thumb-2: it reads coprocessor registers"
#endif

#ifdef __ARM_NEON
#error "compile agent and port with -mgeneral-regs-only: nobody saves FP registers around a hit"
#endif

#if __ARM_ARCH >= 7
#define DP_ARM_ARCHITECTURE 7
#else
#define DP_ARM_ARCHITECTURE __ARM_ARCH
#endif
_Static_assert(DP_ARM_ARCHITECTURE >= 5, "the decode tables begin with ARMv5");

/* Trap words: permanently undefined encodings.  DDI 0406C A5.4, A6.2.6 */
#define DP_ARM_TRAP         0xe7f001f8u
#define DP_ARM_TRAP2        0xe7f001fcu
#define DP_ARM_TRAP_THUMB   0xde18u
#define DP_ARM_TRAP2_THUMB  0xde1cu
#define DP_ARM_TRAP_THUMB32 0xf7f0a018u /* udf.w #0x18 */

extern struct dp_port_state *dp_arm; /* null before dp_port_attach */

static inline bool dp_arm_thumb(const struct dp_frame *frame)
{
	return frame->cpsr & DP_PSR_T;
}

/* Of a site; known to the compiler where the other instruction set is left out. */
static inline bool dp_arm_is_thumb(const struct dp_site *site)
{
	return DP_ARM_WITH_THUMB && (!DP_ARM_WITH_A32 || site->isa == DP_ISA_THUMB);
}

/* Does the copy jump out of the slot itself? */
static inline bool dp_arm_jumps_out(const struct dp_site *site)
{
	return site->port.action >= DP_ARM_OUT;
}

/* Does a copy of the instruction stand in a slot? */
static inline bool dp_arm_has_slot(const struct dp_site *site)
{
	return site->port.action <= DP_ARM_REWRITE || dp_arm_jumps_out(site);
}

/* --- slots.c --- */

/* The words of a slot in executable memory. The slot has both ends, and the hit decides between
 * them: in the middle of an IT block the jump would lose ITSTATE. */
enum {
	DP_ARM_SLOT_INSN,  /* the instruction; 16-bit Thumb: in the second half */
	DP_ARM_SLOT_JUMP,  /* to `next` */
	DP_ARM_SLOT_NEXT,  /* bit 0: Thumb */
	DP_ARM_SLOT_INSN2, /* the instruction again; 16-bit Thumb: in the first half, and a trap */
	DP_ARM_SLOT_TRAP2, /* the second trap */
	DP_ARM_SLOT_WORDS
};
_Static_assert((int)DP_ARM_SLOT_WORDS == (int)DP_SLOT_WORDS, "dprobes_cpu.h");

/* The instruction as the slot holds it. */
uint32_t dp_arm_slot_insn(const struct dp_site *site);
/* The words of the site's slot; the slot of last resort is filled. */
const uint32_t *dp_arm_slot_words(const struct dp_site *site);
static inline bool dp_arm_in_slots(uint32_t pc)
{
	return dp_slots_contain(&dp_arm->slots, pc);
}
/* Has the copy been executed? pc: in the slots. */
bool dp_arm_behind_copy(uint32_t pc);

/* --- step.c, emulate.c --- */

/* Perform the instruction in the frame. Returns false when an access faulted: the frame is
 * unchanged, and DFSR and DFAR describe the fault. */
bool dp_arm_emulate(const struct dp_site *site, struct dp_frame *frame);

/* --- mem.c, access.S: one access, an abort caught --- */

/* dp_access_load, dp_access_store: 1, 2, 4, 8 bytes, data aligned to 8 (dp_access.h); or a word
 * with the alignment rules of LDM and STM (DP_ARM_BLOCK_WORD). dp_arm_user_: as user mode may. */
bool dp_arm_user_load(uint32_t address, unsigned width, void *to);
bool dp_arm_user_store(uint32_t address, unsigned width, const void *from);
/* Return the value that `str pc` stores, less the instruction's address. Emulated instructions
 * store with this distance. */
uint32_t dp_arm_store_pc(void);

/* --- vectors.c, entry.S --- */

static inline struct dp_arm_pending *dp_arm_pending(void)
{
	return &dp_arm->pending[dp_this_cpu()];
}

/* A vector's veneer and its data, in slot memory: three instructions, then the data that entry.S
 * reads through r0. */
struct dp_arm_vector {
	uint32_t code[3];
	uint32_t entry;       /* in entry.S */
	uint32_t saved[8];    /* r0..r7 of the interrupted context, for a moment */
	uint32_t handler;     /* the firmware's own; right behind saved */
	uint32_t stack_frame; /* of the outermost hit: its frame, which ends at the top */
	uint32_t stack_bottom;
	uint32_t slots, slot_bytes;
	uint32_t magic;
#if DP_ARM_WITH_WATCH
	uint32_t armed; /* of data aborts: the comparators that are on, for the next run */
#endif
};
unsigned dp_arm_chain(unsigned class, struct dp_frame *frame);
/* Code of access.S in which an abort ends at dp_arm_access_failed. */
extern const char dp_arm_access_begin[], dp_arm_access_end[], dp_arm_access_failed[];
void dp_arm_entry_undefined(void);
void dp_arm_entry_prefetch(void);
void dp_arm_entry_data(void);

/* Restore the stack pointer of the current mode to its value before the outermost hit, if the
 * pointer is on the private stack. Does nothing in abort mode.
 * bottom, frame: the private stack from its bottom to the frame of the outermost hit.
 * Context: THREAD, interrupts masked. */
void dp_arm_leave_stack(uint32_t bottom, uint32_t frame);

/* Start the counter of the time stamp. Context: dp_init. */
void dp_arm_time_init(void);

#endif
