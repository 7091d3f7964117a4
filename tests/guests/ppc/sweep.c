/* SPDX-License-Identifier: BSD-2-Clause */
/* An interrupt at every point of a hit. */
#include "oracle.h"
#include "out.h"
#include "special.h"

enum {
	SWEEP_TICKS = 6000,
	SWEEP_STEP = 2
};

static const struct test_case swept[] = {
	{{0x7c842a14, ADDED}, 0, 0, "add r4, r4, r5: one trap"},
	{{0x9421ffe0, ADDED}, 0, 0, "stwu r1, -32(r1): one trap"},
	{{0x7c00306c, ADDED}, CASE_TWO, 0, "dcbst 0, r6: two traps"},
	{{0x429f0005, ADDED}, 0, 0, "bcl 20, 31, $+4: emulated"},
	{{0x80490000, ADDED}, 0, 0, "lwz r2, 0(r9): faults"},
	{{0x7c4000a6, ADDED}, 0, 0, "mfmsr r2: shows EE"},
};
enum {
	SWEPT = sizeof(swept) / sizeof(swept[0])
};

static void sweep_one(const struct test_case *c, unsigned *arrived, unsigned *in_slots)
{
	static struct state in, probed;
	static struct ending plain;
	uint32_t at = case_address(), origin;

	initial(&in, c, 0);
	in.pc = at;
	decrementer_start = NEVER;
	fill_data(0);
	pre_fault(0);
	run(&in, &plain.state);
	keep_data(&plain);
	for (unsigned i = 0; i < SITES; i++)
		expect("armed", arm(&site[i]));
	/* On a classic CPU one that came after the run before is still waiting. */
	for (uint32_t ticks = 1; ticks < SWEEP_TICKS; ticks += SWEEP_STEP) {
		fill_data(0);
		decrementer_count = decrementer_pc = 0;
		hits[0] = hits[1] = stepped = faults = 0;
		pre_fault(0);
		decrementer_start = ticks;
		run(&in, &probed);
		ran++;
		*arrived += decrementer_count;
		origin = dp_port_slot_origin(decrementer_pc);
		*in_slots += decrementer_count && origin != decrementer_pc;
		if (origin != decrementer_pc && origin != at && origin != at + 4 &&
		    origin != at + 8)
			fail(c->text, "interrupted in a slot of nobody\n");
		if ((c->flags & CASE_TWO) && origin != decrementer_pc &&
		    *dp_slots_address(dp_slots_at(&dp_ppc->slots, decrementer_pc)) == at)
			fail(c->text, "interrupted between the traps\n");
		if (!same_end(c, &in, &plain, &probed) || hits[0] != 1 ||
		    hits[1] != (plain.state.r[24] != in.r[24]) || decrementer_count > 2 ||
		    stepped != 0) {
			report(c, &in, &plain, &probed, "interrupted", 3);
			number("  after ticks ", ticks);
			number(" interrupts ", decrementer_count);
			say(" pc ");
			hex(decrementer_pc);
			say("\n");
			break;
		}
	}
	decrementer_start = NEVER;
	for (unsigned i = 0; i < SITES; i++)
		expect("disarmed", disarm(&site[i]));
}

void sweep(void)
{
	unsigned arrived = 0, in_slots = 0;

	for (unsigned i = 0; i < SWEPT; i++) {
		enum dp_refusal why;

		fill_code(&swept[i], case_address(), true);
		expect("prepared", prepare_case(&swept[i], case_address(), 3, &why) == DP_ERR_OK);
		sweep_one(&swept[i], &arrived, &in_slots);
		release_sites();
	}
	number("sweep: interrupts ", arrived);
	number(" in slots ", in_slots);
	number(" runs ", ran);
	say("\n");
}
