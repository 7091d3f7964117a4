/* SPDX-License-Identifier: BSD-2-Clause */
/* This file restores BadVAddr, Context and EntryHi, which a caught fault overwrites. The first two
 * cannot be written: only a fault at the right address sets them. */
#include "dp_access_cpu.h"

#define DP_INDEX    "$0"
#define DP_ENTRYLO0 "$2"
#define DP_ENTRYLO1 "$3"
#define DP_PAGEMASK "$5"
#define DP_CONFIG   "$16"

#define DP_CONTEXT_PAGE 0x007ffff0u /* BadVPN2 */
#define DP_PAGE_PAIR    0xffffe000u
#define DP_LO_GLOBAL    1u

static void load_from(uint32_t address)
{
	uint32_t word;

	dp_access_load(address, 4, &word);
}

static bool has_tlb(void)
{
	uint32_t config;

	DP_MIPS_GET(config, DP_CONFIG);
	return (config >> 7 & 7) == 1;
}

struct tlb_registers {
	uint32_t index, lo0, lo1, mask;
};

static void tlb_registers_get(struct tlb_registers *t)
{
	DP_MIPS_GET(t->index, DP_INDEX);
	DP_MIPS_GET(t->lo0, DP_ENTRYLO0);
	DP_MIPS_GET(t->lo1, DP_ENTRYLO1);
	DP_MIPS_GET(t->mask, DP_PAGEMASK);
}

static void tlb_registers_put(const struct tlb_registers *t)
{
	DP_MIPS_PUT(t->index, DP_INDEX);
	DP_MIPS_PUT(t->lo0, DP_ENTRYLO0);
	DP_MIPS_PUT(t->lo1, DP_ENTRYLO1);
	DP_MIPS_PUT(t->mask, DP_PAGEMASK);
}

/* Load from a page that has a TLB entry, and have it fail: the entry is invalid meanwhile. */
static void load_from_entry(uint32_t address)
{
	struct tlb_registers entry, invalid;
	uint32_t hi;

	__asm__ volatile("tlbr" DP_MIPS_HAZARD ::: "memory");
	tlb_registers_get(&entry);
	DP_MIPS_GET(hi, DP_MIPS_ENTRYHI);
	invalid.index = entry.index;
	invalid.mask = entry.mask;
	invalid.lo0 = entry.lo0 & DP_LO_GLOBAL;
	invalid.lo1 = entry.lo1 & DP_LO_GLOBAL;
	tlb_registers_put(&invalid);
	__asm__ volatile("tlbwi" DP_MIPS_HAZARD ::: "memory");
	load_from(address);
	tlb_registers_put(&entry);
	DP_MIPS_PUT(hi, DP_MIPS_ENTRYHI);
	__asm__ volatile("tlbwi" DP_MIPS_HAZARD ::: "memory");
}

/* A TLB exception at the address: sets all three. kseg0 and kseg1 never have one. */
static void provoke(uint32_t address, uint32_t entryhi)
{
	struct tlb_registers saved;
	int32_t found;

	if ((address >> 30) == 2 || !has_tlb())
		return;
	tlb_registers_get(&saved);
	DP_MIPS_PUT((address & DP_PAGE_PAIR) | (entryhi & ~DP_PAGE_PAIR), DP_MIPS_ENTRYHI);
	__asm__ volatile("tlbp" DP_MIPS_HAZARD ::: "memory");
	DP_MIPS_GET(found, DP_INDEX);
	if (found < 0)
		load_from(address);
	else
		load_from_entry(address);
	tlb_registers_put(&saved);
}

void dp_fault_status_put(const struct dp_fault_status *status)
{
	struct dp_fault_status now;
	uint32_t page = (status->context & DP_CONTEXT_PAGE) << 9;

	dp_fault_status_get(&now);
	if (now.context != status->context) {
		/* Use the right BadVAddr immediately, if Context comes from BadVAddr. */
		if (((page ^ status->badvaddr) & DP_PAGE_PAIR) == 0)
			page = status->badvaddr & ~3u;
		provoke(page, status->entryhi);
		dp_fault_status_get(&now);
	}
	if (now.badvaddr != status->badvaddr) {
		/* An address error touches nothing but BadVAddr, and no memory. */
		if (status->badvaddr & 3)
			load_from(status->badvaddr);
		else
			provoke(status->badvaddr, status->entryhi);
	}
	DP_MIPS_PUT(status->entryhi, DP_MIPS_ENTRYHI);
}

/* Cause: exception code and branch delay. */
bool dp_mips_told_changed(const struct dp_frame *frame)
{
	uint32_t cause;

	DP_MIPS_GET(cause, DP_MIPS_CAUSE);
	return ((cause ^ frame->cause) & 0x8000007c) != 0 || dp_mips_fault_status_changed(frame);
}
