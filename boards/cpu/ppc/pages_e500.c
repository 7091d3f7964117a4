/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages beyond the board's table on the e500: TLB1 entries behind those of mmu_e500.S. */
#include "ppc_board.h"

#define TLB500_4K 0xc0000100u
#define MAS0_TLB1 0x10000000u

void ppc_page_put(unsigned n, uintptr_t page, uintptr_t real, bool valid)
{
	uint32_t entry = ppc_tlb_count + n;

	__asm__ volatile(
		"mtspr 624, %0\n\tmtspr 625, %1\n\tmtspr 626, %2\n\tmtspr 627, %3\n\t"
		"mtspr 944, %4\n\tisync\n\ttlbwe\n\tisync\n\tmsync" ::"r"(MAS0_TLB1 | entry << 16),
		"r"(valid ? TLB500_4K : 0), "r"(page | TLB500_CACHED), "r"(real | TLB500_MEMORY),
		"r"(0)
		: "memory");
}
