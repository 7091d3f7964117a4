/* SPDX-License-Identifier: BSD-2-Clause */
/* Of test_riscv_accessed.py: reads instructions in hexadecimal, and prints of each one what the
 * port takes for its access. Register n holds 0x100000 * n, register 0 holds 0. With a word on the
 * command line the CPU has no D. */
#include <inttypes.h>
#include <stdio.h>

#include "riscv_triggers.h"

static struct dp_port_state state;
struct dp_port_state *dp_riscv = &state;

int main(int count, char **words)
{
	struct dp_frame frame = {.pc = 0};
	uint32_t insn;

	(void)words;
	state.cpu = count > 1 ? 0 : DP_RISCV_HAS_D;

	for (unsigned n = 0; n < 32; n++)
		frame.x[n] = (dp_word)n << 20;
	while (scanf("%" SCNx32, &insn) == 1) {
		struct dp_watched access = {.pc = 0};

		dp_riscv_access_of(insn, &frame, &access);
		printf("%d %d %d %u %jx\n", access.told, access.kinds >> DP_PROBE_WATCH_R & 1,
		       access.kinds >> DP_PROBE_WATCH_W & 1, access.bytes,
		       (uintmax_t)access.address);
	}
	return 0;
}
