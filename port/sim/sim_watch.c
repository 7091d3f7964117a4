/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparators of the simulated CPU, by dp_watch.h. A comparator reports execution, writes, or
 * all accesses of data. The machine says which ones also stop the CPU in place of a trap. */
#include "dp_watch.h"

#include "sim.h"

static struct sim_comparator *comparator_of(const struct dp_watch *watch)
{
	return &dp_sim.comparator[watch->comparator];
}

unsigned dp_port_comparators(void)
{
	unsigned count = 0;

	for (unsigned n = 0; n < SIM_COMPARATORS; n++)
		count += !dp_sim.comparator[n].foreign;
	return count;
}

unsigned dp_port_lacks_code(void)
{
	return dp_sim.watch_lacks;
}

/* The smallest power of two that has the range in one aligned piece. */
enum dp_err dp_port_watch_prepare(struct dp_watch *watch)
{
	dp_addr last = watch->address + (watch->bytes - 1), bytes = 1;

	if (watch->kind == DP_PROBE_BREAK && !(dp_sim.watch_code >> watch->comparator & 1))
		return DP_ERR_NO_WATCHPOINT;
	if (comparator_of(watch)->foreign)
		return DP_ERR_NO_COMPARATOR;
	if (watch->kind == DP_PROBE_BREAK) { /* the first byte */
		watch->means = dp_sim.watch_lays ? DP_MEANS_REMAP : DP_MEANS_COMPARE;
		watch->first = watch->address;
		watch->covers = 1;
		return DP_ERR_OK;
	}
	if (dp_sim.watch_used)
		return DP_ERR_WATCH_UNIT_USED;
	if (watch->bytes > SIM_WATCHED_MAX)
		return DP_ERR_NO_WATCHPOINT;
	while ((watch->address & ~(bytes - 1)) != (last & ~(bytes - 1)))
		bytes <<= 1;
	if (bytes > SIM_WATCHED_MAX)
		return DP_ERR_NO_WATCHPOINT;
	watch->first = watch->address & ~(bytes - 1);
	watch->covers = bytes;
	return DP_ERR_OK;
}

enum dp_err dp_port_watch_arm(const struct dp_watch *watch)
{
	struct sim_comparator *comparator = comparator_of(watch);

	if (comparator->foreign)
		return DP_ERR_NO_WATCHPOINT;
	*comparator = (struct sim_comparator){
		.first = watch->first, .bytes = watch->covers, .kind = watch->kind, .on = 1};
	return DP_ERR_OK;
}

void dp_port_watch_disarm(const struct dp_watch *watch)
{
	if (!comparator_of(watch)->foreign)
		*comparator_of(watch) = (struct sim_comparator){0};
}

bool dp_port_watch_holds(const struct dp_watch *watch)
{
	const struct sim_comparator *comparator = comparator_of(watch);

	return comparator->on && !comparator->foreign && comparator->first == watch->first &&
	       comparator->bytes == watch->covers && comparator->kind == watch->kind;
}

void dp_port_watch_pause(uint16_t comparators)
{
	dp_sim.watch_paused = comparators;
}

bool dp_port_watch_at(const struct dp_watched *access)
{
	(void)access;
	return sim_watched_still();
}

unsigned dp_sim_watch_after(void)
{
	return dp_sim.watch_after;
}
