/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages beyond the board's table on the 440: TLB entries behind those of mmu_440.S. */
#include "ppc_board.h"

#define TLB440_4K 0x00000210u

void ppc_page_put(unsigned n, uintptr_t page, uintptr_t real, bool valid)
{
	uint32_t entry = ppc_tlb_count + n;

	__asm__ volatile(
		"tlbwe %1, %0, 0\n\ttlbwe %2, %0, 1\n\ttlbwe %3, %0, 2\n\tisync" ::"r"(entry),
		"r"(valid ? page | TLB440_4K : 0), "r"(real), "r"(TLB440_MEMORY)
		: "memory");
}
