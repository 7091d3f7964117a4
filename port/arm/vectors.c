/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over three vectors at run time and dispatches exceptions. */
#include "arm_port.h"
#include "arm_watch.h"
#include "dp_patch.h"
#include "dp_stack.h"
#include "dp_thumb_cpu.h"

struct dp_port_state *dp_arm;

#define DP_VENEER_MAGIC 0x64705631u
#define DP_LDR_PC_MASK  0xff7ff000u
#define DP_LDR_PC       0xe51ff000u /* ldr pc, [pc, #+-imm] */
#define DP_B_MASK       0xff000000u
#define DP_B            0xea000000u

/* --- exceptions --- */

/* The context has left its hit by a one-trap slot. Show the firmware the original's pc. An abort
 * behind the copy does not concern the displaced instruction (a late bus error). */
static enum dp_taken out_of_slot(struct dp_frame *frame)
{
	bool completed = dp_arm_behind_copy(frame->r[DP_ARM_PC]);

	frame->r[DP_ARM_PC] = dp_port_slot_origin(frame->r[DP_ARM_PC]);
	if (!completed)
		dp_agent_fault_away(frame, frame->r[DP_ARM_PC]);
	return DP_FIRMWARE;
}

static inline enum dp_taken in_slot(unsigned class, struct dp_frame *frame)
{
	const struct dp_arm_pending *p = dp_arm_pending();
	bool completed = frame->r[DP_ARM_PC] == p->trap2;
	enum dp_taken taken;

	if (!p->active)
		return out_of_slot(frame);
	if (!completed)
		return dp_agent_fault(frame, p->address);
	taken = dp_agent_stepped(frame, p->address);
	/* An abort at the second trap is a late one: the copy has done its work. */
	return taken == DP_RESUME && class != DP_CLASS_UNDEFINED ? DP_FIRMWARE : taken;
}

/* Is it a trap word that was executed? The firmware's own undefined instructions (a lazy FPU) end
 * here. On one CPU a trap cannot go between its execution and this look at it. */
static inline bool trapped(const struct dp_frame *frame)
{
	const uint16_t *half = (const uint16_t *)(uintptr_t)frame->r[DP_ARM_PC];

	if (!dp_arm_thumb(frame))
		return DP_ARM_WITH_A32 && *(const uint32_t *)(const void *)half == DP_ARM_TRAP;
	if (DP_ARM_WITH_THUMB && half[0] == DP_ARM_TRAP_THUMB32 >> 16)
		return half[1] == (DP_ARM_TRAP_THUMB32 & 0xffff);
	return DP_ARM_WITH_THUMB && half[0] == DP_ARM_TRAP_THUMB;
}

/* Handle the events other than a probe's trap. Out of line, so that a hit saves no register: 5
 * instructions less (Cortex-A9). */
static __attribute__((__noinline__)) enum dp_taken no_trap(unsigned class, struct dp_frame *frame)
{
	uint32_t pc = frame->r[DP_ARM_PC];

	if (class == DP_CLASS_DATA && pc >= (uintptr_t)dp_arm_access_begin &&
	    pc < (uintptr_t)dp_arm_access_end) {
		frame->r[DP_ARM_PC] = (uintptr_t)dp_arm_access_failed;
		return DP_RESUME;
	}
#if DP_ARM_WITH_WATCH
	if (dp_arm != NULL && dp_arm_debug_event(class))
		return dp_arm_watched(class, frame);
#endif
	if (dp_arm != NULL && dp_arm_in_slots(pc))
		return in_slot(class, frame);
	return DP_NOT_OURS;
}

enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	frame->exception = class;
	return class == DP_CLASS_UNDEFINED && trapped(frame)
		       ? dp_agent_trap(frame, frame->r[DP_ARM_PC])
		       : no_trap(class, frame);
}

_Static_assert(DP_RESUME == DP_ARM_RESUME, "entry.S");

/* Called by entry.S when the frame is not to be resumed. Returns the class with the firmware's
 * handler to enter. */
unsigned dp_arm_chain(unsigned class, struct dp_frame *frame)
{
	/* The vector holds the veneer's own handler: after a warm restart with the vectors in
	 * place there is no agent yet, but undefined instructions may occur. */
	if (frame->exception != class)
		frame->chain = dp_arm->vector[frame->exception - 1].handler;
	frame->chain_lr = frame->r[DP_ARM_PC];
	/* DDI 0406C B1.8.3: link values. */
	if (frame->exception == DP_CLASS_DATA)
		frame->chain_lr += 8;
	else if (frame->exception == DP_CLASS_UNDEFINED && dp_arm_thumb(frame))
		frame->chain_lr += 2;
	else
		frame->chain_lr += 4;
	return frame->exception;
}

/* --- vectors --- */

static uint32_t *vectors_base(void)
{
	uint32_t sctlr, base = 0;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	if (sctlr & 0x2000) /* V */
		return (uint32_t *)0xffff0000u;
#if __ARM_ARCH >= 7
	__asm__ volatile("mrc p15, 0, %0, c12, c0, 0" : "=r"(base)); /* VBAR */
#endif
	return (uint32_t *)(uintptr_t)base;
}

/* SCTLR.TE sends them to Thumb: this port's entry is not. */
static bool exceptions_in_arm_state(void)
{
	uint32_t sctlr;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	return __ARM_ARCH < 7 || (sctlr & 0x40000000u) == 0;
}

/* May the agent's own code use unaligned words, as the compiler options say? Not with SCTLR.A
 * set, nor while the MMU is off: then all memory is strongly ordered.  DDI 0406C A3.2.1 */
static bool unaligned_as_compiled(void)
{
#ifdef __ARM_FEATURE_UNALIGNED
	uint32_t sctlr;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	return (sctlr & 3) == 1;
#else
	return true;
#endif
}

/* str r0, saved[0]; adr r0, saved; ldr pc, entry: offsets in struct dp_arm_vector. */
static const uint32_t veneer[3] = {0xe58f0008u, 0xe28f0004u, 0xe51ff004u};
_Static_assert(offsetof(struct dp_arm_vector, saved) == 16, "veneer, entry.S");
_Static_assert(offsetof(struct dp_arm_vector, handler) == 48, "entry.S");

static const uint8_t vector_number[DP_CLASSES] = {1, 3, 4};
enum {
	DP_VECTOR_COUNT = 8
};

static uint32_t word_at(const uint32_t *address)
{
	uint32_t word[2] __attribute__((aligned(8))) = {0, 0};

	dp_access_load((uint32_t)(uintptr_t)address, 4, word);
	return word[0];
}

/* The word from which `ldr pc, [pc, #imm]` at the address takes its target; null: another
 * instruction. */
static uint32_t *literal_of(const uint32_t *at, uint32_t word)
{
	uint32_t pc = (uint32_t)(uintptr_t)at + 8, offset = word & 0xfff;

	if ((word & DP_LDR_PC_MASK) != DP_LDR_PC)
		return NULL;
	return (uint32_t *)(uintptr_t)(word & 0x00800000 ? pc + offset : pc - offset);
}

/* Where the vector leads; 0: by another instruction, or nowhere yet. */
static uint32_t vector_target(const uint32_t *at, uint32_t word)
{
	const uint32_t *literal = literal_of(at, word);

	if (literal != NULL)
		return word_at(literal);
	return (word & DP_B_MASK) == DP_B
		       ? (uint32_t)(uintptr_t)at + 8 + (uint32_t)((int32_t)(word << 8) >> 6)
		       : 0;
}

/* Several vectors may lead through one literal (`all that is not expected`). */
static bool shared(const uint32_t *vectors, unsigned number, const uint32_t *literal)
{
	for (unsigned i = 0; i < DP_VECTOR_COUNT; i++)
		if (i != number && literal_of(&vectors[i], word_at(&vectors[i])) == literal)
			return true;
	return false;
}

static enum dp_err patched(uintptr_t address, uint32_t word)
{
	return dp_patch_word(address, word) ? DP_ERR_OK : DP_ERR_NOT_PATCHABLE;
}

/* The vector becomes a branch to the veneer, if that is near enough. */
static enum dp_err redirect(const uint32_t *at, const void *to)
{
	int32_t offset = (int32_t)((uintptr_t)to - (uintptr_t)at - 8);

	if (offset >= 0x02000000 || offset < -0x02000000)
		return DP_ERR_VECTOR_FAR;
	return patched((uintptr_t)at, DP_B | ((uint32_t)offset >> 2 & 0x00ffffff));
}

/* Find the firmware's handler, write the veneer, and point the vector at the veneer. After a
 * warm restart the vector may still point there: then the old veneer has the handler. */
static enum dp_err hook(const uint32_t *vectors, unsigned class, void (*entry)(void))
{
	struct dp_arm_vector *v = &dp_arm->vector[class - 1];
	const uint32_t *at = &vectors[vector_number[class - 1]];
	uint32_t word = word_at(at), *literal = literal_of(at, word);
	uint32_t handler = vector_target(at, word);

	if (literal == NULL && (word & DP_B_MASK) != DP_B)
		return DP_ERR_BAD_VECTOR;
	if (handler != (uintptr_t)v->code)
		v->handler = handler;
	else if (v->magic != DP_VENEER_MAGIC)
		return DP_ERR_SLOTS_CLEARED;
	for (unsigned i = 0; i < 3; i++)
		v->code[i] = veneer[i];
	v->entry = (uint32_t)(uintptr_t)entry;
	v->stack_bottom = (uint32_t)(uintptr_t)dp_arm->memory->stack;
	v->stack_frame = ((v->stack_bottom + dp_arm->memory->stack_bytes) & ~7u) - DP_FRAME_BYTES;
	v->slots = (uint32_t)(uintptr_t)dp_arm->slots.start;
	v->slot_bytes = dp_arm->slots.count * DP_PORT_SLOT_BYTES;
	v->magic = DP_VENEER_MAGIC;
	dp_patch_publish((uintptr_t)v, sizeof(*v));
	if (handler == (uintptr_t)v->code)
		return DP_ERR_OK;
	if (literal != NULL && !shared(vectors, vector_number[class - 1], literal))
		return patched((uintptr_t)literal, (uint32_t)(uintptr_t)v->code);
	return redirect(at, v->code);
}

static enum dp_err hook_all(void)
{
	const uint32_t *vectors = vectors_base();
	enum dp_err error;

	if (!exceptions_in_arm_state())
		return DP_ERR_BAD_VECTOR;
	error = hook(vectors, DP_CLASS_DATA, dp_arm_entry_data);
	if (error == DP_ERR_OK)
		error = hook(vectors, DP_CLASS_PREFETCH, dp_arm_entry_prefetch);
	return error == DP_ERR_OK ? hook(vectors, DP_CLASS_UNDEFINED, dp_arm_entry_undefined)
				  : error;
}

#if DP_WITH_CHECKS
unsigned dp_port_vectors(dp_addr *leads_to)
{
	const uint32_t *vectors = vectors_base();

	for (unsigned class = 1; class <= DP_CLASSES; class ++) {
		const uint32_t *at = &vectors[vector_number[class - 1]];

		*leads_to = vector_target(at, word_at(at));
		if (*leads_to != (uintptr_t)dp_arm->vector[class - 1].code)
			return class;
	}
	return DP_VECTORS_HOLD;
}
#endif

void dp_port_recover(void)
{
	const struct dp_arm_vector *v = dp_arm != NULL ? dp_arm->vector : NULL;

	if (v != NULL)
		dp_arm_leave_stack(v->stack_bottom, v->stack_frame);
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_arm->memory);
}

/* Switch off the comparators of an earlier run, whose veneer is still there. */
static void forget_comparators(void)
{
#if DP_ARM_WITH_WATCH
	struct dp_arm_vector *v = dp_arm->vector;

	if (v == NULL)
		return;
	v += DP_CLASS_DATA - 1;
	if (v->magic == DP_VENEER_MAGIC && v->armed != 0)
		dp_arm_watch_attach(v->armed);
	v->armed = 0;
#endif
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = ((uintptr_t)memory->slots + 7) & ~(uintptr_t)7;
	uintptr_t end = (uintptr_t)memory->slots + memory->slot_bytes;
	enum dp_err error = DP_ERR_OK;

	if (!unaligned_as_compiled())
		return DP_ERR_BAD_TARGET;
	state->board = board;
	state->memory = memory;
	if (!board->own_vectors) {
		if (memory->stack_bytes < DP_PORT_STACK_BYTES)
			return DP_ERR_NO_SLOT;
		state->vector = (struct dp_arm_vector *)start;
		start += DP_CLASSES * sizeof(struct dp_arm_vector);
	}
	if (!dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	dp_arm = state;
	if (DP_ARM_STORES)
		state->store_pc = dp_arm_store_pc();
	if (DP_WITH_STREAM)
		dp_arm_time_init();
	dp_stack_paint(memory);
	forget_comparators();
	if (!board->own_vectors)
		error = hook_all();
	if (error != DP_ERR_OK)
		dp_arm = NULL;
	return error;
}
