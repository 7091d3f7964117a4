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

/* The vectors are in kseg0, and the slots in a firmware that runs uncached, in kseg1: the vectors
 * lead to the code by its address in kseg0. */
static void slots_in_kseg1(volatile uint32_t *vector)
{
	static const uint8_t taken[] = {0, 1, 0x60, 0x61}; /* TLB refill, general exception */
	const uint32_t code = (uint32_t)(uintptr_t)guest_slots;
	uint32_t word, before[sizeof(taken)];

	for (unsigned i = 0; i < sizeof(taken); i++)
		before[i] = vector[taken[i]];

	expect("slots in kseg1",
	       start_with((void *)(uintptr_t)(code | 0x20000000u), GUEST_SLOT_BYTES) == DP_ERR_OK);
	expect("a jump", vector[0] >> 26 == 2 && ((vector[0] << 2 & 0x0fffffffu) -
						  (code & 0x0fffffffu)) < GUEST_SLOT_BYTES);
	expect("a fault by way of kseg0", dp_port_read(HOLE, &word, 4, 4) == 0);
	expect("and back",
	       dp_port_read((uint32_t)(uintptr_t)&code, &word, 4, 4) == 4 && word == code);
	/* As start-up code that clears .noinit. */
	for (unsigned i = 0; i < GUEST_SLOT_BYTES / 4; i++)
		((volatile uint32_t *)(uintptr_t)code)[i] = 0;
	expect("cleared slots", start() == DP_ERR_SLOTS_CLEARED);
	for (unsigned i = 0; i < sizeof(taken); i++)
		vector[taken[i]] = before[i];
}

/* A refused start changes no vector. */
/* proves: P7.4 P7.5 P7.9 A4.1 A4.5 */
void before_start(void)
{
	volatile uint32_t *vector = (volatile uint32_t *)0x80000000u; /* TLB refill */
	const uint32_t first = vector[0], second = vector[1];

	expect("no slot memory", start_with(guest_slots, 0) == DP_ERR_NO_SLOT);
	expect("slots in kuseg", start_with((void *)0x00400000u, 4096) == DP_ERR_NO_SLOT);
	vector[0] = 0x14430001; /* bne $2, $3 */
	expect("a conditional branch in a vector", start() == DP_ERR_BAD_VECTOR);
	expect("the vector stays", vector[0] == 0x14430001 && vector[1] == second);
	vector[0] = first;
	slots_in_kseg1(vector);
}
