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
					.slot_bytes = (DP_PORT_SLOT_BYTES + 1) *
						      (16 + DP_PORT_SLOTS_EXTRA),
					.stack = stack,
					.stack_bytes = sizeof(stack)};

static enum dp_err attach_with(void *at, size_t bytes)
{
	const struct dp_memory other = {
		.slots = at, .slot_bytes = bytes, .stack = stack, .stack_bytes = sizeof(stack)};

	return dp_port_attach(&board, &other, &port);
}

/* A refused start changes no vector. */
/* proves: P7.4 P7.5 A4.1 A4.5 */
static void refused_starts(void)
{
	volatile uint32_t *vector = (volatile uint32_t *)0x80000000u; /* TLB refill */
	const uint32_t first = vector[0], second = vector[1];

	expect("no slot memory", attach_with(slots, 0) == DP_ERR_NO_SLOT);
	expect("slots in kuseg", attach_with((void *)0x00400000u, 4096) == DP_ERR_NO_SLOT);
	vector[0] = 0x14430001; /* bne $2, $3 */
	expect("a conditional branch in a vector",
	       attach_with(slots, sizeof(slots)) == DP_ERR_NOT_PATCHABLE);
	expect("the vector stays", vector[0] == 0x14430001 && vector[1] == second);
	vector[0] = first;
}

void guest_main(void);
void guest_main(void)
{
	refused_starts();
	expect("attached", dp_port_attach(&board, &memory, &port) == DP_ERR_OK);
	if (failed)
		stop(1);
	special_checks();
	run_passes();
	conclude(dp_mips_row_count, row_gate(dp_mips_row_count));
}
