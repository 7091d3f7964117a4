/* SPDX-License-Identifier: BSD-2-Clause */
/* A model of the Data Watchpoint and Trace unit of ARMv7-M and of the part of the debug unit that
 * watchpoints need, from the manuals' text. A section alone (C1.8) is of the Architecture
 * Reference Manual, DDI 0403E. M3, M4, M7: the Technical Reference Manuals DDI 0337G, 0439, 0489.
 * The model was written before the port's code. It has the registers with their reset values,
 * read-only bits, keys and side effects, and says which comparators an access matches and whether
 * the CPU takes DebugMonitor.
 */
#ifndef DWT_MODEL_H
#define DWT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MODEL_COMPARATORS_MAX = 15, /* C1.8.7, NUMCOMP */
	MODEL_UNKNOWN = 0x5a5a5a5a, /* what the manual calls UNKNOWN */
	MODEL_BASE = 256,           /* the priority of code outside any exception. B1.5.4 */
};

/* C1.8.6 */
#define MODEL_DWT_CTRL        0xe0001000u
#define MODEL_DWT_CYCCNT      0xe0001004u
#define MODEL_DWT_COMP(n)     (0xe0001020u + 16u * (n))
#define MODEL_DWT_MASK(n)     (0xe0001024u + 16u * (n))
#define MODEL_DWT_FUNCTION(n) (0xe0001028u + 16u * (n))
/* M7 11.3 */
#define MODEL_DWT_LAR 0xe0001fb0u
#define MODEL_DWT_LSR 0xe0001fb4u
/* B3.2.6, B3.2.12, C1.6.1, C1.6.2, C1.6.5 */
#define MODEL_AIRCR 0xe000ed0cu
#define MODEL_SHPR3 0xe000ed20u
#define MODEL_DFSR  0xe000ed30u
#define MODEL_DHCSR 0xe000edf0u
#define MODEL_DEMCR 0xe000edfcu

/* C1.8.7 */
#define MODEL_CTRL_NOTRCPKT  0x08000000u
#define MODEL_CTRL_NOEXTTRIG 0x04000000u
#define MODEL_CTRL_NOCYCCNT  0x02000000u
#define MODEL_CTRL_NOPRFCNT  0x01000000u
#define MODEL_CTRL_CYCCNTENA 0x00000001u
#define MODEL_CTRL_BITS      0x007f1fffu
#define MODEL_CTRL_TRACED    0x00011000u /* EXCTRCENA, PCSAMPLENA */
#define MODEL_CTRL_PROFILED  0x003e0000u /* FOLDEVTENA to CPIEVTENA */
#define MODEL_CTRL_CYCLES    0x00401fffu /* CYCEVTENA, PCSAMPLENA to CYCCNTENA */
/* C1.8.16 */
#define MODEL_MASK_ALL 0x1fu
/* C1.8.17 */
#define MODEL_FUNCTION_MATCHED      0x01000000u
#define MODEL_FUNCTION_DATAVADDR(f) ((f) >> 12 & 15)
#define MODEL_FUNCTION_DATAVSIZE(f) ((f) >> 10 & 3)
#define MODEL_FUNCTION_LNK1ENA      0x00000200u
#define MODEL_FUNCTION_DATAVMATCH   0x00000100u
#define MODEL_FUNCTION_CYCMATCH     0x00000080u
#define MODEL_FUNCTION_EMITRANGE    0x00000020u
#define MODEL_FUNCTION_VALUES       0x000ffd00u /* DATAVADDR1, DATAVADDR0, DATAVSIZE, DATAVMATCH */
#define MODEL_FUNCTION_FUNCTION     0x0000000fu
/* The functions, C1.8.1; each bit is one. */
#define MODEL_ON_READ      0x5aae /* of data: all but 0, 4, 6, 8, 10, 13, 15 */
#define MODEL_ON_WRITE     0xacce /* of data: all but 0, 4, 5, 8, 9, 12, 14 */
#define MODEL_ON_FETCH     0x0110
#define MODEL_WATCHES      0x00f0 /* a debug event */
#define MODEL_TRIGGERS     0x0f00 /* a signal to the trace unit */
#define MODEL_TRACES       0xf00e /* packets */
#define MODEL_WITH_CYCLES  0x0113
#define MODEL_WITH_VALUES  0x0ee1
#define MODEL_IS(f, which) ((which) >> ((f) % 16) & 1)
/* M7 11.3, the lock of CoreSight's components */
#define MODEL_LAR_KEY 0xc5acce55u
#define MODEL_LSR_SLK 0x2u
#define MODEL_LSR_SLI 0x1u
/* B3.2.6 */
#define MODEL_AIRCR_KEY      0x05fa0000u
#define MODEL_AIRCR_KEY_READ 0xfa050000u
#define MODEL_AIRCR_PRIGROUP 0x00000700u
/* C1.6.1 */
#define MODEL_DFSR_DWTTRAP 0x04u
#define MODEL_DFSR_HALTED  0x01u
/* C1.6.2 */
#define MODEL_DHCSR_KEY        0xa05f0000u
#define MODEL_DHCSR_S_RESET_ST 0x02000000u
#define MODEL_DHCSR_C_HALT     0x00000002u
#define MODEL_DHCSR_C_DEBUGEN  0x00000001u
#define MODEL_DHCSR_UNKNOWN    0x0101000eu /* S_RETIRE_ST, S_REGRDY, C_MASKINTS, C_STEP, C_HALT */
/* C1.6.5 */
#define MODEL_DEMCR_BITS     0x010f07f1u
#define MODEL_DEMCR_TRCENA   0x01000000u
#define MODEL_DEMCR_MONITOR  0x000f0000u
#define MODEL_DEMCR_MON_REQ  0x00080000u
#define MODEL_DEMCR_MON_STEP 0x00040000u
#define MODEL_DEMCR_MON_PEND 0x00020000u
#define MODEL_DEMCR_MON_EN   0x00010000u

/* What an implementation has. */
struct model_core {
	unsigned comparators;   /* 0: there is no unit */
	uint32_t absent;        /* bits MODEL_CTRL_NO.. */
	uint32_t mask_bits;     /* of MASKn: bits that are there */
	bool values;            /* comparator 1 can compare the data; it needs two comparators */
	bool lock;              /* DWT_LAR */
	unsigned priority_bits; /* 3 to 8. B1.5.4 */
};

/* M3 11.5, M4 9.3: the unit for watchpoints and triggers, with masks of 0 to 15 bits */
static const struct model_core model_core_full = {
	.comparators = 4, .mask_bits = 0xf, .values = true, .priority_bits = 4};
/* M4 9.3: DWT_CTRL is 0x1f000000 */
static const struct model_core model_core_one = {
	.comparators = 1, .absent = 0x0f000000, .mask_bits = 0xf, .priority_bits = 3};
/* M4 9.3: DWT_CTRL is 0 */
static const struct model_core model_core_absent = {.priority_bits = 3};
/* C1.8.16 leaves the largest mask to the implementation. */
static const struct model_core model_core_maskless = {
	.comparators = 4, .values = true, .priority_bits = 4};
/* M7 11.3: with DWT_LAR, DWT_CTRL is 0x40000000 or (the reduced unit) 0x28000000 */
static const struct model_core model_core_locked = {
	.comparators = 4, .mask_bits = 0x1f, .values = true, .lock = true, .priority_bits = 4};
static const struct model_core model_core_reduced = {.comparators = 2,
						     .absent = MODEL_CTRL_NOTRCPKT,
						     .mask_bits = 0x1f,
						     .lock = true,
						     .priority_bits = 4};

static struct model {
	struct model_core core;
	/* of the unit, and of the debug registers that a power-on reset alone defines */
	uint32_t ctrl, cyccnt, comp[MODEL_COMPARATORS_MAX], mask[MODEL_COMPARATORS_MAX],
		function[MODEL_COMPARATORS_MAX], dfsr, demcr;
	bool locked, debugger; /* DWT_LSR.SLK, DHCSR.C_DEBUGEN */
	/* of the CPU */
	uint32_t shpr3, prigroup;
	bool reset;       /* DHCSR.S_RESET_ST */
	bool halted;      /* the debugger has the CPU */
	bool active;      /* DebugMonitor's handler runs, or what has preempted it */
	int execution;    /* the priority of what runs: -2 NMI, -1 HardFault or FAULTMASK,
			   * 0 PRIMASK, else the active exception's or BASEPRI; MODEL_BASE */
	int interrupted;  /* the priority of what DebugMonitor has interrupted */
	unsigned entries; /* of DebugMonitor */
	/* what the caller sets */
	bool late; /* a watchpoint is asynchronous, B1.5.1: the CPU may execute an instruction more,
		    * or take an interrupt, before it takes DebugMonitor */
	uint32_t data; /* what the next accesses carry, for DATAVMATCH */
	/* what the manual calls UNPREDICTABLE, forbids, or this model leaves out: so often */
	unsigned misuse;
} model;

enum model_outcome {
	MODEL_NO_EVENT, /* no watchpoint has matched */
	MODEL_LOST,     /* the CPU has ignored the event: nothing remembers it but MATCHED */
	MODEL_PENDING,  /* DEMCR.MON_PEND is 1; DebugMonitor comes when the priority permits */
	MODEL_TAKEN,    /* DebugMonitor is active */
	MODEL_HALTED,   /* the debugger has the CPU */
};

struct model_result {
	unsigned matched; /* bit n: what FUNCTIONn asks for has happened */
	enum model_outcome outcome;
};

/* The CPU's reset by itself or a watchdog. DHCSR.C_HALT and bits 19 to 16 of DEMCR are cleared;
 * the rest of the debug unit and all of the DWT stay. C1.4, C1.6.5, M3 10.2 */
static inline void model_warm_reset(void)
{
	model.demcr &= ~MODEL_DEMCR_MONITOR;
	model.shpr3 = model.prigroup = 0;
	model.reset = true;
	model.halted = model.active = false;
	model.execution = model.interrupted = MODEL_BASE;
}

/* The power-on reset, also of what the caller sets. COMPn and MASKn are UNKNOWN. C1.8.6, M3 11.5,
 * M4 9.3, M7 11.3 */
static inline void model_power_on(const struct model_core *core)
{
	model = (struct model){.core = *core, .locked = core->lock};
	for (unsigned n = 0; n < core->comparators; n++) {
		model.comp[n] = MODEL_UNKNOWN;
		model.mask[n] = MODEL_UNKNOWN & core->mask_bits;
	}
	model_warm_reset();
}

/* A priority without its subpriority. B1.5.4 */
static inline int model_group(int priority)
{
	return priority < 0 ? priority : priority - priority % (2 << model.prigroup);
}

/* May DebugMonitor preempt what runs? B1.5.4: its group priority has to be the higher, that is
 * the smaller number. */
static inline bool model_preempts(void)
{
	return model_group((int)(model.shpr3 & 0xff)) < model_group(model.execution);
}

/* Takes DebugMonitor if it is pending and the priority permits. MON_EN does not matter to what is
 * pending. C1.6.5 */
static inline bool model_take(void)
{
	if (!(model.demcr & MODEL_DEMCR_MON_PEND) || model.halted || !model_preempts())
		return false;
	model.demcr &= ~MODEL_DEMCR_MON_PEND;
	model.active = true;
	model.entries++;
	model.interrupted = model.execution;
	model.execution = (int)(model.shpr3 & 0xff);
	return true;
}

/* What the CPU does with a watchpoint's debug event. C1.5: halting debug goes first. Without it,
 * DebugMonitor is taken where it is enabled and its priority is higher than that of what runs;
 * where not, the CPU ignores the event: it does not become pending. DFSR has events that were
 * caught, no others: M3 8.2 */
static inline enum model_outcome model_event(void)
{
	if (!model.debugger && (!(model.demcr & MODEL_DEMCR_MON_EN) || !model_preempts()))
		return MODEL_LOST;
	model.dfsr |= MODEL_DFSR_DWTTRAP;
	model.halted = model.debugger;
	if (model.halted)
		return MODEL_HALTED;
	model.demcr |= MODEL_DEMCR_MON_PEND;
	if (model.late)
		return MODEL_PENDING;
	return model_take() ? MODEL_TAKEN : MODEL_PENDING;
}

/* The comparators have matched: bits of `matched`. MATCHED tells of what FUNCTION asks for, here
 * the event, whatever the CPU makes of it. C1.8.17 */
static inline struct model_result model_match(unsigned matched)
{
	bool watched = false;

	for (unsigned n = 0; n < model.core.comparators; n++)
		if (matched >> n & 1) {
			model.function[n] |= MODEL_FUNCTION_MATCHED;
			watched |= MODEL_IS(model.function[n], MODEL_WATCHES);
		}
	return (struct model_result){matched, watched ? model_event() : MODEL_NO_EVENT};
}

/* Is a byte of the access in the comparator's range, (ADDR & (~0 << MASK)) == COMP? An access is
 * seen by each byte on the bus: COMP = 3 matches a word at 0. C1.8.15, C1.8.16, M3 11.5 */
static inline bool model_in_range(unsigned n, uint32_t address, unsigned bytes)
{
	uint32_t ignored = (1u << model.mask[n]) - 1;
	bool found = false;

	if (model.comp[n] & ignored)
		model.misuse++; /* these bits have to be zero */
	for (unsigned i = 0; i < bytes; i++)
		found |= ((address + i) & ~ignored) == model.comp[n];
	return found;
}

/* Comparators that give comparator 1 an address; their own functions do nothing. M3 11.5 */
static inline unsigned model_linked(void)
{
	uint32_t function = model.function[1];
	unsigned linked = 0;

	if (model.core.values && (function & MODEL_FUNCTION_DATAVMATCH))
		linked = 1u << MODEL_FUNCTION_DATAVADDR(function) |
			 1u << MODEL_FUNCTION_DATAVADDR(function >> 4);
	if (linked >> model.core.comparators)
		model.misuse++;
	return linked & ~2u; /* its own number: no address is compared */
}

/* Does comparator 1 match by data? COMP holds the byte four times, the halfword twice. This model
 * compares accesses of DATAVSIZE alone. C1.8.17 */
static inline bool model_value_matches(uint32_t address, unsigned bytes, unsigned linked)
{
	unsigned size = MODEL_FUNCTION_DATAVSIZE(model.function[1]);
	uint32_t value = size == 0   ? (model.data & 0xff) * 0x01010101u
			 : size == 1 ? (model.data & 0xffff) * 0x00010001u
				     : model.data;
	bool found = linked == 0;

	if (size == 3)
		model.misuse++;
	for (unsigned n = 0; n < model.core.comparators; n++)
		if (linked >> n & 1)
			found |= model_in_range(n, address, bytes);
	return found && size != 3 && bytes == 1u << size && value == model.comp[1];
}

/* Is the unit on, and not one that there is not? C1.6.5 */
static inline bool model_is_on(void)
{
	return model.core.comparators != 0 && (model.demcr & MODEL_DEMCR_TRCENA);
}

/* An instruction of the CPU has read or written `bytes` bytes at `address`; a write is finished.
 * A result other than MODEL_NO_EVENT and MODEL_LOST comes behind the instruction. C1.8.1, B1.5.1 */
static inline struct model_result model_data_access(uint32_t address, unsigned bytes, bool write)
{
	unsigned matched = 0, linked = model_linked();

	for (unsigned n = 0; model_is_on() && n < model.core.comparators; n++) {
		uint32_t function = model.function[n];

		if (!MODEL_IS(function, write ? MODEL_ON_WRITE : MODEL_ON_READ) ||
		    (function & MODEL_FUNCTION_CYCMATCH) || linked >> n & 1)
			continue;
		if (function & MODEL_FUNCTION_DATAVMATCH
			    ? model_value_matches(address, bytes, linked)
			    : model_in_range(n, address, bytes))
			matched |= 1u << n;
	}
	return model_match(matched);
}

/* DebugMonitor's stepping: each instruction at a lower priority makes it pending. C1.5.1 */
static inline void model_step(void)
{
	uint32_t both = MODEL_DEMCR_MON_EN | MODEL_DEMCR_MON_STEP;

	if (!model.debugger && (model.demcr & both) == both && model_preempts()) {
		model.demcr |= MODEL_DEMCR_MON_PEND;
		model.dfsr |= MODEL_DFSR_HALTED;
	}
}

/* The CPU has executed the instruction at `address`: comparators of instructions, stepping, and
 * what is pending. C1.8.1, C1.5.1; M3 11.5: the event comes behind the instruction */
static inline struct model_result model_instruction(uint32_t address)
{
	struct model_result result;
	unsigned matched = 0, linked = model_linked();

	for (unsigned n = 0; model_is_on() && n < model.core.comparators; n++)
		if (MODEL_IS(model.function[n], MODEL_ON_FETCH) && !(linked >> n & 1) &&
		    !(model.function[n] & MODEL_FUNCTION_CYCMATCH) && model_in_range(n, address, 1))
			matched |= 1u << n;
	result = model_match(matched);
	model_step();
	if (model_take())
		result.outcome = MODEL_TAKEN;
	return result;
}

/* CPU cycles, fewer than 2^32. C1.8.8; C1.8.17: CYCMATCH of comparator 0 */
static inline struct model_result model_cycles(uint32_t cycles)
{
	uint32_t function = model.function[0], before = model.cyccnt;

	if (!model_is_on() || !(model.ctrl & MODEL_CTRL_CYCCNTENA) || model.halted)
		return (struct model_result){0, MODEL_NO_EVENT};
	model.cyccnt += cycles;
	return model_match((function & MODEL_FUNCTION_CYCMATCH) &&
			   (function & MODEL_FUNCTION_FUNCTION) &&
			   model.comp[0] - before - 1 < cycles);
}

/* Other code runs now: an exception is entered or left, or PRIMASK, BASEPRI or FAULTMASK has
 * changed. `priority` as in model.execution. May take what is pending: see model.active. */
static inline void model_execute_at(int priority)
{
	model.execution = priority;
	model_take();
}

/* DebugMonitor's handler returns. May take what is pending: see model.active. */
static inline void model_return(void)
{
	if (!model.active)
		model.misuse++;
	model.active = false;
	model_execute_at(model.interrupted);
}

/* A debugger comes or goes, or lets the CPU go on. Only it can write C_DEBUGEN. C1.6.2 */
static inline void model_debugger(bool attached)
{
	model.debugger = attached;
	model.halted = false;
}

/* The comparator whose register this is, or MODEL_COMPARATORS_MAX. */
static inline unsigned model_comparator(uint32_t address)
{
	uint32_t offset = address - MODEL_DWT_COMP(0);
	unsigned n = offset / 16;

	return n < MODEL_COMPARATORS_MAX && offset % 16 <= 8 && offset % 4 == 0
		       ? n
		       : MODEL_COMPARATORS_MAX;
}

static inline bool model_is_of_unit(uint32_t address)
{
	return address == MODEL_DWT_CTRL || address == MODEL_DWT_CYCCNT ||
	       address == MODEL_DWT_LAR || address == MODEL_DWT_LSR ||
	       model_comparator(address) < MODEL_COMPARATORS_MAX;
}

/* Does the model have a register at the address? Counts and samples of the DWT are left out. */
static inline bool model_is_register(uint32_t address)
{
	return model_is_of_unit(address) || address == MODEL_AIRCR || address == MODEL_SHPR3 ||
	       address == MODEL_DFSR || address == MODEL_DHCSR || address == MODEL_DEMCR;
}

/* A read of FUNCTIONn clears MATCHED. C1.8.17 */
static inline uint32_t model_read_comparator(uint32_t address)
{
	unsigned n = model_comparator(address);
	uint32_t value;

	if (n >= model.core.comparators)
		return 0;
	if (address == MODEL_DWT_COMP(n))
		return model.comp[n];
	if (address == MODEL_DWT_MASK(n))
		return model.mask[n];
	value = model.function[n];
	model.function[n] &= ~MODEL_FUNCTION_MATCHED;
	return value | (n == 1 && model.core.values ? MODEL_FUNCTION_LNK1ENA : 0);
}

/* Without the unit its registers are zero, M7 11.3; with TRCENA = 0 they are UNKNOWN, C1.6.5. */
static inline uint32_t model_read_unit(uint32_t address)
{
	if (model.core.comparators == 0)
		return 0;
	if (!model_is_on())
		return MODEL_UNKNOWN;
	switch (address) {
	case MODEL_DWT_CTRL:
		return model.core.comparators << 28 | model.core.absent | model.ctrl;
	case MODEL_DWT_CYCCNT:
		return model.cyccnt;
	case MODEL_DWT_LAR: /* write-only */
		return 0;
	case MODEL_DWT_LSR:
		return !model.core.lock ? 0 : MODEL_LSR_SLI | (model.locked ? MODEL_LSR_SLK : 0);
	default:
		return model_read_comparator(address);
	}
}

/* A read clears S_RESET_ST. The bits for halting are UNKNOWN without a debugger. C1.6.2 */
static inline uint32_t model_read_dhcsr(void)
{
	uint32_t value =
		(MODEL_UNKNOWN & MODEL_DHCSR_UNKNOWN) | (model.reset ? MODEL_DHCSR_S_RESET_ST : 0);

	model.reset = false;
	if (model.debugger)
		value = (value & ~MODEL_DHCSR_C_HALT) | MODEL_DHCSR_C_DEBUGEN;
	return value;
}

/* What a load of a word by the CPU gives. */
static inline uint32_t model_read32(uint32_t address)
{
	if (model_is_of_unit(address))
		return model_read_unit(address);
	switch (address) {
	case MODEL_AIRCR:
		return MODEL_AIRCR_KEY_READ | model.prigroup << 8;
	case MODEL_SHPR3:
		return model.shpr3;
	case MODEL_DFSR:
		return model.dfsr;
	case MODEL_DHCSR:
		return model_read_dhcsr();
	case MODEL_DEMCR:
		return model.demcr;
	default:
		model.misuse++;
		return 0;
	}
}

/* Bits of DWT_CTRL for what the unit has. C1.8.7 */
static inline uint32_t model_ctrl_bits(void)
{
	return MODEL_CTRL_BITS &
	       ~((model.core.absent & MODEL_CTRL_NOTRCPKT ? MODEL_CTRL_TRACED : 0) |
		 (model.core.absent & MODEL_CTRL_NOCYCCNT ? MODEL_CTRL_CYCLES : 0) |
		 (model.core.absent & MODEL_CTRL_NOPRFCNT ? MODEL_CTRL_PROFILED : 0));
}

/* Bits of FUNCTIONn: CYCMATCH is comparator 0's, the data's comparator 1's. C1.8.17, M3 11.5 */
static inline uint32_t model_function_bits(unsigned n)
{
	uint32_t bits = MODEL_FUNCTION_FUNCTION;

	if (!(model.core.absent & MODEL_CTRL_NOTRCPKT))
		bits |= MODEL_FUNCTION_EMITRANGE;
	if (n == 0 && !(model.core.absent & MODEL_CTRL_NOCYCCNT))
		bits |= MODEL_FUNCTION_CYCMATCH;
	if (n == 1 && model.core.values)
		bits |= MODEL_FUNCTION_VALUES;
	return bits;
}

/* FUNCTIONn, with the tables of C1.8.1: what is not in them, or not in the unit, is counted.
 * MATCHED and LNK1ENA are read-only. C1.8.17 */
static inline void model_write_function(unsigned n, uint32_t value)
{
	unsigned missing = (model.core.absent & MODEL_CTRL_NOTRCPKT ? MODEL_TRACES : 0) |
			   (model.core.absent & MODEL_CTRL_NOEXTTRIG ? MODEL_TRIGGERS : 0);

	model.function[n] =
		(model.function[n] & MODEL_FUNCTION_MATCHED) | (value & model_function_bits(n));
	value = model.function[n];
	if (MODEL_IS(value, missing) ||
	    ((value & MODEL_FUNCTION_CYCMATCH) && !MODEL_IS(value, MODEL_WITH_CYCLES)) ||
	    ((value & MODEL_FUNCTION_DATAVMATCH) && !MODEL_IS(value, MODEL_WITH_VALUES)))
		model.misuse++;
}

static inline void model_write_comparator(uint32_t address, uint32_t value)
{
	unsigned n = model_comparator(address);

	if (n >= model.core.comparators)
		return;
	if (address == MODEL_DWT_COMP(n)) {
		model.comp[n] = value;
	} else if (address == MODEL_DWT_MASK(n)) {
		/* Only 0x1f asks for the largest one. C1.8.16 */
		if (value & ~model.core.mask_bits && value != MODEL_MASK_ALL)
			model.misuse++;
		model.mask[n] = value & model.core.mask_bits;
	} else {
		model_write_function(n, value);
	}
}

/* With TRCENA = 0 a write is ignored; C1.6.5 leaves that to the implementation. A lock ignores
 * every write but the key's. M7 11.3 */
static inline void model_write_unit(uint32_t address, uint32_t value)
{
	if (!model_is_on()) {
		model.misuse += model.core.comparators != 0;
		return;
	}
	if (address == MODEL_DWT_LAR)
		model.locked = model.core.lock && value != MODEL_LAR_KEY;
	if (model.locked)
		return;
	if (address == MODEL_DWT_CTRL)
		model.ctrl = value & model_ctrl_bits();
	else if (address == MODEL_DWT_CYCCNT && !(model.core.absent & MODEL_CTRL_NOCYCCNT))
		model.cyccnt = value;
	else
		model_write_comparator(address, value);
}

/* DebugMonitor's bits have their effect at once. C1.6.5: MON_STEP must not change where
 * DebugMonitor could preempt, and TRCENA is cleared after what it stops. */
static inline void model_write_demcr(uint32_t value)
{
	uint32_t before = model.demcr;

	model.demcr = value & MODEL_DEMCR_BITS;
	if (model.core.comparators == 0)
		model.demcr &= ~MODEL_DEMCR_TRCENA;
	if (((before ^ value) & MODEL_DEMCR_MON_STEP) && model_preempts())
		model.misuse++;
	for (unsigned n = 0; n < model.core.comparators; n++)
		if ((before & ~model.demcr & MODEL_DEMCR_TRCENA) &&
		    (model.function[n] & MODEL_FUNCTION_FUNCTION))
			model.misuse++;
	model_take();
}

/* Software cannot write C_DEBUGEN, and halts the CPU only where a debugger has set it. C1.6.2 */
static inline void model_write_dhcsr(uint32_t value)
{
	if ((value & 0xffff0000u) == MODEL_DHCSR_KEY && (value & MODEL_DHCSR_C_HALT))
		model.halted = model.debugger;
}

/* The priorities of DebugMonitor, PendSV and SysTick; absent bits are zero. B3.2.12, B1.5.4 */
static inline void model_write_shpr3(uint32_t value)
{
	uint32_t bits = 0xff & 0xff00u >> model.core.priority_bits;

	model.shpr3 = value & (bits | bits << 16 | bits << 24);
	model_take();
}

/* What a store of a word by the CPU does. */
static inline void model_write32(uint32_t address, uint32_t value)
{
	if (model_is_of_unit(address))
		model_write_unit(address, value);
	else if (address == MODEL_AIRCR && (value & 0xffff0000u) == MODEL_AIRCR_KEY)
		model.prigroup = (value & MODEL_AIRCR_PRIGROUP) >> 8;
	else if (address == MODEL_SHPR3)
		model_write_shpr3(value);
	else if (address == MODEL_DFSR)
		model.dfsr &= ~value; /* a one clears. C1.6.1 */
	else if (address == MODEL_DHCSR)
		model_write_dhcsr(value);
	else if (address == MODEL_DEMCR)
		model_write_demcr(value);
	else if (!model_is_register(address))
		model.misuse++;
}

#endif
