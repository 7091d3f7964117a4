/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute the plan of a site. Whoever changes a site, a probe, a program or the log mode drops the
 * plans that depend on it. */
#include "dp_plan.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_memory.h"

static bool is_simple(const struct dp_agent *agent, const struct dp_probe *probe)
{
	return agent->transmit.mode != DP_MODE_SYNCHRONOUS && probe && probe->next == DP_NONE &&
	       probe->state == DP_PROBE_ARMED && probe->phase == DP_PHASE_BEFORE &&
	       probe->ignore == 0 && !probe->taken;
}

/* plan: gets the members that its kind has. */
static void work_out(struct dp_agent *agent, const struct dp_site *site, struct dp_plan *plan)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);
	const struct dp_program *program;

	plan->kind = DP_PLAN_CHAIN;
	if (!DP_PLANS || !is_simple(agent, probe))
		return;
	plan->probe = probe;
	program = dp_program_at(agent, probe->program);
	plan->kind = (uint8_t)dp_plan_code(plan, &program->view, probe->entry,
					   (program->items & DP_ITEM_ALL) != 0);
	plan->resume = dp_port_resume(site, !probe->logonfault);
	if (plan->resume == 0)
		plan->kind |= DP_PLAN_STEPPED;
}

void dp_plan_make(struct dp_agent *agent, struct dp_site *site)
{
	work_out(agent, site, &site->plan);
	if (site->plan.kind != DP_PLAN_CHAIN)
		site->plan.probe->ran = 1; /* in each hit that follows the plan */
}

void dp_plan_begin(struct dp_agent *agent, struct dp_site *site)
{
	dp_irq irq = dp_lock_take();

	if (site->armed)
		dp_plan_make(agent, site);
	dp_lock_give(irq);
}

#if DP_WITH_INTEGRITY
_Static_assert(sizeof(struct dp_plan) % sizeof(uint32_t) == 0, "compared by words");
typedef uint32_t __attribute__((may_alias)) word;

static bool same(const struct dp_plan *a, const struct dp_plan *b)
{
	const word *x = (const word *)(const void *)a, *y = (const word *)(const void *)b;

	for (unsigned i = 0; i < sizeof(*a) / sizeof(*x); i++)
		if (x[i] != y[i])
			return false;
	return true;
}

/* Nearly always the plan is the right one, which is found out with interrupts open. */
void dp_plan_renew(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_plan right;

	if (!site->armed || site->plan.kind == DP_PLAN_NONE)
		return;
	dp_copy_words(&right, &site->plan, sizeof(right));
	work_out(agent, site, &right);
	if (!same(&right, &site->plan))
		dp_plan_begin(agent, site);
}
#endif
