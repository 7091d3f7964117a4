/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages beyond the blocks on classic CPUs: entries of the page table of mmu_bat.S, 64 KiB, 1024
 * groups of 8.  Programming Environments Manual 7.6.1 */
#include "ppc_board.h"

#define GROUPS     1024u
#define GROUP      8u
#define PTE_VALID  0x80000000u
#define PTE_MEMORY 0x00000182u /* referenced, changed; read and write */

struct pte {
	uint32_t upper, lower;
};

extern volatile struct pte ppc_page_table[];

static volatile struct pte *used[PPC_PAGES];

/* Segment n has number n. The page at 0 has the first entry of all, from the beginning. */
static volatile struct pte *free_entry(uintptr_t page)
{
	uint32_t hash = (page >> 28 ^ page >> 12) % GROUPS;
	volatile struct pte *e = &ppc_page_table[hash * GROUP];

	if (page == 0)
		return e;
	for (unsigned i = 0; i < GROUP; i++)
		if ((e[i].upper & PTE_VALID) == 0)
			return &e[i];
	return NULL;
}

static void write_entry(volatile struct pte *e, uintptr_t page, uintptr_t real)
{
	e->upper = 0;
	e->lower = real | PTE_MEMORY;
	__asm__ volatile("eieio" ::: "memory");
	e->upper = PTE_VALID | page >> 28 << 7 | (page >> 22 & 0x3f);
}

/* At most 9 entries are used, so a group is full only when all are in one: then nothing is put.
 * When the page at 0 is taken away, the vectors are there again. */
void ppc_page_put(unsigned n, uintptr_t page, uintptr_t real, bool valid)
{
	if (used[n] == &ppc_page_table[0])
		write_entry(used[n], 0, 0);
	else if (used[n] != NULL)
		used[n]->upper = 0;
	used[n] = valid ? free_entry(page) : NULL;
	if (used[n] != NULL)
		write_entry(used[n], page, real);
	__asm__ volatile("sync\n\ttlbie %0\n\tsync\n\ttlbsync\n\tsync" ::"r"(page) : "memory");
}
