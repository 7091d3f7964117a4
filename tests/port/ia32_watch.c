/* SPDX-License-Identifier: BSD-2-Clause */
/* Of test_ia32_watch_model.py: port/ia32/watch.c on a model of the debug registers, written from
 * the text of the Intel SDM 3B, chapter 18. The model has what QEMU does not: DR6 names each
 * comparator of an access, and may name one that is off; DR7 may be guarded. */
#include <stdio.h>
#include <string.h>

#include "ia32_watch.h"

#undef DP_IA32_GET
#undef DP_IA32_PUT
#define DP_IA32_GET(value, name) ((value) = *model_register(name))
#define DP_IA32_PUT(value, name) (*model_register(name) = (value))

static uint32_t *model_register(const char *name);

#include "../../port/ia32/watch.c" /* NOLINT(bugprone-suspicious-include) */

enum {
	CELL = 0x1000,
	CODE = 0x2000,
	SINGLE_STEP = 1 << 14, /* BS */
	GUARDED = 1 << 13,     /* BD of DR6, GD of DR7 */
	ENABLES = 0xff,
	CR4_DE = 8,
	BASED = 0x3b, /* a selector */
};

static struct dp_port_state state;
static struct dp_ia32_veneer veneer;
struct dp_port_state *dp_ia32 = &state;
__asm__(".data\n.globl dp_ia32_entry, dp_ia32_entry_end, dp_ia32_access_begin, dp_ia32_access_end\n"
	".globl dp_ia32_access_failed\ndp_ia32_entry:\t.space 16\ndp_ia32_entry_end:\n"
	"dp_ia32_access_begin:\t.space 16\ndp_ia32_access_end:\ndp_ia32_access_failed:\t.space 1\n"
	".text\n");

static uint32_t dr[8], cr4;
static unsigned failures, seen;
static struct dp_watched last;
static enum dp_taken answer;

#define CHECK(condition) check((condition) != 0, __LINE__, #condition)

static void check(bool good, int line, const char *text)
{
	if (good)
		return;
	printf("%d: %s\n", line, text);
	failures++;
}

static uint32_t *model_register(const char *name)
{
	return name[0] == 'c' ? &cr4 : &dr[name[2] - '0'];
}

bool dp_ia32_dr7(uint32_t *value)
{
	*value = dr[7];
	return !(dr[7] & GUARDED);
}

dp_irq dp_port_mask(void)
{
	return 0;
}

void dp_port_unmask(dp_irq saved)
{
	(void)saved;
}

dp_addr dp_port_slot_origin(dp_addr pc)
{
	return pc;
}

bool dp_ia32_is_flat(uint32_t selector)
{
	return selector != BASED;
}

enum dp_taken dp_agent_watch(struct dp_frame *frame, const struct dp_watched *access)
{
	(void)frame;
	seen++;
	last = *access;
	return answer;
}

static void begin(void)
{
	memset(&state, 0, sizeof state);
	memset(&veneer, 0, sizeof veneer);
	memset(dr, 0, sizeof dr);
	dr[7] = 0x400;
	cr4 = 0;
	seen = 0;
	answer = DP_RESUME;
	state.veneer = &veneer;
	veneer.gate[DP_IA32_GATE_DEBUG].handler = 1;
}

static struct dp_watch watch_of(unsigned n, unsigned kind, uint32_t address, unsigned bytes)
{
	return (struct dp_watch){.comparator = (uint8_t)n,
				 .kind = (uint8_t)kind,
				 .address = address,
				 .bytes = bytes};
}

static struct dp_watch arm(unsigned n, unsigned kind, uint32_t address, unsigned bytes)
{
	struct dp_watch watch = watch_of(n, kind, address, bytes);

	CHECK(dp_port_watch_prepare(&watch) == DP_ERR_OK);
	CHECK(dp_port_watch_arm(&watch) == DP_ERR_OK && dp_port_watch_holds(&watch));
	return watch;
}

static enum dp_taken report(uint32_t dr6, uint32_t eip)
{
	struct dp_frame frame = {.eip = eip, .cs = 8};

	dr[6] = dr6;
	return dp_ia32_debug(&frame);
}

/* DR7 as chapter 18.2.4 has it: G and the field of R/W and LEN of each comparator. */
static void forms(void)
{
	static const struct {
		unsigned kind, bytes;
		uint32_t field;
	} rows[] = {
		{DP_PROBE_BREAK, 3, 0x0},    {DP_PROBE_WATCH_X, 1, 0x0},
		{DP_PROBE_WATCH_W, 1, 0x1},  {DP_PROBE_WATCH_W, 2, 0x5},
		{DP_PROBE_WATCH_W, 4, 0xd},  {DP_PROBE_WATCH_RW, 1, 0x3},
		{DP_PROBE_WATCH_RW, 4, 0xf}, {DP_PROBE_WATCH_IO, 2, 0x6},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (unsigned n = 0; n < 4; n++) {
			struct dp_watch watch;

			begin();
			watch = arm(n, rows[i].kind, CELL, rows[i].bytes);
			CHECK(dr[n] == CELL);
			CHECK(dr[7] == (0x600 | 2u << 2 * n | rows[i].field << (16 + 4 * n)));
			CHECK(cr4 == (rows[i].kind == DP_PROBE_WATCH_IO ? CR4_DE : 0));
			dp_port_watch_pause(DP_ALL_COMPARATORS);
			CHECK((dr[7] & ENABLES) == 0 && dp_port_watch_holds(&watch));
			dp_port_watch_pause(0);
			CHECK((dr[7] & ENABLES) == 2u << 2 * n);
			dp_port_watch_disarm(&watch);
			CHECK(dr[7] == 0x400 && cr4 == 0 && !dp_port_watch_holds(&watch));
		}
}

static void refusals(void)
{
	static const struct {
		unsigned kind, bytes;
		uint32_t address;
	} rows[] = {
		{DP_PROBE_WATCH_W, 3, CELL},     {DP_PROBE_WATCH_W, 8, CELL},
		{DP_PROBE_WATCH_W, 2, CELL + 1}, {DP_PROBE_WATCH_RW, 4, CELL + 2},
		{DP_PROBE_WATCH_X, 2, CELL},     {DP_PROBE_WATCH_R, 4, CELL},
		{DP_PROBE_WATCH_IO, 4, 0x10000},
	};

	begin();
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct dp_watch watch = watch_of(0, rows[i].kind, rows[i].address, rows[i].bytes);

		CHECK(dp_port_watch_prepare(&watch) == DP_ERR_NO_WATCHPOINT);
	}
}

/* proves: P9.12 P9.27 */
static void of_the_firmware(void)
{
	struct dp_watch watch = watch_of(0, DP_PROBE_WATCH_W, CELL, 4);
	static const uint32_t used[] = {0x401, 0x402, 0x480, 0x2400};

	for (unsigned i = 0; i < 4; i++) {
		begin();
		dr[7] = used[i];
		CHECK(dp_port_watch_prepare(&watch) == DP_ERR_WATCH_UNIT_USED);
		CHECK(dp_port_comparators() == 0 && dr[7] == used[i]);
	}
	begin();
	dr[7] = 0x600 | 0x2 |
		0x80; /* the first one of the run before, the last one of the firmware */
	dp_ia32_watch_attach(1);
	CHECK(dr[7] == (0x600 | 0x80));
}

/* The run before has left comparators on, and CR4.DE where the firmware had it off. */
static void warm_restart(void)
{
	for (unsigned had = 0; had <= CR4_DE; had += CR4_DE) {
		begin();
		cr4 = had;
		arm(1, DP_PROBE_WATCH_W, CELL, 4);
		arm(2, DP_PROBE_WATCH_IO, CELL, 1);
		CHECK(cr4 == CR4_DE);
		memset(&state, 0, sizeof state);
		state.veneer = &veneer;
		dp_ia32_watch_attach(veneer.armed);
		CHECK(dr[7] == 0x400 && cr4 == had);
	}
}

/* proves: P9.18 */
static void reports(void)
{
	begin();
	arm(0, DP_PROBE_WATCH_W, CELL, 4);
	arm(1, DP_PROBE_WATCH_RW, CELL, 4);
	arm(2, DP_PROBE_WATCH_W, CELL + 2, 2);
	arm(3, DP_PROBE_WATCH_X, CODE, 1);
	CHECK(report(0x2, CODE + 5) == DP_RESUME && seen == 1);
	CHECK(last.comparators == 2 && !last.told && last.pc == CODE + 5);
	CHECK(last.kinds == 1 << DP_PROBE_WATCH_RW && (dr[6] & 0xf) == 0);
	CHECK(report(0x4, CODE + 5) == DP_RESUME &&
	      last.comparators == 7); /* those around it too */
	CHECK(report(0x1, CODE + 5) == DP_RESUME && last.comparators == 3);
	CHECK(report(0x8, CODE) == DP_RESUME && last.told && last.address == CODE);
	CHECK(last.kinds == DP_WATCHED_EXECUTE && last.comparators == 8);
	/* behind an access, and in front of a watched instruction: that one is reported again */
	CHECK(report(0x9, CODE) == DP_RESUME && !last.told && last.comparators == 3);
	/* with the firmware's own single step */
	CHECK(report(SINGLE_STEP | 1, CODE + 5) == DP_NOT_OURS && seen == 6);
	CHECK(dr[6] == SINGLE_STEP);
	CHECK(report(SINGLE_STEP, CODE + 5) == DP_NOT_OURS && seen == 6 && dr[6] == SINGLE_STEP);
	/* one that is off */
	dp_port_watch_pause(1);
	CHECK(report(0x1, CODE + 5) == DP_NOT_OURS && seen == 6);
	dp_port_watch_pause(0);
	answer = DP_NOT_OURS;
	CHECK(report(0x1, CODE + 5) == DP_NOT_OURS && dr[6] == 1);
	CHECK(report(0x1, (uint32_t)(uintptr_t)&veneer) == DP_RESUME &&
	      seen == 7); /* of the entry */
}

/* Code whose segment has a base: an access is a hit, and an execution is left alone. */
static void based(void)
{
	struct dp_frame frame = {.eip = 6, .cs = BASED};

	begin();
	arm(0, DP_PROBE_WATCH_W, CELL, 4);
	arm(3, DP_PROBE_WATCH_X, CODE, 1);
	dr[6] = 8;
	CHECK(dp_ia32_debug(&frame) == DP_RESUME && seen == 0 && (frame.eflags & DP_FLAG_RF));
	frame.eflags = 0;
	dr[6] = 1;
	CHECK(dp_ia32_debug(&frame) == DP_RESUME && seen == 1 && frame.eflags == 0);
	CHECK(last.pc == 6 && last.comparators == 1);
}

/* The try again of a fault stops the CPU: RF would prevent it. */
static void again(void)
{
	struct dp_frame frame = {.eip = CODE, .eflags = DP_FLAG_RF | 2};

	begin();
	dp_ia32_watch_again(&frame);
	CHECK(frame.eflags == (DP_FLAG_RF | 2));
	arm(3, DP_PROBE_BREAK, CODE, 2);
	dp_ia32_watch_again(&frame);
	CHECK(frame.eflags == 2);
}

/* A guard that the CPU has taken off for the exception is on again. */
static void guard(void)
{
	struct dp_frame frame = {.eip = (uint32_t)(uintptr_t)dp_ia32_access_begin + 4};

	begin();
	dr[6] = GUARDED;
	CHECK(dp_ia32_debug(&frame) == DP_RESUME && (dr[7] & GUARDED) && dr[6] == 0);
	CHECK(frame.eip == (uint32_t)(uintptr_t)dp_ia32_access_failed);
	frame.eip = CODE;
	dr[6] = GUARDED;
	CHECK(dp_ia32_debug(&frame) == DP_NOT_OURS && dr[6] == GUARDED);
}

int main(void)
{
	forms();
	refusals();
	of_the_firmware();
	warm_restart();
	reports();
	based();
	again();
	guard();
	return failures != 0;
}
