/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over mtvec at run time and dispatches exceptions. */
#include "dp_access_cpu.h"
#include "dp_patch.h"
#include "dp_stack.h"
#include "riscv_triggers.h"

struct dp_port_state *dp_riscv;

#define DP_VENEER_MAGIC 0x64705231u
#define DP_MISA_D       (1u << 3)
#define DP_MISA_U       (1u << 20)

enum {
	DP_MTVEC_MODE = 3,
	DP_MTVEC_VECTORED = 1,
	DP_TABLE_ALIGN = 256, /* some cores' vectored mtvec has fewer bits */
	DP_VENEER_ALIGN = 64,
	DP_T0 = 5,
	DP_T1 = 6,
	DP_RET = 0x00008067
};

/* Instructions of the veneer. The register of a load, store or csrw is t0 or t1. */
#define DP_WORD_FUNCT3     (DP_WORD_BITS == 64 ? 3u : 2u)
#define DP_BLOCK_OFFSET(n) ((n) * (DP_WORD_BITS / 8u))
#define DP_LOAD(rd, n)                                                                             \
	(DP_BLOCK_OFFSET(n) << 20 | DP_T0 << 15 | DP_WORD_FUNCT3 << 12 | (rd) << 7 | 0x03u)
#define DP_STORE_T1(n)                                                                             \
	((DP_BLOCK_OFFSET(n) >> 5) << 25 | DP_T1 << 20 | DP_T0 << 15 | DP_WORD_FUNCT3 << 12 |      \
	 (DP_BLOCK_OFFSET(n) & 31u) << 7 | 0x23u)
#define DP_CSRR_T1(csr)      ((uint32_t)(csr) << 20 | 2u << 12 | DP_T1 << 7 | 0x73u)
#define DP_CSRW(csr, rs)     ((uint32_t)(csr) << 20 | (rs) << 15 | 1u << 12 | 0x73u)
#define DP_AUIPC_T0          (DP_T0 << 7 | 0x17u)
#define DP_ADDI_T0(n)        ((uint32_t)(n) << 20 | DP_T0 << 15 | DP_T0 << 7 | 0x13u)
#define DP_BLTZ_T1(distance) (DP_T1 << 15 | 4u << 12 | (uint32_t)(distance) << 7 | 0x63u)
#define DP_JR_T1             (DP_T1 << 15 | 0x67u)

/* --- exceptions --- */

/* The context has left its hit by a one-trap slot. Show the firmware the original's pc. A fault
 * behind the copy does not concern the displaced instruction (a late bus error). */
static enum dp_taken out_of_slot(struct dp_frame *frame)
{
	bool completed = !dp_riscv_at_copy(frame->pc);

	frame->pc = dp_port_slot_origin(frame->pc);
	if (!completed)
		dp_agent_fault_away(frame, frame->pc);
	return DP_FIRMWARE;
}

static enum dp_taken in_slot(struct dp_frame *frame)
{
	struct dp_riscv_pending *p = &dp_riscv->pending[dp_this_cpu()];
	dp_word address = p->address;

	if (!p->active)
		return out_of_slot(frame);
	if (frame->mcause == DP_CAUSE_BREAK && frame->pc == p->entry + p->bytes) {
		if (dp_agent_stepped(frame, address) == DP_NOT_OURS) /* the site is removed */
			dp_port_stepped(NULL, frame);
		return DP_RESUME;
	}
	if (dp_agent_fault(frame, address) == DP_NOT_OURS)
		dp_port_step_fault(NULL, frame);
	return DP_FIRMWARE;
}

#if DP_RISCV_TRIGGERS > 0
/* A breakpoint exception without a breakpoint. A trigger whose watchpoint has just been removed
 * may have been on its way. */
static bool is_triggered(const struct dp_frame *frame)
{
	uint32_t insn;

	return dp_riscv->triggers.open && frame->mcause == DP_CAUSE_BREAK &&
	       dp_riscv_peek(frame->pc, &insn) != 0 && !dp_riscv_is_break(insn);
}
#endif

/* A breakpoint of the firmware's own is its business, and so is one that stands nowhere: a trigger
 * has stopped the CPU. */
static enum dp_taken no_hit(struct dp_frame *frame)
{
#if DP_RISCV_TRIGGERS > 0
	if (is_triggered(frame))
		return dp_riscv_watched(frame);
#endif
	if (frame->pc - (uintptr_t)dp_riscv_access_begin <
	    (uintptr_t)dp_riscv_access_end - (uintptr_t)dp_riscv_access_begin) {
		frame->pc = (uintptr_t)dp_riscv_access_failed;
		return DP_RESUME;
	}
	if (dp_slots_contain(&dp_riscv->slots, frame->pc))
		return in_slot(frame);
	return DP_NOT_OURS;
}

static inline bool is_hit(const struct dp_frame *frame)
{
	return frame->mcause == DP_CAUSE_BREAK && dp_riscv_text_at(frame->pc) == DP_RISCV_TRAP &&
	       !dp_slots_contain(&dp_riscv->slots, frame->pc);
}

#if DP_RISCV_TRIGGERS > 0
/* A trigger on the instruction comes before its trap. Debug Specification 5.3. A trap within the
 * agent overwrites tcontrol.MPTE. */
static enum dp_taken dispatch(struct dp_frame *frame)
{
	bool has_tcontrol = dp_riscv->triggers.has_tcontrol;
	dp_word tcontrol = 0;
	enum dp_taken taken;

	if (has_tcontrol)
		DP_RISCV_GET(tcontrol, DP_CSR_TCONTROL);
	if (dp_riscv->triggers.armed != 0 && frame->mcause == DP_CAUSE_BREAK &&
	    dp_riscv_execution_watched(frame->pc))
		taken = dp_riscv_watched(frame);
	else
		taken = is_hit(frame) ? dp_agent_trap(frame, frame->pc) : no_hit(frame);
	if (has_tcontrol)
		dp_riscv_triggers_resume(tcontrol);
	return taken;
}
#else
static inline enum dp_taken dispatch(struct dp_frame *frame)
{
	return is_hit(frame) ? dp_agent_trap(frame, frame->pc) : no_hit(frame);
}
#endif

/* Also from entry.S, where DP_RESUME is a number. The entry code writes the frame's mcause and
 * mtval back where the firmware's handler is entered next. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	(void)class;
	if (dp_riscv == NULL) /* mtvec of the run before, and no agent yet */
		return DP_NOT_OURS;
	return dispatch(frame);
}
_Static_assert(DP_RESUME == DP_RISCV_RESUME, "entry.S");

/* --- mtvec --- */

static void fill_block(struct dp_riscv_veneer *v)
{
	struct dp_riscv_block *block = &v->block;
	dp_word gp, tp;

	__asm__ volatile("mv %0, gp\n\tmv %1, tp" : "=r"(gp), "=r"(tp));
	DP_RISCV_GET(block->mscratch, DP_CSR_MSCRATCH);
	block->entry = (uintptr_t)dp_riscv_entry;
	block->chain = (uintptr_t)&v->code[DP_RISCV_CHAIN];
	block->stack_bottom = (uintptr_t)dp_riscv->memory->stack;
	block->stack_top = (block->stack_bottom + dp_riscv->memory->stack_bytes) & ~(dp_word)15;
	block->slots = (uintptr_t)dp_riscv->slots.start;
	block->slot_bytes = (dp_word)dp_riscv->slots.count * DP_PORT_SLOT_BYTES;
	block->gp = gp;
	block->tp = tp;
}

/* handler: where the firmware goes on. Returns false: the jump does not reach it. */
static bool fill_code(struct dp_riscv_veneer *v, dp_word handler)
{
	uint32_t *code = v->code;

	code[0] = DP_CSRW(DP_CSR_MSCRATCH, DP_T0);
	code[1] = DP_AUIPC_T0;
	code[2] = DP_ADDI_T0(offsetof(struct dp_riscv_veneer, block) - 4);
	code[3] = DP_STORE_T1(DP_BLOCK_T1);
	code[4] = DP_CSRR_T1(DP_CSR_MSCRATCH);
	code[5] = DP_STORE_T1(DP_BLOCK_T0);
	code[6] = DP_CSRR_T1(DP_CSR_MCAUSE);
	code[7] = DP_BLTZ_T1(4 * (DP_RISCV_CHAIN - 7));
	code[8] = DP_LOAD(DP_T1, DP_BLOCK_ENTRY);
	code[9] = DP_JR_T1;
	code[DP_RISCV_CHAIN] = DP_LOAD(DP_T1, DP_BLOCK_MSCRATCH);
	code[11] = DP_CSRW(DP_CSR_MSCRATCH, DP_T1);
	code[12] = DP_LOAD(DP_T1, DP_BLOCK_T1);
	code[13] = DP_LOAD(DP_T0, DP_BLOCK_T0);
	code[14] = dp_riscv_jump((uintptr_t)&code[14], handler);
	return code[14] != 0;
}

#if DP_RISCV_VECTORS > 0
/* Behind the veneer. */
static uint32_t *table_of(struct dp_riscv_veneer *v)
{
	const uintptr_t align = DP_TABLE_ALIGN;

	return (uint32_t *)(((uintptr_t)(v + 1) + align - 1) & ~(align - 1));
}

/* Has the CPU an interrupt without an entry in the table? mie tells those that it has; interrupts
 * are masked. Privileged ISA 3.1.9 */
static bool has_more_interrupts(void)
{
	dp_word mie, all;

	DP_RISCV_GET(mie, DP_CSR_MIE);
	DP_RISCV_PUT(~(dp_word)0, DP_CSR_MIE);
	DP_RISCV_GET(all, DP_CSR_MIE);
	DP_RISCV_PUT(mie, DP_CSR_MIE);
	return DP_RISCV_VECTORS < DP_WORD_BITS && all >> (DP_RISCV_VECTORS % DP_WORD_BITS) != 0;
}

/* Exceptions go to the veneer, each interrupt to the firmware's entry. Privileged ISA 3.1.7 */
static enum dp_err fill_table(struct dp_riscv_veneer *v, dp_word base)
{
	uint32_t *table = table_of(v);

	for (unsigned i = 0; i < DP_RISCV_VECTORS; i++) {
		table[i] = dp_riscv_jump((uintptr_t)&table[i],
					 i == 0 ? (uintptr_t)v->code : base + 4 * i);
		if (table[i] == 0)
			return DP_ERR_VECTOR_FAR;
	}
	dp_patch_publish((uintptr_t)table, 4 * DP_RISCV_VECTORS);
	return has_more_interrupts() ? DP_ERR_BAD_VECTOR : DP_ERR_OK;
}
#else
static uint32_t *table_of(struct dp_riscv_veneer *v)
{
	return (uint32_t *)(v + 1);
}

static enum dp_err fill_table(struct dp_riscv_veneer *v, dp_word base)
{
	(void)v;
	(void)base;
	return DP_ERR_BAD_VECTOR;
}
#endif

/* Switch off the triggers of an earlier run, whose veneer is still there. */
static void forget_triggers(struct dp_riscv_veneer *v)
{
#if DP_RISCV_TRIGGERS > 0
	if (v->magic == DP_VENEER_MAGIC)
		dp_riscv_triggers_attach(v->armed);
	v->armed = 0;
#else
	(void)v;
#endif
}

/* mtvec with the veneer or its table in the place of the firmware's handler. */
static dp_word ours(struct dp_riscv_veneer *v, dp_word mtvec)
{
	return mtvec & DP_MTVEC_VECTORED ? (uintptr_t)table_of(v) | DP_MTVEC_VECTORED
					 : (uintptr_t)v->code;
}

static bool put_mtvec(dp_word mtvec)
{
	dp_word now;

	DP_RISCV_PUT(mtvec, DP_CSR_MTVEC);
	DP_RISCV_GET(now, DP_CSR_MTVEC);
	return now == mtvec;
}

/* Each entry of a vectored mtvec is a trap handler. The scan stops where it cannot tell. */
static bool note_handlers(dp_word mtvec)
{
	const dp_word base = mtvec & ~(dp_word)DP_MTVEC_MODE;
	const unsigned count = mtvec & DP_MTVEC_VECTORED ? DP_RISCV_VECTORS : 1;
	bool known = count > 0;

	for (unsigned i = 0; known && i < count; i++)
		known = dp_riscv_note_handler(base + 4 * i);
	return known;
}

/* Interrupts of a vectored mtvec do not pass the veneer. */
static bool write_mscratch(dp_word mtvec)
{
	const dp_word base = mtvec & ~(dp_word)DP_MTVEC_MODE;
	const unsigned count = mtvec & DP_MTVEC_VECTORED ? DP_RISCV_VECTORS : 1;

	for (unsigned i = 0; i < count; i++)
		if (dp_riscv_writes_mscratch(base + 4 * i))
			return true;
	return false;
}

/* After a warm restart mtvec may still be the port's: then the old veneer has the firmware's. */
static enum dp_err hook(dp_word mtvec)
{
	struct dp_riscv_veneer *v = dp_riscv->veneer;
	enum dp_err error = DP_ERR_OK;
	dp_word base;

	forget_triggers(v);
	if (mtvec != ours(v, mtvec))
		v->mtvec = mtvec;
	else if (v->magic != DP_VENEER_MAGIC)
		return DP_ERR_SLOTS_CLEARED;
	mtvec = v->mtvec;
	base = mtvec & ~(dp_word)DP_MTVEC_MODE;
	fill_block(v);
	if (!fill_code(v, base))
		return DP_ERR_VECTOR_FAR;
	if (mtvec & DP_MTVEC_VECTORED)
		error = fill_table(v, base);
	if (error != DP_ERR_OK)
		return error;
	v->magic = DP_VENEER_MAGIC;
	dp_patch_publish((uintptr_t)v, sizeof(*v));
	/* From here on a read of the handler that fails is caught. */
	if (!put_mtvec(ours(v, mtvec)))
		error = DP_ERR_NOT_PATCHABLE;
	else if (write_mscratch(mtvec) || !note_handlers(mtvec))
		error = DP_ERR_BAD_VECTOR;
	if (error != DP_ERR_OK)
		(void)put_mtvec(mtvec);
	return error;
}

#if DP_WITH_CHECKS
unsigned dp_port_vectors(dp_addr *leads_to)
{
	struct dp_riscv_veneer *v = dp_riscv->veneer;
	dp_word mtvec;

	DP_RISCV_GET(mtvec, DP_CSR_MTVEC);
	*leads_to = mtvec & ~(dp_word)DP_MTVEC_MODE;
	return mtvec == ours(v, v->mtvec) ? DP_VECTORS_HOLD : DP_CLASS_EXCEPTION;
}
#endif

/* The task's stack pointer is the only one: it leaves the private stack with the task. */
void dp_port_recover(void)
{
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_riscv->memory);
}

static void find_cpu(struct dp_port_state *state)
{
	dp_word misa;

	DP_RISCV_GET(misa, DP_CSR_MISA);
	state->cpu =
		(DP_WORD_BITS == 64 ? DP_RISCV_IS_64 : 0) | (misa & DP_MISA_D ? DP_RISCV_HAS_D : 0);
	state->has_u = (misa & DP_MISA_U) != 0;
}

static uintptr_t behind_veneer(struct dp_port_state *state, uintptr_t start)
{
	state->veneer = (struct dp_riscv_veneer *)((start + DP_VENEER_ALIGN - 1) &
						   ~(uintptr_t)(DP_VENEER_ALIGN - 1));
	return (uintptr_t)(table_of(state->veneer) + DP_RISCV_VECTORS);
}

/* A vector there without execute permission would fault for ever. With own_vectors no vector is
 * there, but the hits' copies are. */
static bool slots_execute(void)
{
	uint32_t *slot = dp_slots_words(&dp_riscv->slots, 0);

	slot[0] = DP_RET;
	dp_patch_publish((uintptr_t)slot, 4);
	return dp_riscv_executes((uintptr_t)slot);
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = (uintptr_t)memory->slots, end = start + memory->slot_bytes;
	enum dp_err error = DP_ERR_OK;
	dp_word mtvec;

	DP_RISCV_GET(mtvec, DP_CSR_MTVEC);
	if ((mtvec & DP_MTVEC_MODE) > DP_MTVEC_VECTORED) /* CLIC */
		return DP_ERR_BAD_TARGET;
	state->board = board;
	state->memory = memory;
	find_cpu(state);
	if (!board->own_vectors) {
		if (memory->stack_bytes < DP_PORT_STACK_BYTES)
			return DP_ERR_NO_SLOT;
		start = behind_veneer(state, start);
	}
	if (start > end || !dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	dp_riscv = state;
	dp_stack_paint(memory);
	if (!slots_execute())
		error = DP_ERR_NO_SLOT;
	else if (board->own_vectors)
		error = note_handlers(mtvec) ? DP_ERR_OK : DP_ERR_BAD_VECTOR;
	else
		error = hook(mtvec);
	if (error != DP_ERR_OK)
		dp_riscv = NULL;
	return error;
}
