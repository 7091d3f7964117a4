/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparators of the Flash Patch and Breakpoint unit, for the core (dp_watch.h): a site in text
 * that cannot be written has means REMAP. An agent of DP_CORTEXM_WITH_FPB=1 has this file. */
#include "cortexm_port.h"
#include "dp_patch.h"
#include "dp_watch.h"

#if DP_CORTEXM_WITH_FPB
_Static_assert((int)DP_PORT_COMPARATORS == (int)DP_FPB_PLACES, "dprobes_cpu.h");

/* --- what fpb.c asks for --- */

uint32_t dp_fpb_get(uint32_t address)
{
	return *(const volatile uint32_t *)(uintptr_t)address;
}

void dp_fpb_set(uint32_t address, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)address = value;
}

/* The table is fetched as instructions are. */
void dp_fpb_publish(void)
{
	dp_patch_publish(dp_cortexm->fpb.table, DP_FPB_TABLE_BYTES);
}

bool dp_fpb_text(uint32_t address, uint32_t *word)
{
	return dp_access_load(address, 4, word);
}

/* --- what the core asks for --- */

unsigned dp_port_comparators(void)
{
	unsigned end = 0;

	for (unsigned n = 0; n < DP_FPB_CODE; n++)
		if (dp_fpb_can(&dp_cortexm->fpb, n, 0, 4) == DP_FPB_YES)
			end = n + 1;
	return end == 0 ? 0 : end + DP_FPB_CODE;
}

unsigned dp_port_lacks_code(void)
{
	return dp_cortexm->fpb.lacks;
}

enum dp_err dp_port_watch_prepare(struct dp_watch *watch)
{
	enum dp_fpb_answer answer = DP_FPB_NO;

	if (watch->kind == DP_PROBE_BREAK)
		answer = dp_fpb_can(&dp_cortexm->fpb, watch->comparator, watch->address,
				    watch->bytes);
	if (answer != DP_FPB_YES)
		return answer == DP_FPB_TAKEN ? DP_ERR_NO_COMPARATOR : DP_ERR_NO_WATCHPOINT;
	watch->means = DP_MEANS_REMAP;
	watch->first = watch->address;
	watch->covers = watch->bytes;
	return DP_ERR_OK;
}

enum dp_err dp_port_watch_arm(const struct dp_watch *watch)
{
	dp_irq irq = dp_port_mask();
	bool armed = dp_fpb_arm(&dp_cortexm->fpb, watch->comparator, watch->address, watch->bytes);

	dp_port_unmask(irq);
	return armed ? DP_ERR_OK : DP_ERR_NO_WATCHPOINT;
}

void dp_port_watch_disarm(const struct dp_watch *watch)
{
	dp_irq irq = dp_port_mask();

	dp_fpb_disarm(&dp_cortexm->fpb, watch->comparator);
	dp_port_unmask(irq);
}

bool dp_port_watch_holds(const struct dp_watch *watch)
{
	return dp_fpb_holds(&dp_cortexm->fpb, watch->comparator);
}

/* A trap that a comparator lays stays in a hit, as one in memory does. No comparator reports an
 * access. */
void dp_port_watch_pause(uint16_t comparators)
{
	(void)comparators;
}

bool dp_port_watch_at(const struct dp_watched *access)
{
	(void)access;
	return false;
}
#endif
