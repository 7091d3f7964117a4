/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's own text on a line of ours, both ways. */
#include "dp_core.h"

void dp_console_write(struct dp_agent *agent, enum dp_com_index index, const void *text,
		      size_t bytes)
{
	const struct dp_com *com = &agent->board->com[index];
	const uint8_t *p = text;

	while (com->put && bytes-- > 0) {
		dp_irq irq = dp_port_mask();

		if ((index < DP_LINES && !dp_transmit_flush(agent, index)) ||
		    !dp_transmit_put(com, *p++))
			bytes = 0; /* a dead line takes one time-out */
		dp_port_unmask(irq);
	}
}

#if DP_WITH_TIMES
/* A possible frame start is not held for ever: a person may have typed it. */
void dp_receive_timeout(struct dp_agent *agent)
{
	uint32_t hz = dp_tick_hz(agent);
	uint64_t now = dp_now(agent);

	for (unsigned com = 0; hz != 0 && com < DP_LINES; com++) {
		struct dp_wire *wire = &agent->wire[com];
		dp_irq irq = dp_port_mask();

		DP_NEAR(wire);
		if (wire->in.used == 0 || !wire->quiet) {
			wire->quiet = 1;
			wire->quiet_since = now;
		} else if (now - wire->quiet_since > hz / 20) {
			dp_receive_flush(agent, com);
		}
		dp_port_unmask(irq);
	}
}
#endif
