/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PowerPC: pages for a case are TLB entries, or entries of the page table, where nothing is mapped
 * otherwise.
 */
#include <string.h>

#include "arch.h"
#include "guest.h"
#include "ppc_board.h"

#define INSN_BA  0x48000002u
#define BA_BITS  0x03fffffcu /* the firmware is below 32 MiB */
#define SITE_MAX 0x00020000u

void arch_fault_task(unsigned vector, uint32_t address, uint32_t syndrome, struct arch_context *c);
void arch_fault_fatal(unsigned vector, uint32_t address, uint32_t syndrome,
		      const struct arch_context *c);
extern char guest_return[];

static uint8_t pool[PPC_PAGES][GUEST_PAGE] __attribute__((aligned(4096)));
static uintptr_t mapped[PPC_PAGES];
static unsigned used;

/* Addresses without RAM or devices on any of these boards. */
const struct dp_range cpu_open[] = {
	{0x00001000u, 0x00fff000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x02000000u, 0x7e000000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x80100000u, 0x5ff00000u, DP_MEM_READ | DP_MEM_WRITE},
	{0xe0100000u, 0x0f500000u, DP_MEM_READ | DP_MEM_WRITE},
	{0xef610000u, 0x109effffu, DP_MEM_READ | DP_MEM_WRITE},
	{0xffffffffu, 1, DP_MEM_READ | DP_MEM_WRITE},
};
const unsigned cpu_open_count = sizeof(cpu_open) / sizeof(cpu_open[0]);
const unsigned cpu_site_bytes = 4;

void arch_fault_task(unsigned vector, uint32_t address, uint32_t syndrome, struct arch_context *c)
{
	(void)vector;
	(void)address;
	(void)syndrome;
	(void)c;
	guest_panic("a fault in the guest");
}

void arch_fault_fatal(unsigned vector, uint32_t address, uint32_t syndrome,
		      const struct arch_context *c)
{
	(void)vector;
	(void)address;
	(void)syndrome;
	(void)c;
	guest_panic("a fault");
}

static bool is_open(uintptr_t address)
{
	for (unsigned i = 0; i < cpu_open_count; i++)
		if (address - cpu_open[i].start < cpu_open[i].bytes)
			return true;
	return false;
}

bool cpu_map(uintptr_t address)
{
	uintptr_t page = address & ~(uintptr_t)(GUEST_PAGE - 1);
	unsigned n = 0;

	while (n < used && mapped[n] != page)
		n++;
	if (n == PPC_PAGES || (page != 0 && !is_open(page)))
		return false;
	if (n == used) {
		mapped[used++] = page;
		ppc_page_put(n, page, (uintptr_t)pool[n], true);
	}
	return true;
}

void cpu_unmap_all(void)
{
	for (unsigned n = 0; n < used; n++)
		ppc_page_put(n, mapped[n], 0, false);
	used = 0;
	memset(pool, 0, sizeof(pool));
	ppc_cache_sync((uintptr_t)pool, sizeof(pool));
}

static uint32_t site_insn(void)
{
	return INSN_BA | ((uint32_t)(uintptr_t)guest_return & BA_BITS);
}

bool cpu_place_site(uintptr_t address)
{
	if (address > SITE_MAX || address % 4 != 0)
		return false;
	*(volatile uint32_t *)address = site_insn();
	ppc_cache_sync(address, 4);
	return true;
}

bool cpu_site_intact(uintptr_t address)
{
	return *(const volatile uint32_t *)address == site_insn();
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
