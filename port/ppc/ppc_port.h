/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_PPC_PORT_H
#define DP_PPC_PORT_H

#include "dp_access.h"
#include "dp_agent.h"
#include "ppc_decode.h"

#if (!defined(_SOFT_FLOAT) || defined(__ALTIVEC__) || defined(__SPE__)) &&                         \
	!defined(__clang_analyzer__) /* which is run without the flags */
#error "compile agent and port with -msoft-float -mno-altivec: nobody saves other registers around a hit"
#endif

#if defined(__PIC__) && __PIC__ == 1
#error "compile agent and port with -fno-pic -mno-single-pic-base, behind -mrelocatable too: r30 of a hit is not the image's"
#endif

enum {
	DP_PPC_SP = 1
};

/* Trap words. `trap` is the kprobes seed's; the second, `twi 31, r0, 5`, is not one that compilers
 * or debuggers use. */
#define DP_PPC_TRAP_WORD  0x7fe00008u
#define DP_PPC_TRAP2_WORD 0x0fe00005u

#define DP_PPC_BRANCH      0x48000000u /* b */
#define DP_PPC_BRANCH_MASK 0x03fffffcu

extern struct dp_port_state *dp_ppc; /* null before dp_port_attach */

#define DP_PPC_GET(value, spr) __asm__ volatile("mfspr %0, %1" : "=r"(value) : "i"(spr))
#define DP_PPC_PUT(value, spr) __asm__ volatile("mtspr %1, %0" ::"r"(value), "i"(spr) : "memory")

static inline uint32_t dp_ppc_msr(void)
{
	uint32_t msr;

	__asm__ volatile("mfmsr %0" : "=r"(msr));
	return msr;
}

static inline void dp_ppc_msr_put(uint32_t msr)
{
	__asm__ volatile("mtmsr %0\n\tisync" ::"r"(msr) : "memory");
}

/* Return `b` from one address to another; 0: the distance exceeds 32 MB. */
uint32_t dp_ppc_branch(uint32_t from, uint32_t to);

/* --- slots.c --- */

/* A slot:
 *   0  the instruction
 *   1  b next (one trap), or the second trap (two) */
enum {
	DP_PPC_SLOT_INSN,
	DP_PPC_SLOT_END,
	DP_PPC_SLOT_WORDS
};
_Static_assert((int)DP_PPC_SLOT_WORDS == (int)DP_SLOT_WORDS, "dprobes_cpu.h");

enum dp_ppc_site {
	DP_PPC_SITE_LEAVES = 1, /* the slot ends in a branch: one trap */
};

/* Take a slot for the site, as its plan and flags ask for. */
void dp_ppc_slot_take(struct dp_site *site);
/* Where to enter the site's slot so that the copy runs and leaves. */
uint32_t dp_ppc_slot_enter(const struct dp_site *site);
/* The same, ending in the second trap: its own slot or that of last resort. */
uint32_t dp_ppc_slot_enter_two(const struct dp_site *site);
/* Is the copy the next instruction? pc: in the slots. */
bool dp_ppc_at_copy(uint32_t pc);

/* --- emulate.c --- */

/* Perform an instruction that is emulated, the pc too. Returns false when it must run from a slot,
 * so that it faults as it should. */
bool dp_ppc_emulate(uint32_t insn, unsigned class, struct dp_frame *frame);

/* Return whether an instruction of the class goes to its target; true for all that are no branches.
 */
bool dp_ppc_taken(uint32_t insn, unsigned class, const struct dp_frame *frame);

/* --- patch.c --- */

/* Look at a word of text as the CPU does: it need not be in a readable range. */
bool dp_ppc_peek(uint32_t address, uint32_t *word);

/* --- mem.c --- */

void dp_ppc_mem_init(void);

/* --- vectors.c, entry.S, access.S --- */

/* Where a vector branches to, in slot memory. */
enum {
	DP_PPC_VECTOR_CHAIN = 11, /* code[]: go on in the firmware, r3 = block */
	DP_PPC_VECTOR_DISPLACED = 15,
	DP_PPC_VECTOR_WORDS = 17,
};
struct dp_ppc_vector {
	uint32_t code[DP_PPC_VECTOR_WORDS];
	uint32_t magic, original;
	uint32_t base; /* of the vector this is for */
};

/* Code of access.S in which a fault ends at dp_ppc_access_failed. */
extern const char dp_ppc_access_begin[], dp_ppc_access_end[], dp_ppc_access_failed[];
/* The word of text that has just been executed; 0: not readable as data. access.S */
uint32_t dp_ppc_text_at(uint32_t address);
/* Floating point register, or FPSCR with number 32, in the first two words. Returns false when the
 * CPU has none. access.S */
bool dp_ppc_fp_get(unsigned number, uint32_t value[4]);
void dp_ppc_entry_program(void);
void dp_ppc_entry_fault(void);
void dp_ppc_entry_machine(void);

#endif
