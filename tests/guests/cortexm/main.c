/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the Cortex-M port: the board, and starts that are refused. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "states.h"

#define CCR_UNALIGN_TRP 8u
extern uint32_t vectors[];

static const struct dp_range ranges[] = {
#if DP_CORTEXM_HAS_LIMITS /* mps2-an505 */
	{0x38000000u, 0x00400000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{0x80000000u, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{0x10000000u, 0x00400000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
#else
	{0x20000000u, 0x02000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{0, 0x00400000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
#endif
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
#if DP_CORTEXM_HAS_FAULTS /* QEMU's microbit reads zeroes there */
	{0xfffffff0u, 0x10, DP_MEM_READ},
#endif
};
const struct dp_board guest_board = {.ranges = ranges,
				     .range_count = sizeof(ranges) / sizeof(ranges[0])};

/* A refused start changes no vector. */
/* proves: P7.4 A4.1 */
static void refused_starts(void)
{
	expect("no slot memory", start_with(guest_slots, 0) == DP_ERR_NO_SLOT);
	expect("the table stays", DP_SCS(VTOR) == (uint32_t)(uintptr_t)vectors);
}

#if DP_CORTEXM_HAS_FAULTS
/* The agent cannot take its faults, or its unaligned accesses would be some. */
/* proves: P7.6 */
static void unfit_starts(void)
{
	enum dp_err masked;

	__asm__ volatile("cpsid f" ::: "memory");
	masked = start();
	__asm__ volatile("cpsie f" ::: "memory");
	expect("not with the fault mask", masked == DP_ERR_BAD_TARGET);
	DP_SCS(CCR) |= CCR_UNALIGN_TRP;
	expect("not where unaligned accesses trap", start() == DP_ERR_BAD_TARGET);
	DP_SCS(CCR) &= ~CCR_UNALIGN_TRP;
	expect("the table stays", DP_SCS(VTOR) == (uint32_t)(uintptr_t)vectors);
}

#else
static void unfit_starts(void)
{
}
#endif

/* The copy differs in the four faults alone: kernels compare the words of SVC and PendSV. */
/* proves: A4.3 A4.4 */
static void other_vectors_stay(void)
{
	const uint32_t *copy;

	expect("started", start() == DP_ERR_OK);
	copy = (const uint32_t *)(uintptr_t)DP_SCS(VTOR);
	expect("a table of the agent", copy != vectors);
	for (unsigned i = 0; i < 48; i++)
		expect("the other vectors stay",
		       (copy[i] == vectors[i]) == (i < DP_CLASS_HARD || i > DP_CLASS_USAGE));
}

/* Memory for the slot of last resort alone. */
static void no_slot(void)
{
	unsigned total, available;
	const uint32_t table = 2 * DP_CORTEXM_TABLE_BYTES;

	expect("started without slots",
	       start_with((void *)(((uintptr_t)guest_slots & ~(uintptr_t)(table - 1)) + 4),
			  table - 4 + DP_PORT_SLOT_BYTES + 2) == DP_ERR_OK);
	dp_port_slots(&total, &available);
	expect("no slot", total == 0);
}

void before_start(void)
{
	prepare_memory();
	refused_starts();
	unfit_starts();
	other_vectors_stay();
	no_slot();
}

void frame_before(struct dp_frame *frame, uint32_t at)
{
	frame->r[DP_ARM_PC] = at;
	frame->xpsr = DP_XPSR_T;
	frame->r[6] = (uint32_t)(uintptr_t)data;
}
