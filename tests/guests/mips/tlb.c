/* SPDX-License-Identifier: BSD-2-Clause */
/* The TLB's instructions: what they write is no register of a run. */
#include "oracle.h"
#include "out.h"
#include "special.h"

struct tlb_entry {
	uint32_t index, hi, lo0, lo1, mask;
};

static void tlb_put(const struct tlb_entry *e)
{
	DP_MIPS_PUT(e->index, "$0");
	DP_MIPS_PUT(e->lo0, "$2");
	DP_MIPS_PUT(e->lo1, "$3");
	DP_MIPS_PUT(e->mask, "$5");
	DP_MIPS_PUT(e->hi, "$10");
}

static void tlb_get(struct tlb_entry *e)
{
	DP_MIPS_GET(e->index, "$0");
	DP_MIPS_GET(e->lo0, "$2");
	DP_MIPS_GET(e->lo1, "$3");
	DP_MIPS_GET(e->mask, "$5");
	DP_MIPS_GET(e->hi, "$10");
}

static void tlb_entry_get(uint32_t index, struct tlb_entry *e)
{
	DP_MIPS_PUT(index, "$0");
	__asm__ volatile("tlbr" DP_MIPS_HAZARD ::: "memory");
	tlb_get(e);
}

/* A page of kseg0, which no access meets. */
static void clear_entry(uint32_t index)
{
	struct tlb_entry e = {index, 0x80000000 + (index << 13), 0, 0, 0};

	tlb_put(&e);
	__asm__ volatile("tlbwi" DP_MIPS_HAZARD ::: "memory");
}

static bool same_entry(const struct tlb_entry *a, const struct tlb_entry *b)
{
	return a->index == b->index && a->hi == b->hi && a->lo0 == b->lo0 && a->lo1 == b->lo1 &&
	       a->mask == b->mask;
}

/* Run one instruction from `before`; what the registers and entry 5 hold then. */
static void tlb_run(uint32_t insn, const struct tlb_entry *before, bool probed,
		    struct tlb_entry *registers, struct tlb_entry *entry)
{
	static struct state in, end;
	static const struct tlb_entry other = {5, 0x00600000, 0x00010007, 0x00010047, 0};
	uint32_t at = case_address();
	enum dp_refusal why;

	tlb_put(&other);
	__asm__ volatile("tlbwi" DP_MIPS_HAZARD ::: "memory");
	fill_word(insn);
	initial(&in, NULL, 0);
	in.pc = at;
	if (probed)
		expect("TLB instruction prepared",
		       prepare(&site[0], at, &why) == DP_ERR_OK && arm(&site[0]));
	tlb_put(before);
	run(&in, &end);
	tlb_get(registers);
	tlb_entry_get(5, entry);
	if (!probed)
		return;
	disarm(&site[0]);
	release_sites();
}

/* tlbwr takes the last entry when all others are wired. */
void tlb_checks(void)
{
	static const uint32_t insns[] = {0x42000001, 0x42000002, 0x42000006, 0x42000008};
	static const struct tlb_entry before = {5, 0x00400000, 0x00020007, 0x00020047, 0};
	static struct tlb_entry plain[2], probed[2];
	uint32_t config, last;

	__asm__ volatile("mfc0 %0, $16, 1" : "=r"(config));
	last = config >> 25 & 63;
	for (unsigned i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		clear_entry(last);
		DP_MIPS_PUT(insns[i] == 0x42000006 ? last : 0, "$6");
		tlb_run(insns[i], &before, false, &plain[0], &plain[1]);
		if (insns[i] == 0x42000006)
			tlb_entry_get(last, &plain[1]);
		clear_entry(last);
		hits[0] = 0;
		tlb_run(insns[i], &before, true, &probed[0], &probed[1]);
		if (insns[i] == 0x42000006)
			tlb_entry_get(last, &probed[1]);
		expect("TLB instruction: the registers", same_entry(&plain[0], &probed[0]));
		expect("TLB instruction: the entry", same_entry(&plain[1], &probed[1]));
		expect("TLB instruction: hit", hits[0] == 1);
		if (insns[i] != 0x42000008 && insns[i] != 0x42000001)
			expect("TLB instruction: written", plain[1].hi == before.hi);
		note_insn(insns[i]);
	}
	DP_MIPS_PUT(0, "$6");
	clear_entry(last);
	clear_entry(5);
	DP_MIPS_PUT(0, "$10");
}
