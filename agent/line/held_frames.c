/* SPDX-License-Identifier: BSD-2-Clause */
/* End what is received when its time without a byte ends. */
#include "dp_wire.h"

#include "dp_clock.h"
#include "dp_lock.h"

#if DP_WITH_SHARED_LINE && DP_WITH_STREAM
/* n / 20, or one less. A division is a function of the compiler's library on ARMv6-M. */
static uint32_t twentieth(uint32_t n)
{
	uint32_t q = (n >> 1) + (n >> 2); /* 3/4, and by the sums 4/5 */

	q += q >> 4;
	q += q >> 8;
	q += q >> 16;
	return q >> 4;
}

/* Has the time ended, with no byte from one look to another? */
static bool ends(struct dp_wire *wire, bool holds, uint64_t now, uint32_t hz)
{
	bool request = dp_receives_request(wire);

	if (wire->quiet && holds)
		return now - wire->quiet_since > (request ? (uint64_t)hz * 2 : twentieth(hz));
	wire->quiet = 1;
	wire->quiet_since = now;
	return false;
}

void dp_end_held(struct dp_agent *agent)
{
	uint32_t hz = dp_tick_hz(agent);
	uint64_t now = dp_now(agent);

	for (unsigned com = 0; hz != 0 && com < DP_LINES; com++) {
		struct dp_wire *wire = &agent->wire[com];
		dp_irq irq = dp_lock_take();
		bool holds = dp_receives_request(wire) || wire->in.used > 0;

		if (holds) /* until its time ends */
			agent->poll_due = 1;
		if (ends(wire, holds, now, hz))
			dp_receive_end(agent, com);
		dp_lock_give(irq);
	}
}
#endif
