/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything in three passes, and the figures. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "rows.h"

enum {
	NESTED_HITS_LEAST = 100
};

static void probe_callbacks(void)
{
	for (unsigned i = 0; i < NESTED_SITES; i++) {
		struct dp_site *s = &site[SITES + i];
		enum dp_refusal why;

		expect("nested site",
		       prepare(s, (uint32_t)(uintptr_t)callbacks[i], &why) == DP_ERR_OK && arm(s));
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

/* proves: A3.24 */
void run_passes(void)
{
	for (pass = PASS_PLAIN; pass < PASSES && failed == 0; pass++) {
		if (pass == PASS_WATCH)
			probe_callbacks();
		if (pass == PASS_NO_SLOT)
			take_all_slots();
		for (unsigned i = 0; i < case_count; i++)
			one(&cases[i]);
		all_vectors();
		pass_checks();
		number("pass ", pass);
		number(" runs ", ran);
		say("\n");
	}
	for (unsigned i = SITES; i < ALL_SITES; i++)
		expect("the callbacks were hit", hits[i] > NESTED_HITS_LEAST);
	expect("faults in one-trap slots", withdrawn > 0);
}

_Noreturn void conclude(unsigned rows, unsigned missing)
{
	number("cases ", probed_cases);
	number(" states ", VALUES);
	number(" with ", with);
	number(" without ", without);
	number(" refused ", refused);
	number(" runs ", ran);
	number(" nested hits ", hits[SITES]);
	number(" rows ", rows_executed(rows));
	number(" of ", rows);
	number(" missing ", missing);
	number(" stack ", dp_port_stack_used());
	number(" failed ", failed);
	finish();
}
