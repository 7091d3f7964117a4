/* SPDX-License-Identifier: BSD-2-Clause */
/* What the port is given, everything in three passes, and the figures. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

enum {
	NESTED_HITS_LEAST = 100
};
#ifndef HAS_ONE_TRAP /* guest.h: where a CPU's slots may all need two */
#define HAS_ONE_TRAP true
#endif

/* Not all cases need be tried again, when parts of the port are left out. */
#ifndef CASE_STRIDE
#define CASE_STRIDE 1
#endif

uint8_t guest_slots[4096] __attribute__((aligned(4096)));
struct private_stack private_stack;
struct dp_port_state port;

enum dp_err start_with(void *slots, size_t bytes)
{
	static struct dp_memory memory; /* the port keeps the pointer */

	memory.slots = slots;
	memory.slot_bytes = bytes;
	memory.stack = private_stack.stack;
	memory.stack_bytes = sizeof(private_stack.stack);
	for (unsigned i = 0; i < sizeof(port); i++)
		((volatile uint8_t *)&port)[i] = 0;
	return dp_port_attach(&guest_board, &memory, &port);
}

enum dp_err start(void)
{
	return start_with(guest_slots, GUEST_SLOT_BYTES);
}

static void probe_callbacks(void)
{
	for (unsigned i = 0; i < NESTED_SITES; i++) {
		struct dp_site *s = &site[SITES + i];
		uint32_t address = (uint32_t)(uintptr_t)callbacks[i];
		enum dp_refusal why;

		place(s, address, address);
		expect("nested site", prepare_placed(s, &why) == DP_ERR_OK && arm(s));
	}
}

/* Nothing but the slot of last resort is left. */
static void take_all_slots(void)
{
	static const struct dp_site nowhere = {.address = 0x80000000u};

	while (dp_slots_take(dp_slots_pool(), &nowhere, 0) != DP_SLOT_SCRATCH)
		;
}

static void all_vectors(void)
{
	unsigned held = 0;

	for (unsigned i = 0; i < vector_count; i++)
		held += has_vector(i) && vector_holds(i);
	number("vectors ", held);
	number(" of ", vector_count);
	say("\n");
}

/* With this memory every one of 16 probes has a slot. */
/* proves: P1.4 */
static void slots_come_back(void)
{
	unsigned total, available;

	dp_port_slots(&total, &available);
	expect("a slot for each probe", total >= 16);
	expect("slots come back", available == total);
}

/* proves: A3.24 */
static void run_passes(void)
{
	slots_come_back();
	for (pass = PASS_PLAIN; pass < PASSES && failed == 0; pass++) {
		if (pass == PASS_WATCH && has_callbacks())
			probe_callbacks();
		if (pass == PASS_NO_SLOT)
			take_all_slots();
		code_is_clean = false;
		for (unsigned i = 0; i < case_count; i += CASE_STRIDE)
			one(&cases[i]);
		all_vectors();
		pass_checks();
		if (pass == PASS_PLAIN)
			slots_come_back();
		number("pass ", pass);
		number(" runs ", ran);
		say("\n");
	}
	for (unsigned i = SITES; i < ALL_SITES && has_callbacks(); i++)
		expect("the callbacks were hit", hits[i] > NESTED_HITS_LEAST);
	expect("faults in one-trap slots", (withdrawn > 0) == HAS_ONE_TRAP);
}

static _Noreturn void conclude(void)
{
	cpu_figures();
	number("cases ", probed_cases);
	number(" states ", starts_most);
	number(" with ", with);
	number(" without ", without);
	number(" refused ", refused);
	number(" runs ", ran);
	number(" nested hits ", hits[SITES]);
	number(" stack ", dp_port_stack_used());
	number(" failed ", failed);
	finish();
}

void guest_main(void);
void guest_main(void)
{
	before_start();
	expect("attached", start() == DP_ERR_OK);
	if (failed)
		finish();
	special_checks();
	run_passes();
	conclude();
}
