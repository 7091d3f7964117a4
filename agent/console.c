/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's own output on a line of ours. */
#include "dp_agent.h"
#include "dp_transmit.h"

/* Send a character behind the line under way. Interrupts are open between any two characters.
 * wire: null when the line is the firmware's alone.
 * returns: false when the transmitter is dead. */
static bool send(const struct dp_com *com, struct dp_wire *wire, uint8_t byte)
{
	for (uint32_t spins = 0; spins < DP_PUT_SPINS; spins++) {
		dp_irq irq = dp_port_mask();
		bool sent = false;

		if (wire && dp_transmit_one(com, wire))
			spins = 0;
		/* in the masked stretch of the line's last character: no other line comes first */
		if (!wire || !dp_transmit_under_way(wire))
			sent = com->put(com->ctx, byte);
		dp_port_unmask(irq);
		if (sent)
			return true;
	}
	return false;
}

void dp_console_write(struct dp_agent *agent, enum dp_com_index index, const void *text,
		      size_t bytes)
{
	const struct dp_com *com = &agent->board->com[index];
	struct dp_wire *wire = index < DP_LINES ? &agent->wire[index] : NULL;
	const uint8_t *p = text;

	while (com->put && bytes-- > 0)
		if (!send(com, wire, *p++))
			break; /* a dead line takes one time-out */
}
