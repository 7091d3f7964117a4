/* SPDX-License-Identifier: BSD-2-Clause */
/* The empty port has the functions of port/dp_port.h that the shared files do not define, and those
 * that the shared files call, with a comment about the task of each. Functions that only some
 * builds of the agent call are inside an #if. The port links and probes nothing.
 *
 * Real ports have registers.c, decode.c (pure C, compiled on the host too), step.c, slots.c,
 * patch.c, mem.c, vectors.c, time.c and an entry in assembler: see port/ppc. Build a port with
 * -Os, without floating point, and without the C library. gcc may still call memcpy when a
 * struct is assigned; `tests/agent/test_freestanding.py` reports the call. */
#include "dp_access_cpu.h"
#include "dp_agent.h"
#include "dp_patch.h"
#include "dp_stack.h"

/* Words that stop the CPU, and that no debugger uses. */
enum {
	TRAP = 0x11111111,
	TRAP2 = 0x22222222
};

struct dp_port_state *dp_template; /* null before dp_port_attach */

/* --- registers --- */

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
static const struct dp_reg table[] = {
#include "regs.def"
};

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}

/* From the frame; a register the entry code did not save (floating point) is read from the CPU
 * here. With one privilege level u is the same as r. */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	(void)context;
	(void)argument;
	out[0] = frame->r[index];
	return 1;
}

#if DP_PROFILE == DP_PROFILE_FULL
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	frame->r[index] = value;
}
#endif

/* Correct the address that the CPU reports: the trap word itself, not the next instruction. */
dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return frame->pc;
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->r[1];
}

/* --- sites --- */

/* Check the alignment for site->isa, read the instruction with dp_port_read, set original (as a
 * number) and insn_bytes. */
enum dp_err dp_port_fetch(struct dp_site *site)
{
	(void)site;
	return DP_ERR_NOT_TEXT;
}

/* Look the instruction up in the decode table (mask, value, action; first match wins; the last
 * row rejects). Scan the function around the site for exclusive windows and boundaries with
 * original_at. Take a slot. Fill site->port. Change no code. */
enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	(void)site;
	(void)original_at;
	*why = DP_REFUSE_UNSUPPORTED;
	return DP_ERR_NOT_PROBEABLE;
}

/* keep: the slot of the site jumps back by itself, so a preempted context may be in it. */
void dp_port_release(struct dp_site *site)
{
	dp_slots_release(&dp_template->slots, site->port.slot, site->port.action == DP_ONE_TRAP);
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_template->slots;
}

/* The copy and a jump to the next instruction, or the copy and the second trap. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content)
{
	(void)slot;
	content[0] = insn;
	content[1] = TRAP2;
	content[2] = site->insn_bytes; /* of dp_port_slot_origin */
}

/* site->original in memory order. A damaged site has any insn_bytes. */
void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(site->original >> 8 * i);
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	union dp_code code = {0};

	dp_patch_read(dp_port_pc(frame), &code, 4);
	*found = code.word;
	return *found == TRAP || *found == TRAP2;
}

/* The trap of the instruction set and length of the site. */
unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	(void)site;
	trap->word = TRAP;
	return 4;
}

/* As dp_port_fetch makes site->original of the bytes. */
uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	(void)site;
	(void)bytes;
	return code->word;
}

/* Clean the data cache to the point that instruction fetch sees, invalidate the instruction cache
 * and branch predictor, and synchronise. */
void dp_port_text_written(uintptr_t address, size_t bytes)
{
	(void)address;
	(void)bytes;
}

/* Clean the data cache lines of the note, and wait until they are in memory. */
void dp_port_keep_written(const void *note, size_t bytes)
{
	(void)note;
	(void)bytes;
}

/* --- stepping --- */

/* Test the condition code, for CPUs that have conditional instructions; that of a branch to a fixed
 * address only with `taken`. */
bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	(void)site;
	(void)frame;
	(void)taken;
	return true;
}

/* Emulate branches and instructions that read the PC or the interrupt mask, or point the frame
 * into the slot. A copy that can neither fault nor leave the slot needs one trap, and with
 * may_leave also one that may fault. Other copies need two traps, with interrupts masked in the
 * frame and the old mask in dp_template->pending. */
enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	(void)site;
	(void)frame;
	(void)may_leave;
	return DP_STEP_DONE;
}

/* The entry of a one-trap slot that is the step of every plain context. */
dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	(void)site;
	(void)may_leave;
	return 0;
}

/* Restore the state that stepping changed; pc = site->address + site->insn_bytes. */
void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	frame->pc = site->address + site->insn_bytes;
}

/* The same; pc = site->address. Fault-status registers stay as the fault left them. */
void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	frame->pc = site->address;
}

/* At the copy: the original. Behind the copy: the next instruction. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const uint32_t *words;

	if (dp_template == NULL || !dp_slots_contain(&dp_template->slots, pc))
		return pc;
	words = dp_slots_at(&dp_template->slots, pc);
	return *dp_slots_address(words) + (pc == (dp_addr)(uintptr_t)words ? 0 : words[2]);
}

/* --- memory --- */

/* One aligned access. The exception handler continues an abort at a label that returns false. A
 * barrier after the access makes late aborts arrive there too. */
bool dp_access_load(dp_addr address, unsigned width, void *to)
{
	(void)address;
	(void)width;
	(void)to;
	return false;
}

bool dp_access_store(dp_addr address, unsigned width, const void *from)
{
	(void)address;
	(void)width;
	(void)from;
	return false;
}

/* Restore the registers that the caught abort has overwritten. */
void dp_fault_status_put(const struct dp_fault_status *status)
{
	(void)status;
}

/* The next three functions only for a CPU with IO, or SEG, in DP_PORT_GROUPS. */
dp_word dp_port_io_read(dp_word io_port, unsigned width)
{
	(void)io_port;
	(void)width;
	return 0;
}

void dp_port_io_write(dp_word io_port, unsigned width, dp_word value)
{
	(void)io_port;
	(void)width;
	(void)value;
}

bool dp_port_seg2lin(dp_word selector, dp_word offset, dp_addr *flat)
{
	(void)selector;
	(void)offset;
	(void)flat;
	return false;
}

/* --- CPU --- */

/* Mask every interrupt with a handler that may be probed. Calls nest: pass the result to
 * dp_port_unmask. */
dp_irq dp_port_mask(void)
{
	return 0;
}

void dp_port_unmask(dp_irq saved)
{
	(void)saved;
}

#if DP_WITH_SHARED_LINE
/* Do interrupts come now? Without events that are masked: always. */
bool dp_port_unmasked(void)
{
	return true;
}
#endif

unsigned dp_port_cpu_number(void)
{
	return 0;
}

#if DP_WITH_STREAM
/* Only a counter that counts and that firmware does not write; extend 32 bits to 64. */
uint64_t dp_port_ticks(void)
{
	return 0;
}

uint32_t dp_port_tick_hz(void)
{
	return 0;
}
#endif

/* Where a CPU mode has a stack pointer of its own that exceptions use. */
void dp_port_recover(void)
{
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_template->memory);
}

/* --- start --- */

/* Store the three pointers, lay out slots, paint the stack. Unless board->own_vectors: read the
 * targets of the firmware's vectors, store them, and point the vectors at the entry code.
 *
 * The entry code saves a full struct dp_frame on the private stack (below the current one in a
 * nested hit) without touching the firmware's stacks, and calls dp_port_exception. Then the code
 * resumes the frame, or enters the firmware's handler with exactly the registers and status that
 * the exception itself would have left. */
enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = (uintptr_t)memory->slots, end = start + memory->slot_bytes;

	state->board = board;
	state->memory = memory;
	if (!dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	dp_template = state;
	dp_stack_paint(memory);
	return DP_ERR_NOT_PATCHABLE; /* no vector leads here */
}

#if DP_WITH_CHECKS
/* Find the vectors as dp_port_attach does, and compare their targets with the entry code. */
unsigned dp_port_vectors(dp_addr *leads_to)
{
	*leads_to = 0;
	return DP_VECTORS_HOLD;
}
#endif

/* In this order: an abort of the port's own fault-safe access (continue at its label); a pc in a
 * slot (second trap: dp_agent_stepped; any other exception: dp_agent_fault); a trap word:
 * dp_agent_trap. All other exceptions are the firmware's. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	if (dp_template == NULL || class != DP_CLASS_TRAP)
		return DP_NOT_OURS;
	if (dp_template->pending[0].address != 0 && frame->pc == 0)
		return dp_agent_stepped(frame, dp_template->pending[0].address);
	return dp_agent_trap(frame, dp_port_pc(frame));
}
