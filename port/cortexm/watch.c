/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparators, for the core (dp_watch.h). Those of the Flash Patch and Breakpoint unit: a site
 * in text that cannot be written has means REMAP (DP_CORTEXM_WITH_FPB=1). Behind them those of
 * data, for watchpoints: cortexm_data.h. */
#include "cortexm_data.h"
#include "dp_patch.h"
#include "dp_watch.h"

#if DP_CORTEXM_WITH_FPB || DP_CORTEXM_WITH_DWT
/* --- what fpb.c and dwt.c ask for --- */

uint32_t dp_unit_get(uint32_t address)
{
	return *(const volatile uint32_t *)(uintptr_t)address;
}

void dp_unit_set(uint32_t address, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)address = value;
}
#endif

#if DP_CORTEXM_WITH_FPB
_Static_assert((int)DP_CORTEXM_PLACES == (int)DP_FPB_PLACES, "dp_port_cpu.h");

/* The table is fetched as instructions are. */
void dp_fpb_publish(void)
{
	dp_patch_publish(dp_cortexm->fpb.table, DP_FPB_TABLE_BYTES);
}

bool dp_fpb_text(uint32_t address, uint32_t *word)
{
	return dp_access_load(address, 4, word);
}

unsigned dp_port_lacks_code(void)
{
	return dp_cortexm->fpb.lacks;
}
#endif

#if DP_PORT_COMPARATORS > 0
#if DP_CORTEXM_WITH_FPB
/* One more than the number of the last place that can serve. */
static unsigned places(void)
{
	unsigned end = 0;

	for (unsigned n = 0; n < DP_FPB_CODE; n++)
		if (dp_fpb_can(&dp_cortexm->fpb, n, 0, 4) == DP_FPB_YES)
			end = n + 1;
	return end == 0 ? 0 : end + DP_FPB_CODE;
}

static enum dp_err prepare_place(struct dp_watch *watch)
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

static enum dp_err arm_place(const struct dp_watch *watch)
{
	return dp_fpb_arm(&dp_cortexm->fpb, watch->comparator, watch->address, watch->bytes)
		       ? DP_ERR_OK
		       : DP_ERR_NO_WATCHPOINT;
}

static void disarm_place(unsigned n)
{
	dp_fpb_disarm(&dp_cortexm->fpb, n);
}

static bool place_holds(unsigned n)
{
	return dp_fpb_holds(&dp_cortexm->fpb, n);
}
#else
static unsigned places(void)
{
	return 0;
}

static enum dp_err prepare_place(const struct dp_watch *watch)
{
	(void)watch;
	return DP_ERR_NO_WATCHPOINT;
}

static enum dp_err arm_place(const struct dp_watch *watch)
{
	return prepare_place(watch);
}

static void disarm_place(unsigned n)
{
	(void)n;
}

static bool place_holds(unsigned n)
{
	(void)n;
	return false;
}
#endif

/* --- what the core asks for --- */

static bool is_of_data(const struct dp_watch *watch)
{
	return watch->comparator + 1 > DP_CORTEXM_PLACES;
}

unsigned dp_port_comparators(void)
{
	unsigned data = DP_DATA(count)();

	return data > 0 ? DP_CORTEXM_PLACES + data : places();
}

enum dp_err dp_port_watch_prepare(struct dp_watch *watch)
{
	dp_irq irq = dp_port_mask();
	enum dp_err error = is_of_data(watch) ? DP_DATA(prepare)(watch) : prepare_place(watch);

	dp_port_unmask(irq);
	return error;
}

enum dp_err dp_port_watch_arm(const struct dp_watch *watch)
{
	dp_irq irq = dp_port_mask();
	enum dp_err error = is_of_data(watch) ? DP_DATA(arm)(watch) : arm_place(watch);

	dp_port_unmask(irq);
	return error;
}

void dp_port_watch_disarm(const struct dp_watch *watch)
{
	dp_irq irq = dp_port_mask();

	if (is_of_data(watch))
		DP_DATA(disarm)(watch);
	else
		disarm_place(watch->comparator);
	dp_port_unmask(irq);
}

bool dp_port_watch_holds(const struct dp_watch *watch)
{
	dp_irq irq = dp_port_mask();
	bool holds = is_of_data(watch) ? DP_DATA(holds)(watch) : place_holds(watch->comparator);

	dp_port_unmask(irq);
	return holds;
}

/* A trap that a comparator lays stays in a hit, as one in memory does. */
void dp_port_watch_pause(uint16_t comparators)
{
	DP_DATA(pause)((unsigned)comparators >> DP_CORTEXM_PLACES);
}

bool dp_port_watch_at(const struct dp_watched *access)
{
	return DP_DATA(at)(access);
}
#endif
