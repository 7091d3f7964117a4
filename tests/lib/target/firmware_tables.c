/* SPDX-License-Identifier: BSD-2-Clause */
/* A firmware whose agent answers on one line: requests are standard input, what leaves by the line
 * is standard output. A byte 01 damages the first site in the agent's tables: test_minimal.py. */
#include "sim_firmware.h"

#include <stdio.h>

static bool put(void *context, uint8_t byte)
{
	(void)context;
	return putchar(byte) != EOF;
}

int main(void)
{
	static const uint8_t build_id[20] = {1};
	int c;

	firmware_load();
	firmware.board.image.build_id = build_id;
	firmware.board.image.build_id_bytes = sizeof(build_id);
	firmware.board.com[DP_COM1] = (struct dp_com){.put = put};
	if (firmware_boot() != DP_ERR_OK)
		return 1;
	while ((c = getchar()) != EOF) {
		if (c == 1)
			firmware.agent.site[0].insn_bytes ^= 0x10;
		else
			dp_rx(&firmware.agent, DP_COM1, (uint8_t)c);
		while (c == '\n' && dp_poll(&firmware.agent))
			;
	}
	return 0;
}
