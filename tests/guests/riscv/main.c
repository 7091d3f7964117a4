/* SPDX-License-Identifier: BSD-2-Clause */
/* Run-twice oracle for the RISC-V port: the board, and starts that are refused. */
#include "checks.h"
#include "out.h"

#define DATA_ONLY 0x81800000u

static const struct dp_range ranges[] = {
	{0x80000000u, 0x02000000u, DP_MEM_READ | DP_MEM_WRITE | DP_MEM_TEXT},
	{HOLE, 0x10000, DP_MEM_READ | DP_MEM_WRITE},
	{HOLE + 0x10000, 0x10000, DP_MEM_READ | DP_MEM_DEVICE},
	{0, 0x10000, DP_MEM_READ},
	{(dp_addr)-0x10, 0x10, DP_MEM_READ},
};
const struct dp_board guest_board = {.ranges = ranges,
				     .range_count = sizeof(ranges) / sizeof(ranges[0])};

static void refused_handler(const char *name, DPROBES_WORD mtvec, enum dp_err error)
{
	DPROBES_WORD was, now;

	DP_RISCV_GET(was, DP_CSR_MTVEC);
	DP_RISCV_PUT(mtvec, DP_CSR_MTVEC);
	expect(name, start() == error);
	DP_RISCV_GET(now, DP_CSR_MTVEC);
	expect("mtvec stays", now == mtvec);
	DP_RISCV_PUT(was, DP_CSR_MTVEC);
}

/* As start-up code that clears .noinit. */
static void cleared_slots(void)
{
	expect("a start", start() == DP_ERR_OK);
	for (unsigned i = 0; i < sizeof(guest_slots) / 4; i++)
		((volatile uint32_t *)(uintptr_t)guest_slots)[i] = 0;
	expect("cleared slots", start() == DP_ERR_SLOTS_CLEARED);
	DP_RISCV_PUT(firmware_mtvec, DP_CSR_MTVEC);
}

/* Memory that the locked entry of the PMP lets nobody execute, until reset. */
static void slots_that_do_not_execute(void)
{
	uint32_t *there = (uint32_t *)(uintptr_t)DATA_ONLY;

	DP_RISCV_PUT((DPROBES_WORD)(DATA_ONLY >> 2 | 0x1ff), 0x3b0);
	DP_RISCV_PUT((DPROBES_WORD)0x9b, 0x3a0); /* 4 KB, locked, read and write */
	expect("slots that do not execute", start_with(there, 0x1000) == DP_ERR_NO_SLOT);
}

/* A refused start changes no vector. */
/* proves: P7.4 P7.5 P7.8 P7.9 A4.1 A4.5 */
void before_start(void)
{
	DP_RISCV_GET(firmware_mtvec, DP_CSR_MTVEC);
	expect("no slot memory", start_with(guest_slots, 0) == DP_ERR_NO_SLOT);
	refused_handler("a handler that is out of reach", 0x100, DP_ERR_VECTOR_FAR);
	refused_handler("a handler that writes mscratch", (uintptr_t)swapping_handler,
			DP_ERR_BAD_VECTOR);
	slots_that_do_not_execute();
	cleared_slots();
}
