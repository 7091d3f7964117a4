/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the IA32 port: the board, and starts that are refused. */
#include "checks.h"
#include "out.h"

static const struct dp_range ranges[] = {
	{0x00400000u, 0x01c00000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0, 0x10000, DP_MEM_READ},
	{(dp_addr)-0x10, 0x10, DP_MEM_READ},
};
const struct dp_board guest_board = {.ranges = ranges,
				     .range_count = sizeof(ranges) / sizeof(ranges[0])};
/* A refused start changes no gate. */
static void refused_gate(const char *name, unsigned vector, uint32_t high)
{
	uint32_t *words = &guest_idt[2 * vector], first = guest_idt[6], was = words[1];

	words[1] = high;
	expect(name, start() == DP_ERR_BAD_VECTOR && words[1] == high && guest_idt[6] == first);
	words[1] = was;
}

/* As start-up code that clears .noinit. */
static void cleared_slots(void)
{
	uint32_t saved[40];

	for (unsigned i = 0; i < 40; i++)
		saved[i] = guest_idt[i];
	expect("a start", start() == DP_ERR_OK);
	expect("a second start", start() == DP_ERR_OK);
	for (unsigned i = 0; i < sizeof(guest_slots) / 4; i++)
		((volatile uint32_t *)(uintptr_t)guest_slots)[i] = 0;
	expect("cleared slots", start() == DP_ERR_SLOTS_CLEARED);
	for (unsigned i = 0; i < 40; i++)
		guest_idt[i] = saved[i];
}

/* proves: P7.4 P7.5 P7.9 A4.1 A4.5 */
void before_start(void)
{
	expect("no slot memory", start_with(guest_slots, 0) == DP_ERR_NO_SLOT);
	refused_gate("no gate for int3", 3, guest_idt[7] & ~0x8000u);
	refused_gate("a task gate", 6, (guest_idt[13] & 0xffff0000u) | 0x8500u);
	cleared_slots();
}
