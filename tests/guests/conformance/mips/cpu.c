/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * MIPS32: pages for a case are TLB entries of kuseg and kseg3, where nothing is mapped otherwise.
 * They are uncached, so that no alias of the pool in kseg0 can be stale.
 */
#include <string.h>

#include "guest.h"
#include "mips_board.h"

#define PAGES           8u
#define ENTRIES         16u /* of the TLB; a pair of pages each */
#define TRAMPOLINE_PAGE 0x8000u
#define KSEG0           0x80000000u
#define KSEG2           0xc0000000u

/* EntryLo: MD00090 table 9.5. An entry without V is global too, or the pair would not be. */
#define LO_GLOBAL 1u
#define LO_PAGE   0x17u /* uncached, D, V, G */

#define INSN_BEQ 0x10000000u /* b */
#define INSN_LUI 0x3c1a0000u /* k0 */
#define INSN_ORI 0x375a0000u /* k0, k0 */
#define INSN_JR  0x03400008u /* k0 */
#define INSN_NOP 0u
#define SITE_MAX 0x00020000u
#define HAZARD   "\n\tssnop\n\tssnop\n\tssnop\n\tehb"

struct arch_context;
void arch_fault_task(uint32_t cause, uint32_t badvaddr, struct arch_context *c);
void arch_fault_fatal(uint32_t cause, uint32_t badvaddr, const struct arch_context *c);
extern char guest_return[];

static uint8_t pool[PAGES][GUEST_PAGE] __attribute__((aligned(4096)));
static struct {
	uint32_t pair; /* address of the first page */
	uint32_t lo[2];
} tlb[ENTRIES];
static unsigned entries_used, pages_used;

const struct dp_range cpu_open[] = {
	{0x00001000u, 0x00007000u, DP_MEM_READ | DP_MEM_WRITE},
	{0x00010000u, 0x7fff0000u, DP_MEM_READ | DP_MEM_WRITE},
	{KSEG2, 0x3fffffffu, DP_MEM_READ | DP_MEM_WRITE},
	{0xffffffffu, 1, DP_MEM_READ | DP_MEM_WRITE},
};
const unsigned cpu_open_count = sizeof(cpu_open) / sizeof(cpu_open[0]);
const unsigned cpu_site_bytes = 8; /* a branch and its delay slot */

void arch_fault_task(uint32_t cause, uint32_t badvaddr, struct arch_context *c)
{
	(void)cause;
	(void)badvaddr;
	(void)c;
	guest_panic("a fault in the guest");
}

void arch_fault_fatal(uint32_t cause, uint32_t badvaddr, const struct arch_context *c)
{
	(void)cause;
	(void)badvaddr;
	(void)c;
	guest_panic("a fault");
}

static void write_entry(unsigned i, uint32_t address, const uint32_t lo[2])
{
	__asm__ volatile(
		"mtc0 %0, $0\n\tmtc0 %1, $10\n\tmtc0 %2, $2\n\tmtc0 %3, $3\n\tmtc0 $0, $5" HAZARD
		"\n\ttlbwi\n\tmtc0 $0, $10" HAZARD ::"r"(i),
		"r"(address), "r"(lo[0]), "r"(lo[1])
		: "memory");
}

static bool map_page(uint32_t address)
{
	uint32_t pair = address & ~(2 * GUEST_PAGE - 1);
	unsigned half = address / GUEST_PAGE % 2, i = 0;

	while (i < entries_used && tlb[i].pair != pair)
		i++;
	if (i == ENTRIES || (i == entries_used && pages_used == PAGES))
		return false;
	if (i == entries_used) {
		tlb[i].pair = pair;
		tlb[i].lo[0] = tlb[i].lo[1] = LO_GLOBAL;
		entries_used++;
	}
	if (tlb[i].lo[half] == LO_GLOBAL) {
		if (pages_used == PAGES)
			return false;
		tlb[i].lo[half] = ((uintptr_t)pool[pages_used++] - KSEG0) >> 6 | LO_PAGE;
	}
	write_entry(i, pair, tlb[i].lo);
	return true;
}

bool cpu_map(uintptr_t address)
{
	return (address < KSEG0 || address >= KSEG2) && map_page(address);
}

void cpu_unmap_all(void)
{
	static const uint32_t none[2];
	volatile uint32_t *trampoline = (volatile uint32_t *)TRAMPOLINE_PAGE;
	uint32_t to = (uint32_t)(uintptr_t)guest_return;

	for (unsigned i = 0; i < ENTRIES; i++)
		write_entry(i, KSEG0 + i * 2 * GUEST_PAGE, none);
	memset(pool, 0, sizeof(pool));
	mips_cache_sync((uintptr_t)pool, sizeof(pool));
	entries_used = pages_used = 0;
	map_page(TRAMPOLINE_PAGE);
	trampoline[0] = INSN_LUI | to >> 16;
	trampoline[1] = INSN_ORI | (to & 0xffff);
	trampoline[2] = INSN_JR;
	trampoline[3] = INSN_NOP;
	mips_cache_sync(TRAMPOLINE_PAGE, 16);
}

static uint32_t site_insn(uintptr_t address)
{
	return INSN_BEQ | ((TRAMPOLINE_PAGE - (uint32_t)address - 4) >> 2 & 0xffff);
}

bool cpu_place_site(uintptr_t address)
{
	volatile uint32_t *site = (volatile uint32_t *)address;

	if (address > SITE_MAX || address % 4 != 0)
		return false;
	site[0] = site_insn(address);
	site[1] = INSN_NOP;
	mips_cache_sync(address, 8);
	return true;
}

bool cpu_site_intact(uintptr_t address)
{
	const volatile uint32_t *site = (const volatile uint32_t *)address;

	return site[0] == site_insn(address) && site[1] == INSN_NOP;
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
