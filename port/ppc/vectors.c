/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over the vectors at run time and dispatches exceptions. */
#include "dp_access_cpu.h"
#include "dp_patch.h"
#include "dp_stack.h"

struct dp_port_state *dp_ppc;

#define DP_VECTOR_MAGIC 0x64705031u

/* Out of line: 9 instructions a hit less (440). */
#define DP_RARELY __attribute__((__noinline__, cold))

#if DP_PPC_BOOKE
#define DP_ESR_TRAP     0x02000000u /* PTR */
#define DP_DBCR0        308
#define DP_DBCR0_DEBUGS 0xc0000000u /* EDM, IDM */
#define DP_DBCR0_TRAP   0x01000000u
#define DP_IVPR         63
#else
#define DP_SRR1_TRAP  0x00020000u
#define DP_SRR1_CAUSE 0x783f0000u /* not of the context's MSR */
#define DP_MSR_IP     0x00000040u
#endif

/* Words of a vector's code. */
#define DP_MTSPR_R3       0x7c6003a6u
#define DP_MFSPR_R3       0x7c6002a6u
#define DP_LIS_R3         0x3c600000u
#define DP_ORI_R3_R3      0x60630000u
#define DP_STW_R4_R3      0x90830000u
#define DP_LWZ_R4_R3      0x80830000u
#define DP_MFCTR_R4       0x7c8902a6u
#define DP_MTCTR_R4       0x7c8903a6u
#define DP_BCTR           0x4e800420u
#define DP_ADDI_R4_R4     0x38840000u
#define DP_BDZ            0x42400000u
#define DP_SPR_FIELD(spr) (((spr)&31u) << 16 | ((spr) >> 5) << 11)

/* --- exceptions --- */

static inline bool by_trap(const struct dp_frame *frame)
{
#if DP_PPC_BOOKE
	return frame->syndrome & DP_ESR_TRAP;
#else
	return frame->msr & DP_SRR1_TRAP;
#endif
}

/* The bits of SRR1 that describe the interrupt. */
static uint32_t not_msr(const struct dp_board *board)
{
#if DP_PPC_BOOKE
	return board->quirks & DP_QUIRK_TRAP_SETS_CE ? DP_MSR_CE : 0;
#else
	(void)board;
	return DP_SRR1_CAUSE;
#endif
}

/* Inlined with handle: 20 instructions a hit less (440). */
static inline __attribute__((__always_inline__)) enum dp_taken hit(struct dp_frame *frame)
{
	uint32_t msr = frame->msr;
	enum dp_taken taken;

	frame->msr &= ~dp_ppc->not_msr;
	taken = dp_agent_trap(frame, frame->pc);
	if (taken == DP_NOT_OURS)
		frame->msr = msr;
	return taken;
}

/* The context has left its hit by a one-trap slot. Show the firmware the original's pc. A fault
 * behind the copy does not concern the displaced instruction (a late bus error). */
static enum dp_taken out_of_slot(struct dp_frame *frame)
{
	bool completed = !dp_ppc_at_copy(frame->pc);

	frame->pc = dp_port_slot_origin(frame->pc);
	if (!completed)
		dp_agent_fault_away(frame, frame->pc);
	return DP_FIRMWARE;
}

static enum dp_taken in_slot(unsigned class, struct dp_frame *frame)
{
	struct dp_ppc_pending *p = &dp_ppc->pending[dp_this_cpu()];
	uint32_t address = p->address;

	if (!p->active)
		return out_of_slot(frame);
	if (class == DP_CLASS_PROGRAM && by_trap(frame) &&
	    frame->pc == p->entry + 4 * DP_PPC_SLOT_END) {
		frame->msr &= ~dp_ppc->not_msr;
		if (dp_agent_stepped(frame, address) == DP_NOT_OURS) /* the site is removed */
			dp_port_stepped(NULL, frame);
		return DP_RESUME;
	}
	if (dp_agent_fault(frame, address) == DP_NOT_OURS)
		dp_port_step_fault(NULL, frame);
	return DP_FIRMWARE;
}

/* A trap of the firmware's own is its business, also where it looks like a removed probe. */
static DP_RARELY enum dp_taken no_hit(unsigned class, struct dp_frame *frame)
{
	uint32_t word;

	if (frame->pc - (uint32_t)(uintptr_t)dp_ppc_access_begin <
	    (uint32_t)(dp_ppc_access_end - dp_ppc_access_begin)) {
		frame->pc = (uint32_t)(uintptr_t)dp_ppc_access_failed;
		return DP_RESUME;
	}
	if (dp_slots_contain(&dp_ppc->slots, frame->pc))
		return in_slot(class, frame);
	if (class != DP_CLASS_PROGRAM || !by_trap(frame))
		return DP_NOT_OURS;
	if (dp_ppc_peek(frame->pc, &word) && dp_ppc_is_trap(word) && word != DP_PPC_TRAP2_WORD)
		return DP_NOT_OURS;
	return hit(frame);
}

/* Inlined with hit: 20 instructions a hit less (440). */
static inline __attribute__((__always_inline__)) enum dp_taken handle(unsigned class,
								      struct dp_frame *frame)
{
	if (class != DP_CLASS_PROGRAM || !by_trap(frame))
		return no_hit(class, frame);
	return dp_ppc_text_at(frame->pc) == DP_PPC_TRAP_WORD ? hit(frame) : no_hit(class, frame);
}

/* A miss of the agent's own access changes these registers. */
static inline bool fault_status_changed(const struct dp_frame *frame)
{
	uint32_t address, syndrome;

	DP_PPC_GET(address, DP_SPR_ADDRESS);
	DP_PPC_GET(syndrome, DP_SPR_SYNDROME);
	return address != frame->address || syndrome != frame->syndrome;
}

static DP_RARELY enum dp_taken restored(const struct dp_frame *frame, enum dp_taken taken)
{
	struct dp_fault_status status;

	status.address = frame->address;
	status.syndrome = frame->syndrome;
	dp_fault_status_put(&status);
	return taken;
}

/* The frame does not have the MMU assist registers. */
static DP_RARELY enum dp_taken handle_with_mas(unsigned class, struct dp_frame *frame)
{
	struct dp_fault_status status;
	enum dp_taken taken;

	dp_fault_status_get(&status);
	taken = handle(class, frame);
	dp_fault_status_put(&status);
	return taken;
}

/* Also from entry.S, where DP_RESUME is a number. A handler of the firmware's that is probed, or
 * entered next, must find its own fault registers. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	enum dp_taken taken;

	if (dp_ppc == NULL) /* vectors of the run before, and no agent yet */
		return DP_NOT_OURS;
	if (dp_ppc->mas != 0)
		return handle_with_mas(class, frame);
	taken = handle(class, frame);
	return fault_status_changed(frame) ? restored(frame, taken) : taken;
}
_Static_assert(DP_RESUME == DP_PPC_RESUME, "entry.S");

/* --- vectors --- */

/* VECTOR(class, IVOR register, offset): which interrupts are looked at. */
#define DP_VECTORS(VECTOR)                                                                         \
	VECTOR(DP_CLASS_PROGRAM, 406, 0x700)                                                       \
	VECTOR(DP_CLASS_DATA, 402, 0x300)                                                          \
	VECTOR(DP_CLASS_ALIGNMENT, 405, 0x600)                                                     \
	VECTOR(DP_CLASS_FLOAT, 407, 0x800)                                                         \
	VECTOR(DP_CLASS_MACHINE, 401, 0x200)

static uint32_t vector_base(unsigned class)
{
	uint32_t offset = 0;

#if DP_PPC_BOOKE
	uint32_t base;

#define DP_OFFSET(class, ivor, fixed)                                                              \
	case class:                                                                                \
		DP_PPC_GET(offset, ivor);                                                          \
		break;
	switch (class) {
		DP_VECTORS(DP_OFFSET)
		DP_OFFSET(DP_CLASS_TLB, 413, 0)
	}
	DP_PPC_GET(base, DP_IVPR);
	return (base & 0xffff0000u) | (offset & 0xffffu);
#else
#define DP_OFFSET(class, ivor, fixed)                                                              \
	case class:                                                                                \
		offset = fixed;                                                                    \
		break;
	switch (class) {
		DP_VECTORS(DP_OFFSET)
	}
	return (dp_ppc_msr() & DP_MSR_IP ? 0xfff00000u : 0) + offset;
#endif
}

/* The vector's first word as it must be elsewhere. Returns false for one that cannot be moved. */
static bool moved(uint32_t at, uint32_t word, uint32_t to, uint32_t *out)
{
	struct dp_ppc_plan plan = dp_ppc_decode(word, DP_PPC_SPRG);

	*out = word;
	if (plan.action != DP_PPC_EMULATE || plan.detail < DP_PPC_B)
		return true;
	if (plan.detail != DP_PPC_B || (word & 1))
		return false;
	if (!(word & 2))
		*out = dp_ppc_branch(
			to, at + (uint32_t)((int32_t)((word & DP_PPC_BRANCH_MASK) << 6) >> 6));
	return *out != 0;
}

/* After a restart, start-up may have cleared the block before dp_init fills it again: then
 * everything is the firmware's. */
static bool fill_code(struct dp_ppc_vector *v, const struct dp_ppc_block *block)
{
	uint32_t address = (uint32_t)(uintptr_t)block, *code = v->code;

	code[0] = DP_MTSPR_R3 | DP_SPR_FIELD(DP_PPC_SPRG);
	code[1] = DP_LIS_R3 | address >> 16;
	code[2] = DP_ORI_R3_R3 | (address & 0xffff);
	code[3] = DP_STW_R4_R3 | DP_BLOCK_R4;
	code[4] = DP_MFCTR_R4;
	code[5] = DP_STW_R4_R3 | DP_BLOCK_CTR;
	code[6] = DP_LWZ_R4_R3 | DP_BLOCK_ENTRY;
	code[7] = DP_ADDI_R4_R4 | 1;
	code[8] = DP_MTCTR_R4;
	code[9] = DP_BDZ | 8; /* over the next; CTR counts down to the entry */
	code[10] = DP_BCTR;
	code[DP_PPC_VECTOR_CHAIN] = DP_LWZ_R4_R3 | DP_BLOCK_CTR;
	code[12] = DP_MTCTR_R4;
	code[13] = DP_LWZ_R4_R3 | DP_BLOCK_R4;
	code[14] = DP_MFSPR_R3 | DP_SPR_FIELD(DP_PPC_SPRG);
	code[16] = dp_ppc_branch((uint32_t)(uintptr_t)&code[16], v->base + 4);
	return code[16] != 0 &&
	       moved(v->base, v->original, (uint32_t)(uintptr_t)&code[DP_PPC_VECTOR_DISPLACED],
		     &code[DP_PPC_VECTOR_DISPLACED]);
}

static uint32_t entry_of(unsigned class)
{
	void (*entry)(void) = class == DP_CLASS_PROGRAM ? dp_ppc_entry_program : dp_ppc_entry_fault;

#if DP_PPC_BOOKE && DP_PPC_MACHINE_SRR0
	if (class == DP_CLASS_MACHINE)
		entry = dp_ppc_entry_machine;
#endif
	return (uint32_t)(uintptr_t)entry;
}

static void fill_block(struct dp_ppc_block *block, const struct dp_ppc_vector *v, unsigned class)
{
	uint32_t r2, r13;

	__asm__ volatile("mr %0, 2\n\tmr %1, 13" : "=r"(r2), "=r"(r13));
	block->entry = entry_of(class);
	block->chain = (uint32_t)(uintptr_t)&v->code[DP_PPC_VECTOR_CHAIN];
	block->stack_bottom = (uint32_t)(uintptr_t)dp_ppc->memory->stack;
	block->stack_top = (block->stack_bottom + dp_ppc->memory->stack_bytes) & ~15u;
	block->slots = (uint32_t)(uintptr_t)dp_ppc->slots.start;
	block->slot_bytes = dp_ppc->slots.count * DP_PORT_SLOT_BYTES;
	block->class = class;
	block->r2 = r2;
	block->r13 = r13;
}

/* After a warm restart the vector may still be the port's: then its old code has the firmware's
 * word. */
static enum dp_err hook(unsigned class)
{
	struct dp_ppc_vector *v = &dp_ppc->vector[class - 1];
	uint32_t base = vector_base(class), first;
	uint32_t ours = dp_ppc_branch(base, (uint32_t)(uintptr_t)v->code);

	if (ours == 0)
		return DP_ERR_VECTOR_FAR;
	if (!dp_ppc_peek(base, &first))
		return DP_ERR_NOT_PATCHABLE;
	if (first != ours)
		v->original = first;
	else if (v->magic != DP_VECTOR_MAGIC || v->base != base)
		return DP_ERR_SLOTS_CLEARED;
	v->base = base;
	fill_block(&dp_ppc->block[class - 1], v, class);
	if (!fill_code(v, &dp_ppc->block[class - 1]))
		return DP_ERR_BAD_VECTOR;
	v->magic = DP_VECTOR_MAGIC;
	dp_patch_publish((uintptr_t)v, sizeof(*v));
	return dp_patch_word(base, ours) ? DP_ERR_OK : DP_ERR_NOT_PATCHABLE;
}

/* Firmware without a machine check vector has the value of the critical input's vector there. */
static bool has_vector(unsigned class)
{
#if DP_PPC_BOOKE
	uint32_t critical, machine;

	DP_PPC_GET(critical, 400);
	DP_PPC_GET(machine, 401);
	if (class == DP_CLASS_MACHINE)
		return DP_PPC_MACHINE_SRR0 != 0 && ((critical ^ machine) & 0xfff0u) != 0;
#else
	(void)class;
#endif
	return true;
}

/* A vector begins at a multiple of 16. Where an IVOR keeps its low bits, the first word of the
 * vector is not known. */
static bool is_aligned(unsigned class)
{
	return (vector_base(class) & 0xfu) == 0;
}

#if DP_WITH_CHECKS
/* Where the vector leads: the target of its branch, else itself. */
static uint32_t vector_target(uint32_t at)
{
	uint32_t word;

	return dp_ppc_peek(at, &word) && (word & ~DP_PPC_BRANCH_MASK) == DP_PPC_BRANCH
		       ? at + (uint32_t)((int32_t)((word & DP_PPC_BRANCH_MASK) << 6) >> 6)
		       : at;
}

unsigned dp_port_vectors(dp_addr *leads_to)
{
	for (unsigned class = 1; class <= DP_CLASSES; class ++) {
		if (!has_vector(class))
			continue;
		*leads_to = vector_target(vector_base(class));
		if (*leads_to != (uintptr_t)dp_ppc->vector[class - 1].code)
			return class;
	}
	return DP_VECTORS_HOLD;
}
#endif

static enum dp_err hook_all(void)
{
	enum dp_err error = DP_ERR_OK;

	for (unsigned class = 1; class <= DP_CLASSES; class ++)
		if (has_vector(class) && !is_aligned(class))
			return DP_ERR_BAD_VECTOR;
	for (unsigned class = 1; error == DP_ERR_OK && class <= DP_CLASSES; class ++)
		if (has_vector(class))
			error = hook(class);
	return error;
}

/* A debugger that takes traps for itself (internal or by JTAG): no probe would ever be hit. */
static bool traps_are_debug_events(void)
{
#if DP_PPC_BOOKE
	uint32_t dbcr0;

	DP_PPC_GET(dbcr0, DP_DBCR0);
	return (dbcr0 & DP_DBCR0_DEBUGS) && (dbcr0 & DP_DBCR0_TRAP);
#else
	return false;
#endif
}

/* The task's stack pointer is the only one: it leaves the private stack with the task. */
void dp_port_recover(void)
{
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_ppc->memory);
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = ((uintptr_t)memory->slots + 3) & ~(uintptr_t)3;
	uintptr_t end = (uintptr_t)memory->slots + memory->slot_bytes;
	enum dp_err error = DP_ERR_OK;

	if (traps_are_debug_events())
		return DP_ERR_BAD_TARGET;
	state->board = board;
	state->memory = memory;
	if (!board->own_vectors) {
		if (memory->stack_bytes < DP_PORT_STACK_BYTES)
			return DP_ERR_NO_SLOT;
		state->vector = (struct dp_ppc_vector *)start;
		start += DP_CLASSES * sizeof(struct dp_ppc_vector);
	}
	if (!dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	state->not_msr = not_msr(board);
	dp_ppc = state;
	dp_ppc_mem_init();
	dp_stack_paint(memory);
	if (!board->own_vectors)
		error = hook_all();
	if (error != DP_ERR_OK)
		dp_ppc = NULL;
	return error;
}
