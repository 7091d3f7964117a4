/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the MIPS port: the board, and starts that are refused. A jump's
 * delay slot is the second word of a case. */
#include "checks.h"
#include "out.h"

static const struct dp_range ranges[] = {
	{0x80000000u, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0, 0x10000, DP_MEM_READ},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
const struct dp_board guest_board = {.ranges = ranges, .range_count = 5};

/* A refused start changes no vector. */
/* proves: P7.4 P7.5 A4.1 A4.5 */
void before_start(void)
{
	volatile uint32_t *vector = (volatile uint32_t *)0x80000000u; /* TLB refill */
	const uint32_t first = vector[0], second = vector[1];

	expect("no slot memory", start_with(guest_slots, 0) == DP_ERR_NO_SLOT);
	expect("slots in kuseg", start_with((void *)0x00400000u, 4096) == DP_ERR_NO_SLOT);
	vector[0] = 0x14430001; /* bne $2, $3 */
	expect("a conditional branch in a vector", start() == DP_ERR_NOT_PATCHABLE);
	expect("the vector stays", vector[0] == 0x14430001 && vector[1] == second);
	vector[0] = first;
}
