/* SPDX-License-Identifier: BSD-2-Clause */
/* From a probe point of a program to an armed probe. The kind of the point is a row of the table
 * `kinds`. The agent checks the point against the target before the first byte of text changes. */
#include "dp_point.h"

#include "dp_entries.h"
#include "dp_kind.h"
#include "dp_module_names.h"
#include "dp_probes.h"
#include "dp_site_check.h"
#include "dp_sites.h"
#include "dp_timers.h"
#include "dp_verdict.h"
#include "dp_watches.h"

/* --- breakpoints and watchpoints --- */

static void leave_site(struct dp_agent *agent, struct dp_probe *probe)
{
	struct dp_site *site = dp_site_at(agent, probe->site);

	if (dp_probe_is_returned(probe)) {
		dp_returned_disarm(agent, probe);
		return;
	}
	if (site)
		dp_site_check(agent, site);
	dp_probe_unchain(agent, probe);
}

/* The value that a refusal of the site found: how many comparators there are, or its address. */
static dp_addr found_by(struct dp_agent *agent, const struct dp_site *site, enum dp_err error)
{
	unsigned available;

	return error == DP_ERR_NO_COMPARATOR
		       ? dp_watches_count(agent, DP_PROBE_BREAK, site->insn_bytes, &available)
		       : site->address;
}

static bool is_loaded(const struct dp_agent *agent, const struct dp_spot *spot)
{
	return dp_module_of(agent, spot->program, dp_program_module(spot->program, &spot->point)) !=
	       NULL;
}

static enum dp_err arm_at_site(struct dp_agent *agent, struct dp_probe *probe, struct dp_spot *spot)
{
	struct dp_site *site = spot->site;
	enum dp_err error;

	if (dp_probe_is_returned(probe) && is_loaded(agent, spot))
		return dp_returned_arm(agent, probe, spot->address);
	if (!site)
		return DP_ERR_OK;
	if (!dp_probe_chain(agent, probe, site)) {
		dp_site_drop_bare(agent, site);
		return dp_probe_damaged(probe) ? DP_ERR_OK : DP_ERR_BUSY;
	}
	error = dp_site_arm(agent, site);
	if (error != DP_ERR_OK) {
		dp_refuse_point(spot->verdict, error, probe->point, found_by(agent, site, error));
		leave_site(agent, probe);
	}
	return error;
}

/* --- events --- */

#if DP_WITH_D
static enum dp_err check_event(struct dp_agent *agent, struct dp_spot *spot)
{
	(void)agent, (void)spot;
	return DP_ERR_OK;
}

static enum dp_err arm_event(struct dp_agent *agent, struct dp_probe *probe, struct dp_spot *spot)
{
	(void)agent, (void)spot;
	probe->state = DP_PROBE_ARMED;
	return DP_ERR_OK;
}

/* An event that has not run never does. */
static void disarm_event(struct dp_agent *agent, struct dp_probe *probe)
{
	(void)agent, (void)probe;
}
#endif

/* --- the table --- */

#define DP_KIND(name) (1u << DP_PROBE_##name)
static const struct dp_kind kinds[DP_KINDS] = {
	/* The comma goes with its row. */
	/* clang-format off */
	{DP_KIND(BREAK), false, dp_break_check, arm_at_site, leave_site},
	DP_IF(DP_WITH_D, {DP_KIND(EVENT), true, check_event, arm_event, disarm_event},)
	DP_IF(DP_WITH_TIMERS, {DP_KIND(TIMER), false, dp_timer_check, dp_timer_arm, dp_timer_disarm},)
#if DP_PORT_COMPARATORS > 0
	{DP_POINTS_WATCHED, false, dp_watch_check, arm_at_site, leave_site},
#endif
	/* clang-format on */
};

/* The row of a number of point_kinds.def; null: the agent has no such kind. */
static const struct dp_kind *kind_of(unsigned number)
{
	const struct dp_kind *kind = kinds;

	if (DP_KINDS == 1)
		return number == DP_PROBE_BREAK ? kind : NULL;
	for (; kind < kinds + DP_KINDS; kind++)
		if (kind->numbers >> number & 1)
			return kind;
	return NULL;
}

static const struct dp_kind *kind_of_point(const struct dp_point *point)
{
	return kind_of(point->traits[DP_TR_KIND] & 7u);
}

/* Of a probe whose point was checked. A damaged entry is a breakpoint's: tables.c. */
static const struct dp_kind *kind_of_probe(const struct dp_probe *probe)
{
#if DP_KINDS > 1
	const struct dp_kind *kind = kind_of(probe->kind & 7u);

	return kind ? kind : kinds;
#else
	(void)probe;
	return kinds;
#endif
}

#if DP_WITH_D
bool dp_point_is_early(const struct dp_program *program, unsigned index)
{
	const struct dp_point point = dp_program_point(program, index);
	const struct dp_kind *kind = kind_of_point(&point);

	return kind && kind->early;
}
#endif

/* --- walks of the table --- */

enum dp_err dp_point_check(struct dp_agent *agent, struct dp_spot *spot, unsigned index)
{
	/* cppcheck-suppress ctuuninitvar; the callers set it */
	struct dp_verdict *verdict = spot->verdict;
	enum dp_err error = DP_ERR_NO_WATCHPOINT;
	const struct dp_kind *kind;

	spot->site = NULL;
	spot->point = dp_program_point(spot->program, index);
	spot->address = dp_point_address(&spot->point);
	dp_found(verdict, spot->address);
	kind = kind_of_point(&spot->point);
	if (kind)
		error = kind->check(agent, spot);
	if (error != DP_ERR_OK) /* the check has set the value found */
		dp_at_probe(verdict, index);
	return error;
}

enum dp_err dp_probe_arm(struct dp_agent *agent, struct dp_probe *probe, struct dp_verdict *verdict)
{
	unsigned program = probe->program;
	struct dp_spot spot;
	enum dp_err error;

	if (program == DP_NONE) /* a hit has removed the program */
		return DP_ERR_BUSY;
	spot.program = dp_program_at(agent, program);
	spot.verdict = verdict;
	error = dp_point_check(agent, &spot, probe->point);
	return error == DP_ERR_OK ? kind_of_probe(probe)->arm(agent, probe, &spot) : error;
}

void dp_probe_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	kind_of_probe(probe)->disarm(agent, probe);
}
