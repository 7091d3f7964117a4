/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of a watchpoint: does the port have a comparator for the range and the kind? */
#include "dp_kind.h"

#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_site_check.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_verdict.h"
#include "dp_watches.h"

#if DP_PORT_COMPARATORS > 0
/* The range in the firmware's memory that the point asks for. */
static enum dp_err read_range(const struct dp_agent *agent, const struct dp_spot *spot,
			      struct dp_watch *asked)
{
	const struct dp_point *point = &spot->point;
	const struct dp_module *module =
		dp_module_of(agent, spot->program, dp_program_module(spot->program, point));

	dp_clear(asked, sizeof(*asked));
	asked->address = spot->address;
	asked->bytes = dp_point_watched(spot->program, point);
	asked->kind = point->traits[DP_TR_KIND];
	if (!module || !dp_is_image(agent, module) || asked->bytes == 0 ||
	    asked->address + (asked->bytes - 1) < asked->address ||
	    !(DP_PORT_WATCH_KINDS >> asked->kind & 1))
		return DP_ERR_NO_WATCHPOINT;
	/* The kind decides when the handler runs. */
	return point->traits[DP_TR_PHASE] == DP_PHASE_BEFORE ? DP_ERR_OK : DP_ERR_BAD_PHASE;
}

/* --- the place --- */

static bool covers(const struct dp_watch *watch, const void *start, size_t bytes)
{
	return dp_watch_overlap(watch->first, watch->covers, (dp_addr)(uintptr_t)start,
				(dp_addr)bytes);
}

/* Could an access stop the CPU at the entry of the agent, or amid its work? */
static bool is_own(const struct dp_agent *agent, const struct dp_watch *watch)
{
	const struct dp_board *board = agent->board;
	const struct dp_memory *memory = agent->memory;

	for (unsigned i = 0; i < board->range_count; i++)
		if ((board->ranges[i].access & DP_MEM_NO_PROBE) &&
		    dp_watch_overlap(watch->first, watch->covers, board->ranges[i].start,
				     board->ranges[i].bytes))
			return true;
	return covers(watch, agent, sizeof(*agent)) ||
	       covers(watch, &dp_the_agent, sizeof(void *)) ||
	       covers(watch, memory->slots, memory->slot_bytes) ||
	       covers(watch, memory->keep, memory->keep_bytes) ||
	       covers(watch, memory->stack, memory->stack_bytes);
}

/* How many bytes from the address on are in one row of the board's ranges. */
static dp_addr mapped(const struct dp_board *board, dp_addr address)
{
	for (unsigned i = 0; i < board->range_count; i++)
		if (address - board->ranges[i].start < board->ranges[i].bytes)
			return board->ranges[i].bytes - (address - board->ranges[i].start);
	return 0;
}

/* May the comparator watch there? The agent's own memory and code stay out of what it covers, not
 * only out of the range. */
static enum dp_err check_place(const struct dp_agent *agent, const struct dp_watch *watch)
{
	dp_addr at = watch->address, left = watch->bytes, there;

	if (watch->kind == DP_PROBE_WATCH_IO) /* has addresses of its own */
		return DP_ERR_OK;
	if (is_own(agent, watch))
		return DP_ERR_IN_AGENT;
	for (; left > 0; at += there, left -= there) {
		there = mapped(agent->board, at);
		if (there == 0)
			return DP_ERR_NO_WATCHPOINT;
		if (there > left)
			there = left;
	}
	return DP_ERR_OK;
}

/* --- the site --- */

/* Let the free site be that of the range. */
static void prepare(struct dp_agent *agent, struct dp_site *site, const struct dp_watch *asked)
{
	struct dp_site draft;

	dp_clear(&draft, sizeof(draft));
	draft.address = asked->address;
	draft.means = DP_MEANS_COMPARE;
	draft.phases = 1u << DP_PHASE_BEFORE;
	dp_copy(dp_watch_of(agent, site), asked, sizeof(*asked));
	dp_site_put(agent, site, &draft);
}

enum dp_err dp_watch_check(struct dp_agent *agent, struct dp_spot *spot)
{
	struct dp_watch asked;
	enum dp_err error = read_range(agent, spot, &asked);
	struct dp_site *site;
	unsigned available;

	if (error != DP_ERR_OK)
		return error;
	site = dp_watch_find(agent, &asked, &error);
	/* checked before another probe gets into its sum */
	if (site && site->armed && !dp_tables_check(agent, site))
		site = dp_watch_find(agent, &asked, &error);
	if (site && site->chain == DP_SITE_FREE) {
		error = check_place(agent, &asked);
		if (error != DP_ERR_OK)
			return error;
		prepare(agent, site, &asked);
	}
	if (error == DP_ERR_NO_COMPARATOR)
		dp_found(spot->verdict, dp_watches_count(agent, asked.kind, 1, &available));
	spot->site = site;
	return error;
}
#endif
