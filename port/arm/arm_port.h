/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of this port offer one another. */
#ifndef ARM_PORT_H
#define ARM_PORT_H

#include "arm_decode.h"
#include "dp_agent.h"

#if defined(__thumb__) && !defined(__thumb2__)
#error "compile the port with -marm on cores without Thumb-2: it reads coprocessor registers"
#endif

#if __ARM_ARCH >= 7
#define DP_ARM_ARCHITECTURE 7
#else
#define DP_ARM_ARCHITECTURE __ARM_ARCH
#endif

enum {
	DP_ARM_SP = 13,
	DP_ARM_LR = 14,
	DP_ARM_PC = 15
};

/* Trap words: permanently undefined encodings.  DESIGN 6, DDI 0406C A5.4, A6.2.6 */
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

/* --- slots.c --- */

/* A slot, as it lies in executable memory. origin: address of the original instruction.
 *   0 the instruction (16-bit Thumb: in the second half)
 *   4 a jump to `next`
 *   8 next, bit 0 = Thumb
 *  12 the instruction again, then the second trap
 *  20 origin, bit 0 = released; ~0 = free */
struct dp_arm_slot {
	uint32_t word[6];
};
_Static_assert(sizeof(struct dp_arm_slot) == DP_PORT_SLOT_BYTES, "dp_port_cpu.h");
enum {
	DP_ARM_SCRATCH = 0xfe,
	DP_ARM_NO_SLOT = 0xff,
	DP_ARM_SLOTS_MAX = 0xfd
};

/* Lay out the slot memory behind the veneers. Returns false when there is not room for one. */
bool dp_arm_slots_init(struct dp_port_state *state, uintptr_t start, uintptr_t end);
/* Take a slot for the site and fill it. Returns DP_ARM_SCRATCH when none is free. */
uint8_t dp_arm_slot_take(const struct dp_site *site, uint32_t insn);
/* The instruction as the slot holds it. */
uint32_t dp_arm_slot_insn(const struct dp_site *site);
/* Address to continue at for a one-trap (two: two-trap) step, bit 0 = Thumb. */
uint32_t dp_arm_slot_enter(const struct dp_site *site, bool two);
/* Is pc in slot memory? */
bool dp_arm_in_slots(uint32_t pc);
/* Is pc where a second trap stands? */
bool dp_arm_slot_trap2(const struct dp_frame *frame);

/* --- step.c, emulate.c --- */

static inline uint32_t dp_arm_it(uint32_t cpsr)
{
	return (cpsr >> 8 & 0xfc) | (cpsr >> 25 & 3);
}

static inline uint32_t dp_arm_with_it(uint32_t cpsr, uint32_t it)
{
	return (cpsr & ~0x0600fc00u) | (it & 0xfc) << 8 | (it & 3) << 25;
}

/* ITSTATE after one more instruction.  DDI 0406C A2.5.2 */
static inline uint32_t dp_arm_it_next(uint32_t it)
{
	return it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
}

bool dp_arm_condition(unsigned condition, uint32_t cpsr);
/* Perform the instruction in the frame. Returns false when one of its accesses faulted: the frame
 * is as before, DFSR and DFAR tell. */
bool dp_arm_emulate(const struct dp_site *site, struct dp_frame *frame);

/* --- mem.c, access.S: one access, an abort caught. The functions in access.S are ARM code. --- */

bool dp_arm_load(uint32_t address, unsigned width, void *to); /* 1, 2, 4, 8; to: aligned to 8 */
bool dp_arm_store(uint32_t address, unsigned width, const void *from);
/* `count` words upwards, with the alignment rules of LDM and STM. Returns the words moved. */
unsigned dp_arm_load_words(uint32_t address, unsigned count, uint32_t *to);
unsigned dp_arm_store_words(uint32_t address, unsigned count, const uint32_t *from);
/* DFSR and DFAR as they are now. */
uint32_t dp_arm_fault_status(void);
uint32_t dp_arm_fault_address(void);
/* What `str pc` stores, less its own address. */
uint32_t dp_arm_store_pc(void);

/* --- patch.c --- */
void dp_arm_sync(uint32_t address, uint32_t bytes); /* written words become instructions */
/* Store, sync, read back; by the board's text_write if it has one. bytes: 2 or 4. */
bool dp_arm_put(uint32_t address, unsigned bytes, bool thumb, uint32_t insn);

/* --- vectors.c, entry.S --- */

/* A vector's veneer and its data, in slot memory: three instructions, then what entry.S finds
 * through r0. */
struct dp_arm_vector {
	uint32_t code[3];
	uint32_t entry;    /* in entry.S */
	uint32_t saved[8]; /* r0..r7 of the interrupted context, for a moment */
	uint32_t handler;  /* the firmware's own; right behind saved */
	uint32_t stack_top, stack_bottom;
	uint32_t slots, slot_bytes;
	uint32_t magic;
};
unsigned dp_arm_exception(struct dp_frame *frame, unsigned class);
/* Code of access.S in which an abort ends at dp_arm_access_failed. */
extern const char dp_arm_access_begin[], dp_arm_access_end[], dp_arm_access_failed[];
void dp_arm_entry_undefined(void);
void dp_arm_entry_prefetch(void);
void dp_arm_entry_data(void);

#endif
