/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over two vectors at run time and dispatches exceptions. */
#include "mips_port.h"
#include "dp_patch.h"
#include "dp_stack.h"

struct dp_port_state *dp_mips;

#define DP_CONFIG      "$16"
#define DP_EBASE       "$15, 1"
#define DP_STATUS_BEV  0x00400000u
#define DP_BLOCK_MAGIC 0x64704d31u
#define DP_KSEG1       0x20000000u /* of an address: kseg1, not kseg0 */
/* While Status.BEV is set.  MD00090 table 6.2 */
#define DP_BOOT_VECTORS 0xbfc00200u

/* Words of a vector and of its block. k0 is r26, k1 is r27. */
#define DP_J                0x08000000u
#define DP_BEQ_ZERO         0x10000000u /* b */
#define DP_BNEZ_K0          0x17400000u
#define DP_MFC0_K0_CAUSE    0x401a6800u
#define DP_MFC0_K0_ERROREPC 0x401af000u
#define DP_MTC0_K0_ERROREPC 0x409af000u
#define DP_ANDI_K0_K0       0x335a0000u
#define DP_LUI_K0           0x3c1a0000u
#define DP_ORI_K0_K0        0x375a0000u
#define DP_SW_K1_K0         0xaf5b0000u
#define DP_SW_AT_K0         0xaf410000u
#define DP_LW_K1_K0         0x8f5b0000u
#define DP_JR_K1            0x03600008u
#define DP_BEQZ_K1          0x13600000u
#define DP_MFC0_AT_CAUSE    0x40016800u
#define DP_EHB              0x000000c0u
#define DP_EXCCODE          0x7cu
#define DP_CODE_BREAK       (DP_MIPS_CODE_BREAK << 2)

/* Out of line: 26 instructions a hit less (24Kc). */
#define DP_RARELY __attribute__((__noinline__, cold))

/* --- exceptions --- */

static bool is_break(uint32_t word)
{
	return (word & 0xfc00003f) == 0x0d;
}

/* The delay slot of the jump that was hit has a probe too; unless a request removed it in this
 * hit. Then begin again at the jump, which reads no register that it links. */
static DP_RARELY enum dp_taken hit_behind_jump(struct dp_frame *frame)
{
	uint32_t word;

	if (!dp_mips_peek(frame->epc + 4, &word) || word != DP_MIPS_TRAP) {
		frame->jump = 0;
		frame->cause &= 0x7fffffff;
		return DP_RESUME;
	}
	return dp_agent_trap(frame, frame->epc + 4);
}

/* Inlined: 9 instructions a hit less (24Kc). */
static inline __attribute__((__always_inline__)) enum dp_taken hit(struct dp_frame *frame,
								   dp_addr address)
{
	enum dp_taken taken;

	frame->jump = 0;
	taken = dp_agent_trap(frame, address);
	return frame->jump == 0 || taken != DP_RESUME ? taken : hit_behind_jump(frame);
}

/* The firmware's handler reads Cause and BadVAddr from the CPU, and no code can write these
 * registers. If a fault of the agent came between, the instruction faults once more, for the
 * firmware. */
static enum dp_taken deliver(struct dp_frame *frame, const struct dp_mips_pending *was,
			     const uint32_t *scratch)
{
	struct dp_mips_pending *p = dp_mips_pending();
	const struct dp_slot_pool *pool = &dp_mips->slots;

	if (dp_mips->board->own_vectors || !dp_mips_told_changed(frame))
		return DP_FIRMWARE;
	/* A nested hit may have used the slot of last resort. */
	if (was->entry - (uint32_t)(uintptr_t)dp_slots_words(pool, pool->count - 1u) <
	    DP_PORT_SLOT_BYTES)
		dp_slots_scratch(&dp_mips->slots, was->address, scratch);
	dp_mips_copy(p, was, sizeof(*p));
	p->deliver = 1;
	p->status = frame->status;
	frame->status &= ~(uint32_t)DP_STATUS_IE;
	frame->epc = was->entry;
	return DP_RESUME;
}

static enum dp_taken step_fault(struct dp_frame *frame, struct dp_mips_pending *p)
{
	struct dp_mips_pending was;
	uint32_t scratch[DP_SLOT_WORDS];
	const uint32_t *words = dp_slots_at(&dp_mips->slots, p->entry);
	bool left = p->left;

	dp_mips_copy(&was, p, sizeof(was));
	dp_mips_copy(scratch, words, sizeof(scratch));
	if (left)
		dp_agent_fault_away(frame, was.address);
	/* not ours: the site is removed. The context must not stay in the slot. */
	if (left || dp_agent_fault(frame, was.address) == DP_NOT_OURS)
		dp_port_step_fault(NULL, frame);
	return deliver(frame, &was, scratch);
}

/* The context has left its hit by a one-trap slot. A fault of the copy is shown as one of the
 * original, as which the delay slot of the original's own jump faults; all others do not concern
 * the displaced instruction (a late bus error). */
static enum dp_taken out_of_slot(struct dp_frame *frame)
{
	const uint32_t *words = dp_slots_at(&dp_mips->slots, frame->epc);

	if (dp_mips_in_delay_slot(frame) && dp_mips_slot_has_jump(words) &&
	    dp_mips_decode(words[DP_MIPS_SLOT_INSN], dp_mips->release).action == DP_MIPS_MEMORY)
		return dp_mips_step_again(frame);
	frame->epc = dp_port_slot_origin(frame->epc);
	dp_agent_fault_away(frame, frame->epc);
	return DP_FIRMWARE;
}

static enum dp_taken in_slot(struct dp_frame *frame)
{
	struct dp_mips_pending *p = dp_mips_pending();
	bool trap2 = (frame->cause & DP_EXCCODE) == DP_CODE_BREAK &&
		     frame->epc - (uint32_t)(uintptr_t)dp_slots_at(&dp_mips->slots, frame->epc) ==
			     4 * DP_MIPS_SLOT_TRAP2;

	if (!p->active)
		return out_of_slot(frame);
	/* Normally the same fault comes a second time. A step that succeeds this time counts as
	 * done. */
	if (trap2 && (p->deliver || p->left)) {
		dp_port_stepped(NULL, frame);
		return DP_RESUME;
	}
	if (p->deliver) {
		dp_port_step_fault(NULL, frame);
		return DP_FIRMWARE;
	}
	return trap2 ? dp_agent_stepped(frame, p->address) : step_fault(frame, p);
}

static bool in_access(const struct dp_frame *frame)
{
	return frame->epc - (uint32_t)(uintptr_t)dp_mips_access_begin <
	       (uint32_t)(dp_mips_access_end - dp_mips_access_begin);
}

/* Is the break the break of a probe that was just removed? A break of the firmware belongs to
 * the firmware, even with the same code. */
static bool was_trapped(const struct dp_frame *frame)
{
	uint32_t word;

	if (dp_mips == NULL || (frame->cause & DP_EXCCODE) != DP_CODE_BREAK || in_access(frame) ||
	    dp_slots_contain(&dp_mips->slots, frame->epc))
		return false;
	return !dp_mips_peek(dp_port_pc(frame), &word) || !is_break(word) || word == DP_MIPS_TRAP2;
}

static enum dp_taken no_hit(struct dp_frame *frame)
{
	if (dp_mips == NULL) /* vectors of the run before, and no agent yet */
		return DP_NOT_OURS;
	if (in_access(frame)) {
		frame->epc = (uint32_t)(uintptr_t)dp_mips_access_failed;
		return DP_RESUME;
	}
	if (dp_slots_contain(&dp_mips->slots, frame->epc))
		return in_slot(frame);
	return DP_NOT_OURS;
}

/* Was our trap executed in unmapped text? In kseg0 and kseg1 the read cannot fault. */
static inline bool trapped(const struct dp_frame *frame, uint32_t pc)
{
	return (frame->cause & DP_EXCCODE) == DP_CODE_BREAK && (pc >> 30) == 2 &&
	       *(const uint32_t *)(uintptr_t)pc == DP_MIPS_TRAP;
}

/* Handle a trap in mapped text, a trap that was just removed, and all that is no hit. */
static DP_RARELY enum dp_taken other(struct dp_frame *frame)
{
	uint32_t pc = dp_port_pc(frame), word;

	if ((frame->cause & DP_EXCCODE) == DP_CODE_BREAK && dp_mips_peek(pc, &word) &&
	    word == DP_MIPS_TRAP)
		return hit(frame, pc);
	return was_trapped(frame) ? hit(frame, pc) : no_hit(frame);
}

/* The context finds the fault registers as they were. */
static DP_RARELY enum dp_taken restored(const struct dp_frame *frame)
{
	dp_fault_status_put(&frame->fault);
	return DP_RESUME;
}

/* Also from entry.S, where DP_RESUME is a number. */
enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	uint32_t pc = frame->epc + (dp_mips_in_delay_slot(frame) ? 4 : 0);
	enum dp_taken taken;

	(void)class;
	taken = trapped(frame, pc) ? hit(frame, pc) : other(frame);
	if (taken == DP_RESUME && dp_mips_fault_status_changed(frame))
		return restored(frame);
	return taken;
}
_Static_assert(DP_RESUME == DP_MIPS_RESUME, "entry.S");

/* --- vectors --- */

static uint32_t jump_to(uint32_t address)
{
	return DP_J | (address >> 2 & 0x03ffffff);
}

/* A word of the vector as it must be elsewhere. Returns false for a conditional branch. */
static bool moved(uint32_t at, uint32_t word, uint32_t *out)
{
	struct dp_mips_plan plan = dp_mips_decode(word, dp_mips->release);

	*out = word;
	if (plan.action != DP_MIPS_JUMP)
		return !dp_mips_has_delay_slot(word);
	if ((word & 0xffff0000) == DP_BEQ_ZERO) {
		*out = jump_to(at + 4 + ((uint32_t)(int32_t)(int16_t)word << 2));
		return true;
	}
	return plan.detail == DP_MIPS_J || plan.detail == DP_MIPS_JR;
}

/* kseg0 and kseg1 are two views of one memory: the view that a jump from base reaches. */
static uint32_t view_from(uint32_t base, const void *memory)
{
	return ((uint32_t)(uintptr_t)memory & ~DP_KSEG1) | (base & DP_KSEG1);
}

/* code[CHAIN..]: k0 back, the displaced words, then on in the vector. */
static bool fill_chain(struct dp_mips_vector *v)
{
	uint32_t *code = &v->code[DP_MIPS_VECTOR_CHAIN];
	uint32_t third;

	code[0] = DP_EHB;
	code[1] = DP_MFC0_K0_ERROREPC;
	if (!moved(v->base, v->displaced[0], &code[2]) ||
	    !moved(v->base + 4, v->displaced[1], &code[3]))
		return false;
	code[4] = jump_to(v->base + 8);
	code[5] = 0;
	/* A jump as the second word has its delay slot as the third. */
	if (dp_mips_has_delay_slot(code[3])) {
		if (dp_mips_has_delay_slot(code[2]) || !dp_mips_peek(v->base + 8, &third))
			return false;
		code[4] = third;
	}
	return true;
}

/* After a restart, start-up may have cleared the block before dp_init fills it again: then
 * everything is the firmware's. The first instruction of dp_mips_entry is in the jump's delay slot.
 */
static void fill_code(struct dp_mips_vector *v, const struct dp_mips_block *block)
{
	uint32_t address = (uint32_t)(uintptr_t)block, *code = v->code;

	code[0] = DP_MFC0_K0_CAUSE;
	code[1] = DP_ANDI_K0_K0 | DP_EXCCODE;
	code[2] = (block->class == DP_CLASS_REFILL ? DP_BEQ_ZERO : DP_BNEZ_K0) | (10 - 3);
	code[3] = DP_LUI_K0 | address >> 16;
	code[10] = DP_ORI_K0_K0 | (address & 0xffff);
	code[11] = DP_SW_K1_K0 | DP_BLOCK_SAVED_K1;
	code[12] = DP_LW_K1_K0 | DP_BLOCK_ENTRY;
	code[13] = DP_BEQZ_K1 | (17 - 14);
	code[14] = DP_SW_AT_K0 | DP_BLOCK_SAVED_AT;
	code[15] = DP_JR_K1;
	code[16] = DP_MFC0_AT_CAUSE;
	code[17] = DP_LW_K1_K0 | DP_BLOCK_SAVED_K1;
	code[18] = DP_BEQ_ZERO | ((DP_MIPS_VECTOR_CHAIN - 19) & 0xffff);
	code[19] = 0;
}

static void fill_block(struct dp_mips_block *block, const struct dp_mips_vector *v, unsigned class)
{
	uint32_t gp;

	__asm__ volatile("move %0, $28" : "=r"(gp));
	block->entry = (uint32_t)(uintptr_t)dp_mips_entry;
	block->chain = view_from(v->base, &v->code[DP_MIPS_VECTOR_CHAIN]);
	block->stack_bottom = (uint32_t)(uintptr_t)dp_mips->memory->stack;
	block->stack_top = (block->stack_bottom + dp_mips->memory->stack_bytes) & ~7u;
	block->slots = (uint32_t)(uintptr_t)dp_mips->slots.start;
	block->slot_bytes = dp_mips->slots.count * DP_PORT_SLOT_BYTES;
	block->gp = gp;
	block->class = class;
}

/* After a warm restart the vector may still be the port's: then its old code has the firmware's
 * words. */
static enum dp_err hook(uint32_t base, unsigned class)
{
	struct dp_mips_vector *v = &dp_mips->vector[class - 1];
	uint32_t code = view_from(base, v->code), ours = jump_to(code), first, second;

	if (!dp_mips_same_region(base, code))
		return DP_ERR_VECTOR_FAR;
	if (!dp_mips_peek(base, &first) || !dp_mips_peek(base + 4, &second))
		return DP_ERR_NOT_PATCHABLE;
	if (first != ours) {
		v->displaced[0] = first;
		v->displaced[1] = second;
	} else if (v->magic != DP_BLOCK_MAGIC || v->base != base) {
		return DP_ERR_SLOTS_CLEARED;
	}
	v->base = base;
	if (!fill_chain(v))
		return DP_ERR_BAD_VECTOR;
	fill_block(&dp_mips->block[class - 1], v, class);
	fill_code(v, &dp_mips->block[class - 1]);
	v->magic = DP_BLOCK_MAGIC;
	dp_patch_publish((uintptr_t)v, sizeof(*v));
	return dp_patch_word(base + 4, DP_MTC0_K0_ERROREPC) && dp_patch_word(base, ours)
		       ? DP_ERR_OK
		       : DP_ERR_NOT_PATCHABLE;
}

/* Exception base; 0 while the boot vectors are in force. */
static uint32_t exception_base(void)
{
	uint32_t status, ebase = 0x80000000u;

	DP_MIPS_GET(status, DP_MIPS_STATUS);
	if (status & DP_STATUS_BEV)
		return 0;
	if (dp_mips->release >= 2)
		__asm__ volatile(".set push\n\t.set mips32r2\n\tmfc0 %0, " DP_EBASE "\n\t.set pop"
				 : "=r"(ebase));
	return ebase & 0xfffff000u;
}

static uint32_t vector_offset(unsigned class)
{
	return class == DP_CLASS_GENERAL ? 0x180 : 0;
}

#if DP_WITH_CHECKS
/* Where the vector leads: the target of its jump, else itself. */
static uint32_t vector_target(uint32_t at)
{
	uint32_t word;

	return dp_mips_peek(at, &word) && (word & 0xfc000000) == DP_J
		       ? (at & 0xf0000000) | (word & 0x03ffffff) << 2
		       : at;
}

unsigned dp_port_vectors(dp_addr *leads_to)
{
	const uint32_t ebase = exception_base(), base = ebase != 0 ? ebase : DP_BOOT_VECTORS;

	for (unsigned class = 1; class <= DP_CLASSES; class ++) {
		*leads_to = vector_target(base + vector_offset(class));
		if (*leads_to != view_from(base, dp_mips->vector[class - 1].code))
			return class;
	}
	return DP_VECTORS_HOLD;
}
#endif

/* Vectors and slots in different views: the code of the vectors is written through kseg0, where the
 * cache maintenance finds each line that holds it. */
static enum dp_err hook_all(void)
{
	uint32_t base = exception_base(), start = (uint32_t)(uintptr_t)dp_mips->vector;
	enum dp_err error;

	if (base == 0)
		return DP_ERR_BAD_VECTOR;
	if ((base ^ start) & DP_KSEG1)
		dp_mips->vector = (struct dp_mips_vector *)(uintptr_t)(start & ~DP_KSEG1);
	error = hook(base + vector_offset(DP_CLASS_REFILL), DP_CLASS_REFILL);
	return error != DP_ERR_OK ? error
				  : hook(base + vector_offset(DP_CLASS_GENERAL), DP_CLASS_GENERAL);
}

/* The task's stack pointer is the only one: it leaves the private stack with the task. */
void dp_port_recover(void)
{
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_mips->memory);
}

/* Config.AR: 0 release 1, 1 release 2 to 5. */
static uint8_t release(void)
{
	uint32_t config;

	DP_MIPS_GET(config, DP_CONFIG);
	return (config >> 10 & 7) == 0 ? 1 : 2;
}

/* Slots are in kseg0 or kseg1: no TLB miss on the way. */
static bool unmapped(uintptr_t start, uintptr_t end)
{
	return (start >> 30) == 2 && ((end - 1) >> 30) == 2;
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = ((uintptr_t)memory->slots + 15) & ~(uintptr_t)15;
	uintptr_t end = (uintptr_t)memory->slots + memory->slot_bytes;
	enum dp_err error = DP_ERR_OK;

	if (!unmapped(start, end))
		return DP_ERR_NO_SLOT;
	state->board = board;
	state->memory = memory;
	if (!board->own_vectors) {
		if (memory->stack_bytes < DP_PORT_STACK_BYTES)
			return DP_ERR_NO_SLOT;
		state->vector = (struct dp_mips_vector *)start;
		start += (DP_CLASSES * sizeof(struct dp_mips_vector) + 15) & ~(size_t)15;
	}
	if (!dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	dp_mips = state;
	state->release = release();
	dp_mips_cache_init();
	dp_stack_paint(memory);
	if (!board->own_vectors)
		error = hook_all();
	if (error != DP_ERR_OK)
		dp_mips = NULL;
	return error;
}
