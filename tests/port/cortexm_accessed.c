/* SPDX-License-Identifier: BSD-2-Clause */
/* Of test_cortexm_accessed.py: reads instructions as "bytes number" in hexadecimal, and prints of
 * each one what the port takes for its access. Register n holds 0x100000 * n, the pc 0x1000. */
#include <inttypes.h>
#include <stdio.h>

#include "cortexm_data.h"

int main(void)
{
	struct dp_frame frame = {.xpsr = 0};
	uint32_t insn;
	unsigned bytes;

	for (unsigned n = 0; n < 15; n++)
		frame.r[n] = n << 20;
	frame.r[15] = 0x1000;
	while (scanf("%u %" SCNx32, &bytes, &insn) == 2) {
		struct dp_watched access = {.pc = 0};
		bool known = dp_cortexm_access_of(insn, bytes, &frame, &access);

		if (known)
			printf("%d %d %u %" PRIx32 "\n", access.kinds >> DP_PROBE_WATCH_R & 1,
			       access.kinds >> DP_PROBE_WATCH_W & 1, access.bytes,
			       (uint32_t)access.address);
		else
			printf("none\n");
	}
	return 0;
}
