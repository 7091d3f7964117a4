/* SPDX-License-Identifier: BSD-2-Clause */
/* The port contract: everything a CPU supplies to the agent.  port/README.md
 * walks through it.  A port is a folder with dp_port_cpu.h (types), regs.def, decode.c (pure C,
 * host-compilable), and the rest; port/template defines every function and is linked in CI.
 *
 * Contexts: THREAD = dp_init/dp_poll/dp_rx caller, interrupts may be on. HIT = inside the probe
 * trap, on the agent's private stack, interrupts masked. ANY = both. No function here may call
 * into the firmware, block, or use floating point. */
#ifndef DP_PORT_H
#define DP_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_config.h"
#include "dp_errors.h"
#include "dp_object.h"
#include "dp_regs.h"

/* The port's own types and constants:
 *   DP_WORD_BITS         32 or 64: bits of a stack word, a register, an address
 *   DP_PORT_CPU          enum dp_cpu
 *   DP_PORT_BIG_ENDIAN   0 or 1: data byte order, of log words and of operands in the code
 *   DP_PORT_GROUPS       enum rpn_group bits this CPU can do (the profile may take some away)
 *   DP_PORT_PHASES       bit n set: phase n (DP_PHASE_*) is offered
 *   struct dp_frame      the interrupted context: every register the CPU has, pc included
 *   struct dp_port_site  what the port remembers per site (plan, slot); at most 8 bytes
 *   struct dp_port_state everything else it remembers: slot table, saved vectors, and per CPU what
 *                        a pending step needs (interrupt mask, IT state, scratch registers)
 *   DP_PORT_REG_ARGUMENTS(index)  only where the register table has rows with pops = 1: how many
 *                        words a push of that register takes first
 *   DP_PORT_CPUS         that may hit probes. A port that cannot do more than one refuses to be
 *                        compiled with more (#error), so that no race is found out in the field
 *   DP_PORT_STACK_BYTES  of each private stack
 *   DP_PORT_SLOT_BYTES   of one slot; slots of (DP_MAX_PROBES + DP_PORT_SLOTS_EXTRA) times this
 *                        serve every probe
 *   DP_PORT_SLOTS_EXTRA  slots the port takes for itself (veneers, a slot of last resort); only
 *                        where there are any
 *   dp_irq               a saved interrupt mask
 */
#include "dp_port_cpu.h"

#if DP_WORD_BITS == 64
typedef uint64_t dp_word;
typedef int64_t dp_sword;
#else
typedef uint32_t dp_word;
typedef int32_t dp_sword;
#endif
typedef dp_word dp_addr;

struct dp_agent;
struct dp_board;
struct dp_memory;

/* --- registers --- */

/* The register table of regs.def, sorted by index. ANY. */
const struct dp_reg *dp_port_regs(uint16_t *count);

/* Read register `index` of the context into out[]; out[0] is what ends on top of the stack; room
 * for DP_REG_WORDS_MAX. argument: the word popped first for registers with pops = 1, else 0. The
 * verifier has proved index and access. A hit's pc is the probed instruction, never a slot. Returns
 * the words written (the table's `words`). HIT. */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out);

/* Write one word to a writable register of the context. Only DP_PROFILE_FULL builds call it. HIT.
 */
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index,
		     dp_word value);

/* Address of the trap word that was executed (MIPS: EPC + 4 when Cause.BD is set). HIT. */
dp_addr dp_port_pc(const struct dp_frame *frame);
/* Of the interrupted mode. Only builds with DP_WITH_ITEMS call it. HIT. */
dp_word dp_port_sp(const struct dp_frame *frame);

/* --- sites --- */

/* An address that carries a trap. The core owns it; `port` is the port's. */
struct dp_site {
	dp_addr address;
	dp_addr extent;        /* start of the enclosing function, or address */
	uint32_t extent_bytes; /* of the function; 0 = unknown */
	uint32_t original;     /* the displaced instruction, as a number */
	uint8_t isa;           /* enum dp_isa */
	uint8_t insn_bytes;    /* of the displaced instruction */
	uint8_t armed;         /* set by the core around arm and disarm */
	uint8_t chain;         /* first probe at this site; core */
	uint8_t phases; /* bit n: a probe of phase n is active here; core, PHASES or TABLES */
	uint16_t sum;   /* tables.c; core */
	struct dp_port_site port;
};

/* Is there a probe that must be told how the instruction ended? This may change from hit to hit. */
static inline bool dp_site_is_late(const struct dp_site *site)
{
	return DP_WITH_PHASES && site->phases > 1u << DP_PHASE_BEFORE;
}

/* Read the instruction at site->address into original and insn_bytes (fault-safe). site: address
 * and isa set. Returns DP_ERR_OK, NOT_BOUNDARY (misaligned for the isa), NOT_TEXT (not readable),
 * LEFT_OUT (the port was built without this isa). THREAD. */
enum dp_err dp_port_fetch(struct dp_site *site);

/* Decide how to step site->original, and take a slot if one is needed. site: fetched, extent set.
 * original_at: memory bytes at an address as they were before any probe, for neighbours
 * (delay slots, exclusive windows); returns false when not readable.
 * Changes no code byte. Returns DP_ERR_OK; NOT_PROBEABLE with *why; NOT_BOUNDARY (second half of a
 * wide instruction); IN_ATOMIC; BAD_DELAY_SLOT; FOREIGN_BREAK (original is a breakpoint); NO_SLOT;
 * IN_AGENT (where the trap would destroy what an exception has left); LEFT_OUT (the port was built
 * without what the instruction needs).
 * May be called again for a site that is armed, which holds its plan already. On failure nothing
 * new is held. THREAD. */
typedef bool (*dp_original_at)(dp_addr address, uint8_t *bytes, unsigned count);
enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why);

/* Give the slot back. The site is disarmed. A one-trap slot that was ever armed may still hold a
 * context: it stays bound to its address (and serves it again) until dp_port_quiescent. One that a
 * CHECK only prepared is free at once. THREAD. */
void dp_port_release(struct dp_site *site);

/* What stands in the site's slot while it is armed, and how many bytes of that no step changes; 0
 * when it has none. For a checksum: only builds with DP_WITH_TABLES call it. ANY. */
const void *dp_port_slot(const struct dp_site *site, size_t *bytes);

/* No context is in an old slot any more: released one-trap slots are free. THREAD. */
void dp_port_quiescent(void);

/* Slots there are, and how many are free. Only builds with DP_WITH_LIMITS call it. THREAD. */
void dp_port_slots(unsigned *total, unsigned *available);

/* The displaced instruction as it lies in memory: site->insn_bytes bytes. ANY. */
void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes);

/* Does the address hold one of our trap words (of the instruction set the frame is in)? *found is
 * what is there. Tells a probe that has just gone from a stray trap. HIT. */
bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found);

/* Is our trap (still) at this site? *found is what is there. ANY. */
bool dp_port_is_armed(const struct dp_site *site, uint32_t *found);

/* Put the trap at the site: one aligned store, cache maintenance, read-back, every CPU in step.
 * Returns DP_ERR_OK, or NOT_PATCHABLE with memory unchanged. THREAD or HIT. */
enum dp_err dp_port_arm(const struct dp_site *site);

/* Put the original back, if the trap is still there. Uses only address, isa, original and
 * insn_bytes (after a warm restart there is nothing else). Returns DP_ERR_OK, or FOREIGN_BREAK when
 * memory held something else (the firmware reloaded its code), which is left as found;
 * NOT_PATCHABLE when it cannot be written any more: the trap stays.
 * THREAD or HIT. */
enum dp_err dp_port_disarm(const struct dp_site *site);

/* --- stepping --- */

/* Would the displaced instruction execute in this context (condition code, IT block)? If not, the
 * probe does not fire; dp_port_step still steps over it. HIT. */
bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame);

enum dp_step {
	DP_STEP_DONE,    /* emulated: the frame is the state after the instruction */
	DP_STEP_AWAY,    /* one-trap slot: it will complete, and nobody will be told */
	DP_STEP_PENDING, /* two-trap slot: dp_agent_stepped or dp_agent_fault follows on this CPU */
	DP_STEP_FAULT,   /* emulating it would fault: the port has made the frame look as if the
			  * original had faulted in place and knows the exception; the core drops
			  * the record and returns DP_FIRMWARE */
};

/* An emulated access is the instruction's own: native width, exactly once, with the rights of the
 * context's mode, no range table; only the abort is caught. With ranges_only, memory instructions
 * that can run in a slot do so instead. */

/* Make the context perform the displaced instruction: emulate it, or point the frame into the
 * slot; one that nobody is told the end of will not do where dp_site_is_late says so. HIT. */
enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame);

/* The second trap came: undo what stepping changed (interrupt mask, IT state) and point the frame
 * behind the original. HIT. */
void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame);

/* The slot faulted: make the frame, and what the CPU reports (link, fault address), look as if the
 * original instruction had faulted in place. HIT, from dp_agent_fault. */
void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame);

/* Original address of a pc that lies in a slot; any other pc comes back unchanged. ANY. */
dp_addr dp_port_slot_origin(dp_addr pc);

/* --- memory --- */

/* Copy up to `bytes` from address, never faulting: board range table first, then the access with
 * the abort caught. width 1, 2, 4, 8: one access of that size when aligned (bytes == width),
 * bytewise when not; width 0: a block, any access size inside memory ranges. Wrapping past the end
 * of the address space is a fault. Returns the bytes copied before the first one that cannot be
 * read. ANY. */
size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width);

/* The same, writing. Only DP_PROFILE_FULL builds call it. HIT. */
size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width);

/* Is the byte at address readable (writable)? Answered from the range table where that is enough,
 * so that device registers are not touched. Only builds with DP_WITH_STATE call them. ANY.
 * decisions.txt C90 */
bool dp_port_readable(dp_addr address);
bool dp_port_writable(dp_addr address);

/* Port space and segments: called only when DP_PORT_GROUPS has IO (SEG), else not there. HIT. */
dp_word dp_port_io_read(dp_word port, unsigned width);
void dp_port_io_write(dp_word port, unsigned width, dp_word value);
bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat); /* false: bad selector */

/* --- CPU --- */

/* Mask every interrupt whose handler may be probed; returns what to give back. ANY. */
dp_irq dp_port_mask(void);
void dp_port_unmask(dp_irq saved);

unsigned dp_port_cpu_number(void); /* 0.. ; ANY */

/* Time stamp and its frequency, when the board does not override them; 0 Hz = none. Only builds
 * with DP_WITH_TIMES call them. ANY. */
uint64_t dp_port_ticks(void);
uint32_t dp_port_tick_hz(void);

/* No hit is going on. One whose callback faulted and never came back may have left a stack pointer
 * that no task owns (of a CPU mode) inside the private stack: give it the value it had before the
 * hit. Until then hits begin below it. Nothing to do where all stack pointers are the tasks' own.
 * THREAD, interrupts masked. */
void dp_port_recover(void);

/* High-water mark of the private stack, bytes (it is painted at attach). Only builds with
 * DP_WITH_LIMITS call it. ANY. */
size_t dp_port_stack_used(void);

/* --- start --- */

enum dp_taken {
	DP_NOT_OURS, /* hand the exception on to the firmware, frame untouched */
	DP_RESUME,   /* resume the frame */
	DP_FIRMWARE, /* the frame was made to look as if the original had faulted: give it to the
		      * firmware's own handler for this exception */
};

/* Take over the vectors (or check that the board routes exceptions to us), set up slots and
 * private stacks, find out what the CPU can do. board, memory and state stay valid; state is the
 * port's only memory (part of struct dp_agent), cleared. Returns DP_ERR_OK, NO_SLOT (slot memory
 * missing or out of branch reach), NOT_PATCHABLE (a vector cannot be changed), or BAD_TARGET (the
 * CPU is not set up as the agent was compiled for). THREAD, once, interrupts masked. */
enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state);

/* For firmware that keeps its own vectors (dp_board.own_vectors): called first thing from its
 * handler, on a stack of DP_PORT_STACK_BYTES, interrupts masked. class: the port's DP_CLASS_*. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame);

/* --- what the port calls in the core (agent/hit.c).
 * A site that is removed inside a hit is only disarmed; it stays findable, with its slot, until
 * dp_poll releases it, and dp_poll runs with no step pending on its CPU.
 * These are called always on the private stack, interrupts
 * masked, fault-status registers already saved; they are put back before the context resumes --- */

/* A trap word was executed at dp_port_pc(frame). Looks the site up by address, never by the word:
 * the probe may just have gone, then the frame is resumed where it is and the instruction retried.
 */
enum dp_taken dp_agent_trap(struct dp_frame *frame);

/* The second trap in the slot of `address` (original address). */
enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address);

/* An abort whose pc lies in the slot of `address`. */
enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address);

#endif
