/* SPDX-License-Identifier: BSD-2-Clause */
/* This file takes over the fault vectors in a copy of the table, and dispatches exceptions. */
#include "cortexm_data.h"
#include "dp_access_cpu.h"
#include "dp_patch.h"
#include "dp_stack.h"

struct dp_port_state *dp_cortexm;

#define DP_VECTORS_MAGIC 0x64704d31u
#define DP_NOT_PASSING   1u
#define DP_CCR_UNALIGNED 0x00000008u /* they trap */
#define DP_CCR_STKALIGN  0x00000200u
#define DP_AIRCR_FAULTS  0x00002000u /* BFHFNMINS: HardFault is non-secure */
#define DP_FPCCR_LSPACT  0x00000001u
enum {
	DP_FRAME_WORDS = 8,      /* of the CPU */
	DP_FP_WORDS = 18,        /* s0 to s15, fpscr, reserved */
	DP_FIRST_INTERRUPT = 16, /* exceptions before it are the CPU's */
	/* DP_CORTEXM_VECTORS, with the interrupts in steps of 32 */
	DP_VECTORS_TOLD =
		(DP_CORTEXM_VECTORS - DP_FIRST_INTERRUPT + 31) / 32 * 32 + DP_FIRST_INTERRUPT
};

/* Out of line: the three together, 2 instructions a hit less (M3). */
#define DP_RARELY __attribute__((__noinline__))

/* --- exceptions --- */

#if DP_CORTEXM_HAS_FAULTS
/* The bits of the fault status that a trap leaves: of CFSR, and of HFSR. */
static inline uint32_t own_status(void)
{
	return (DP_SCS(CFSR) & DP_CFSR_UNDEF) | (DP_SCS(HFSR) & DP_HFSR_FORCED);
}

/* The fault status is that of a slot's fault: traps in callbacks keep it. */
static void hold_status(void)
{
	dp_cortexm->held = own_status();
}
#else
static void hold_status(void)
{
}
#endif

/* Forget what the agent's own trap has left in the fault status. */
static inline void own_trap(unsigned class)
{
#if DP_CORTEXM_HAS_FAULTS
	DP_SCS(CFSR) = DP_CFSR_UNDEF & ~dp_cortexm->held;
	if (class == DP_CLASS_HARD)
		DP_SCS(HFSR) = DP_HFSR_FORCED & ~dp_cortexm->held;
#else
	(void)class;
#endif
}

#if DP_CORTEXM_HAS_FAULTS
/* The bits of a priority that count: those of its group.  DDI 0403E B1.5.4 */
static unsigned in_group(unsigned priority)
{
	unsigned below = 2u << (DP_SCS(AIRCR) >> 8 & 7);

	return priority & ~(below - 1);
}

/* The priority with which a fault, or the handler of an exception, runs. Lower is more urgent.
 * DDI 0403E B3.4 */
static unsigned priority_of(unsigned exception)
{
	uintptr_t at = exception < DP_FIRST_INTERRUPT ? DP_SCS_SHPR1 - 4u + exception
						      : 0xe000e400u + exception - 16u;

	return in_group(*(const volatile uint8_t *)at);
}

/* The fault that a bit of CFSR belongs to. */
static unsigned fault_of(uint32_t cfsr)
{
	if (cfsr & 0xff)
		return DP_CLASS_MEMORY;
	return cfsr & 0xff00 ? DP_CLASS_BUS : DP_CLASS_USAGE;
}

/* Where would the fault be taken without the interrupt mask of the step? A fault that is not
 * enabled, or no more urgent than the context, is a HardFault.  DDI 0403E B1.5.2, B1.5.3 */
static unsigned in_place(const struct dp_frame *frame)
{
	static const uint8_t enabled[] = {16, 17,
					  18}; /* SHCSR: MEMFAULTENA, BUSFAULTENA, USGFAULTENA */
	uint32_t cfsr = DP_SCS(CFSR), added = cfsr & ~dp_cortexm_pending()->cfsr, basepri;
	unsigned class = fault_of(added ? added : cfsr);
	unsigned level = frame->xpsr & DP_XPSR_EXCEPTION, urgency = priority_of(class);

	__asm__ volatile("mrs %0, basepri" : "=r"(basepri));
	if (!(DP_SCS(SHCSR) >> enabled[class - DP_CLASS_MEMORY] & 1) || frame->primask ||
	    (basepri != 0 && urgency >= in_group(basepri)) ||
	    (level != 0 && level < DP_CLASS_MEMORY) ||
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

/* Is the exception that of an undefined instruction, as far as the CPU tells? Where the second trap
 * stands a bus error may arrive late. */
static inline bool is_undefined(void)
{
#if DP_CORTEXM_HAS_FAULTS
	return DP_SCS(CFSR) & DP_CFSR_UNDEF;
#else
	return true;
#endif
}

/* An access to what the MPU watches. Its fault status is the agent's, and not yet held. */
static enum dp_taken watched(unsigned class, struct dp_frame *frame,
			     const struct dp_watched *access)
{
#if DP_CORTEXM_WITH_MPU
	DP_SCS(CFSR) = DP_CFSR_DACCVIOL | DP_CFSR_MMARVALID;
	if (class == DP_CLASS_HARD)
		DP_SCS(HFSR) = DP_HFSR_FORCED;
	return dp_agent_watch(frame, access);
#else
	(void)class, (void)frame, (void)access;
	return DP_NOT_OURS;
#endif
}

static DP_RARELY enum dp_taken in_slot(unsigned class, struct dp_frame *frame)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	struct dp_watched access;
	enum dp_taken taken;

	if (p->trial) { /* slot memory does not execute */
		p->trial = 0;
		frame->r[DP_ARM_PC] = frame->r[DP_ARM_LR] & ~1u;
		return DP_RESUME;
	}
	if (p->active == DP_CORTEXM_NO_STEP)
		return dp_cortexm_is_watched(frame, &access) ? watched(class, frame, &access)
							     : out_of_slot(frame);
	if (frame->r[DP_ARM_PC] == p->trap2) {
		if (!is_undefined()) {
			dp_agent_stepped(frame, p->address);
			return DP_FIRMWARE;
		}
		own_trap(class);
		dp_cortexm_tell_access(frame);
		return dp_agent_stepped(frame, p->address);
	}
	if (dp_cortexm_is_watched(frame, &access))
		return watched(class, frame, &access);
	hold_status();
	taken = dp_agent_fault(frame, p->address);
	dp_cortexm->held = 0;
	if (class == DP_CLASS_HARD)
		frame->exception = in_place(frame);
	return taken;
}

/* The step whose fault the CPU could not store ends here: the firmware has got the fault. Which
 * registers it had is not known. */
static DP_RARELY void end_lost_step(const struct dp_frame *frame)
{
	struct dp_frame unknown;

	for (unsigned i = 0; i < sizeof(unknown) / 4; i++)
		((uint32_t *)&unknown)[i] = ((const uint32_t *)frame)[i];
	dp_cortexm_pending()->active = DP_CORTEXM_NO_STEP;
	dp_agent_fault(&unknown, dp_cortexm_pending()->address);
}

/* Does the fault status tell an undefined instruction and nothing else? Then the CPU has fetched
 * the word at pc: a fault of another kind has a bit of its own, and the bit of this kind may be
 * old. A load of the word does not fault: the MPU lets privileged code load what may execute (DDI
 * 0403E B3.5; DDI 0553B, MPU_RBAR.AP). Flash that a vendor protects so is not told apart: what is
 * undefined there is the agent's fault. */
static inline bool is_fetched(void)
{
#if DP_CORTEXM_HAS_FAULTS
	return DP_SCS(CFSR) == DP_CFSR_UNDEF;
#else
	return false;
#endif
}

static inline bool is_trap(const uint16_t *half)
{
	return half[0] == DP_ARM_TRAP_THUMB ||
	       (DP_CORTEXM_HAS_FAULTS && half[0] == DP_ARM_TRAP_THUMB32 >> 16 &&
		half[1] == (DP_ARM_TRAP_THUMB32 & 0xffff));
}

/* The same where nothing tells that there is memory. What never executes may be a device.
 * DDI 0403E B3.1 */
static DP_RARELY bool is_readable_trap(uint32_t pc)
{
	uint32_t first = 0, second = 0;
	struct dp_fault_status status;

	if (pc - 0x40000000u < 0x20000000u || pc >= 0xe0000000u)
		return false;
	dp_fault_status_get(&status);
	if (dp_access_load(pc, 2, &first)) {
		if (first == DP_ARM_TRAP_THUMB)
			return true;
		if (!DP_CORTEXM_HAS_FAULTS || first != DP_ARM_TRAP_THUMB32 >> 16)
			return false;
		if (dp_access_load(pc + 2, 2, &second))
			return second == (DP_ARM_TRAP_THUMB32 & 0xffff);
	}
	dp_fault_status_put(&status);
	return false;
}

/* Is it a trap word that was executed? The firmware's own undefined instructions end here. On one
 * CPU a trap cannot go between its execution and this look at it. */
static inline bool trap_in_memory(const struct dp_frame *frame)
{
	uint32_t pc = frame->r[DP_ARM_PC];

	return is_fetched() ? is_trap((const uint16_t *)(uintptr_t)pc) : is_readable_trap(pc);
}

/* A load of data does not see a trap that a comparator lays over memory. */
static inline bool trapped(const struct dp_frame *frame)
{
#if DP_CORTEXM_WITH_FPB
	return trap_in_memory(frame) || dp_fpb_traps(&dp_cortexm->fpb, frame->r[DP_ARM_PC]);
#else
	return trap_in_memory(frame);
#endif
}

enum dp_taken dp_port_exception(unsigned class, struct dp_frame *frame)
{
	uint32_t pc = frame->r[DP_ARM_PC];
	struct dp_watched access;
	enum dp_taken taken;

	frame->exception = class;
#if DP_CORTEXM_WITH_DWT
	if (class > DP_CLASS_USAGE)
		return dp_cortexm_monitored(frame);
#endif
	if (dp_cortexm_pending()->active == DP_CORTEXM_STEP_LOST)
		end_lost_step(frame);
	if (dp_cortexm_in_slots(pc))
		return in_slot(class, frame);
	if (dp_cortexm_is_watched(frame, &access))
		return watched(class, frame, &access);
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

/* Can both ends of a frame be stored? */
static bool holds_frame(uint32_t at, uint32_t bytes)
{
	uint32_t word = 0;

	return dp_access_load(at, 4, &word) && dp_access_store(at, 4, &word) &&
	       dp_access_load(at + bytes - 4, 4, &word) &&
	       dp_access_store(at + bytes - 4, 4, &word);
}

/* An emulated instruction has changed sp: find the place of the CPU's frame, and move FP words
 * there. Returns false when the new stack holds no frame. */
static bool move_frame(struct dp_frame *frame, uint32_t bytes, uint32_t *padded)
{
	/* The CPU keeps no lower bits in sp.  DDI 0403E B1.4.1 */
	uint32_t at = (frame->r[DP_ARM_SP] & ~3u) - bytes, padding = 0;

	if (DP_SCS(CCR) & DP_CCR_STKALIGN) {
		padding = at & 4 ? DP_XPSR_PADDED : 0;
		at &= ~7u;
	}
	if (!holds_frame(at, bytes))
		return false;
#if DP_CORTEXM_HAS_FAULTS
	if (bytes > 4 * DP_FRAME_WORDS)
		move_fp(at + 32, frame->hardware + 32);
#endif
	frame->hardware = at;
	*padded = padding;
	return true;
}

/* r0 to r3, which lie in one order in both frames. */
struct four_words {
	uint32_t word[4];
};

/* Let the CPU find the context: the words that it loads at the end of the exception.
 * Returns false when sp is no stack: the context has the one that it had. */
static bool place_frame(struct dp_frame *frame)
{
	const uint32_t *was = (const uint32_t *)(uintptr_t)frame->hardware;
	uint32_t bytes = frame->exc_return & 0x10 ? 32 : 104;
	uint32_t padded = was[7] & DP_XPSR_PADDED;
	uint32_t *word;
	bool placed = true;

	if (frame->r[DP_ARM_SP] != ((frame->hardware + bytes) | (padded ? 4 : 0)))
		placed = move_frame(frame, bytes, &padded);
	word = (uint32_t *)(uintptr_t)frame->hardware;
	*(struct four_words *)word = *(const struct four_words *)frame->r;
	word[4] = frame->r[12];
	word[5] = frame->r[DP_ARM_LR];
	word[6] = frame->r[DP_ARM_PC];
	word[7] = (frame->xpsr & ~(uint32_t)DP_XPSR_PADDED) | padded;
	return placed;
}

unsigned dp_cortexm_run(unsigned class, struct dp_frame *frame)
{
	unsigned answer = 0;

#if DP_CORTEXM_HAS_FAULTS
	/* What the bus reports late of the firmware's stores is not the agent's. */
	__asm__ volatile("dsb" ::: "memory");
	if (dp_cortexm->unstacked != 0)
		dp_cortexm->unstacked &= DP_SCS(CFSR);
#endif
	if (dp_port_exception(class, frame) != DP_RESUME)
		answer = frame->exception;
	if (answer == DP_CLASS_USAGE || (answer == DP_CLASS_MEMORY && dp_cortexm_looks_watched()))
		dp_cortexm->passing = frame->r[DP_ARM_PC];
	if (!place_frame(frame)) { /* the firmware's next push would fault */
		answer = DP_CLASS_HARD;
		if (dp_cortexm->vectors != NULL)
			frame->handler = dp_cortexm->handlers[0];
	}
#if DP_CORTEXM_HAS_FAULTS
	answer |= own_status();
#endif
	return answer;
}

/* --- vectors --- */

/* Does HardFault, by which each hit ends, come to this security state? The address of code in
 * secure memory tells that the CPU is secure.  DDI 0553B AIRCR, TT */
static bool takes_hard_faults(void)
{
#if DP_CORTEXM_HAS_LIMITS
	uint32_t attributes;

	if (DP_SCS(AIRCR) & DP_AIRCR_FAULTS)
		return true;
	__asm__ volatile("tt %0, %1" : "=r"(attributes) : "r"(&takes_hard_faults));
	return attributes >> 22 & 1;
#else
	return true;
#endif
}

/* May the agent's code run: privileged, with faults that can be taken, and with unaligned accesses
 * if the compiler makes any? */
static bool may_run(void)
{
	uint32_t control, masked = 0;

	__asm__ volatile("mrs %0, control" : "=r"(control));
#if DP_CORTEXM_HAS_FAULTS
	__asm__ volatile("mrs %0, faultmask" : "=r"(masked));
#endif
#ifdef __ARM_FEATURE_UNALIGNED
	if (DP_SCS(CCR) & DP_CCR_UNALIGNED)
		return false;
#endif
	return ((control | masked) & 1) == 0 && takes_hard_faults();
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

/* The exceptions of the agent, and where the firmware's handlers of them are kept. */
enum {
	DP_HOOKED = 4 + DP_CORTEXM_WITH_DWT
};

static unsigned hooked_exception(unsigned i)
{
	return i < 4 ? DP_CLASS_HARD + i : DP_CLASS_MONITOR;
}

static uint32_t entry_of(unsigned i)
{
#if DP_CORTEXM_WITH_DWT
	if (i == 4)
		return (uint32_t)(uintptr_t)dp_cortexm_monitor;
#endif
	(void)i;
	return (uint32_t)(uintptr_t)dp_cortexm_entry;
}

static void keep_handler(unsigned i, uint32_t handler)
{
#if DP_CORTEXM_WITH_DWT
	if (i == 4) {
		dp_cortexm->monitor = handler;
		return;
	}
#endif
	dp_cortexm->handlers[i] = handler;
}

/* Copy the firmware's table, with the agent's entries for the four faults, and for DebugMonitor.
 * After a warm restart the table may be the copy of the earlier run: then the words in front of it
 * have the firmware's handlers. Returns false when the table in use cannot be changed. */
static bool hook(uint32_t *copy)
{
	const volatile uint32_t *table = (const volatile uint32_t *)(uintptr_t)DP_SCS(VTOR);
	uint32_t *head = copy - DP_VECTORS_HEAD / 4;
	uint32_t handler[DP_HOOKED];

	for (unsigned i = 0; i < DP_HOOKED; i++) {
		handler[i] = table[hooked_exception(i)];
		if (handler[i] != entry_of(i))
			continue;
		if (table != copy || head[0] != DP_VECTORS_MAGIC)
			return false;
		handler[i] = head[1 + i];
	}
	for (unsigned i = 0; i < DP_CORTEXM_VECTORS; i++)
		copy[i] = table[i];
	for (unsigned i = 0; i < DP_HOOKED; i++) {
		keep_handler(i, handler[i]);
		head[1 + i] = handler[i];
		copy[hooked_exception(i)] = entry_of(i);
	}
	head[0] = DP_VECTORS_MAGIC;
	dp_patch_publish((uintptr_t)head, DP_VECTORS_HEAD + 4 * DP_CORTEXM_VECTORS);
	DP_SCS(VTOR) = (uint32_t)(uintptr_t)copy;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	return DP_SCS(VTOR) == (uint32_t)(uintptr_t)copy;
}

#if DP_WITH_CHECKS
/* A table of the firmware's that has the agent's entries will do. */
unsigned dp_port_vectors(dp_addr *leads_to)
{
	for (unsigned i = 0; i < DP_HOOKED; i++) {
		uint32_t entry = 0;

		dp_access_load(DP_SCS(VTOR) + 4 * hooked_exception(i), 4, &entry);
		*leads_to = entry & ~1u;
		if (entry != entry_of(i))
			return hooked_exception(i);
	}
	return DP_VECTORS_HOLD;
}
#endif

/* Does slot memory execute? `bx lr` in a slot comes back by itself, or by its fault. With
 * own_vectors the firmware may not have passed the fault on: not tried. */
static bool slots_execute(void)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	struct dp_fault_status status;
	uint32_t *slot = dp_slots_words(&dp_cortexm->slots, 0);

	dp_fault_status_get(&status);
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
#if DP_CORTEXM_HAS_FAULTS
	if (dp_cortexm->unstacked != 0)
		dp_cortexm->unstacked &= DP_SCS(CFSR);
#endif
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

/* The firmware runs on without an agent. */
static enum dp_err unhook(uint32_t vtor, enum dp_err error)
{
	DP_SCS(VTOR) = vtor;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	dp_cortexm = NULL;
	return error;
}

enum dp_err dp_port_attach(const struct dp_board *board, const struct dp_memory *memory,
			   struct dp_port_state *state)
{
	uintptr_t start = (uintptr_t)memory->slots;
	uintptr_t end = start + memory->slot_bytes;
	const uint32_t vtor = DP_SCS(VTOR);
#if DP_CORTEXM_WITH_FPB
	uintptr_t table;
#endif

	if (!may_run())
		return DP_ERR_BAD_TARGET;
	if (memory->stack_bytes < DP_PORT_STACK_BYTES)
		return DP_ERR_NO_SLOT;
	state->board = board;
	state->memory = memory;
	state->passing = DP_NOT_PASSING;
#if DP_CORTEXM_HAS_FAULTS
	state->unstacked = DP_SCS(CFSR) & DP_CFSR_STACKING;
#endif
	state->stack_bottom = (uint32_t)(uintptr_t)memory->stack;
	state->stack_frame =
		((state->stack_bottom + (uint32_t)memory->stack_bytes) & ~7u) - DP_FRAME_BYTES;
	if (!board->own_vectors) {
		const uintptr_t aligned = DP_CORTEXM_TABLE_BYTES - 1;

		start = (start + DP_VECTORS_HEAD + aligned) & ~aligned;
		state->vectors = (uint32_t *)start;
		start += DP_CORTEXM_TABLE_BYTES;
		if (vectors_of_cpu() > DP_VECTORS_TOLD || start > end)
			return DP_ERR_NO_SLOT;
	}
#if DP_CORTEXM_WITH_FPB /* Here the table outlives a warm restart, as the unit's registers do. */
	table = (start + DP_FPB_TABLE_BYTES - 1) & ~(uintptr_t)(DP_FPB_TABLE_BYTES - 1);
	start = table + DP_FPB_TABLE_BYTES;
#endif
	if (!dp_slots_init(&state->slots, start, end))
		return DP_ERR_NO_SLOT;
	dp_cortexm = state;
#if DP_CORTEXM_WITH_FPB
	dp_fpb_attach(&state->fpb, table);
#endif
#if DP_CORTEXM_WATCHERS > 0
	DP_DATA(attach)();
#endif
	if (DP_WITH_STREAM)
		dp_cortexm_time_init();
	dp_stack_paint(memory);
	if (!board->own_vectors && !hook(state->vectors))
		return unhook(vtor, DP_ERR_NOT_PATCHABLE);
	if (!board->own_vectors && !slots_execute())
		return unhook(vtor, DP_ERR_NO_SLOT);
	return DP_ERR_OK;
}
