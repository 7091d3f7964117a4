/* SPDX-License-Identifier: BSD-2-Clause */
/* A firmware that prints while a frame of the agent is half sent. The frame's request is standard
 * input, what leaves by the line is standard output: test_minimal.py. */
#include "sim_firmware.h"

#include <stdio.h>

static bool put(void *context, uint8_t byte)
{
	unsigned *room = context;

	if (*room == 0)
		return false;
	--*room;
	return putchar(byte) != EOF;
}

int main(void)
{
	unsigned room = 10;
	int c;

	firmware_load();
	firmware.board.com[DP_COM1] = (struct dp_com){.put = put, .ctx = &room};
	if (firmware_boot() != DP_ERR_OK)
		return 1;
	while ((c = getchar()) != EOF)
		dp_rx(&firmware.agent, DP_COM1, (uint8_t)c);
	dp_poll(&firmware.agent);
	if (room != 0)
		return 2; /* no frame, or a short one */
	room = 10000;
	dp_console_write(&firmware.agent, DP_COM1, "text\n", 5);
	while (dp_poll(&firmware.agent))
		;
	return room == 0;
}
