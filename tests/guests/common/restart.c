/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions between a warm restart and dp_init. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

/* Run it with no agent; what the port's state holds is back afterwards. */
static void run_alone(const struct state *in, struct state *end, bool cleared)
{
	static struct dp_port_state saved;
	struct dp_port_state *agent = GUEST_AGENT;
	uint32_t *now = (uint32_t *)agent, *kept = (uint32_t *)&saved;

	for (unsigned i = 0; i < sizeof(saved) / 4; i++) {
		kept[i] = now[i];
		if (cleared)
			now[i] = 0;
	}
	GUEST_AGENT = NULL;
	run(in, end);
	GUEST_AGENT = agent;
	for (unsigned i = 0; i < sizeof(saved) / 4; i++)
		now[i] = kept[i];
}

void restart_checks(const uint32_t *insns, unsigned count, bool cleared)
{
	static struct state in, end;
	static struct ending plain;

	for (unsigned i = 0; i < count; i++) {
		const struct test_case *c = fill_word(insns[i]);
		unsigned v = 2 % starts_of(c);

		initial(&in, c, v);
		in.pc = case_address();
		fill_data(v);
		run(&in, &plain.state);
		keep_data(&plain);
		run_alone(&in, &end, cleared);
		expect("before dp_init, after a restart", same_end(c, &in, &plain, &end));
	}
}
