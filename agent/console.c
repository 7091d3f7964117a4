/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's own output on a line of ours. */
#include "dp_agent.h"
#include "dp_transmit.h"

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
