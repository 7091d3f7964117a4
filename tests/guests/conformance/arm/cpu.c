/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ARM, with the flat map of boards/cpu/arm/mmu.c: where a case wants memory, the section (or the
 * hole) gives way to a table of small pages.
 */
#include <string.h>

#include "arm_board.h"
#include "guest.h"

#define PAGES           8u
#define TABLES          6u
#define TABLE_ENTRIES   256u
#define MEGABYTE        0x100000u
#define FIRMWARE_START  ((uintptr_t)__text_start & (MEGABYTE - 1))
#define TRAMPOLINE_PAGE 0x8000u

/* Short descriptors: ARM ARM v7-A B3.5, v5 B4.7. */
#define L1_KIND  3u
#define L1_TABLE 1u
#define L1_BASE  0xfffffc00u
#define SECTION  2u
#if __ARM_ARCH >= 7
#define L1_SBO  0u
#define L2_PAGE 0x0000007eu /* TEX 001, AP 11, C, B, small page, executable */
#else
#define L1_SBO  0x10u
#define L2_PAGE 0x00000ffeu /* AP 11 four times, C, B, small page */
#endif

#define INSN_B      0xea000000u
#define INSN_LDR_PC 0xe51ff004u /* ldr pc, [pc, #-4] */

struct arch_context;
void arch_fault_task(struct arch_context *c, unsigned kind);
void arch_fault_fatal(const uint32_t *frame, unsigned kind);
extern char guest_return[], __text_start[];

static uint32_t tables[TABLES][TABLE_ENTRIES] __attribute__((aligned(1024)));
static uint8_t pool[PAGES][GUEST_PAGE] __attribute__((aligned(4096)));
static unsigned tables_used, pages_used;

/* Addresses without RAM or devices on any of these boards, and the pages below the firmware's text,
 * which cpu_unmap_all takes away where there was RAM. */
const struct dp_range cpu_open[] = {
	{0x00001000u, 0x00007000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x20000000u, 0x10000000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x80000000u, 0x7fffffffu, DP_MEM_READ | DP_MEM_WRITE},
	{0xffffffffu, 1, DP_MEM_READ | DP_MEM_WRITE},
};
const unsigned cpu_open_count = sizeof(cpu_open) / sizeof(cpu_open[0]);
const unsigned cpu_site_bytes = 4;

void arch_fault_task(struct arch_context *c, unsigned kind)
{
	(void)c;
	(void)kind;
	guest_panic("a fault in the guest");
}

void arch_fault_fatal(const uint32_t *frame, unsigned kind)
{
	(void)frame;
	(void)kind;
	guest_panic("a fault in an exception");
}

static uint32_t *first_level(uintptr_t address)
{
	uint32_t base;

	__asm__ volatile("mrc p15, 0, %0, c2, c0, 0" : "=r"(base));
	return (uint32_t *)(uintptr_t)(base & ~0x3fffu) + address / MEGABYTE;
}

static void flush(void)
{
	arm_cache_clean_invalidate();
	__asm__ volatile("mcr p15, 0, %0, c8, c7, 0" ::"r"(0u) : "memory");
#if __ARM_ARCH >= 7
	__asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
}

/* The table for an address: the section that was there goes on, page by page. */
static uint32_t *second_level(uintptr_t address)
{
	uint32_t *entry = first_level(address), *table;

	if ((*entry & L1_KIND) == L1_TABLE)
		return (uint32_t *)(uintptr_t)(*entry & L1_BASE);
	if (tables_used == TABLES)
		return NULL;
	table = tables[tables_used++];
	for (uint32_t i = 0; i < TABLE_ENTRIES; i++)
		table[i] = (*entry & L1_KIND) == SECTION
				   ? (*entry & ~(MEGABYTE - 1)) | i * GUEST_PAGE | L2_PAGE
				   : 0;
	*entry = (uint32_t)(uintptr_t)table | L1_SBO | L1_TABLE;
	return table;
}

static uint32_t *page_entry(uintptr_t address)
{
	uint32_t *table = second_level(address);

	return table != NULL ? &table[address / GUEST_PAGE % TABLE_ENTRIES] : NULL;
}

static bool in_pool(uint32_t entry)
{
	return (entry & ~(GUEST_PAGE - 1)) - (uint32_t)(uintptr_t)pool < sizeof(pool);
}

/* Behind the sites, in reach of a branch: on to guest_return without a register. */
static void place_trampoline(void)
{
	volatile uint32_t *trampoline = (volatile uint32_t *)TRAMPOLINE_PAGE;

	*page_entry(TRAMPOLINE_PAGE) = (uint32_t)(uintptr_t)pool[pages_used++] | L2_PAGE;
	flush();
	trampoline[0] = INSN_LDR_PC;
	trampoline[1] = (uint32_t)(uintptr_t)guest_return;
	flush();
}

void cpu_unmap_all(void)
{
	for (unsigned i = 0; i < tables_used; i++)
		for (unsigned page = 0; page < TABLE_ENTRIES; page++)
			if (in_pool(tables[i][page]))
				tables[i][page] = 0;
	for (uintptr_t page = GUEST_PAGE; page < FIRMWARE_START; page += GUEST_PAGE)
		*page_entry(page) = 0;
	flush();
	memset(pool, 0, sizeof(pool));
	pages_used = 0;
	place_trampoline();
}

bool cpu_map(uintptr_t address)
{
	uint32_t *entry = page_entry(address);

	if (entry == NULL || (*entry == 0 && pages_used == PAGES))
		return false;
	if (*entry == 0)
		*entry = (uint32_t)(uintptr_t)pool[pages_used++] | L2_PAGE;
	flush();
	return true;
}

static uint32_t site_insn(uintptr_t address)
{
	return INSN_B | ((TRAMPOLINE_PAGE - (uint32_t)address - 8) >> 2 & 0x00ffffffu);
}

bool cpu_place_site(uintptr_t address)
{
	if (address > 0x02000000u || address % 4 != 0)
		return false;
	*(volatile uint32_t *)address = site_insn(address);
	flush();
	return true;
}

bool cpu_site_intact(uintptr_t address)
{
	return *(volatile uint32_t *)address == site_insn(address);
}

int cpu_register(const char *name)
{
	if (strcmp(name, "sp") == 0)
		return 13;
	if (strcmp(name, "lr") == 0)
		return 14;
	if (name[0] != 'r' || name[1] < '0' || name[1] > '9')
		return -1;
	return name[2] == '\0' ? name[1] - '0' : 10 * (name[1] - '0') + name[2] - '0';
}
