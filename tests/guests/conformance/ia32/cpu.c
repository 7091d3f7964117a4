/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32, with the pages of boards/cpu/ia32/start.S: where a case wants memory, a table of pages of 4
 * KB stands in place of a page of 4 MB that is absent.
 */
#include <string.h>

#include "guest.h"

#define PAGES         8u
#define TABLES        6u
#define TABLE_ENTRIES 1024u
#define TABLE_BYTES   0x400000u
#define SITE_END      TABLE_BYTES
#define JMP           0xe9u
#define BELOW_ESP     64u /* a hit keeps registers there */

/* SDM 3A 4.3 */
#define ENTRY_PRESENT 1u
#define ENTRY_WRITE   2u
#define ENTRY_LARGE   0x80u
#define ENTRY_BASE    0xfffff000u

enum {
	ESP = 3,
	NAMES = 8
};

struct arch_context;
void arch_fault_task(uint32_t vector, uint32_t error, struct arch_context *c);
void arch_fault_fatal(uint32_t vector, uint32_t error, const struct arch_context *c);
/* hit.S */
void hit(const uintptr_t registers[GUEST_REGISTERS], uintptr_t site);
extern char guest_return[];

static uint32_t tables[TABLES][TABLE_ENTRIES] __attribute__((aligned(4096)));
static uint8_t pool[PAGES][GUEST_PAGE] __attribute__((aligned(4096)));
static unsigned tables_used, pages_used;

/* All but the RAM and the pages of devices. */
const struct dp_range cpu_open[] = {
	{0x00001000u, 0x003ff000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x02000000u, 0xfc000000u, DP_MEM_READ | DP_MEM_WRITE},
	{0xff000000u, 0x00ffffffu, DP_MEM_READ | DP_MEM_WRITE},
	{0xffffffffu, 1, DP_MEM_READ | DP_MEM_WRITE},
};
const unsigned cpu_open_count = sizeof(cpu_open) / sizeof(cpu_open[0]);
const unsigned cpu_site_bytes = 5; /* jmp rel32 */

void arch_fault_task(uint32_t vector, uint32_t error, struct arch_context *c)
{
	(void)vector;
	(void)error;
	(void)c;
	guest_panic("a fault in the guest");
}

void arch_fault_fatal(uint32_t vector, uint32_t error, const struct arch_context *c)
{
	(void)vector;
	(void)error;
	(void)c;
	guest_panic("a fault in an exception");
}

static uint32_t directory(void)
{
	uint32_t base;

	__asm__ volatile("mov %%cr3, %0" : "=r"(base));
	return base;
}

static void flush(void)
{
	__asm__ volatile("mov %0, %%cr3" ::"r"(directory()) : "memory");
}

/* The entry of a page. Null: the firmware's, or no table is left. */
static uint32_t *page_entry(uintptr_t address)
{
	uint32_t *first = (uint32_t *)(uintptr_t)directory() + address / TABLE_BYTES;

	if ((*first & ENTRY_LARGE) != 0 || (*first == 0 && tables_used == TABLES))
		return NULL;
	if (*first == 0)
		*first = (uint32_t)(uintptr_t)tables[tables_used++] | ENTRY_WRITE | ENTRY_PRESENT;
	return (uint32_t *)(uintptr_t)(*first & ENTRY_BASE) + address / GUEST_PAGE % TABLE_ENTRIES;
}

void cpu_unmap_all(void)
{
	memset(tables, 0, sizeof(tables));
	memset(pool, 0, sizeof(pool));
	pages_used = 0;
	flush();
}

bool cpu_map(uintptr_t address)
{
	uint32_t *entry = page_entry(address);

	if (entry == NULL || (*entry == 0 && pages_used == PAGES))
		return false;
	if (*entry == 0)
		*entry = (uint32_t)(uintptr_t)pool[pages_used++] | ENTRY_WRITE | ENTRY_PRESENT;
	flush();
	return true;
}

static uint32_t distance(uintptr_t address)
{
	return (uint32_t)((uintptr_t)guest_return - (address + cpu_site_bytes));
}

bool cpu_place_site(uintptr_t address)
{
	uint32_t to = distance(address);

	if (address >= SITE_END || !cpu_map(address + cpu_site_bytes - 1))
		return false;
	*(volatile uint8_t *)address = JMP;
	memcpy((void *)(address + 1), &to, sizeof(to));
	return true;
}

bool cpu_site_intact(uintptr_t address)
{
	uint32_t to = distance(address);

	return *(volatile uint8_t *)address == JMP &&
	       memcmp((const void *)(address + 1), &to, sizeof(to)) == 0;
}

/* In the order of pusha. */
int cpu_register(const char *name)
{
	static const char names[NAMES][4] = {"edi", "esi", "ebp", "esp",
					     "ebx", "edx", "ecx", "eax"};

	for (int i = 0; i < NAMES; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	return -1;
}

/* The CPU itself keeps registers below esp: a case that wants an esp has a stack there. 0: the
 * guest's own stack. */
void cpu_hit(const uintptr_t registers[GUEST_REGISTERS], uintptr_t site)
{
	const uintptr_t esp = registers[ESP];

	if (esp != 0 && (!cpu_map(esp - BELOW_ESP) || !cpu_map(esp - 1)))
		guest_panic("no memory for a stack");
	hit(registers, site);
}
