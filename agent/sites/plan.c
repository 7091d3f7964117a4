/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute the plan of a site. Whoever changes a site, a probe, a program or the log mode drops the
 * plans that depend on it. */
#include "dp_plan.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_lock.h"

static bool is_simple(const struct dp_agent *agent, const struct dp_probe *probe)
{
	return agent->transmit.mode != DP_MODE_SYNCHRONOUS && probe && probe->next == DP_NONE &&
	       probe->state == DP_PROBE_ARMED && probe->phase == DP_PHASE_BEFORE &&
	       probe->ignore == 0 && !probe->taken;
}

void dp_plan_make(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);
	struct dp_plan *plan = &site->plan;
	const struct dp_program *program;

	plan->kind = DP_PLAN_CHAIN;
	if (!DP_PLANS || !is_simple(agent, probe))
		return;
	plan->probe = probe;
	probe->ran = 1; /* in each hit that follows the plan */
	program = dp_program_at(agent, probe->program);
	plan->kind = (uint8_t)dp_plan_code(plan, &program->view, probe->entry,
					   (program->items & DP_ITEM_ALL) != 0);
	plan->resume = dp_port_resume(site, !probe->logonfault);
	if (plan->resume == 0)
		plan->kind |= DP_PLAN_STEPPED;
}

void dp_plan_renew(struct dp_agent *agent, struct dp_site *site)
{
	dp_irq irq = dp_lock_take();

	if (site->armed)
		dp_plan_make(agent, site);
	dp_lock_give(irq);
}
