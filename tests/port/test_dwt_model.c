/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of the Data Watchpoint and Trace unit does what DDI 0403E and the Technical Reference
 * Manuals say; dwt_model.h tells which manual a section is of. */
#include "check.h"
#include "dwt_model.h"

enum {
	AT = 0x20001000,
	TEXT = 0x08004000,
	READ = 5,
	WRITE = 6,
	BOTH = 7
};

static const struct model_core *const cores[] = {&model_core_full,    &model_core_one,
						 &model_core_absent,  &model_core_maskless,
						 &model_core_reduced, &model_core_locked};

static void set(uint32_t address, uint32_t bits)
{
	model_write32(address, model_read32(address) | bits);
}

static void clear(uint32_t address, uint32_t bits)
{
	model_write32(address, model_read32(address) & ~bits);
}

/* The core with its unit on, its lock open, and DebugMonitor enabled at priority 0x40. */
static void start(const struct model_core *core)
{
	model_power_on(core);
	model_write32(MODEL_DEMCR, MODEL_DEMCR_TRCENA | MODEL_DEMCR_MON_EN);
	model_write32(MODEL_DWT_LAR, MODEL_LAR_KEY);
	model_write32(MODEL_SHPR3, 0x40);
}

static void watch(unsigned n, uint32_t address, unsigned mask, uint32_t function)
{
	model_write32(MODEL_DWT_FUNCTION(n), 0);
	model_write32(MODEL_DWT_COMP(n), address);
	model_write32(MODEL_DWT_MASK(n), mask);
	model_write32(MODEL_DWT_FUNCTION(n), function);
}

static bool hits(unsigned matched, uint32_t address, unsigned bytes, bool write)
{
	struct model_result result = model_data_access(address, bytes, write);

	return result.matched == matched;
}

static enum model_outcome outcome(uint32_t address, unsigned bytes, bool write)
{
	return model_data_access(address, bytes, write).outcome;
}

/* C1.8.6, C1.8.7, C1.8.17; M4 9.3, M7 11.3: the values of DWT_CTRL */
static void reset_values(void)
{
	static const uint32_t ctrl[] = {0x40000000, 0x1f000000, 0,
					0x40000000, 0x28000000, 0x40000000};

	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		model_power_on(cores[i]);
		CHECK(model_read32(MODEL_DEMCR) == 0 && model_read32(MODEL_DFSR) == 0);
		CHECK(model_read32(MODEL_SHPR3) == 0);
		set(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
		CHECK(model_read32(MODEL_DWT_CTRL) == ctrl[i]);
		CHECK(model_read32(MODEL_DWT_CYCCNT) == 0);
		for (unsigned n = 0; n < MODEL_COMPARATORS_MAX; n++) {
			uint32_t function = n == 1 && cores[i]->values ? 0x200 : 0;

			CHECK(model_read32(MODEL_DWT_FUNCTION(n)) == function);
			CHECK(!model_read32(MODEL_DWT_COMP(n)) == (n >= cores[i]->comparators));
		}
		CHECK(model.misuse == 0);
	}
	model_power_on(&model_core_full);
	set(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	CHECK(model_read32(MODEL_DWT_MASK(0)) != 0); /* UNKNOWN */
}

/* C1.8.7: NUMCOMP and the NO.. bits are read-only, and bits of what is not there are zero. */
static void ctrl_bits(void)
{
	static const uint32_t ones[] = {0x407f1fff, 0x1f000000, 0,
					0x407f1fff, 0x287e0fff, 0x407f1fff};

	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		start(cores[i]);
		model_write32(MODEL_DWT_CTRL, 0xffffffff);
		CHECK(model_read32(MODEL_DWT_CTRL) == ones[i]);
		model_write32(MODEL_DWT_CTRL, 0);
		CHECK((model_read32(MODEL_DWT_CTRL) & MODEL_CTRL_BITS) == 0);
	}
}

/* C1.8.8, C1.8.7 */
static void cycle_counter(void)
{
	start(&model_core_full);
	model_cycles(100);
	CHECK(model_read32(MODEL_DWT_CYCCNT) == 0);
	set(MODEL_DWT_CTRL, MODEL_CTRL_CYCCNTENA);
	model_cycles(100);
	CHECK(model_read32(MODEL_DWT_CYCCNT) == 100);
	model_write32(MODEL_DWT_CYCCNT, 0xfffffff0);
	model_cycles(0x20);
	CHECK(model_read32(MODEL_DWT_CYCCNT) == 0x10); /* it wraps */
	clear(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	model_cycles(100);
	set(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	CHECK(model_read32(MODEL_DWT_CYCCNT) == 0x10);
	model_debugger(true);
	model_write32(MODEL_DHCSR, MODEL_DHCSR_KEY | MODEL_DHCSR_C_HALT);
	model_cycles(100); /* none in Debug state */
	CHECK(model_read32(MODEL_DWT_CYCCNT) == 0x10);
	start(&model_core_one); /* NOCYCCNT */
	set(MODEL_DWT_CTRL, MODEL_CTRL_CYCCNTENA);
	model_write32(MODEL_DWT_CYCCNT, 7);
	model_cycles(100);
	CHECK(model_read32(MODEL_DWT_CYCCNT) == 0);
}

/* C1.8.16: the largest mask is what 0x1f reads back as. */
static void largest_mask(void)
{
	static const uint32_t largest[] = {0xf, 0xf, 0, 0, 0x1f, 0x1f};

	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		start(cores[i]);
		model_write32(MODEL_DWT_MASK(0), 0x1f);
		CHECK(model_read32(MODEL_DWT_MASK(0)) == largest[i]);
		CHECK(model.misuse == 0);
	}
	start(&model_core_full);
	model_write32(MODEL_DWT_MASK(0), 0x10);
	CHECK(model.misuse == 1);
}

/* C1.8.17, M3 11.5: bits of FUNCTIONn */
static void function_bits(void)
{
	static const struct {
		const struct model_core *core;
		uint32_t ones[5];
	} rows[] = {
		{&model_core_full, {0xaf, 0x000fff2f, 0x2f, 0x2f, 0}},
		{&model_core_one, {0x0f, 0, 0, 0, 0}},
		{&model_core_reduced, {0x8f, 0x0f, 0, 0, 0}},
		{&model_core_absent, {0, 0, 0, 0, 0}},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start(rows[i].core);
		for (unsigned n = 0; n < 5; n++) {
			model_write32(MODEL_DWT_FUNCTION(n), 0xffffffff);
			CHECK(model_read32(MODEL_DWT_FUNCTION(n)) == rows[i].ones[n]);
		}
	}
	start(&model_core_full); /* LNK1ENA is read-only */
	model_write32(MODEL_DWT_FUNCTION(1), 0);
	CHECK(model_read32(MODEL_DWT_FUNCTION(1)) == MODEL_FUNCTION_LNK1ENA);
}

/* C1.8.1, the table of FUNCTION: what reads, writes and fetches match */
static void functions(void)
{
	static const struct {
		bool read, write, fetch, event;
	} rows[16] = {
		[1] = {true, true, false, false},   [2] = {true, true, false, false},
		[3] = {true, true, false, false},   [4] = {false, false, true, true},
		[5] = {true, false, false, true},   [6] = {false, true, false, true},
		[7] = {true, true, false, true},    [8] = {false, false, true, false},
		[9] = {true, false, false, false},  [10] = {false, true, false, false},
		[11] = {true, true, false, false},  [12] = {true, false, false, false},
		[13] = {false, true, false, false}, [14] = {true, false, false, false},
		[15] = {false, true, false, false},
	};

	for (unsigned function = 0; function < 16; function++) {
		for (unsigned kind = 0; kind < 3; kind++) {
			bool expected = kind == 0   ? rows[function].read
					: kind == 1 ? rows[function].write
						    : rows[function].fetch;
			struct model_result result;

			start(&model_core_full);
			watch(2, AT, 0, function);
			result = kind == 2 ? model_instruction(AT)
					   : model_data_access(AT, 1, kind == 1);
			CHECK(result.matched == (expected ? 4 : 0));
			CHECK(result.outcome ==
			      (expected && rows[function].event ? MODEL_TAKEN : MODEL_NO_EVENT));
			CHECK(model.misuse == 0);
		}
	}
}

/* C1.8.17: a read of FUNCTIONn clears MATCHED, a write does not. */
static void matched_is_cleared_by_a_read(void)
{
	start(&model_core_full);
	watch(0, AT, 2, BOTH);
	watch(3, AT + 4, 2, WRITE);
	CHECK(model_read32(MODEL_DWT_FUNCTION(0)) == BOTH);
	CHECK(hits(1, AT, 4, false));
	model_write32(MODEL_DWT_FUNCTION(0), READ);
	CHECK(model_read32(MODEL_DWT_FUNCTION(3)) == WRITE);
	CHECK(model_read32(MODEL_DWT_FUNCTION(0)) == (READ | MODEL_FUNCTION_MATCHED));
	CHECK(model_read32(MODEL_DWT_FUNCTION(0)) == READ);
	CHECK(hits(8, AT + 4, 4, true) && hits(0, AT + 4, 4, false));
	CHECK(model_read32(MODEL_DWT_FUNCTION(3)) == (WRITE | MODEL_FUNCTION_MATCHED));
}

/* C1.8.15, C1.8.16, M3 11.5: the range, and accesses that have a part in it */
static void ranges(void)
{
	start(&model_core_full);
	watch(0, AT, 0, BOTH);
	CHECK(hits(1, AT, 1, true) && hits(0, AT + 1, 1, true) && hits(0, AT - 1, 1, true));
	watch(0, AT + 3, 0, BOTH);
	CHECK(hits(1, AT, 4, true) && hits(0, AT, 2, true) && hits(1, AT + 2, 2, true));
	watch(0, AT, 2, BOTH);
	CHECK(hits(1, AT + 3, 1, true) && hits(0, AT + 4, 4, true) && hits(0, AT - 4, 4, true));
	CHECK(hits(1, AT - 2, 4, true) && hits(1, AT + 2, 4, true)); /* not aligned */
	CHECK(hits(1, AT - 4, 8, true));
	watch(0, AT, 10, BOTH);
	CHECK(hits(1, AT + 0x3ff, 1, true) && hits(0, AT + 0x400, 1, true));
	CHECK(model.misuse == 0);
	watch(0, AT + 1, 2, BOTH); /* a bit of the mask is not zero */
	CHECK(hits(0, AT, 4, true) && model.misuse == 1);
	start(&model_core_locked);
	watch(0, 0x80000000, 31, BOTH);
	CHECK(hits(1, 0xfffffffc, 4, true) && hits(0, 0x7ffffffc, 4, true));
	start(&model_core_maskless);
	watch(0, AT, 0x1f, BOTH);
	CHECK(hits(1, AT, 4, true) && hits(0, AT + 1, 1, true));
}

/* C1.8.1: each comparator decides for itself; there is one event. */
static void several_match(void)
{
	start(&model_core_full);
	watch(0, AT, 2, READ);
	watch(1, AT, 3, WRITE);
	watch(2, AT, 4, BOTH);
	watch(3, AT + 16, 4, BOTH);
	CHECK(hits(5, AT, 4, false) && model.entries == 1);
	model_return();
	CHECK(hits(6, AT, 4, true) && model.entries == 2);
	model_return();
	CHECK(hits(8, AT + 16, 4, true) && model.entries == 3);
	model_return();
	watch(3, AT, 2, 1); /* packets: behind comparators that watch */
	CHECK(hits(13, AT, 4, false) && model.entries == 4);
	model_return();
	watch(0, TEXT, 0, 4);
	watch(1, TEXT, 0, 8);
	CHECK(model_instruction(TEXT).matched == 3 && model.entries == 5);
}

/* C1.8.17, M3 11.5: data values, with and without addresses of other comparators */
static void data_values(void)
{
	const uint32_t word = MODEL_FUNCTION_DATAVMATCH | 2u << 10;

	start(&model_core_full);
	model.data = 0x12345678;
	watch(1, 0x12345678, 0, word | 1u << 12 | 1u << 16 | WRITE); /* no address */
	CHECK(hits(2, AT, 4, true) && hits(2, AT + 64, 4, true) && hits(0, AT, 4, false));
	CHECK(hits(0, AT, 2, true));
	watch(2, AT, 2, READ);
	watch(1, 0x12345678, 0, word | 2u << 12 | 2u << 16 | WRITE);
	CHECK(hits(2, AT, 4, true) && hits(0, AT + 64, 4, true));
	CHECK(hits(0, AT, 4, false)); /* comparator 2 lends its address */
	watch(3, AT + 64, 2, 0);
	watch(1, 0x12345678, 0, word | 2u << 12 | 3u << 16 | WRITE);
	CHECK(hits(2, AT, 4, true) && hits(2, AT + 64, 4, true) && hits(0, AT + 32, 4, true));
	model.data = 0x12345679;
	CHECK(hits(0, AT, 4, true));
	watch(1, 0x79797979, 0, MODEL_FUNCTION_DATAVMATCH | 1u << 12 | 1u << 16 | READ);
	CHECK(hits(2, AT + 64, 1, false) && hits(0, AT + 64, 4, false));
	CHECK(model.misuse == 0);
	watch(1, 0, 0, word | 4u << 12 | 4u << 16 | WRITE); /* there is no comparator 4 */
	CHECK(hits(0, AT, 4, true) && model.misuse == 1);
	watch(1, 0, 0, word | 1u << 12 | 1u << 16 | 4);
	CHECK(model.misuse == 2);
	watch(1, 0, 0, MODEL_FUNCTION_DATAVMATCH | 3u << 10 | 1u << 12 | 1u << 16 | WRITE);
	CHECK(hits(0, AT, 8, true) && model.misuse == 3); /* no such size */
}

/* C1.8.17: CYCMATCH compares comparator 0 with the cycle counter, and with no address. */
static void cycle_matches(void)
{
	struct model_result result;

	start(&model_core_full);
	set(MODEL_DWT_CTRL, MODEL_CTRL_CYCCNTENA);
	watch(0, 200, 0, MODEL_FUNCTION_CYCMATCH | 4);
	CHECK(hits(0, 200, 1, true));
	CHECK(model_instruction(200).matched == 0);
	CHECK(model_cycles(199).matched == 0);
	result = model_cycles(1);
	CHECK(result.matched == 1 && result.outcome == MODEL_TAKEN);
	CHECK(model_cycles(1).matched == 0 && model.misuse == 0);
	watch(0, 200, 0, MODEL_FUNCTION_CYCMATCH | BOTH); /* not in the table */
	CHECK(model.misuse == 1);
}

/* C1.6.5: without TRCENA there is no unit to write to, to read from, or to match. */
static void trace_enable(void)
{
	model_power_on(&model_core_full);
	CHECK(model_read32(MODEL_DWT_CTRL) == MODEL_UNKNOWN);
	model_write32(MODEL_DWT_COMP(0), AT);
	CHECK(model.misuse == 1);
	set(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	CHECK(model_read32(MODEL_DWT_COMP(0)) == MODEL_UNKNOWN);
	watch(0, AT, 2, BOTH);
	CHECK(hits(1, AT, 4, true) && model.misuse == 1);
	clear(MODEL_DEMCR, MODEL_DEMCR_TRCENA); /* with a comparator in use */
	CHECK(hits(0, AT, 4, true) && model.misuse == 2);
	start(&model_core_absent); /* the bit needs the unit */
	CHECK(model_read32(MODEL_DEMCR) == MODEL_DEMCR_MON_EN);
	CHECK(model_read32(MODEL_DWT_CTRL) == 0 && model.misuse == 0);
}

/* M7 11.3 */
static void lock(void)
{
	model_power_on(&model_core_locked);
	set(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	CHECK(model_read32(MODEL_DWT_LSR) == 3);
	CHECK(model_read32(MODEL_DWT_CTRL) == 0x40000000);
	model_write32(MODEL_DWT_FUNCTION(0), BOTH);
	set(MODEL_DWT_CTRL, MODEL_CTRL_CYCCNTENA);
	model_write32(MODEL_DWT_LAR, 0xc5acce54);
	CHECK(model_read32(MODEL_DWT_LSR) == 3 && model_read32(MODEL_DWT_FUNCTION(0)) == 0);
	CHECK(model_read32(MODEL_DWT_CTRL) == 0x40000000);
	model_write32(MODEL_DWT_LAR, 0xc5acce55);
	CHECK(model_read32(MODEL_DWT_LSR) == 1 && model_read32(MODEL_DWT_LAR) == 0);
	watch(0, AT, 2, BOTH);
	model_write32(MODEL_DWT_LAR, 0);
	model_write32(MODEL_DWT_FUNCTION(0), 0);
	CHECK(model_read32(MODEL_DWT_LSR) == 3);
	CHECK(hits(1, AT, 4, true)); /* what is armed stays */
	start(&model_core_full);
	model_write32(MODEL_DWT_LAR, 0);
	CHECK(model_read32(MODEL_DWT_LSR) == 0);
	model_write32(MODEL_DWT_FUNCTION(0), BOTH);
	CHECK(model_read32(MODEL_DWT_FUNCTION(0)) == BOTH);
}

/* C1.5, B1.5.4: DebugMonitor does not preempt code of its own or a higher priority. The event is
 * lost, not pending; MATCHED tells of it, DFSR does not (M3 8.2). */
static void priority(void)
{
	static const int higher[] = {-2, -1, 0, 0x30, 0x40}, lower[] = {0x50, 0xf0, MODEL_BASE};

	for (unsigned i = 0; i < sizeof(higher) / sizeof(higher[0]); i++) {
		start(&model_core_full);
		watch(0, AT, 2, BOTH);
		model_execute_at(higher[i]);
		CHECK(outcome(AT, 4, true) == MODEL_LOST);
		CHECK(model_read32(MODEL_DFSR) == 0);
		CHECK(!(model_read32(MODEL_DEMCR) & MODEL_DEMCR_MON_PEND));
		CHECK(model_read32(MODEL_DWT_FUNCTION(0)) & MODEL_FUNCTION_MATCHED);
		model_execute_at(MODEL_BASE);
		CHECK(!model.active && model.entries == 0);
	}
	for (unsigned i = 0; i < sizeof(lower) / sizeof(lower[0]); i++) {
		start(&model_core_full);
		watch(0, AT, 2, BOTH);
		model_execute_at(lower[i]);
		CHECK(outcome(AT, 4, true) == MODEL_TAKEN && model.active);
		CHECK(model.execution == 0x40 && model.interrupted == lower[i]);
		CHECK(model_read32(MODEL_DFSR) == MODEL_DFSR_DWTTRAP);
		CHECK(!(model_read32(MODEL_DEMCR) & MODEL_DEMCR_MON_PEND));
		model_return();
		CHECK(!model.active && model.execution == lower[i] && model.entries == 1);
	}
}

/* B1.5.4, B3.2.6: the subpriority does not preempt. */
static void group_priority(void)
{
	start(&model_core_full);
	watch(0, AT, 2, BOTH);
	model_execute_at(0x60);
	model_write32(MODEL_AIRCR, 0x00000600); /* no key */
	CHECK(model_read32(MODEL_AIRCR) == 0xfa050000);
	model_write32(MODEL_AIRCR, 0x05fa0600); /* groups of 0x80 */
	CHECK(model_read32(MODEL_AIRCR) == 0xfa050600);
	CHECK(outcome(AT, 4, true) == MODEL_LOST);
	model_execute_at(0x80);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
	model_return();
	model_write32(MODEL_AIRCR, 0x05fa0700); /* one group: all but base level is equal */
	CHECK(outcome(AT, 4, true) == MODEL_LOST);
	model_execute_at(MODEL_BASE);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
}

/* B3.2.12, B1.5.4: the upper bits of a priority are there. */
static void priority_bits(void)
{
	start(&model_core_full);
	model_write32(MODEL_SHPR3, 0xffffffff);
	CHECK(model_read32(MODEL_SHPR3) == 0xf0f000f0);
	start(&model_core_one);
	model_write32(MODEL_SHPR3, 0xffffffff);
	CHECK(model_read32(MODEL_SHPR3) == 0xe0e000e0);
}

/* C1.5: the handler's own accesses are at its priority. */
static void handler(void)
{
	start(&model_core_full);
	watch(0, AT, 2, BOTH);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
	CHECK(outcome(AT, 4, true) == MODEL_LOST);
	model_execute_at(0x20); /* an interrupt preempts the handler */
	CHECK(outcome(AT, 4, true) == MODEL_LOST);
	model_execute_at(0x40);
	model_return();
	CHECK(!model.active && model.entries == 1);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN && model.misuse == 0);
	model_return();
	model_return();
	CHECK(model.misuse == 1);
}

/* B1.5.1: the event of a watchpoint is asynchronous, as an interrupt's is. */
static void late(void)
{
	start(&model_core_full);
	model.late = true;
	watch(0, AT, 2, BOTH);
	CHECK(outcome(AT, 4, true) == MODEL_PENDING && !model.active);
	CHECK(model_read32(MODEL_DEMCR) & MODEL_DEMCR_MON_PEND);
	CHECK(model_instruction(TEXT).outcome == MODEL_TAKEN && model.active);
	model_return();
	CHECK(outcome(AT, 4, true) == MODEL_PENDING);
	model_execute_at(0x20); /* an interrupt comes first */
	CHECK(!model.active && outcome(AT, 4, true) == MODEL_LOST);
	model_execute_at(MODEL_BASE);
	CHECK(model.active && model.entries == 2);
	model_return();
	CHECK(outcome(AT, 4, true) == MODEL_PENDING);
	model_execute_at(0x20);
	clear(MODEL_DEMCR, MODEL_DEMCR_MON_PEND);
	model_execute_at(MODEL_BASE);
	CHECK(!model.active);
}

/* C1.6.5: MON_EN is for events; MON_PEND, written by software, waits for the priority alone. */
static void monitor_bits(void)
{
	start(&model_core_full);
	watch(0, AT, 2, BOTH);
	clear(MODEL_DEMCR, MODEL_DEMCR_MON_EN);
	CHECK(outcome(AT, 4, true) == MODEL_LOST && model.misuse == 0);
	model_execute_at(0x20);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_PEND);
	CHECK(model_read32(MODEL_DEMCR) & MODEL_DEMCR_MON_PEND && !model.active);
	model_execute_at(MODEL_BASE);
	CHECK(model.active && !(model_read32(MODEL_DEMCR) & MODEL_DEMCR_MON_PEND));
	CHECK(model_read32(MODEL_DFSR) == 0);
	model_return();
	model_write32(MODEL_DEMCR, 0xfffdffff); /* MON_REQ is software's */
	CHECK(model_read32(MODEL_DEMCR) == 0x010d07f1);
}

/* C1.5.1 */
static void stepping(void)
{
	start(&model_core_full);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_PEND);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_STEP);
	CHECK(model_instruction(TEXT).outcome == MODEL_NO_EVENT); /* in the handler */
	model_return();
	CHECK(!model.active);
	model_execute_at(0x20);
	CHECK(model_instruction(TEXT).outcome == MODEL_NO_EVENT);
	model_execute_at(MODEL_BASE);
	CHECK(model_instruction(TEXT).outcome == MODEL_TAKEN);
	CHECK(model_read32(MODEL_DFSR) == MODEL_DFSR_HALTED);
	clear(MODEL_DEMCR, MODEL_DEMCR_MON_STEP);
	model_return();
	CHECK(model_instruction(TEXT).outcome == MODEL_NO_EVENT && model.misuse == 0);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_STEP); /* outside the handler */
	CHECK(model.misuse == 1);
	clear(MODEL_DEMCR, MODEL_DEMCR_MON_EN);
	CHECK(model_instruction(TEXT).outcome == MODEL_NO_EVENT);
}

/* C1.6.1: a one clears its bit, a zero keeps it; bits stay until then. */
static void fault_status(void)
{
	start(&model_core_full);
	watch(0, AT, 2, BOTH);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
	model_return();
	model_write32(MODEL_DFSR, ~MODEL_DFSR_DWTTRAP);
	CHECK(model_read32(MODEL_DFSR) == MODEL_DFSR_DWTTRAP);
	model_write32(MODEL_DFSR, MODEL_DFSR_DWTTRAP);
	CHECK(model_read32(MODEL_DFSR) == 0);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_PEND);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_STEP);
	model_return();
	model.late = true;
	CHECK(outcome(AT, 4, true) == MODEL_PENDING);
	CHECK(model_instruction(TEXT).outcome == MODEL_TAKEN);
	CHECK(model_read32(MODEL_DFSR) == (MODEL_DFSR_DWTTRAP | MODEL_DFSR_HALTED));
	CHECK(model_read32(MODEL_DEMCR) ==
	      (MODEL_DEMCR_TRCENA | MODEL_DEMCR_MON_EN | MODEL_DEMCR_MON_STEP));
	model_return();
	CHECK(outcome(AT, 4, true) == MODEL_PENDING);
	CHECK(model_read32(MODEL_DFSR) == (MODEL_DFSR_DWTTRAP | MODEL_DFSR_HALTED));
}

/* C1.6.2, C1.5: with C_DEBUGEN the events are the debugger's. Software cannot write it. */
static void debugger(void)
{
	start(&model_core_full);
	watch(0, AT, 2, BOTH);
	model_write32(MODEL_DHCSR, MODEL_DHCSR_KEY | 3);
	CHECK(!(model_read32(MODEL_DHCSR) & MODEL_DHCSR_C_DEBUGEN) && !model.halted);
	model_debugger(true);
	CHECK(model_read32(MODEL_DHCSR) & MODEL_DHCSR_C_DEBUGEN);
	model_write32(MODEL_DHCSR, MODEL_DHCSR_KEY);
	CHECK(model_read32(MODEL_DHCSR) & MODEL_DHCSR_C_DEBUGEN);
	CHECK(outcome(AT, 4, true) == MODEL_HALTED && model.halted && !model.active);
	CHECK(model_read32(MODEL_DFSR) == MODEL_DFSR_DWTTRAP);
	model_debugger(true);
	model_execute_at(0); /* halting debug asks for no priority */
	CHECK(outcome(AT, 4, true) == MODEL_HALTED);
	model_debugger(true);
	model_write32(MODEL_DHCSR, MODEL_DHCSR_C_HALT); /* no key */
	CHECK(!model.halted);
	model_write32(MODEL_DHCSR, MODEL_DHCSR_KEY | MODEL_DHCSR_C_HALT);
	CHECK(model.halted);
	model_debugger(false);
	CHECK(outcome(AT, 4, true) == MODEL_LOST && !model.halted);
	model_execute_at(MODEL_BASE);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
}

/* C1.4, C1.6.5, M3 10.2: the CPU's reset keeps comparators, DFSR, TRCENA and the open lock, and
 * turns DebugMonitor off. C1.6.2: S_RESET_ST tells of it until it is read. */
static void resets(void)
{
	start(&model_core_locked);
	CHECK(model_read32(MODEL_DHCSR) & MODEL_DHCSR_S_RESET_ST);
	CHECK(!(model_read32(MODEL_DHCSR) & MODEL_DHCSR_S_RESET_ST));
	set(MODEL_DWT_CTRL, MODEL_CTRL_CYCCNTENA);
	watch(1, AT, 2, BOTH);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
	model_debugger(true);
	model_warm_reset();
	CHECK(model_read32(MODEL_DHCSR) ==
	      (MODEL_DHCSR_S_RESET_ST | MODEL_DHCSR_C_DEBUGEN |
	       (MODEL_UNKNOWN & MODEL_DHCSR_UNKNOWN & ~MODEL_DHCSR_C_HALT)));
	model_debugger(false);
	CHECK(model_read32(MODEL_DEMCR) == MODEL_DEMCR_TRCENA && !model.active);
	CHECK(model_read32(MODEL_SHPR3) == 0 && model_read32(MODEL_DFSR) == MODEL_DFSR_DWTTRAP);
	CHECK(model_read32(MODEL_DWT_LSR) == 1);
	CHECK(model_read32(MODEL_DWT_CTRL) == (0x40000000 | MODEL_CTRL_CYCCNTENA));
	CHECK(model_read32(MODEL_DWT_COMP(1)) == AT && model_read32(MODEL_DWT_MASK(1)) == 2);
	CHECK(outcome(AT, 4, true) == MODEL_LOST);
	set(MODEL_DEMCR, MODEL_DEMCR_MON_EN);
	CHECK(outcome(AT, 4, true) == MODEL_TAKEN);
	model_power_on(&model_core_locked);
	CHECK(model_read32(MODEL_DEMCR) == 0 && model_read32(MODEL_DFSR) == 0);
	set(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	CHECK(model_read32(MODEL_DWT_LSR) == 3 &&
	      model_read32(MODEL_DWT_FUNCTION(1)) == MODEL_FUNCTION_LNK1ENA);
}

/* M7 11.3, C1.8.7: what is not there reads as zero, keeps nothing and matches nothing. */
static void absent_comparators(void)
{
	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		start(cores[i]);
		for (unsigned n = cores[i]->comparators; n < MODEL_COMPARATORS_MAX; n++) {
			watch(n, AT, 2, BOTH);
			CHECK(model_read32(MODEL_DWT_COMP(n)) == 0);
			CHECK(model_read32(MODEL_DWT_MASK(n)) == 0);
			CHECK(model_read32(MODEL_DWT_FUNCTION(n)) == 0);
		}
		CHECK(hits(0, AT, 4, true) && model.misuse == 0);
	}
}

static void misuse_is_counted(void)
{
	static const uint32_t registers[] = {MODEL_AIRCR,           MODEL_SHPR3,   MODEL_DFSR,
					     MODEL_DHCSR,           MODEL_DEMCR,   MODEL_DWT_CTRL,
					     MODEL_DWT_CYCCNT,      MODEL_DWT_LAR, MODEL_DWT_LSR,
					     MODEL_DWT_FUNCTION(14)};

	start(&model_core_one);
	watch(0, AT, 2, 1); /* NOTRCPKT */
	CHECK(model.misuse == 1);
	watch(0, AT, 2, 9); /* NOEXTTRIG */
	CHECK(model.misuse == 2);
	for (unsigned i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		CHECK(model_is_register(registers[i]));
	CHECK(!model_is_register(MODEL_DWT_COMP(0) + 12) && !model_is_register(MODEL_DWT_COMP(15)));
	model_write32(MODEL_DWT_COMP(15), 0);
	CHECK(model.misuse == 3);
	CHECK(model_read32(0xe000ed24) == 0 && model.misuse == 4);
}

int main(void)
{
	reset_values();
	ctrl_bits();
	cycle_counter();
	largest_mask();
	function_bits();
	functions();
	matched_is_cleared_by_a_read();
	ranges();
	several_match();
	data_values();
	cycle_matches();
	trace_enable();
	lock();
	priority();
	group_priority();
	priority_bits();
	handler();
	late();
	monitor_bits();
	stepping();
	fault_status();
	debugger();
	resets();
	absent_comparators();
	misuse_is_counted();
	return check_status();
}
