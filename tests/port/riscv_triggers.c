/* SPDX-License-Identifier: BSD-2-Clause */
/* Of test_riscv_triggers.py: port/riscv/triggers.c on a model of the registers, written from the
 * text of the Debug Specification 1.0, chapter 5. The model's triggers have what an implementation
 * chooses: types, ranges, sizes, timing, tcontrol. */
#include <stdio.h>
#include <string.h>

#include "riscv_triggers.h"

#undef DP_RISCV_GET
#undef DP_RISCV_PUT
#define DP_RISCV_GET(value, number) ((value) = model_get(number))
#define DP_RISCV_PUT(value, number) model_put(value, number)

static dp_word model_get(unsigned number);
static void model_put(dp_word value, unsigned number);

#include "../../port/riscv/triggers.c" /* NOLINT(bugprone-suspicious-include) */

enum {
	COUNT = 3,
	MODEL_LOAD = 1,
	MODEL_STORE = 2,
	MODEL_EXECUTE = 4,
	MODEL_AFTER = 1 << 18, /* timing of type 2 */
	MODEL_SIZED = 2 << 16, /* size of type 6: 16-bit accesses alone */
	MODEL_M = 1 << 6,
	MODEL_MTE = 8,
	MODEL_MPTE = 128,
};
#define MODEL_DMODE ((dp_word)1 << (DP_WORD_BITS - 5))

static struct dp_port_state state;
static struct dp_riscv_veneer veneer;
struct dp_port_state *dp_riscv = &state;

static struct model {
	/* of the implementation */
	unsigned type;
	unsigned range_bits; /* 0: no match but 0 */
	unsigned always;     /* bits of tdata1 that are wired to 1 */
	unsigned
		never_together; /* the always bits are there with these kinds alone; 0: with each */
	bool has_tcontrol;
	unsigned count; /* of triggers */
	unsigned owned; /* bit n: a debugger owns trigger n, M mode cannot write it */
	/* registers */
	dp_word select, tcontrol, data1[COUNT], data2[COUNT];
} model;

static unsigned failures;

#define CHECK(condition) check((condition) != 0, __LINE__, #condition)

static void check(bool good, int line, const char *text)
{
	if (good)
		return;
	printf("%d: %s\n", line, text);
	failures++;
}

/* 5.7.11, 5.7.12: what a write leaves in tdata1. maskmax is read-only, below dmode on a CPU of any
 * width. */
static dp_word kept(dp_word value)
{
	dp_word match = value >> 7 & 15, low = value & 0x847;

	if (value >> (DP_WORD_BITS - 4) == 3) /* as icount has it */
		return value & ((dp_word)15 << (DP_WORD_BITS - 4) | 0x7ffffff);
	if (value >> (DP_WORD_BITS - 4) != model.type)
		return model.data1[model.select];
	if (match <= (model.range_bits != 0))
		low |= match << 7;
	if (model.never_together == 0 || (value & model.never_together))
		low |= model.always;
	if (model.type == 2)
		low |= (dp_word)model.range_bits << (DP_WORD_BITS - 11);
	return low | (dp_word)model.type << (DP_WORD_BITS - 4);
}

static dp_word model_get(unsigned number)
{
	switch (number) {
	case DP_CSR_TSELECT:
		return model.select;
	case DP_CSR_TDATA1:
		return model.data1[model.select];
	case DP_CSR_TDATA2:
		return model.data2[model.select];
	case DP_CSR_TCONTROL:
		CHECK(model.has_tcontrol); /* an illegal instruction */
		return model.tcontrol;
	default:
		CHECK(false);
		return 0;
	}
}

static void model_put(dp_word value, unsigned number)
{
	switch (number) {
	case DP_CSR_TSELECT:
		model.select = value < model.count ? value : 0;
		break;
	case DP_CSR_TDATA1:
		if (model.owned >> model.select & 1) /* 5.7.2, dmode */
			break;
		model.data1[model.select] = kept(value);
		break;
	case DP_CSR_TDATA2:
		if (model.owned >> model.select & 1)
			break;
		CHECK((model.data1[model.select] & 7) == 0); /* 5.6: only while it is off */
		model.data2[model.select] = value;
		break;
	case DP_CSR_TCONTROL:
		CHECK(model.has_tcontrol);
		model.tcontrol = value & (MODEL_MTE | MODEL_MPTE);
		break;
	default:
		CHECK(false);
	}
}

/* 5.6.2: a trap into M mode, and the return from it. */
static void model_trap(void)
{
	model.tcontrol = model.tcontrol & MODEL_MTE ? MODEL_MPTE : 0;
}

static void model_return(void)
{
	model.tcontrol |= model.tcontrol & MODEL_MPTE ? MODEL_MTE : 0;
	if (!(model.tcontrol & MODEL_MPTE))
		model.tcontrol &= ~(dp_word)MODEL_MTE;
}

/* Does an access of this kind, that begins at the address, stop the CPU? */
static bool model_fires(unsigned kind, dp_word address)
{
	for (unsigned n = 0; n < COUNT; n++) {
		dp_word value = model.data2[n], mask = 0;

		if (!(model.data1[n] & kind) || !(model.data1[n] & MODEL_M))
			continue;
		if (model.data1[n] >> 7 & 1) /* all bits up to the lowest 0 count not */
			mask = value ^ (value + 1);
		if (((value ^ address) & ~mask) == 0)
			return true;
	}
	return false;
}

/* --- what triggers.c asks for --- */

bool dp_riscv_has_tselect(void)
{
	return true;
}

bool dp_riscv_has_tcontrol(void)
{
	return model.has_tcontrol;
}

dp_irq dp_port_mask(void)
{
	return 0;
}

void dp_port_unmask(dp_irq irq)
{
	(void)irq;
}

dp_addr dp_port_slot_origin(dp_addr pc)
{
	return pc;
}

unsigned dp_riscv_peek(dp_word address, uint32_t *insn)
{
	(void)address;
	*insn = 0;
	return 0;
}

void dp_riscv_access_of(uint32_t insn, const struct dp_frame *frame, struct dp_watched *access)
{
	(void)insn, (void)frame, (void)access;
}

enum dp_taken dp_agent_watch(struct dp_frame *frame, const struct dp_watched *access)
{
	(void)frame, (void)access;
	return DP_RESUME;
}

/* --- the tests --- */

static void start(unsigned type, unsigned range_bits)
{
	memset(&state, 0, sizeof(state));
	memset(&model, 0, sizeof(model));
	state.veneer = &veneer;
	model.type = type;
	model.range_bits = range_bits;
	model.count = COUNT;
	for (unsigned n = 0; n < COUNT; n++)
		model.data1[n] = (dp_word)type << (DP_WORD_BITS - 4);
}

static struct dp_watch watch_of(unsigned kind, dp_word address, dp_word bytes)
{
	return (struct dp_watch){.address = address, .bytes = bytes, .kind = (uint8_t)kind};
}

/* Each range up to the CPU's largest one stops the CPU at its ends, and not beside them. */
static void ranges(unsigned type)
{
	const unsigned most = type == 2 ? 6 : DP_WORD_BITS - 1;

	for (unsigned bits = 0; bits < 12; bits++) {
		const dp_word bytes = (dp_word)1 << bits;
		struct dp_watch watch = watch_of(DP_PROBE_WATCH_W, 0x5000, bytes);

		start(type, most);
		CHECK(dp_port_comparators() == COUNT);
		if (bits > most) {
			CHECK(dp_port_watch_prepare(&watch) == DP_ERR_NO_WATCHPOINT);
			continue;
		}
		CHECK(dp_port_watch_prepare(&watch) == DP_ERR_OK);
		CHECK(watch.first <= 0x5000 && watch.first + watch.covers >= 0x5000 + bytes);
		CHECK(watch.covers == (bytes < sizeof(dp_word) ? sizeof(dp_word) : bytes));
		CHECK(dp_port_watch_arm(&watch) == DP_ERR_OK && dp_port_watch_holds(&watch));
		CHECK(model_fires(MODEL_STORE, 0x5000));
		CHECK(model_fires(MODEL_STORE, 0x5000 + watch.covers - 1));
		CHECK(!model_fires(MODEL_STORE, 0x5000 + watch.covers));
		CHECK(!model_fires(MODEL_STORE, 0x4fff));
		CHECK(!model_fires(MODEL_LOAD, 0x5000) && !model_fires(MODEL_EXECUTE, 0x5000));
		dp_port_watch_disarm(&watch);
		CHECK(!model_fires(MODEL_STORE, 0x5000) && !dp_port_watch_holds(&watch));
	}
}

/* Without ranges a word is watched, by its first address. */
static void no_ranges(unsigned type)
{
	struct dp_watch word = watch_of(DP_PROBE_WATCH_W, 0x5000, sizeof(dp_word));
	struct dp_watch more = watch_of(DP_PROBE_WATCH_W, 0x5000, sizeof(dp_word) + 1);

	start(type, 0);
	CHECK(dp_port_watch_prepare(&word) == DP_ERR_OK);
	CHECK(dp_port_watch_arm(&word) == DP_ERR_OK && model_fires(MODEL_STORE, 0x5000));
	CHECK(dp_port_watch_prepare(&more) == DP_ERR_NO_WATCHPOINT);
}

/* A trigger that fires behind the access, or for accesses of one size, is none of the agent's: the
 * agent completes the access at the pc. */
static void others(unsigned type, unsigned always)
{
	struct dp_watch watch = watch_of(DP_PROBE_WATCH_W, 0x5000, 4);
	struct dp_watch code = watch_of(DP_PROBE_BREAK, 0x5000, 4);

	start(type, 0);
	model.always = always;
	CHECK(dp_port_comparators() == 0);
	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_NO_WATCHPOINT);
	start(type, 0);
	model.always = always;
	model.never_together = MODEL_LOAD | MODEL_STORE;
	CHECK(dp_port_comparators() == COUNT);
	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_NO_WATCHPOINT);
	CHECK(dp_port_watch_prepare(&code) == DP_ERR_OK);
}

/* Debug Specification 5.6.2: triggers fire in M mode while MTE is 1. */
static void nested_traps(void)
{
	struct dp_watch watch = watch_of(DP_PROBE_WATCH_W, 0x5000, 4);
	dp_word before;

	start(6, 0);
	model.has_tcontrol = true;
	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_OK);
	CHECK(dp_port_watch_arm(&watch) == DP_ERR_OK && (model.tcontrol & MODEL_MTE));
	model_trap(); /* an interrupt; in its handler the trap of a probe, and a fault of the agent
		       */
	model_trap();
	before = model_get(DP_CSR_TCONTROL);
	model_trap();
	model_return();
	dp_riscv_triggers_resume(before);
	CHECK(!(model.tcontrol & MODEL_MTE)); /* the agent is not watched */
	model_return();
	model_return();
	CHECK(model.tcontrol & MODEL_MTE);
	model_trap(); /* an interrupt in an interrupt, without the agent */
	model_trap();
	model_return();
	model_return();
	CHECK(dp_port_watch_holds(&watch) && (model.tcontrol & MODEL_MTE));
	dp_port_watch_disarm(&watch);
	dp_riscv_triggers_resume(0);
	CHECK(model.tcontrol == 0);
}

static dp_word typed(unsigned type, dp_word bits)
{
	return (dp_word)type << (DP_WORD_BITS - 4) | bits;
}

/* A trigger that the firmware has on stays as it is, whatever its type. 5.7.11 to 5.7.16 */
static void used_by_firmware(void)
{
	static const struct {
		unsigned type;
		uint32_t bits;
		bool used;
	} rows[] = {
		{2, MODEL_STORE | MODEL_M, true},
		{2, MODEL_M, false},
		{6, MODEL_EXECUTE | MODEL_M, true},
		{6, MODEL_M, false},
		{3, 1 << 9 | 5 << 10, true}, /* icount in M mode */
		{3, 1 << 26, true},
		{3, 1 << 10, false}, /* a count and no mode */
		{4, 1 << 7, true},   /* interrupts in S mode */
		{4, 1 << 10, true},  /* nmi */
		{4, 0, false},
		{5, 1 << 9, true}, /* exceptions in M mode */
		{5, 1 << 12, true},
		{5, 1, false},
		{7, 1 << 6, true}, /* an external input */
		{7, 0, false},
		{1, 0, true}, /* nobody knows */
		{8, 0, true},
		{12, 0, true},
		{15, 0, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const dp_word control = typed(rows[i].type, rows[i].bits);
		struct dp_watch watch = watch_of(DP_PROBE_WATCH_W, 0x5000, 4);

		start(6, 0);
		model.data1[0] = control;
		model.data2[0] = 0x1234;
		CHECK(dp_port_comparators() == COUNT);
		CHECK((dp_port_watch_prepare(&watch) == DP_ERR_NO_COMPARATOR) == rows[i].used);
		CHECK((model.data1[0] == control && model.data2[0] == 0x1234) == rows[i].used);
		watch.comparator = 1; /* the next one is free */
		CHECK(dp_port_watch_prepare(&watch) == DP_ERR_OK);
	}
}

/* A warm restart: of the triggers that the earlier run had on, one is the firmware's now. */
static void earlier_run(void)
{
	start(6, 0);
	model.data1[0] = typed(6, MODEL_STORE | MODEL_M);
	model.data1[1] = typed(3, 1 << 9 | 1 << 10 | 2); /* of the action "trace on" */
	model.data1[2] = typed(6, MODEL_STORE | MODEL_M);
	dp_riscv_triggers_attach(3);
	CHECK(model.data1[0] == typed(6, MODEL_M));
	CHECK(model.data1[1] == typed(3, 1 << 9 | 1 << 10 | 2));
	CHECK(model.data1[2] == typed(6, MODEL_STORE | MODEL_M));
}

/* Ibex has one trigger: tselect keeps 0. */
static void one_trigger(unsigned type)
{
	struct dp_watch watch = watch_of(DP_PROBE_BREAK, 0x5000, 4);

	start(type, 0);
	model.count = 1;
	CHECK(dp_port_comparators() == 1 && dp_port_lacks_code() == DP_LACKS_NOTHING);
	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_OK);
	CHECK(dp_port_watch_arm(&watch) == DP_ERR_OK && model_fires(MODEL_EXECUTE, 0x5000));
	watch.comparator = 1;
	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_NO_WATCHPOINT);
}

/* Registers of the debug extension, and no trigger behind them. */
static void no_trigger(void)
{
	start(0, 0);
	model.count = 1;
	CHECK(dp_port_comparators() == 0 && dp_port_lacks_code() == DP_LACKS_UNIT);
}

/* With dmode set, some or all: Ibex and CV32E40P tie it to 1. What M mode writes is ignored. */
static void owned_by_debugger(unsigned owned)
{
	struct dp_watch watch = watch_of(DP_PROBE_BREAK, 0x5000, 4);
	bool all = owned == (1u << COUNT) - 1;
	unsigned end = COUNT;

	while (end > 0 && (owned >> (end - 1) & 1))
		end--;
	start(6, 0);
	model.owned = owned;
	for (unsigned n = 0; n < COUNT; n++)
		if (owned >> n & 1)
			model.data1[n] |= MODEL_DMODE;
	CHECK(dp_port_comparators() == end);
	CHECK(dp_port_lacks_code() == (all ? DP_LACKS_USED : DP_LACKS_NOTHING));
	for (unsigned n = 0; n < COUNT; n++) {
		watch.comparator = (uint8_t)n;
		CHECK(dp_port_watch_prepare(&watch) ==
		      (owned >> n & 1 ? DP_ERR_NO_COMPARATOR : DP_ERR_OK));
		CHECK((owned >> n & 1) || dp_port_watch_arm(&watch) == DP_ERR_OK);
	}
	CHECK(model_fires(MODEL_EXECUTE, 0x5000) == !all);
}

/* A debugger that comes later takes the trigger: the patrol sees it. */
static void taken_by_debugger(void)
{
	struct dp_watch watch = watch_of(DP_PROBE_WATCH_W, 0x5000, 4);

	start(6, 0);
	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_OK);
	CHECK(dp_port_watch_arm(&watch) == DP_ERR_OK && dp_port_watch_holds(&watch));
	model.owned = 1;
	model.data1[0] |= MODEL_DMODE;
	CHECK(!dp_port_watch_holds(&watch));
	dp_port_watch_disarm(&watch);
	CHECK(model.data1[0] & MODEL_STORE);
}

static void own_vectors(void)
{
	start(6, 0);
	state.veneer = NULL;
	CHECK(dp_port_comparators() == 0 && dp_port_lacks_code() == DP_LACKS_OWN_VECTORS);
}

int main(void)
{
	for (unsigned type = 2; type <= 6; type += 4) {
		ranges(type);
		no_ranges(type);
		one_trigger(type);
	}
	no_trigger();
	for (unsigned owned = 1; owned < 1u << COUNT; owned += 2)
		owned_by_debugger(owned);
	taken_by_debugger();
	own_vectors();
	others(2, MODEL_AFTER);
	others(6, MODEL_SIZED);
	nested_traps();
	used_by_firmware();
	earlier_run();
	return failures != 0;
}
