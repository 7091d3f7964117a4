/* SPDX-License-Identifier: BSD-2-Clause */
/* The reach of slots, by the facts of each CPU. */
#include "check.h"
#include "dp_object.h"
#include "tables/slot_reach.h"

enum {
	MB = 1 << 20
};

static bool reach(unsigned cpu, uint64_t slots, uint64_t text)
{
	return dph_slots_reach(cpu, (struct dph_span){slots, slots + 0xfff},
			       (struct dph_span){text, text + MB - 1});
}

/* proves: A3.8 */
static void anywhere(void)
{
	CHECK(reach(DP_CPU_ARM, 0xff000000, 0));
	CHECK(reach(DP_CPU_ARM, 0, 0xff000000));
	CHECK(reach(DP_CPU_SIM, 0xff000000, 0));
}

int main(void)
{
	/* a branch of 32 MB, forwards and backwards, counted from end to end */
	CHECK(reach(DP_CPU_PPC, 0x01000000, 0x01800000));
	CHECK(reach(DP_CPU_PPC, 32 * MB - 0x1000, 0));
	CHECK(!reach(DP_CPU_PPC, 32 * MB, 0));
	CHECK(reach(DP_CPU_PPC, 0, 31 * MB));
	CHECK(!reach(DP_CPU_PPC, 0, 31 * MB + 4));
	/* regions of 256 MB */
	CHECK(reach(DP_CPU_MIPS, 0x8ffff000, 0x80000000));
	CHECK(!reach(DP_CPU_MIPS, 0x90000000, 0x8ff00000));
	CHECK(!reach(DP_CPU_MIPS, 0x80000000, 0x8ff80000));
	CHECK(!reach(DP_CPU_MIPS, 0x8ffff800, 0x80000000));
	anywhere();
	return check_status();
}
