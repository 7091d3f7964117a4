/* SPDX-License-Identifier: BSD-2-Clause */
/* The probes of phase RETURNED, in a list of their own: a function that returns by `return` runs
 * none of its instructions, and a trap at its first one would cost each call. left.address is that
 * of the function. */
#include "dp_probes.h"

#include "dp_at_work.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_plan.h"

#if DP_RETURNS
/* The place in the list that holds the number; DP_NONE: its end. A number that is not there: the
 * end, too. The walk is bounded: no sum covers the list. */
static uint8_t *place_of(struct dp_agent *agent, unsigned number)
{
	uint8_t *place = &agent->returned_probes;

	for (unsigned n = 0; n < DP_MAX_PROBES && *place < DP_MAX_PROBES && *place != number; n++)
		place = &dp_probe_at(agent, *place)->next;
	return place;
}

/* Plans that let a function return do not look for the probe. context: locked. */
static void drop_plans(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_SITES; i++)
		if (dp_plan_kind(&agent->site[i].plan) == DP_PLAN_RETURN)
			dp_plan_drop(&agent->site[i]);
}

enum dp_err dp_returned_arm(struct dp_agent *agent, struct dp_probe *probe, dp_addr address)
{
	dp_irq irq = dp_lock_take();
	bool holds = dp_work_holds(agent) && probe->state == DP_PROBE_WAITING;

	if (holds) {
		probe->next = DP_NONE;
		probe->left.address = address;
		*place_of(agent, DP_NONE) = (uint8_t)(probe - agent->probe);
		probe->state = DP_PROBE_ARMED;
		drop_plans(agent);
	}
	dp_lock_give(irq);
	return holds ? DP_ERR_OK : DP_ERR_BUSY;
}

void dp_returned_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	dp_irq irq = dp_lock_take();
	uint8_t *place = place_of(agent, (unsigned)(probe - agent->probe));

	if (*place == probe - agent->probe)
		*place = probe->next;
	probe->left.address = 0;
	if (probe->state == DP_PROBE_ARMED)
		probe->state = DP_PROBE_WAITING;
	dp_lock_give(irq);
}
#endif
