/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over the fault vectors in a copy of the table, and dispatches exceptions. */
#include "cortexm_port.h"
#include "dp_patch.h"
#include "dp_stack.h"

struct dp_port_state *dp_cortexm;

#define DP_VECTORS_MAGIC 0x64704d31u
#define DP_NOT_PASSING   1u
#define DP_CCR_STKALIGN  0x00000200u
#define DP_FPCCR_LSPACT  0x00000001u
enum {
	DP_FRAME_WORDS = 8,     /* of the CPU */
	DP_FP_WORDS = 18,       /* s0 to s15, fpscr, reserved */
	DP_FIRST_INTERRUPT = 16 /* exceptions before it are the CPU's */
};

/* --- exceptions --- */

#if DP_CORTEXM_HAS_FAULTS
enum {
	DP_HELD_UNDEF = 1,
	DP_HELD_HARD = 2
};

/* The fault status is that of a slot's fault: traps in callbacks keep it. */
static void hold_status(void)
{
	dp_cortexm->held = (DP_SCS(CFSR) & DP_CFSR_UNDEF ? DP_HELD_UNDEF : 0) |
			   (DP_SCS(HFSR) & DP_HFSR_FORCED ? DP_HELD_HARD : 0);
}
#else
static void hold_status(void)
{
}
#endif

/* Forget what the agent's own trap has left in the fault status. */
static void own_trap(unsigned class)
{
#if DP_CORTEXM_HAS_FAULTS
	if (!(dp_cortexm->held & DP_HELD_UNDEF))
		DP_SCS(CFSR) = DP_CFSR_UNDEF;
	if (class == DP_CLASS_HARD && !(dp_cortexm->held & DP_HELD_HARD))
		DP_SCS(HFSR) = DP_HFSR_FORCED;
#else
	(void)class;
#endif
}

#if DP_CORTEXM_HAS_FAULTS
/* The priority with which a fault, or the handler of an exception, runs. Lower is more urgent.
 * Group bits count.  DDI 0403E B1.5.4, B3.4 */
static unsigned priority_of(unsigned exception)
{
	uintptr_t at = exception < DP_FIRST_INTERRUPT ? DP_SCS_SHPR1 - 4u + exception
						      : 0xe000e400u + exception - 16u;
	unsigned below = 2u << (DP_SCS(AIRCR) >> 8 & 7);

	return *(const volatile uint8_t *)at & ~(below - 1);
}

/* Where would the fault be taken without the interrupt mask of the step? A fault that is not
 * enabled, or no more urgent than the context, is a HardFault.  DDI 0403E B1.5.2, B1.5.3 */
static unsigned in_place(const struct dp_frame *frame)
{
	static const uint8_t enabled[] = {16, 17,
					  18}; /* SHCSR: MEMFAULTENA, BUSFAULTENA, USGFAULTENA */
	uint32_t cfsr = DP_SCS(CFSR), basepri;
	unsigned class = cfsr & 0xff     ? DP_CLASS_MEMORY
			 : cfsr & 0xff00 ? DP_CLASS_BUS
					 : DP_CLASS_USAGE;
	unsigned level = frame->xpsr & DP_XPSR_EXCEPTION, urgency = priority_of(class);

	__asm__ volatile("mrs %0, basepri" : "=r"(basepri));
	if (!(DP_SCS(SHCSR) >> enabled[class - DP_CLASS_MEMORY] & 1) || frame->primask ||
	    (basepri != 0 && urgency >= basepri) || (level != 0 && level < DP_CLASS_MEMORY) ||
	    (level != 0 && urgency >= priority_of(level)))
		return DP_CLASS_HARD;
	DP_SCS(HFSR) = DP_HFSR_FORCED;
	return class;
}
#else
static unsigned in_place(const struct dp_frame *frame)
{
	(void)frame;
	return DP_CLASS_HARD;
}
#endif

/* The context has left its hit by a one-trap slot. Show the firmware the original's pc. A fault
 * behind the copy does not concern the displaced instruction (a late bus error). */
static enum dp_taken out_of_slot(struct dp_frame *frame)
{
	bool completed = dp_cortexm_behind_copy(frame->r[DP_ARM_PC]);

	frame->r[DP_ARM_PC] = dp_port_slot_origin(frame->r[DP_ARM_PC]);
	if (!completed) {
		hold_status();
		dp_agent_fault_away(frame, frame->r[DP_ARM_PC]);
		dp_cortexm->held = 0;
	}
	return DP_FIRMWARE;
}

static enum dp_taken in_slot(unsigned class, struct dp_frame *frame)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	enum dp_taken taken;

	if (p->trial) { /* slot memory does not execute */
		p->trial = 0;
		frame->r[DP_ARM_PC] = frame->r[DP_ARM_LR] & ~1u;
		return DP_RESUME;
	}
	if (!p->active)
		return out_of_slot(frame);
	if (frame->r[DP_ARM_PC] == p->trap2) {
		own_trap(class);
		return dp_agent_stepped(frame, p->address);
	}
	hold_status();
	taken = dp_agent_fault(frame, p->address);
	dp_cortexm->held = 0;
	if (class == DP_CLASS_HARD)
		frame->exception = in_place(frame);
	return taken;
}

/* Is it a trap word that was executed? The firmware's own undefined instructions end here. On one
 * CPU a trap cannot go between its execution and this look at it. With a fault status the CPU has
 * fetched the word; ARMv6-M tells nothing. */
static inline bool trapped(const struct dp_frame *frame)
{
	const uint16_t *half = (const uint16_t *)(uintptr_t)frame->r[DP_ARM_PC];

#if DP_CORTEXM_HAS_FAULTS
	return half[0] == DP_ARM_TRAP_THUMB ||
	       (half[0] == DP_ARM_TRAP_THUMB32 >> 16 && half[1] == (DP_ARM_TRAP_THUMB32 & 0xffff));
#else
	uint32_t word = 0;

	return dp_access_load((uint32_t)(uintptr_t)half, 2, &word) && word == DP_ARM_TRAP_THUMB;
#endif
}

enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	uint32_t pc = frame->r[DP_ARM_PC];
	enum dp_taken taken;

	frame->exception = class;
	if (dp_cortexm_in_slots(pc))
		return in_slot(class, frame);
	if (!trapped(frame))
		return DP_NOT_OURS;
	taken = dp_agent_trap(frame, pc);
	/* The firmware sees the status of a stray trap. */
	if (taken != DP_NOT_OURS)
		own_trap(class);
	return taken;
}

#if DP_CORTEXM_HAS_FAULTS
/* The FP words move with the frame of the CPU, which may still owe them (lazy state). DDI 0403E
 * B1.5.7 */
static void move_fp(uint32_t to, uint32_t from)
{
	volatile uint32_t *t = (volatile uint32_t *)(uintptr_t)to;
	const volatile uint32_t *f = (const volatile uint32_t *)(uintptr_t)from;

	if (DP_SCS(FPCCR) & DP_FPCCR_LSPACT)
		DP_SCS(FPCAR) += to - from;
	for (unsigned i = 0; i < DP_FP_WORDS; i++) {
		unsigned n = to < from ? i : DP_FP_WORDS - 1u - i;

		t[n] = f[n];
	}
}
#endif

/* Let the CPU find the context: the words that it loads at the end of the exception. An emulated
 * instruction that changes sp moves them. */
static void place_frame(struct dp_frame *frame)
{
	const uint32_t *was = (const uint32_t *)(uintptr_t)frame->hardware;
	uint32_t bytes = frame->exc_return & 0x10 ? 32 : 104;
	uint32_t padded = was[7] & DP_XPSR_PADDED;
	uint32_t at = frame->hardware;
	uint32_t *word;

	if (frame->r[DP_ARM_SP] != ((at + bytes) | (padded ? 4 : 0))) {
		at = frame->r[DP_ARM_SP] - bytes;
		padded = 0;
		if (DP_SCS(CCR) & DP_CCR_STKALIGN) {
			padded = at & 4 ? DP_XPSR_PADDED : 0;
			at &= ~7u;
		}
#if DP_CORTEXM_HAS_FAULTS
		if (bytes > 4 * DP_FRAME_WORDS)
			move_fp(at + 32, frame->hardware + 32);
#endif
		frame->hardware = at;
	}
	word = (uint32_t *)(uintptr_t)at;
	for (unsigned i = 0; i < 4; i++)
		word[i] = frame->r[i];
	word[4] = frame->r[12];
	word[5] = frame->r[DP_ARM_LR];
	word[6] = frame->r[DP_ARM_PC];
	word[7] = (frame->xpsr & ~(uint32_t)DP_XPSR_PADDED) | padded;
}

unsigned dp_cortexm_run(unsigned class, struct dp_frame *frame)
{
	unsigned answer = 0;

	if (dp_port_exception(class, frame) != DP_RESUME)
		answer = frame->exception;
	if (answer > DP_CLASS_HARD)
		dp_cortexm->passing = frame->r[DP_ARM_PC];
	place_frame(frame);
#if DP_CORTEXM_HAS_FAULTS
	if (DP_SCS(CFSR) & DP_CFSR_UNDEF)
		answer |= DP_RUN_KEEP_UNDEF;
	if (DP_SCS(HFSR) & DP_HFSR_FORCED)
		answer |= DP_RUN_KEEP_HARD;
#endif
	return answer;
}

/* --- vectors --- */

/* May the agent's code run: privileged, and with faults that can be taken? */
static bool may_run(void)
{
	uint32_t control, masked = 0;

	__asm__ volatile("mrs %0, control" : "=r"(control));
#if DP_CORTEXM_HAS_FAULTS
	__asm__ volatile("mrs %0, faultmask" : "=r"(masked));
#endif
	return ((control | masked) & 1) == 0;
}

/* The interrupts that the CPU has, in steps of 32.  DDI 0403E B3.4.3; ARMv6-M has 32. */
static unsigned vectors_of_cpu(void)
{
#if DP_CORTEXM_HAS_FAULTS
	return DP_FIRST_INTERRUPT + 32u * ((DP_SCS(ICTR) & 15) + 1);
#else
	return DP_FIRST_INTERRUPT + 32;
#endif
}

/* Copy the firmware's table, with the agent's entries for the four faults. After a warm restart
 * the table may be the copy of the earlier run: then the words in front of it have the firmware's
 * handlers. Returns false when the table in use cannot be changed. */
static bool hook(uint32_t *copy)
{
	const uint32_t *table = (const uint32_t *)(uintptr_t)DP_SCS(VTOR);
	const uint32_t entry = (uint32_t)(uintptr_t)dp_cortexm_entry;
	uint32_t *head = copy - DP_VECTORS_HEAD / 4;

	for (unsigned i = 0; i < 4; i++) {
		uint32_t handler = ((const volatile uint32_t *)table)[DP_CLASS_HARD + i];

		if (handler == entry && table == copy && head[0] == DP_VECTORS_MAGIC)
			handler = head[1 + i];
		else if (handler == entry)
			return false;
		dp_cortexm->handlers[i] = handler;
	}
	for (unsigned i = 0; i < DP_CORTEXM_VECTORS; i++)
		copy[i] = ((const volatile uint32_t *)table)[i];
	for (unsigned i = 0; i < 4; i++) {
		head[1 + i] = dp_cortexm->handlers[i];
		copy[DP_CLASS_HARD + i] = entry;
	}
	head[0] = DP_VECTORS_MAGIC;
	dp_patch_publish((uintptr_t)head, DP_VECTORS_HEAD + 4 * DP_CORTEXM_VECTORS);
	DP_SCS(VTOR) = (uint32_t)(uintptr_t)copy;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	return DP_SCS(VTOR) == (uint32_t)(uintptr_t)copy;
}

/* Does slot memory execute? `bx lr` in a slot comes back by itself, or by its fault. With
 * own_vectors the firmware may not have passed the fault on: not tried. */
static bool slots_execute(void)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	struct dp_fault_status status;
	uint32_t *slot = dp_slots_words(&dp_cortexm->slots, 0);

#if DP_CORTEXM_HAS_FAULTS
	status.cfsr = DP_SCS(CFSR);
	status.hfsr = DP_SCS(HFSR);
	status.mmfar = DP_SCS(MMFAR);
	status.bfar = DP_SCS(BFAR);
#else
	status.cfsr = 0;
#endif
	slot[0] = 0x47704770u;
	dp_patch_publish((uintptr_t)slot, 4);
	p->trial = 1;
	((void (*)(void))((uintptr_t)slot | 1))();
	if (p->trial) {
		p->trial = 0;
		return true;
	}
	dp_fault_status_put(&status);
	return false;
}

/* The stack pointers that a hit has left on the private stack. r4 to r11 and the code that runs now
 * are on the other one. */
void dp_port_recover(void)
{
	uint32_t bottom = dp_cortexm != NULL ? dp_cortexm->stack_bottom : 0, control, sp;
	const struct dp_frame *frame;

	if (bottom == 0)
		return;
	frame = (const struct dp_frame *)(uintptr_t)dp_cortexm->stack_frame;
	__asm__ volatile("mrs %0, control" : "=r"(control));
	if (control & 2) {
		__asm__ volatile("mrs %0, msp" : "=r"(sp));
		if (sp - bottom < dp_cortexm->stack_frame - bottom && !(frame->exc_return & 4))
			__asm__ volatile("msr msp, %0" ::"r"(frame->r[DP_ARM_SP]) : "memory");
	} else {
		__asm__ volatile("mrs %0, psp" : "=r"(sp));
		if (sp - bottom < dp_cortexm->stack_frame - bottom && (frame->exc_return & 4))
			__asm__ volatile("msr psp, %0" ::"r"(frame->r[DP_ARM_SP]) : "memory");
	}
}

size_t dp_port_stack_used(void)
{
	return dp_stack_used(dp_cortexm->memory);
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = (uintptr_t)memory->slots;
	uintptr_t end = start + memory->slot_bytes;
	const uint32_t vtor = DP_SCS(VTOR);

	if (!may_run())
		return DP_ERR_BAD_TARGET;
	if (memory->stack_bytes < DP_PORT_STACK_BYTES)
		return DP_ERR_NO_SLOT;
	state->board = board;
	state->memory = memory;
	state->passing = DP_NOT_PASSING;
	state->stack_bottom = (uint32_t)(uintptr_t)memory->stack;
	state->stack_frame =
		((state->stack_bottom + (uint32_t)memory->stack_bytes) & ~7u) - DP_FRAME_BYTES;
	if (!board->own_vectors) {
		const uintptr_t aligned = DP_CORTEXM_TABLE_BYTES - 1;

		start = (start + DP_VECTORS_HEAD + aligned) & ~aligned;
		state->vectors = (uint32_t *)start;
		start += DP_CORTEXM_TABLE_BYTES;
		if (vectors_of_cpu() > DP_CORTEXM_VECTORS || start > end)
			return DP_ERR_NO_SLOT;
	}
	if (!dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	dp_cortexm = state;
	if (DP_WITH_STREAM)
		dp_cortexm_time_init();
	dp_stack_paint(memory);
	if (!board->own_vectors && !hook(state->vectors)) {
		dp_cortexm = NULL;
		return DP_ERR_NOT_PATCHABLE;
	}
	if (!board->own_vectors && !slots_execute()) {
		DP_SCS(VTOR) = vtor;
		dp_cortexm = NULL;
		return DP_ERR_NO_SLOT;
	}
	return DP_ERR_OK;
}
