/* SPDX-License-Identifier: BSD-2-Clause */
/* The port contract lists every function that a CPU supplies to the agent.  port/README.md gives
 * the order of work.  A port is a folder with dp_port_cpu.h (types), regs.def, decode.c (pure C,
 * target and host), and further files. port/template defines every function; CI links the template.
 *
 * Contexts: THREAD: the caller of dp_init, dp_poll or dp_rx; interrupts may be on. A request to a
 * stopped target is THREAD too, and runs in the hit that has stopped the target. HIT: inside the
 * trap, on the agent's private stack, interrupts masked. ANY: both. No function of a port may call
 * the firmware, block, or use floating point. [P1.1]
 * The numbers in brackets name claims, which tests prove. */
#ifndef DP_PORT_H
#define DP_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_config.h"
#include "dp_errors.h"
#include "dp_object.h"
#include "dp_regs.h"

/* --- 1. types and constants of the port ---
 *
 * dp_port_cpu.h declares each function and object that these macros use.
 *
 *   DP_WORD_BITS         32 or 64: bits of a stack word, a register, an address
 *   DP_PORT_CPU          enum dp_cpu
 *   DP_PORT_ISAS         bit n set: instruction set n (enum dp_isa) is offered
 *   DP_PORT_BIG_ENDIAN   0 or 1: byte order of data, log words and operands in the code
 *   DP_PORT_GROUPS       enum rpn_group bits that this CPU supports (the profile may clear some)
 *   DP_PORT_PHASES       bit n set: phase n (DP_PHASE_*) is offered
 *   struct dp_frame      the interrupted context: every register of the CPU, also the pc
 *   struct dp_port_site  the port's state of a site (plan, slot); at most 8 bytes [P1.2]
 *   struct dp_port_state all other state of the port: slot table, saved vectors, and per CPU the
 *                        state of a pending step (interrupt mask, IT state, scratch registers)
 *   DP_PORT_REG_ARGUMENTS(index)  only with rows of pops = 1 in the register table: number of words
 *                        that a push of that register pops first
 *   DP_PORT_REG_AT(index)  offset in bytes of the word of struct dp_frame that holds the register
 *                        in both contexts; DP_REG_ELSEWHERE: ask dp_port_reg_get
 *   DP_PORT_USER_AT(index)  the same in the context `u` alone; only where a register of it is not
 *                        that of `r`
 *   DP_PORT_LOAD_STACK(frame)  copies the words of the interrupted stack from the stack pointer on
 *                        to words of the frame, as far as it has any for them; false: one of them
 *                        is not readable memory, and those of the frame mean nothing. It is on the
 *                        path of hits. Only where functions find arguments on the stack. With it:
 *   DP_PORT_STACK_WORDS  number of these words
 *   DP_PORT_STACK_AT     offset in bytes of the first of these words in struct dp_frame, where they
 *                        come before all registers, or behind them
 *   DP_PORT_STACK_BASE   offset in bytes of the stack pointer in struct dp_frame
 *   DP_PORT_PC(frame)    the member with the address where the context resumes, to be written
 *   DP_PORT_SP(frame)    the value of dp_port_sp, without a call
 *   DP_PORT_PLAIN(frame) whether the context may resume at dp_port_resume; false: dp_port_step
 *                        decides
 *   DP_PORT_FRAME(frame, pc, sp, ra)  writes the three to a frame of zeros: the next instruction,
 *                        the stack pointer and the return address register of a context that an
 *                        interrupt has interrupted. dp_port_pc, dp_port_sp and dp_port_reg_get
 *                        then return them. [P1.5] A CPU without a return address register
 *                        ignores ra
 *   DP_PORT_RESULT(frame, n)  the register of word n of a function's result, by the calling
 *                        convention, to be written; n is 0 for the word of the lower address, or 1.
 *                        Never the register of the return address: DP_PORT_RETURN comes behind it
 *   DP_PORT_RETURN(frame)  lets a plain context that is before the first instruction of a function
 *                        resume at the return address, in the caller's instruction set [P2.7]
 *   DP_PORT_MAY_RETURN(frame)  whether the frame has a return address; only if some contexts have
 *                        none, such as the begin of an exception's handler
 *   DP_PORT_IS_NOOP(site)  whether `original` of the site is what assemblers make of `nop`, which
 *                        stands at a static hook
 *   DP_PORT_ISA(frame)   enum dp_isa of the instruction at dp_port_pc; only with several
 *                        instruction sets, or another one than MAIN
 *   DP_PORT_RESUME_BEHIND  bytes from an instruction to another one whose trap changes the answer
 *                        of dp_port_resume for the first: the delay slot of a jump; only if any
 *   DP_PORT_CPUS         number of CPUs that may hit probes. A port for one CPU refuses a larger
 *                        number with #error, so that no race appears in the field [P1.3]
 *   DP_PORT_STACK_BYTES  bytes of each private stack
 *   DP_PORT_INSN_BYTES_MAX  bytes of the longest instruction, 4..15 (dprobes_cpu.h)
 *   DP_PORT_TRAP_STORES  aligned stores that write the longest trap; more than 1: where a trap is
 *                        longer than the alignment of instructions
 *   DP_PORT_SLOT_BYTES   bytes of one slot; (DP_MAX_PROBES + DP_PORT_SLOTS_EXTRA) times this and 1
 *                        byte serve every probe [P1.4]
 *   DP_PORT_SLOT_ALIGN   slots begin at multiples of it: a power of two, 4 at least, 8 with 64 bits
 *   DP_PORT_SLOTS_EXTRA  slots that the port uses itself (veneers, a slot of last resort); only if
 *                        the port uses any
 *   DP_PORT_COMPARATORS  comparators for watchpoints; with any, dp_watch.h is part of the contract
 *   DP_PORT_ALIAS(address)  the other address at which this CPU has the same memory, without a
 *                        mapping by the firmware; the address itself where there is none. Only if
 *                        the CPU has such addresses
 *   DP_PORT_COUNTER()    the low 32 bits of dp_port_ticks from the counter of the CPU, without a
 *                        call; only if the CPU has such a counter (DP_COUNTER_CPU)
 *   DP_PORT_HERE(place)  writes the address of the running instruction to `place`, an uintptr_t,
 *                        without a call and without a linked address
 *   dp_irq               a saved interrupt mask
 */
#include "dp_port_cpu.h"

#ifndef DP_PORT_ISA
#define DP_PORT_ISA(frame) DP_ISA_MAIN
#endif

#ifndef DP_PORT_USER_AT
#define DP_PORT_USER_AT(index) DP_PORT_REG_AT(index)
#endif

#ifndef DP_PORT_STACK_WORDS
#define DP_PORT_STACK_WORDS       0
#define DP_PORT_STACK_AT          0u
#define DP_PORT_STACK_BASE        DP_REG_ELSEWHERE
#define DP_PORT_LOAD_STACK(frame) ((void)(frame), false)
#endif

_Static_assert(DP_PORT_CPUS >= 1, "DP_PORT_CPUS: a firmware has at least one CPU");

_Static_assert(DP_PORT_INSN_BYTES_MAX >= 4 && DP_PORT_INSN_BYTES_MAX <= 15,
	       "insn_bytes of a probe point");

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

/* --- 2. registers --- */

/* Return the register table of regs.def, sorted by index. [P2.1]
 * count: receives the number of rows.
 * Context: ANY. */
const struct dp_reg *dp_port_regs(uint16_t *count);

/* Read a register of the context. The pc of a hit is the probed instruction, never a slot. [P2.2]
 * index: number of the register; the verifier has proved index and access.
 * argument: the word that the push popped first, for registers with pops = 1; else 0.
 * out: room for DP_REG_WORDS_MAX words; out[0] becomes the top of the stack.
 * Context: HIT.
 * Returns the number of words written, which is the table's `words`. [P2.3] */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out);

/* Write one word to a writable register of the context. [P2.4] Only DP_PROFILE_FULL builds call
 * this function.
 * Context: HIT. */
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index,
		     dp_word value);

/* Return the address of the executed trap word (MIPS: EPC + 4 when Cause.BD is set). [P2.5]
 * Context: HIT. */
dp_addr dp_port_pc(const struct dp_frame *frame);

/* Return the stack pointer of the interrupted mode. [P2.6]
 * Context: HIT. */
dp_word dp_port_sp(const struct dp_frame *frame);

#ifndef DP_PORT_MAY_RETURN
#define DP_PORT_MAY_RETURN(frame) ((void)(frame), true)
#endif

/* --- 3. sites --- */

/* The plan of a hit: the work of a hit at a site, computed once (agent/vm/plan_code.c). */
struct dp_plan {
	uint8_t kind; /* enum dp_plan_kind, DP_PLAN_STACK and DP_PLAN_STEPPED added or not */
	/* Number of words: those logged, or the key of COUNT. DP_PLAN_LIST: number of
	 * plans in the list. DP_PLAN_RETURN: of the words that are returned: test.offset and
	 * test.wanted, in the order of the pushes. */
	uint8_t words;
	union {
		uint8_t above; /* bytes of the RPN stack that the test leaves above the words */
		uint8_t map;   /* DP_PLAN_COUNT: its number */
	};
	/* Offsets of the words in the frame, in words, in the order of the pushes. DP_PLAN_LIST:
	 * entries of dp_agent.listed, in the order of the probes. */
	uint8_t at[5];
	struct dp_probe *probe; /* DP_PLAN_LIST: one with logonfault, if there is any */
	dp_addr resume;         /* dp_port_resume; 0 with DP_PLAN_STEPPED */
#if DP_WITH_LANGUAGE
	/* DP_PLAN_TEST, DP_PLAN_COMPARE: `[base + offset] & mask` of so many bytes is compared with
	 * `wanted`; width 0: `(base + offset) & mask`. */
	union {
		struct {
			dp_word offset, mask, wanted;
			uint16_t ahead; /* code offset of the block where the handler continues */
			uint8_t base;   /* offset in the frame, as in at[] */
			/* enum dp_plan_form; continue if what its jump looks for is so; by a jump
			 */
			uint8_t width : 3, form : 3, if_true : 1, jumps : 1;
		} test;
		/* DP_PLAN_MEMORY: a word is `[at + offset]` of so many bytes; width 0: the word of
		 * the frame itself. */
		struct {
			uint16_t offset[5];
			uint8_t width[5];
		} memory;
	};
#endif
};

/* What stops the CPU at a site. dp_site_arm (agent/sites/sites.c) tries the means in this order,
 * WORD or BOARD by dp_board_means, and an armed site keeps its means. Everything else about a site
 * is the same for each means: prepare, plan, step, slot. The keep area notes WORD and BOARD. REMAP
 * and COMPARE take a comparator (dp_watch.h): memory stays as it is, and dp_port_attach switches
 * off what an earlier run of the agent has left. */
#define DP_MEANS(number, name, words, sentence) DP_MEANS_##name = (number),
enum dp_means {
#include "means.def"
};

/* An address that carries a trap. The core owns the site; the port owns `port`.
 * Instructions of at most 4 bytes: original is a number in the form of an opcode (ports.def).
 * Longer instructions: original has at most their first 4 bytes, the first one highest. PROBE
 * answers original, and the core compares an opcode with original. The port executes and restores
 * original_bytes. */
struct dp_site {
	dp_addr address;
	uint32_t original; /* the displaced instruction as a number, see above */
#if DP_PORT_INSN_BYTES_MAX > 4
	uint8_t original_bytes[DP_PORT_INSN_BYTES_MAX]; /* the whole instruction in memory order */
#endif
#if DP_WITH_HOOKS
	dp_addr body; /* where a hit goes on, in the block that calls C exits; 0: no exit; core */
#endif
	uint16_t before; /* bytes from the start of the extent to address; or enum dp_extent */
	/* enum dp_isa; enum dp_means, which the core chooses when it arms the site */
	uint8_t isa : 4, means : 4;
	uint8_t insn_bytes; /* of the displaced instruction */
	uint8_t armed;      /* set by the core around arm and disarm */
	uint8_t chain;      /* first probe at this site; core */
	uint8_t phases;     /* bit n: a probe of phase n is active here; core */
	uint8_t behind;     /* next site in the same bucket of sites.c; core */
	uint16_t sum;       /* site_sum.c; core, INTEGRITY */
	struct dp_port_site port;
	struct dp_plan plan; /* core */
};

/* Return whether a probe at the site needs the end of the instruction (phase after or fault). The
 * result may change from hit to hit. [P3.1] */
static inline bool dp_site_is_late(const struct dp_site *site)
{
	return (site->phases & (1u << DP_PHASE_AFTER | 1u << DP_PHASE_FAULT)) != 0;
}

/* Return where a hit at a hook with C exits goes on, or 0. */
static inline dp_addr dp_site_body(const struct dp_site *site)
{
#if DP_WITH_HOOKS
	return site->body;
#else
	(void)site;
	return 0;
#endif
}

enum dp_extent {
	/* Without an extent a scan begins this far before the site. Linux does the same. */
	DP_SITE_UNKNOWN_BACK = 128,
	/* The longest scan from the start of an extent: interrupts are masked during a scan. */
	DP_SITE_EXTENT_MAX = 0x8000,
	DP_SITE_FAR = 0xfffe,      /* the extent begins farther away */
	DP_SITE_NO_EXTENT = 0xffff /* the extent is unknown */
};

/* Note the extent of the site, which has no data before the site.
 * before: bytes of the extent before the site.
 * bytes: length of the extent; 0: unknown. */
static inline void dp_site_set_extent(struct dp_site *site, dp_addr before, dp_addr bytes)
{
	if (bytes == 0)
		site->before = DP_SITE_NO_EXTENT;
	else
		site->before = before > DP_SITE_EXTENT_MAX ? DP_SITE_FAR : (uint16_t)before;
}

/* Return whether a scan from the start of the extent to the site is short. [P3.31] */
static inline bool dp_site_extent_known(const struct dp_site *site)
{
	return site->before <= DP_SITE_EXTENT_MAX;
}

/* Return where a scan for an exclusive window begins. */
static inline dp_addr dp_site_scan_from(const struct dp_site *site)
{
	if (dp_site_extent_known(site))
		return site->address - site->before;
	return site->address > DP_SITE_UNKNOWN_BACK ? site->address - DP_SITE_UNKNOWN_BACK : 0;
}

/* Read the instruction at site->address fault-safe into original, original_bytes and
 * insn_bytes. [P3.2]
 * site: address and isa are set.
 * Context: THREAD.
 * Returns DP_ERR_OK, or
 *   NOT_BOUNDARY  the address is misaligned for the isa [P3.3]
 *   NOT_TEXT      the address is not readable [P3.4]
 *   LEFT_OUT      the port was built without this isa [P3.5] */
enum dp_err dp_port_fetch(struct dp_site *site);

/* Read bytes of memory without any probe.
 * Returns false when a byte is not readable. */
typedef bool (*dp_original_at)(dp_addr address, uint8_t *bytes, unsigned count);

/* Choose the step of site->original, and take a slot if the step needs one. The function changes no
 * code byte. [P3.6] The core may call the function again for an armed site, which already holds its
 * plan. [P3.15]
 * site: fetched, extent set.
 * original_at: for neighbours of the site (delay slots, exclusive windows).
 * why: receives the reason of NOT_PROBEABLE.
 * The ports look at the instruction first, then at its neighbours: the first fault is returned. A
 * breakpoint of another debugger is FOREIGN_BREAK, not NOT_PROBEABLE with BREAKPOINT.
 * Context: THREAD.
 * Returns DP_ERR_OK, or
 *   NOT_PROBEABLE   with *why set [P3.7]
 *   NOT_BOUNDARY    the address is the second half of a wide instruction [P3.8]
 *   IN_ATOMIC       the address is in an exclusive window [P3.9]
 *   BAD_DELAY_SLOT  the delay slot cannot be stepped [P3.10]
 *   FOREIGN_BREAK   the original is a breakpoint [P3.11]
 *   NO_SLOT         no slot is free [P3.12]
 *   IN_AGENT        the trap would destroy state that an exception has left [P3.13]
 *   LEFT_OUT        the port was built without a part that the instruction needs [P3.14]
 * On failure the site holds nothing new. [P3.16] */
enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why);

/* Release the slot of a site. A one-trap slot that was ever armed may still hold a context: the
 * slot stays bound to its address, and serves that address again, until dp_port_quiescent. [P3.17]
 * A slot that a CHECK only prepared is free at once. [P3.18]
 * site: disarmed.
 * Context: THREAD. */
void dp_port_release(struct dp_site *site);

/* Return the content of an armed site's slot, for a checksum. Only builds with DP_WITH_INTEGRITY
 * call this function.
 * bytes: receives the number of bytes that no step changes; 0: the site has no slot. [P3.19]
 * Context: ANY. */
const void *dp_port_slot(const struct dp_site *site, size_t *bytes);

/* Free released one-trap slots: no context executes an old slot any more. [P3.20]
 * Context: THREAD. */
void dp_port_quiescent(void);

/* Count all slots and the free slots. [P3.21]
 * Context: THREAD. */
void dp_port_slots(unsigned *total, unsigned *available);

/* Write the displaced instruction in memory order.
 * bytes: receives site->insn_bytes bytes [P3.22], of a damaged site at most
 * DP_PORT_INSN_BYTES_MAX.
 * Context: ANY. */
void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes);

/* Return whether dp_port_pc holds one of the port's trap words, in the frame's instruction set. The
 * core distinguishes a probe that was just removed from a stray trap. [P3.23]
 * found: receives the content of memory.
 * Context: HIT. */
bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found);

/* Return whether the port's trap is at this site. [P3.24]
 * found: receives the content of memory.
 * Context: ANY. */
bool dp_port_is_armed(const struct dp_site *site, uint32_t *found);

/* Write a note of the keep area back from the data cache, so that a reset does not lose the note.
 * The core calls the function before it writes the trap of the note. [P3.32] Only builds with
 * DP_WITH_INTEGRITY call this function.
 * Context: THREAD or HIT; interrupts may be on. */
void dp_port_keep_written(const void *note, size_t bytes);

/* Write the trap at the site by its means: DP_PORT_TRAP_STORES aligned stores, cache maintenance,
 * read-back, every CPU synchronised. [P3.25] port/dp_patch.c defines this function and the next
 * one.
 * Context: THREAD or HIT.
 * Returns DP_ERR_OK, or NOT_PATCHABLE with memory unchanged. [P3.26] */
enum dp_err dp_port_arm(const struct dp_site *site);

/* Restore the original if the trap is intact. [P3.27]
 * site: only address, isa, original, insn_bytes and means are used, because a warm restart keeps
 * nothing else. [P3.28]
 * Context: THREAD or HIT.
 * Returns DP_ERR_OK, or
 *   FOREIGN_BREAK  memory has another content (the firmware reloaded its code), which stays [P3.29]
 *   NOT_PATCHABLE  memory can no longer be written; the trap stays [P3.30] */
enum dp_err dp_port_disarm(const struct dp_site *site);

/* --- 4. stepping --- */

/* Return whether a probe fires in this context: whether the displaced instruction would execute
 * (condition code, IT block). Otherwise dp_port_step still steps over the instruction. A branch to
 * a fixed address with a condition of its own (ARM bne, Thumb cbz, MIPS beq, PowerPC bc) fires
 * whether the branch goes to its target or not. [P4.1]
 * taken: whether such a branch would also go to its target. A counter that the branch decrements
 * counts. Every other instruction is taken when it fires. [P4.13]
 * Context: HIT. The function changes nothing. */
bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken);

enum dp_step {
	DP_STEP_DONE,    /* emulated: the frame is the state after the instruction [P4.2] */
	DP_STEP_AWAY,    /* one-trap slot: the instruction completes without a second trap */
	DP_STEP_PENDING, /* two-trap slot: dp_agent_stepped or dp_agent_fault follows on this CPU
			  * [P4.3] */
	DP_STEP_FAULT,   /* the emulation would fault: the frame is that of a fault of the original
			  * in place. The port has noted the kind of exception, by which the entry
			  * code finds the firmware's handler. The core drops the record and returns
			  * DP_FIRMWARE [P4.4] */
};

/* Execute the displaced instruction: emulate the instruction, or point the frame into the slot.
 * DP_STEP_AWAY is not allowed when dp_site_is_late(site). [P4.7]
 * may_leave: the core can withdraw the hit in dp_agent_fault_away. Only then an instruction that
 * may fault executes in a one-trap slot. [P4.12]
 * An emulated access is the instruction's own: native width, exactly once, with the rights of the
 * context's mode, without the range table; the port only catches the abort. [P4.5]
 * Context: HIT. */
enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave);

/* Return the address where a context resumes if a one-trap slot steps the instruction. Such a site
 * needs dp_port_step only for contexts that are not DP_PORT_PLAIN. The result is valid until the
 * core changes the site, or a trap DP_PORT_RESUME_BEHIND behind the site. [P4.11]
 * may_leave: as for dp_port_step.
 * Context: HIT.
 * Returns 0 when dp_port_step decides at each hit. */
dp_addr dp_port_resume(const struct dp_site *site, bool may_leave);

/* Finish a step after the second trap: restore the state that stepping changed (interrupt mask, IT
 * state), and point the frame to the instruction after the original. [P4.8]
 * Context: HIT. */
void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame);

/* Finish a step after a fault in the slot: set the frame and the CPU's report (link, fault address)
 * to the state after a fault of the original in place. [P4.9]
 * Context: HIT, from dp_agent_fault. */
void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame);

/* Return the original address of a pc in a slot, or any other pc unchanged. [P4.10]
 * Context: ANY. */
dp_addr dp_port_slot_origin(dp_addr pc);

/* --- 5. memory --- */

/* Copy memory without a fault: check the board's range table, then access with the abort caught.
 * [P5.1] Wrapping past the end of the address space counts as a fault. [P5.3]
 * bytes: number of bytes to copy.
 * width: 1, 2, 4, 8: one access of that size if aligned, bytes == width; else single bytes; [P5.2]
 * 0: a block, any access size inside memory ranges.
 * Context: ANY.
 * Returns the number of bytes copied before the first unreadable byte. [P5.4] */
size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width);

/* Read one value as dp_port_read(address, to, width, width) does. The function is on the path of
 * hits. [P5.8]
 * width: 1, 2, 4 or 8.
 * to: aligned for width.
 * Context: HIT.
 * Returns whether the value is readable. */
bool dp_port_load(dp_addr address, unsigned width, void *to);

/* The same for memory alone: no device register is accessed. The address is aligned, too.
 * Context: HIT.
 * Returns false where dp_port_load may still read the value. */
bool dp_port_load_memory(dp_addr address, unsigned width, void *to);

/* Write memory as dp_port_read reads. [P5.5] Only DP_PROFILE_FULL builds call this function.
 * Context: HIT. */
size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width);

/* Return whether the byte at address is readable (writable). The range table decides alone for
 * devices, so that no device register is accessed. [P5.6] decisions.txt C90. Only builds with
 * DP_WITH_LANGUAGE call these functions.
 * Context: ANY. */
bool dp_port_readable(dp_addr address);
bool dp_port_writable(dp_addr address);

/* Access port space. Only a port with IO in DP_PORT_GROUPS defines these functions. [P5.7]
 * width: bytes.
 * Context: HIT. */
dp_word dp_port_io_read(dp_word port, unsigned width);
void dp_port_io_write(dp_word port, unsigned width, dp_word value);

/* Translate a segmented address. Only a port with SEG in DP_PORT_GROUPS defines this function.
 * Context: HIT.
 * Returns false for an invalid selector. */
bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat);

/* --- 6. CPU --- */

/* Mask every interrupt whose handler may be probed, or restore the mask. [P6.1]
 * saved: the mask that dp_port_mask returned.
 * Context: ANY.
 * Returns the old mask. */
dp_irq dp_port_mask(void);
void dp_port_unmask(dp_irq saved);

/* Return whether the CPU takes interrupts now: no mask of the CPU blocks them. Only builds with
 * DP_WITH_SHARED_LINE call this function. [P6.5]
 * Context: ANY. */
bool dp_port_unmasked(void);

/* Return the number of this CPU, from 0.
 * Context: ANY. */
unsigned dp_port_cpu_number(void);

/* Return the index of this CPU in an array of DP_PORT_CPUS. With one CPU the call costs nothing. */
static inline unsigned dp_this_cpu(void)
{
	return DP_PORT_CPUS == 1 ? 0 : dp_port_cpu_number();
}

/* Return the time stamp in ticks, and the ticks per second; 0 Hz: the CPU has no time stamp. [P6.2]
 * The board may override both. Only builds with DP_WITH_STREAM call these functions.
 * Context: ANY. */
uint64_t dp_port_ticks(void);
uint32_t dp_port_tick_hz(void);

/* Recover the private stack after a hit whose callback never returned. Such a hit may leave the
 * stack pointer of a CPU mode inside the private stack, and later hits begin below that pointer.
 * The function restores the pointer's value from before the hit. [P6.3] On a CPU whose stack
 * pointers all belong to tasks the function is empty.
 * Context: THREAD, no active hit, interrupts masked. */
void dp_port_recover(void);

/* Return the most bytes of the private stack in use so far, which dp_port_attach painted. [P6.4]
 * Context: ANY. */
size_t dp_port_stack_used(void);

/* --- 7. start --- */

enum dp_taken {
	DP_NOT_OURS, /* pass the exception to the firmware, frame untouched [P7.1] */
	DP_RESUME,   /* resume the frame [P7.2] */
	DP_FIRMWARE, /* the frame is that of a fault of the original: enter the firmware's own
		      * handler for this exception [P7.3] */
};

/* Take over the vectors (or check that the board routes exceptions to the port), set up slots and
 * private stacks, and detect the CPU's abilities.
 * board, memory, state: stay valid. state is part of struct dp_agent, cleared, and the port's only
 * memory.
 * Context: THREAD, once, interrupts masked.
 * Returns DP_ERR_OK, or
 *   NO_SLOT        slot memory is missing or out of branch reach [P7.4]
 *   BAD_VECTOR     a vector has a form that cannot be changed [P7.5]
 *   VECTOR_FAR     a branch in a vector does not reach the slots [P7.8]
 *   SLOTS_CLEARED  a vector is that of a run before, whose memory is lost [P7.9]
 *   NOT_PATCHABLE  a vector cannot be written
 *   BAD_TARGET     the CPU's setup differs from the agent's build [P7.6] */
enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state);

enum {
	DP_VECTORS_HOLD = 0xff /* is no DP_CLASS_* */
};

/* Return the class (DP_CLASS_*) of the first exception whose vector leads elsewhere than
 * dp_port_attach has set; DP_VECTORS_HOLD: there is none. The vectors are those in use now, in
 * their place of now. [P7.10] Only builds with DP_WITH_CHECKS call this function, without
 * own_vectors.
 * leads_to: receives the address to which that vector leads; 0: the port cannot tell.
 * Context: THREAD. */
unsigned dp_port_vectors(dp_addr *leads_to);

/* Dispatch an exception. Firmware with its own vectors (dp_board.own_vectors) calls this function
 * first in its handler. [P7.7]
 * class: the port's DP_CLASS_*.
 * Context: HIT, on a stack of DP_PORT_STACK_BYTES, interrupts masked. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame);

/* --- 8. functions of the core (agent/hit) that the port calls ---
 *
 * A step finds its site and slot, also when its probe ends or is removed: the core releases both
 * in dp_poll, or at the end of the hit. dp_poll runs without a pending step on its CPU, and
 * releases nothing that another CPU steps. [P8.1]
 * The port calls these functions on the private stack, interrupts masked, with the fault-status
 * registers saved, and restores those registers before the context resumes. [P8.2] */

/* Handle the executed trap word at the address, which is dp_port_pc(frame). The core finds the site
 * by address, never by the word: the probe may have been removed just before. In that case the
 * frame resumes at the same pc and retries the instruction. [P8.3] */
enum dp_taken dp_agent_trap(struct dp_frame *frame, dp_addr address);

/* Handle the second trap in the slot of `address`, the original address. [P8.4] */
enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address);

/* Handle an abort whose pc is in the slot of `address`. [P8.5] */
enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address);

/* Withdraw the hit that left the trap by the one-trap slot of `address`: an exception
 * occurred at the copy, and the copy did not complete. [P8.6]
 * frame: the context at the exception. DP_PORT_SP(frame) has the value that it had in the hit. */
void dp_agent_fault_away(const struct dp_frame *frame, dp_addr address);

#endif
