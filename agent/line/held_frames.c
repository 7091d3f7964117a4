/* SPDX-License-Identifier: BSD-2-Clause */
/* Release received bytes that may begin a frame, when their time limit ends. */
#include "dp_wire.h"

#include "dp_clock.h"
#include "dp_lock.h"

#if DP_WITH_SHARED_LINE && DP_WITH_STREAM
void dp_end_held(struct dp_agent *agent)
{
	uint32_t hz = dp_tick_hz(agent);
	uint64_t now = dp_now(agent);

	for (unsigned com = 0; hz != 0 && com < DP_LINES; com++) {
		struct dp_wire *wire = &agent->wire[com];
		dp_irq irq = dp_lock_take();

		if (wire->in.used == 0 || !wire->quiet) {
			wire->quiet = 1;
			wire->quiet_since = now;
		} else if (now - wire->quiet_since > hz / 20) {
			dp_receive_flush(agent, com);
		}
		dp_lock_give(irq);
	}
}
#endif
