/* SPDX-License-Identifier: BSD-2-Clause */
/* Watchpoints by port/cortexm/dwt.c, on the model of the unit: each access to a watched range is
 * reported once, to the comparators that watch it and to no others, and the firmware gets
 * DebugMonitor and the registers back as it had them. */
#include "check.h"
#include "dwt_model.h"

#define DP_CORTEXM_WITH_DWT 1
#include "../../port/cortexm/dwt.c" /* NOLINT(bugprone-suspicious-include) */

enum {
	AT = 0x20001000,
	PRIMASK = 0, /* the priority of code that has it set */
	ROUNDS = 4000
};

static struct dp_dwt dwt;
static uint32_t itm_tcr;
static unsigned reported;     /* comparators, of the last access */
static unsigned for_firmware; /* DebugMonitors that its handler has got */
static bool passing;          /* as the port's state has it */
static unsigned published;

static const struct model_core *const cores[] = {&model_core_full, &model_core_one,
						 &model_core_maskless, &model_core_locked,
						 &model_core_reduced};

/* --- what the port supplies --- */

uint32_t dp_unit_get(uint32_t address)
{
	return address == DP_ITM_TCR ? itm_tcr : model_read32(address);
}

/* The mask of a comparator that is on is not changed. */
void dp_unit_set(uint32_t address, uint32_t value)
{
	unsigned n = model_comparator(address);

	if (n < MODEL_COMPARATORS_MAX && address == MODEL_DWT_MASK(n))
		CHECK((model.function[n] & MODEL_FUNCTION_FUNCTION) == 0);
	model_write32(address, value);
}

void dp_dwt_publish(void)
{
	published++;
}

/* --- the CPU --- */

/* The agent leaves DebugMonitor at once, and works with PRIMASK set where it came from. */
static void enter_agent(void)
{
	int level = model.interrupted;

	model_return();
	model_execute_at(PRIMASK);
	reported = dp_dwt_take(&dwt);
	if (reported == 0) {
		dp_dwt_pass();
		passing = true;
	} else {
		dp_dwt_pause(&dwt, 15);
		dp_dwt_pause(&dwt, 0);
	}
	model_execute_at(level);
}

static void take_monitor(void)
{
	reported = 0;
	while (model.active) {
		if (passing || dp_dwt_armed(&dwt) == 0) {
			passing = false;
			for_firmware++;
			model_return();
		} else {
			enter_agent();
		}
	}
}

/* Returns the comparators that are reported. */
static unsigned access_at(uint32_t address, unsigned bytes, bool write)
{
	struct model_result result = model_data_access(address, bytes, write);

	reported = 0;
	if (result.outcome == MODEL_TAKEN)
		take_monitor();
	return reported;
}

/* Other instructions, at which a late DebugMonitor comes. */
static unsigned go_on(void)
{
	reported = 0;
	if (model_instruction(0x08004000).outcome == MODEL_TAKEN)
		take_monitor();
	return reported;
}

static void restart(bool hooked)
{
	dwt = (struct dp_dwt){0};
	dp_dwt_attach(&dwt, hooked);
}

static void start(const struct model_core *core)
{
	model_power_on(core);
	itm_tcr = 0;
	for_firmware = 0;
	passing = false;
	restart(false);
}

static bool arm(unsigned n, uint32_t first, unsigned bits, enum dp_dwt_function function)
{
	struct dp_dwt_watch watch = {first, (uint8_t)bits, (uint8_t)function};

	return dp_dwt_arm(&dwt, n, &watch);
}

/* What a firmware or a debugger writes. */
static void put(uint32_t address, uint32_t value)
{
	model_write32(address, value);
}

static uint32_t get(uint32_t address)
{
	return model_read32(address);
}

/* What the firmware sees of the unit and of DebugMonitor, but COMP and MASK, which reset leaves
 * UNKNOWN. */
static bool is_as_reset(uint32_t shpr3, uint32_t demcr)
{
	bool found = get(MODEL_DEMCR) == demcr && get(MODEL_SHPR3) == shpr3 &&
		     get(MODEL_DFSR) == 0 && model.locked == model.core.lock;

	for (unsigned n = 0; n < model.core.comparators; n++)
		found = found && model.function[n] == 0;
	return found;
}

/* --- the tests --- */

static void no_unit(void)
{
	start(&model_core_absent);
	CHECK(dwt.count == 0 && get(MODEL_DEMCR) == 0);
	CHECK(dp_dwt_can(&dwt, 0, 0, DP_DWT_WRITE) == DP_ERR_NO_WATCHPOINT);
	CHECK(!arm(0, AT, 0, DP_DWT_WRITE) && dp_dwt_armed(&dwt) == 0);
	CHECK(model.misuse == 0);
}

/* C1.8.16: as many bits as MASK keeps. */
static void ranges_of_units(void)
{
	static const unsigned count[] = {4, 1, 4, 4, 2}, largest[] = {15, 15, 0, 31, 31};

	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		uint32_t mask;

		model_power_on(cores[i]);
		mask = model.mask[0];
		restart(false);
		CHECK(dwt.count == count[i] && dwt.largest == largest[i]);
		CHECK(model.mask[0] == mask && get(MODEL_DEMCR) == 0 && is_as_reset(0, 0));
		CHECK(dp_dwt_can(&dwt, 0, largest[i], DP_DWT_READ) == DP_ERR_OK);
		CHECK(dp_dwt_can(&dwt, 0, largest[i] + 1, DP_DWT_READ) == DP_ERR_NO_WATCHPOINT);
		CHECK(dp_dwt_can(&dwt, count[i] - 1, 0, DP_DWT_READ) == DP_ERR_OK);
		CHECK(dp_dwt_can(&dwt, count[i], 0, DP_DWT_READ) == DP_ERR_NO_WATCHPOINT);
		CHECK(dp_dwt_can(&dwt, 0, 0, DP_DWT_NOTHING) == DP_ERR_NO_WATCHPOINT);
		CHECK(model.misuse == 0);
	}
}

/* Each kind, length and place of an access, beside and in the range. */
static void kinds_and_ranges(void)
{
	for (unsigned function = DP_DWT_READ; function <= DP_DWT_ACCESS; function++)
		for (unsigned bits = 0; bits <= 5; bits++)
			for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
				for (uint32_t at = AT + 64 - 10; at < AT + 64 + 42; at++)
					for (unsigned write = 0; write < 2; write++) {
						const uint32_t first = AT + 64;
						bool in = at + bytes > first &&
							  at < first + (1u << bits);
						bool kind = function == DP_DWT_ACCESS ||
							    (function == DP_DWT_WRITE) == write;

						start(&model_core_full);
						CHECK(arm(2, first, bits, function));
						CHECK(access_at(at, bytes, write) ==
						      (in && kind ? 4 : 0));
						CHECK(dp_dwt_covers(&dwt, 15, write, at, bytes) ==
						      (in && kind));
						CHECK(model.misuse == 0);
					}
}

/* Any order of arming and freeing: the accesses are reported to those that watch them. */
static void any_order(void)
{
	uint32_t seed = 0x2545f491;
	unsigned full = 0, hits = 0, several = 0;

	start(&model_core_full);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned n = (seed >> 4) % 4, bits = (seed >> 6) % 4, expect = 0;
		uint32_t at = AT + (seed >> 10) % 32;

		seed ^= seed << 13;
		seed ^= seed >> 17;
		seed ^= seed << 5;
		if (dp_dwt_armed(&dwt) >> n & 1)
			dp_dwt_disarm(&dwt, n);
		else
			CHECK(arm(n, at >> bits << bits, bits, 5 + (seed >> 16) % 3));
		full += dp_dwt_armed(&dwt) == 15;
		for (n = 0; n < 4; n++)
			if (dp_dwt_covers(&dwt, 1u << n, seed & 1, at, 4))
				expect |= 1u << n;
		CHECK(access_at(at, 4, seed & 1) == expect);
		hits += expect != 0;
		several += (expect & (expect - 1)) != 0;
		for (n = 0; n < 4; n++)
			CHECK(dp_dwt_holds(&dwt, n) == (dp_dwt_armed(&dwt) >> n & 1));
	}
	CHECK(full > 100 && hits > 500 && several > 100);
	for (unsigned n = 0; n < 4; n++)
		dp_dwt_disarm(&dwt, n);
	CHECK(is_as_reset(0, 0) && for_firmware == 0 && model.misuse == 0);
}

/* What the firmware had, behind the last watchpoint: its priority, TRCENA, the lock. */
static void given_back(void)
{
	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		for (unsigned trace = 0; trace < 2; trace++) {
			start(cores[i]);
			put(MODEL_SHPR3, 0x20400060);
			put(MODEL_DEMCR, trace ? MODEL_DEMCR_TRCENA : 0);
			CHECK(arm(0, AT, 0, DP_DWT_WRITE));
			CHECK(get(MODEL_SHPR3) == 0x20400000);
			CHECK(get(MODEL_DEMCR) == (MODEL_DEMCR_TRCENA | MODEL_DEMCR_MON_EN));
			CHECK(access_at(AT, 1, true) == 1);
			dp_dwt_disarm(&dwt, 0);
			CHECK(is_as_reset(0x20400060, trace ? MODEL_DEMCR_TRCENA : 0));
			CHECK(access_at(AT, 1, true) == 0 && for_firmware == 0);
			CHECK(model.misuse == 0);
		}
	start(&model_core_full); /* the firmware writes a priority meanwhile */
	put(MODEL_SHPR3, 0x60);
	CHECK(arm(0, AT, 0, DP_DWT_WRITE));
	put(MODEL_SHPR3, 0x80);
	dp_dwt_disarm(&dwt, 0);
	CHECK(get(MODEL_SHPR3) == 0x80);
}

/* The cycle counter, packets and comparators of others need TRCENA on. */
static void trace_is_shared(void)
{
	start(&model_core_full);
	CHECK(arm(0, AT, 0, DP_DWT_WRITE));
	put(MODEL_DWT_CTRL, get(MODEL_DWT_CTRL) | MODEL_CTRL_CYCCNTENA);
	dp_dwt_disarm(&dwt, 0);
	CHECK(get(MODEL_DEMCR) == MODEL_DEMCR_TRCENA);
	model_cycles(100);
	CHECK(get(MODEL_DWT_CYCCNT) == 100);
	start(&model_core_full);
	CHECK(arm(0, AT, 0, DP_DWT_WRITE));
	itm_tcr = 1;
	dp_dwt_disarm(&dwt, 0);
	CHECK(get(MODEL_DEMCR) == MODEL_DEMCR_TRCENA);
	start(&model_core_full);
	CHECK(arm(0, AT, 0, DP_DWT_WRITE));
	put(MODEL_DWT_FUNCTION(3), 2);
	dp_dwt_disarm(&dwt, 0);
	CHECK(get(MODEL_DEMCR) == MODEL_DEMCR_TRCENA && model.function[3] == 2);
	CHECK(model.misuse == 0);
	start(&model_core_full); /* the firmware switches it off and on */
	CHECK(arm(0, AT, 0, DP_DWT_WRITE));
	put(MODEL_DEMCR, MODEL_DEMCR_MON_EN);
	CHECK(!dp_dwt_holds(&dwt, 0));
	dp_dwt_disarm(&dwt, 0);
	CHECK(is_as_reset(0, 0));
	start(&model_core_full); /* it had it on, and has switched it off */
	put(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	CHECK(arm(0, AT, 0, DP_DWT_WRITE));
	put(MODEL_DEMCR, MODEL_DEMCR_MON_EN);
	dp_dwt_disarm(&dwt, 0);
	CHECK(is_as_reset(0, 0));
}

/* B1.5.4: code with PRIMASK, and at priority 0, is not watched; all other code is. */
static void priorities(void)
{
	static const int masked[] = {-2, -1, 0}, others[] = {0x10, 0x80, 0xf0, MODEL_BASE};

	start(&model_core_full);
	CHECK(arm(0, AT, 2, DP_DWT_WRITE));
	for (unsigned i = 0; i < sizeof(masked) / sizeof(masked[0]); i++) {
		model_execute_at(masked[i]);
		CHECK(model_data_access(AT, 4, true).outcome == MODEL_LOST);
		model_execute_at(MODEL_BASE);
		CHECK(!model.active);
	}
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		model_execute_at(others[i]);
		CHECK(access_at(AT, 4, true) == 1 && model.execution == others[i]);
	}
}

/* The agent's own accesses are made in a pause, and leave nothing. */
static void pauses(void)
{
	start(&model_core_full);
	CHECK(arm(0, AT, 2, DP_DWT_ACCESS) && arm(1, AT + 4, 2, DP_DWT_WRITE));
	model_execute_at(PRIMASK);
	dp_dwt_pause(&dwt, 15);
	CHECK(dp_dwt_holds(&dwt, 0) && dp_dwt_holds(&dwt, 1));
	CHECK(model_data_access(AT, 8, true).matched == 0);
	CHECK(arm(2, AT + 8, 2, DP_DWT_READ)); /* a pause stays */
	CHECK(model_data_access(AT + 8, 4, false).matched == 0 && dp_dwt_holds(&dwt, 2));
	dp_dwt_disarm(&dwt, 1);
	dp_dwt_pause(&dwt, 4);
	CHECK(model_data_access(AT + 8, 4, false).matched == 0);
	CHECK(dp_dwt_lost(&dwt) == 0);
	dp_dwt_pause(&dwt, 0);
	model_execute_at(MODEL_BASE);
	CHECK(access_at(AT + 4, 4, true) == 0 && access_at(AT + 8, 4, false) == 4);
	CHECK(access_at(AT, 4, false) == 1 && model.misuse == 0);
}

/* A copy in a slot runs with PRIMASK set. Its access is found behind it, and none of before. */
static void accesses_of_slots(void)
{
	start(&model_core_full);
	CHECK(arm(0, AT, 2, DP_DWT_WRITE) && arm(3, AT + 4, 2, DP_DWT_WRITE));
	model_execute_at(PRIMASK);
	model_data_access(AT, 4, true); /* masked code of the firmware */
	dp_dwt_pause(&dwt, 15);
	dp_dwt_pause(&dwt, 0);
	CHECK(model_data_access(AT + 4, 4, true).outcome == MODEL_LOST);
	CHECK(dp_dwt_lost(&dwt) == 8);
	CHECK(dp_dwt_lost(&dwt) == 0);
	dp_dwt_pause(&dwt, 15);
	dp_dwt_pause(&dwt, 0);
	model_execute_at(MODEL_BASE);
	CHECK(!model.active && for_firmware == 0);
	dp_dwt_disarm(&dwt, 0);
	dp_dwt_disarm(&dwt, 3);
	CHECK(dp_dwt_lost(&dwt) == 0 && model.misuse == 0);
}

/* MATCHED of an access that was lost: forgotten in the next pause, else told with the next one. */
static void stale(void)
{
	start(&model_core_full);
	CHECK(arm(0, AT, 2, DP_DWT_WRITE) && arm(1, AT + 4, 2, DP_DWT_WRITE));
	model_execute_at(PRIMASK);
	model_data_access(AT, 4, true);
	model_execute_at(MODEL_BASE);
	CHECK(access_at(AT + 4, 4, true) == 3);
	CHECK(access_at(AT + 4, 4, true) == 2);
	model_execute_at(PRIMASK);
	model_data_access(AT, 4, true);
	dp_dwt_pause(&dwt, 15); /* dp_poll */
	dp_dwt_pause(&dwt, 0);
	model_execute_at(MODEL_BASE);
	CHECK(access_at(AT + 4, 4, true) == 2);
	CHECK(!dp_dwt_covers(&dwt, 1, true, AT + 4, 4)); /* as the port tells them apart */
}

/* B1.5.1: the event comes an instruction late, and what happens meanwhile does not lose it. */
static void late(void)
{
	start(&model_core_full);
	model.late = true;
	CHECK(arm(0, AT, 2, DP_DWT_WRITE) && arm(1, AT + 4, 2, DP_DWT_WRITE));
	CHECK(access_at(AT, 4, true) == 0 && go_on() == 1 && go_on() == 0);
	CHECK(access_at(AT, 4, true) == 0); /* then a probe: its hit, its slot */
	model_execute_at(PRIMASK);
	dp_dwt_pause(&dwt, 15);
	dp_dwt_pause(&dwt, 0);
	model_data_access(AT + 4, 4, true);
	CHECK(dp_dwt_lost(&dwt) == 2);
	CHECK(dp_dwt_holds(&dwt, 0));
	dp_dwt_pause(&dwt, 15);
	dp_dwt_pause(&dwt, 0);
	model_execute_at(MODEL_BASE);
	take_monitor();
	CHECK(reported == 1 && for_firmware == 0);
	CHECK(access_at(AT, 4, true) == 0 && dp_dwt_holds(&dwt, 0) && go_on() == 1);
	CHECK(access_at(AT + 4, 4, true) == 0); /* then another watchpoint */
	CHECK(dp_dwt_can(&dwt, 2, 2, DP_DWT_WRITE) == DP_ERR_OK && go_on() == 2);
	CHECK(get(MODEL_DFSR) == 0 && model.misuse == 0);
}

/* A watchpoint goes while its event is pending: nobody gets it. */
static void late_and_gone(void)
{
	for (unsigned two = 0; two < 2; two++) {
		start(&model_core_full);
		model.late = true;
		CHECK(arm(0, AT, 2, DP_DWT_WRITE) && (!two || arm(1, AT, 2, DP_DWT_WRITE)));
		access_at(AT, 4, true);
		model_execute_at(PRIMASK);
		dp_dwt_disarm(&dwt, 0);
		model_execute_at(MODEL_BASE);
		if (model.active)
			take_monitor();
		CHECK(for_firmware == 0 && (reported == 2) == two);
		CHECK(go_on() == 0 && get(MODEL_DFSR) == 0 && model.misuse == 0);
	}
}

/* Events that are not the agent's go to the firmware's handler, once. */
static void own_handler(void)
{
	start(&model_core_full);
	CHECK(arm(0, AT, 2, DP_DWT_WRITE));
	put(MODEL_DEMCR, get(MODEL_DEMCR) | MODEL_DEMCR_MON_PEND);
	CHECK(model.active);
	take_monitor();
	CHECK(for_firmware == 1 && !model.active);
	put(MODEL_DWT_COMP(3), AT + 16); /* its own comparator */
	put(MODEL_DWT_MASK(3), 2);
	put(MODEL_DWT_FUNCTION(3), 6);
	CHECK(access_at(AT + 16, 4, true) == 0 && for_firmware == 2);
	CHECK(get(MODEL_DFSR) == MODEL_DFSR_DWTTRAP);
	CHECK(get(MODEL_DWT_FUNCTION(3)) == (6 | MODEL_FUNCTION_MATCHED));
	put(MODEL_DFSR, MODEL_DFSR_DWTTRAP);
	CHECK(dp_dwt_can(&dwt, 3, 0, DP_DWT_WRITE) == DP_ERR_NO_COMPARATOR);
	CHECK(access_at(AT, 4, true) == 1 && for_firmware == 2);
	model_execute_at(PRIMASK); /* a lost access makes no event of the firmware the agent's */
	model_data_access(AT, 4, true);
	put(MODEL_DEMCR, get(MODEL_DEMCR) | MODEL_DEMCR_MON_PEND);
	model_execute_at(MODEL_BASE);
	take_monitor();
	CHECK(reported == 0 && for_firmware == 3);
	model_execute_at(PRIMASK); /* nor where the watchpoint goes meanwhile */
	model_data_access(AT, 4, true);
	put(MODEL_DEMCR, get(MODEL_DEMCR) | MODEL_DEMCR_MON_PEND);
	dp_dwt_disarm(&dwt, 0);
	model_execute_at(MODEL_BASE);
	take_monitor();
	CHECK(for_firmware == 4 && model.misuse == 0);
}

/* What a debugger that has gone has left in the status. */
static void old_status(void)
{
	start(&model_core_full);
	put(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	model_debugger(true);
	put(MODEL_DWT_COMP(0), AT);
	put(MODEL_DWT_MASK(0), 2);
	put(MODEL_DWT_FUNCTION(0), 6);
	CHECK(model_data_access(AT, 4, true).outcome == MODEL_HALTED);
	put(MODEL_DWT_FUNCTION(0), 0);
	model_debugger(false);
	CHECK(get(MODEL_DFSR) == MODEL_DFSR_DWTTRAP);
	model.function[0] |= MODEL_FUNCTION_MATCHED;
	CHECK(arm(0, AT, 2, DP_DWT_WRITE) && get(MODEL_DFSR) == 0);
	CHECK(arm(1, AT + 16, 2, DP_DWT_WRITE) && access_at(AT + 16, 4, true) == 2);
	put(MODEL_DEMCR, get(MODEL_DEMCR) & ~MODEL_DEMCR_MON_EN);
	CHECK(!dp_dwt_holds(&dwt, 0));
}

/* Who else uses the unit. */
static void refusals(void)
{
	start(&model_core_full);
	put(MODEL_DEMCR, MODEL_DEMCR_MON_EN);
	CHECK(dp_dwt_can(&dwt, 0, 0, DP_DWT_WRITE) == DP_ERR_WATCH_MONITOR);
	CHECK(!arm(0, AT, 0, DP_DWT_WRITE) && get(MODEL_DEMCR) == MODEL_DEMCR_MON_EN);
	start(&model_core_full);
	model_debugger(true);
	CHECK(dp_dwt_can(&dwt, 0, 0, DP_DWT_WRITE) == DP_ERR_WATCH_DEBUGGED);
	CHECK(!arm(0, AT, 0, DP_DWT_WRITE) && is_as_reset(0, 0));
	put(MODEL_DEMCR, MODEL_DEMCR_TRCENA); /* by the debugger, which goes and leaves it on */
	put(MODEL_DWT_COMP(1), AT);
	put(MODEL_DWT_FUNCTION(1), 4);
	model_debugger(false);
	CHECK(dp_dwt_can(&dwt, 0, 0, DP_DWT_WRITE) == DP_ERR_WATCH_MONITOR);
	put(MODEL_DWT_FUNCTION(1), 2); /* packets */
	CHECK(dp_dwt_can(&dwt, 1, 0, DP_DWT_WRITE) == DP_ERR_NO_COMPARATOR);
	CHECK(arm(0, AT, 0, DP_DWT_WRITE) && !arm(1, AT, 0, DP_DWT_WRITE));
	CHECK(model.function[1] == 2);
	for (unsigned which = 0; which < 2; which++) {
		/* comparator 1 compares data, at any address or that of comparator 2 */
		start(&model_core_full);
		put(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
		put(MODEL_DWT_FUNCTION(1), MODEL_FUNCTION_DATAVMATCH | 2u << 10 |
						   (2u - which) << 12 | (1u + which) << 16 | 11);
		CHECK(dp_dwt_can(&dwt, 2, 0, DP_DWT_WRITE) == DP_ERR_NO_COMPARATOR);
		CHECK(dp_dwt_can(&dwt, 3, 0, DP_DWT_WRITE) == DP_ERR_OK && model.misuse == 0);
		put(MODEL_DWT_FUNCTION(0), 2);
		restart(false);
		CHECK(dwt.largest == 15 && (model.function[1] & 15) == 11);
	}
}

/* A comparator that a debugger has taken meanwhile stays the debugger's. */
static void taken_meanwhile(void)
{
	static const struct {
		uint32_t comp, mask, function;
	} others[] = {{AT + 32, 2, 5}, {AT + 32, 2, 6}, {AT, 1, 6}, {AT, 2, 5}};

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start(&model_core_full);
		CHECK(arm(0, AT, 2, DP_DWT_WRITE));
		put(MODEL_DWT_COMP(0), others[i].comp);
		put(MODEL_DWT_MASK(0), others[i].mask);
		put(MODEL_DWT_FUNCTION(0), others[i].function);
		CHECK(!dp_dwt_holds(&dwt, 0));
		dp_dwt_pause(&dwt, 15);
		dp_dwt_pause(&dwt, 0);
		dp_dwt_disarm(&dwt, 0);
		CHECK(model.comp[0] == others[i].comp && model.mask[0] == others[i].mask &&
		      (model.function[0] & 15) == others[i].function);
		CHECK(get(MODEL_DEMCR) == MODEL_DEMCR_TRCENA && model.misuse == 0);
	}
}

/* M7 11.3: the firmware locks the unit meanwhile: what is written does not count. */
static void locked(void)
{
	start(&model_core_locked);
	CHECK(arm(0, AT, 2, DP_DWT_WRITE) && !model.locked);
	put(MODEL_DWT_LAR, 0);
	CHECK(!arm(1, AT, 2, DP_DWT_WRITE) && dp_dwt_armed(&dwt) == 1);
	put(MODEL_DWT_LAR, MODEL_LAR_KEY);
	CHECK(arm(1, AT, 2, DP_DWT_WRITE) && access_at(AT, 4, true) == 3);
}

/* C1.4: the CPU's reset keeps the comparators, and turns DebugMonitor off. */
static void resets(void)
{
	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		start(cores[i]);
		CHECK(arm(0, AT, 0, DP_DWT_ACCESS));
		model_warm_reset();
		CHECK(model.function[0] == 7 && access_at(AT, 1, true) == 0);
		restart(false);
		CHECK(model.function[0] == 0 && dwt.largest == (model.core.mask_bits & 31));
		CHECK(arm(0, AT, 0, DP_DWT_WRITE) && access_at(AT, 1, true) == 1);
		CHECK(for_firmware == 0 && model.misuse == 0);
	}
	start(&model_core_full); /* comparators of the trace unit, and of data */
	put(MODEL_DEMCR, MODEL_DEMCR_TRCENA);
	put(MODEL_DWT_FUNCTION(0), 9);
	put(MODEL_DWT_FUNCTION(1), MODEL_FUNCTION_DATAVMATCH | 2u << 10 | 1u << 12 | 1u << 16 | 5);
	restart(false);
	CHECK(model.function[0] == 9 && (model.function[1] & 15) == 5 && model.misuse == 0);
	start(&model_core_full); /* a debugger is connected: they may be its comparators */
	CHECK(arm(0, AT, 2, DP_DWT_ACCESS));
	model_debugger(true);
	model_warm_reset();
	restart(false);
	CHECK(model.function[0] == 7);
}

/* A restart that resets nothing: DebugMonitor is on, and its vector is the agent's. */
static void restarts(void)
{
	start(&model_core_full);
	CHECK(arm(1, AT, 2, DP_DWT_ACCESS));
	put(MODEL_DWT_FUNCTION(3), 2);
	restart(true);
	CHECK(model.function[1] == 0 && model.function[3] == 2);
	CHECK(get(MODEL_DEMCR) == MODEL_DEMCR_TRCENA && get(MODEL_DFSR) == 0);
	CHECK(arm(1, AT, 2, DP_DWT_ACCESS) && access_at(AT, 4, true) == 2);
	model.late = true; /* the last access is pending */
	access_at(AT, 4, true);
	model_execute_at(PRIMASK);
	restart(true);
	model_execute_at(MODEL_BASE);
	CHECK(!model.active && get(MODEL_DFSR) == 0);
	start(&model_core_full); /* the vector is the firmware's: so is DebugMonitor */
	put(MODEL_DEMCR, MODEL_DEMCR_TRCENA | MODEL_DEMCR_MON_EN);
	put(MODEL_DWT_COMP(2), AT);
	put(MODEL_DWT_FUNCTION(2), 6);
	restart(false);
	CHECK(model.function[2] == 6);
	CHECK(get(MODEL_DEMCR) == (MODEL_DEMCR_TRCENA | MODEL_DEMCR_MON_EN));
	CHECK(model.misuse == 0);
}

int main(void)
{
	no_unit();
	ranges_of_units();
	kinds_and_ranges();
	any_order();
	given_back();
	trace_is_shared();
	priorities();
	pauses();
	accesses_of_slots();
	stale();
	late();
	late_and_gone();
	own_handler();
	old_status();
	refusals();
	taken_meanwhile();
	locked();
	resets();
	restarts();
	CHECK(published > 0);
	return check_status();
}
