/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PowerPC: pages for a case are TLB entries (440, e500) or entries of the page table (classic),
 * behind those of the board. On a classic CPU low memory is translated in blocks: there a page is
 * what lies there anyway, between the vectors and the text, and what is no page is kept out by the
 * agent's table alone.
 */
#include <string.h>

#include "arch.h"
#include "guest.h"
#include "ppc_board.h"

#define PAGES       8u
#define ENTRY_FIRST 6u /* of the TLB, for pages */
#define REACH       0x02000000u
#define INSN_BA     0x48000002u

#define SITE_BYTES 4u

void arch_fault_task(unsigned vector, uint32_t address, uint32_t syndrome, struct arch_context *c);
_Noreturn void arch_fault_fatal(unsigned vector, uint32_t address, uint32_t syndrome,
				const struct arch_context *c);
extern char guest_return[];

const char arch_fault_names[] = "";
static uint8_t pool[PAGES][GUEST_PAGE] __attribute__((aligned(4096)));
static uint32_t mapped[PAGES]; /* addresses of pages */
static unsigned pages_used;
const unsigned cpu_site_bytes = SITE_BYTES;

void arch_fault_task(unsigned vector, uint32_t address, uint32_t syndrome, struct arch_context *c)
{
	(void)vector;
	(void)address;
	(void)syndrome;
	(void)c;
	guest_panic("a fault in the guest");
}

_Noreturn void arch_fault_fatal(unsigned vector, uint32_t address, uint32_t syndrome,
				const struct arch_context *c)
{
	(void)vector;
	(void)address;
	(void)syndrome;
	(void)c;
	guest_panic("a fault");
}

#if DP_PPC_BOOKE

#define PVR_E500  0x802u
#define MAS0_TLB1 0x10000000u

const struct dp_range cpu_open[] = {
	{0x00000000u, 0x01000000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x02000000u, 0xde000000u, DP_MEM_READ | DP_MEM_WRITE},
	{0xf0000000u, 0x0fffffffu, DP_MEM_READ | DP_MEM_WRITE},
	{0xffffffffu, 1, DP_MEM_READ | DP_MEM_WRITE},
};

/* PPC440x5 user's manual 5.3; V, 4 KB; all rights */
static void write_440(unsigned entry, uint32_t address, uint32_t real, bool valid)
{
	__asm__ volatile(
		"tlbwe %1, %0, 0\n\ttlbwe %2, %0, 1\n\ttlbwe %3, %0, 2\n\tisync" ::"r"(entry),
		"r"(valid ? address | 0x210u : 0), "r"(real), "r"(7)
		: "memory");
}

/* EREF 5.5; valid, protected, 4 KB; all rights */
static void write_e500(unsigned entry, uint32_t address, uint32_t real, bool valid)
{
	__asm__ volatile("mtspr 624, %0\n\tmtspr 625, %1\n\tmtspr 626, %2\n\tmtspr 627, %3\n\t"
			 "mtspr 944, %4\n\tisync\n\t.long 0x7c0007a4\n\tisync" ::"r"(MAS0_TLB1 |
										     entry << 16),
			 "r"(valid ? 0xc0000100u : 0), "r"(address), "r"(real | 0x15u), "r"(0)
			 : "memory");
}

static bool is_low(uint32_t address)
{
	(void)address;
	return false;
}

static void write_entry(unsigned i, uint32_t address, uint32_t real, bool valid)
{
	uint32_t pvr;

	__asm__ volatile("mfspr %0, 287" : "=r"(pvr));
	(pvr >> 20 == PVR_E500 ? write_e500 : write_440)(ENTRY_FIRST + i, address, real, valid);
}

#else

#define LOW_END   0x00010000u /* before the text */
#define BLOCK_END 0x01000000u
#define GROUPS    0x3ffu /* of 8 entries */

extern uint32_t ppc_page_table[];

const struct dp_range cpu_open[] = {
	{BLOCK_END, 0x7f000000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x90000000u, 0x6fffffffu, DP_MEM_READ | DP_MEM_WRITE},
	{0xffffffffu, 1, DP_MEM_READ | DP_MEM_WRITE},
};

static bool is_low(uint32_t address)
{
	return address < LOW_END;
}

/* Programming Environments Manual 7.6.1; segment n has number n. One entry per group will do, i is
 * its place. */
static void write_entry(unsigned i, uint32_t address, uint32_t real, bool valid)
{
	uint32_t segment = address >> 28, page = address >> 12 & 0xffff;
	uint32_t *entry = &ppc_page_table[((segment ^ page) & GROUPS) * 16 + i * 2];

	entry[1] = real | 0x182u; /* R, C, read and write */
	__asm__ volatile("eieio" ::: "memory");
	entry[0] = valid ? 0x80000000u | segment << 7 | page >> 10 : 0;
	__asm__ volatile("sync\n\ttlbie %0\n\tsync\n\ttlbsync\n\tsync\n\tisync" ::"r"(address)
			 : "memory");
}

#endif
const unsigned cpu_open_count = sizeof(cpu_open) / sizeof(cpu_open[0]);

void cpu_unmap_all(void)
{
	for (unsigned i = 0; i < pages_used; i++) {
		if (is_low(mapped[i]))
			memset((void *)mapped[i], 0, mapped[i] ? GUEST_PAGE : 0);
		else
			write_entry(i, mapped[i], 0, false);
	}
	memset(pool, 0, sizeof(pool));
	ppc_cache_sync((uintptr_t)pool, sizeof(pool));
	pages_used = 0;
}

bool cpu_map(uintptr_t address)
{
	uint32_t page = (uint32_t)address & ~(GUEST_PAGE - 1);
	unsigned i = 0;

	while (i < pages_used && mapped[i] != page)
		i++;
	if (i < pages_used)
		return true;
	if (i == PAGES)
		return false;
	mapped[i] = page;
	pages_used++;
	if (!is_low(page))
		write_entry(i, page, (uint32_t)(uintptr_t)pool[i], true);
	return true;
}

bool cpu_place_site(uintptr_t address)
{
	uint32_t to = (uint32_t)(uintptr_t)guest_return;

	if (address % 4 != 0 || to >= REACH)
		return false;
	*(volatile uint32_t *)address = INSN_BA | to;
	ppc_cache_sync(address, SITE_BYTES);
	return true;
}

bool cpu_site_intact(uintptr_t address)
{
	return *(const volatile uint32_t *)address == (INSN_BA | (uint32_t)(uintptr_t)guest_return);
}

/* rN only: programs are given these names. */
int cpu_register(const char *name)
{
	int n = 0;

	if (*name++ != 'r' || *name == '\0')
		return -1;
	for (; *name >= '0' && *name <= '9'; name++)
		n = 10 * n + *name - '0';
	return *name == '\0' && n < (int)GUEST_REGISTERS ? n : -1;
}
