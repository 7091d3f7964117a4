/* SPDX-License-Identifier: BSD-2-Clause */
/* The empty port has every function of port/dp_port.h with a comment about its task. Functions
 * that only some builds of the agent call are inside an #if. The port links and probes nothing.
 *
 * Real ports have registers.c, decode.c (pure C, compiled on the host too), step.c, slots.c,
 * patch.c, mem.c, vectors.c, time.c and an entry in assembler: see port/arm. Build a port with
 * -Os, without floating point, and without the C library. gcc may still call memcpy when a
 * struct is assigned; `tests/agent/test_freestanding.py` reports the call. */
#include "dp_agent.h"

static struct dp_port_state *port;

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

/* A one-trap slot may hold a preempted context: mark it, free it in dp_port_quiescent. */
void dp_port_release(struct dp_site *site)
{
	(void)site;
}

#if DP_WITH_INTEGRITY
const void *dp_port_slot(const struct dp_site *site, size_t *bytes)
{
	*bytes = 0;
	return site;
}
#endif

void dp_port_quiescent(void)
{
}

void dp_port_slots(unsigned *total, unsigned *available)
{
	*total = 0;
	*available = 0;
}

/* site->original in memory order. */
void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	for (unsigned i = 0; i < site->insn_bytes; i++)
		bytes[i] = (uint8_t)(site->original >> 8 * i);
}

/* Read the word at the frame's pc, fault-safe, and compare the word with the trap. */
bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	(void)frame;
	*found = 0;
	return false;
}

bool dp_port_is_armed(const struct dp_site *site, uint32_t *found)
{
	(void)site;
	*found = 0;
	return false;
}

/* Clean the data cache lines of the note, and wait until they are in memory. */
void dp_port_keep_written(const void *note, size_t bytes)
{
	(void)note;
	(void)bytes;
}

/* board->text_write if there is one, else one aligned store. Then clean the data cache to the
 * point that instruction fetch sees, invalidate the instruction cache and branch predictor, and
 * synchronise. Then board->text_sync, and read back. */
enum dp_err dp_port_arm(const struct dp_site *site)
{
	(void)site;
	return DP_ERR_NOT_PATCHABLE;
}

/* Only if the trap is still there. */
enum dp_err dp_port_disarm(const struct dp_site *site)
{
	(void)site;
	return DP_ERR_FOREIGN_BREAK;
}

/* --- stepping --- */

/* Test the condition code, for CPUs that have conditional instructions. */
bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame)
{
	(void)site;
	(void)frame;
	return true;
}

/* Emulate branches and instructions that read the PC or the interrupt mask, or point the frame
 * into the slot. A copy that can neither fault nor leave the slot needs one trap, and with
 * may_leave also one that may fault. Other copies need two traps, with interrupts masked in the
 * frame and the old mask in port->pending. */
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

/* Keep each slot's original address beside it. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	return pc;
}

/* --- memory --- */

/* For each piece: find the first row of board->ranges that has the byte; no DP_MEM_READ: stop. A
 * DP_MEM_DEVICE row takes one access of exactly `width`, aligned, or none. Save the fault-status
 * registers, access, let the exception handler continue an abort at a label that returns false,
 * restore them if it did. A barrier after the access makes late aborts arrive there too. */
size_t dp_port_read(dp_addr address, void *to, size_t bytes, unsigned width)
{
	(void)address;
	(void)to;
	(void)bytes;
	(void)width;
	return 0;
}

/* A port that looks ranges up for long keeps the stretch that the last load found. */
bool dp_port_load(dp_addr address, unsigned width, void *to)
{
	return dp_port_read(address, to, width, width) == width;
}

#if DP_PROFILE == DP_PROFILE_FULL
size_t dp_port_write(dp_addr address, const void *from, size_t bytes, unsigned width)
{
	(void)address;
	(void)from;
	(void)bytes;
	(void)width;
	return 0;
}
#endif

#if DP_WITH_LANGUAGE
/* The table for device registers, a trial read for memory. */
bool dp_port_readable(dp_addr address)
{
	(void)address;
	return false;
}

/* Never by writing. */
bool dp_port_writable(dp_addr address)
{
	(void)address;
	return false;
}
#endif

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

/* Count from the low end how much of the paint is left. */
size_t dp_port_stack_used(void)
{
	return 0;
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
	state->board = board;
	state->memory = memory;
	port = state;
	return DP_ERR_NO_SLOT;
}

/* In this order: an abort of the port's own fault-safe access (continue at its label); a pc in a
 * slot (second trap: dp_agent_stepped; any other exception: dp_agent_fault); a trap word:
 * dp_agent_trap. All other exceptions are the firmware's. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	if (port == NULL || class != DP_CLASS_TRAP)
		return DP_NOT_OURS;
	if (port->pending[0].address != 0 && frame->pc == 0)
		return dp_agent_stepped(frame, port->pending[0].address);
	return dp_agent_trap(frame, dp_port_pc(frame));
}
