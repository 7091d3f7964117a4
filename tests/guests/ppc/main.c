/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the PowerPC port: the board, and starts that are refused. The
 * second word of a case is the next instruction of all. */
#include "checks.h"
#include "out.h"

#if DP_PPC_BOOKE
#define QUIRKS (DP_QUIRK_TRAP_SETS_CE | DP_QUIRK_MTMSR_KEEPS_ME)
#else
#define QUIRKS DP_QUIRK_MTMSR_KEEPS_ME
#endif

static const struct dp_range ranges[] = {
	{0, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{READ_ONLY, 0x1000, DP_MEM_READ | DP_MEM_WRITE},
	{0x01000000u, 0x10000, DP_MEM_READ},
	{0xfffffff0u, 0x10, DP_MEM_READ},
};
const struct dp_board guest_board = {
	.ranges = ranges, .range_count = sizeof(ranges) / sizeof(ranges[0]), .quirks = QUIRKS};

#if DP_PPC_BOOKE
static void refused_vector(const char *name, volatile uint32_t *vector, uint32_t word)
{
	const uint32_t first = *vector;

	*vector = word;
	expect(name, start() == DP_ERR_BAD_VECTOR);
	expect("the vector stays", *vector == word);
	*vector = first;
}

/* A branch that the port cannot move refuses the start. */
/* proves: P7.5 P7.8 A4.1 A4.7 */
static void refused_vectors(void)
{
	uint32_t base, offset, low;

	DP_PPC_GET(base, 63);    /* IVPR */
	DP_PPC_GET(offset, 406); /* IVOR6: program */
	base = (base & 0xffff0000u) | (offset & 0xfff0u);
	refused_vector("a conditional branch in a vector", (volatile uint32_t *)base, 0x41820008);
	refused_vector("a linking branch in a vector", (volatile uint32_t *)base, 0x48000009);
	/* Some CPUs keep the low bits of an IVOR. */
	DP_PPC_PUT(offset | 4, 406);
	DP_PPC_GET(low, 406);
	expect("a vector that is not aligned", (low & 0xfu) == 0 || start() == DP_ERR_BAD_VECTOR);
	DP_PPC_PUT(offset, 406);
	DP_PPC_PUT(0x7fff0000, 63);
	expect("vectors far from the slots", start() == DP_ERR_VECTOR_FAR);
	DP_PPC_PUT(base & 0xffff0000u, 63);
}
#endif

/* Before any probe. */
/* proves: P7.6 A4.8 */
void before_start(void)
{
#ifdef GUEST_40P
	/* No interrupts: the timer runs from the start. */
	*(volatile uint8_t *)0x80000021u = 0xff;
	*(volatile uint8_t *)0x800000a1u = 0xff;
#endif
#if DP_PPC_BOOKE
	/* IDM and TRAP: whoever has set these takes the traps for itself. */
	DP_PPC_PUT(0x41000000, 308);
	expect("traps are debug events", start() == DP_ERR_BAD_TARGET);
	DP_PPC_PUT(0, 308);
	refused_vectors();
#endif
}
