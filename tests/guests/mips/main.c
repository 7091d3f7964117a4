/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the MIPS port: what the port is given, and the order of the checks. A jump's
 * delay slot is the second word of a case. */
#include "checks.h"
#include "guest.h"
#include "out.h"
#include "rows.h"
#include "special.h"

static uint8_t slots[4096] __attribute__((aligned(4096)));
static uint64_t stack[DP_PORT_STACK_BYTES / 8];
static struct dp_port_state port;

static const struct dp_range ranges[] = {
	{0x80000000u, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0, 0x10000, DP_MEM_READ},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
static const struct dp_board board = {.ranges = ranges, .range_count = 5};
static const struct dp_memory memory = {.slots = slots,
					.slot_bytes =
						DP_PORT_SLOT_BYTES * (16 + DP_PORT_SLOTS_EXTRA),
					.stack = stack,
					.stack_bytes = sizeof(stack)};

void guest_main(void);
void guest_main(void)
{
	expect("attached", dp_port_attach(&board, &memory, &port) == DP_ERR_OK);
	if (failed)
		stop(1);
	special_checks();
	run_passes();
	conclude(dp_mips_row_count, row_gate(dp_mips_row_count));
}
