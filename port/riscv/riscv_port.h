/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the files of this port share. */
#ifndef DP_RISCV_PORT_H
#define DP_RISCV_PORT_H

#include "dp_access.h"
#include "dp_agent.h"
#include "riscv_decode.h"

enum {
	DP_RISCV_RA = 1,
	DP_RISCV_SP = 2
};

/* The trap word, which is the second trap too: c.ebreak, or ebreak without 16-bit instructions. */
#define DP_RISCV_C_EBREAK 0x9002u
#define DP_RISCV_EBREAK   0x00100073u
#if DP_RISCV_WITH_C
#define DP_RISCV_TRAP       DP_RISCV_C_EBREAK
#define DP_RISCV_TRAP_BYTES 2
#else
#define DP_RISCV_TRAP       DP_RISCV_EBREAK
#define DP_RISCV_TRAP_BYTES 4
#endif

extern struct dp_port_state *dp_riscv; /* null before dp_port_attach */

/* csrr and csrw as the assembler has them also without Zicsr in -march. number: below 0x800. */
#define DP_RISCV_GET(value, number)                                                                \
	__asm__ volatile(".insn i 0x73, 2, %0, x0, %1" : "=r"(value) : "i"(number) : "memory")
#define DP_RISCV_PUT(value, number)                                                                \
	__asm__ volatile(".insn i 0x73, 1, x0, %0, %1" ::"r"(value), "i"(number) : "memory")

static inline bool dp_riscv_in_m_mode(const struct dp_frame *frame)
{
	return (frame->mstatus & DP_STATUS_MPP) == DP_STATUS_MPP;
}

/* --- slots.c --- */

/* A slot, in halves:
 *   0     the instruction
 *   1, 2  jal x0, next (one trap), or the second trap (two); one half on behind 32 bits */
enum {
	DP_RISCV_SLOT_HALVES = 4
};

enum dp_riscv_site {
	DP_RISCV_SITE_LEAVES = 1, /* the slot ends in a jump: one trap */
};

/* Return `jal x0` from one address to another; 0: the distance exceeds 1 MB. */
uint32_t dp_riscv_jump(dp_word from, dp_word to);
/* Take a slot for the site, as its plan and flags ask for. */
void dp_riscv_slot_take(struct dp_site *site);
/* Where to enter the site's slot so that the copy runs and leaves. */
dp_word dp_riscv_slot_enter(const struct dp_site *site);
/* The same, ending in the second trap: its own slot or that of last resort. */
dp_word dp_riscv_slot_enter_two(const struct dp_site *site);
/* Is the copy the next instruction? pc: in the slots. */
bool dp_riscv_at_copy(dp_word pc);

/* --- registers.c --- */

/* The context's mstatus. */
dp_word dp_riscv_status(const struct dp_frame *frame);

/* --- emulate.c --- */

enum dp_riscv_emulated {
	DP_RISCV_EMULATED,
	DP_RISCV_FAULTS, /* the frame is that of the fault */
	DP_RISCV_IN_SLOT /* faults as it should from a slot */
};
/* Perform an instruction that is emulated, the pc too. */
enum dp_riscv_emulated dp_riscv_emulate(const struct dp_site *site, struct dp_frame *frame);

/* Return whether an instruction of the class goes to its target; true for all that are no branches.
 */
bool dp_riscv_taken(uint32_t insn, unsigned class, const struct dp_frame *frame);

/* --- scan.c --- */

/* Note the stretches of a trap handler in which what a trap overwrites is alive: all that the
 * handler may execute before it has saved mepc and mstatus, and more up to the last reads. No-probe
 * ranges are left out.
 * handler: where the firmware's mtvec leads to.
 * Context: THREAD, from dp_port_attach.
 * Returns false: the code leaves for an address in a register, is not readable, or is too long. */
bool dp_riscv_note_handler(dp_word handler);

/* Does the handler write mscratch, as far as it takes no branch? Then its value is not that of
 * dp_init in each context. Context: THREAD, from dp_port_attach. */
bool dp_riscv_writes_mscratch(dp_word handler);

/* Is the site in such a stretch, or a write of mepc or mstatus before mret, or between the two? */
bool dp_riscv_state_is_live(const struct dp_site *site, dp_original_at original_at);

/* --- patch.c --- */

/* Look at an instruction as the CPU does: it need not be in a readable range. One of more than 32
 * bits is its first 32. Returns the bytes; 0: not readable. */
unsigned dp_riscv_peek(dp_word address, uint32_t *insn);

/* --- vectors.c, entry.S, access.S --- */

/* What mtvec leads to, in slot memory. The code finds the block behind itself by the pc. */
enum {
	DP_RISCV_CHAIN = 10, /* code[]: go on in the firmware, t0 = block */
	DP_RISCV_VENEER_WORDS = 16
};
struct dp_riscv_veneer {
	uint32_t code[DP_RISCV_VENEER_WORDS];
	struct dp_riscv_block block;
	dp_word magic, mtvec; /* the firmware's */
#if DP_RISCV_TRIGGERS > 0
	dp_word armed; /* triggers that are on, for the next run */
#endif
};

/* Code of access.S in which a fault ends at dp_riscv_access_failed. */
extern const char dp_riscv_access_begin[], dp_riscv_access_end[], dp_riscv_access_failed[];
/* The first half of the instruction that has just been executed; 0: not readable as data. access.S
 */
uint32_t dp_riscv_text_at(dp_word address);
/* Does the `ret` that stands at the address execute? access.S */
bool dp_riscv_executes(dp_word address);
void dp_riscv_entry(void);

#endif
