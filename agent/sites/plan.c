/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute the plan of a site. Whoever changes a site, a probe, a program or the log mode drops the
 * plans that depend on it. */
#include "dp_plan.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_memory.h"

/* Does each hit run the handler of the probe, in front of the instruction? */
static bool is_simple(const struct dp_probe *probe)
{
	return probe->state == DP_PROBE_ARMED && probe->phase == DP_PHASE_BEFORE &&
	       probe->ignore == 0 && !probe->taken;
}

/* Does the port not ask a chain of probes at each hit? */
static bool may_plan(const struct dp_agent *agent)
{
	return DP_PLANS && agent->transmit.mode != DP_MODE_SYNCHRONOUS;
}

/* The members that the handler of the probe decides. The patrol asks with interrupts open: a hit
 * may remove the probe. What its program has stays until the end of the work (dp_at_work.h). */
static void work_out_handler(struct dp_agent *agent, struct dp_probe *probe, struct dp_plan *plan)
{
	const uint8_t number = *(const volatile uint8_t *)&probe->program;
	const struct dp_program *program;

	plan->probe = probe;
	plan->kind = DP_PLAN_CHAIN;
	if (number == DP_NONE)
		return;
	program = dp_program_at(agent, number);
	/* a plan logs into the ring of the stream, without items */
	plan->kind = (uint8_t)dp_plan_code(plan, &program->view, probe->entry,
					   (program->items & DP_ITEM_ALL) != 0 ||
						   dp_program_flies(program));
}

#if DP_WITH_TIMERS
void dp_plan_timer(struct dp_agent *agent, unsigned probe, struct dp_plan *plan)
{
	plan->kind = DP_PLAN_CHAIN;
	if (DP_PLANS)
		work_out_handler(agent, dp_probe_at(agent, probe), plan);
	plan->probe = dp_probe_at(agent, probe);
}
#endif

static void add_resume(const struct dp_site *site, struct dp_plan *plan)
{
	const dp_addr body = dp_site_body(site);

	plan->resume = body != 0 ? body : dp_port_resume(site, !plan->probe->logonfault);
	if (plan->resume == 0)
		plan->kind |= DP_PLAN_STEPPED;
}

/* Does each hit look for probes of phase RETURNED? */
static bool are_returned(const struct dp_agent *agent)
{
#if DP_RETURNS
	return agent->returned_probes != DP_NONE;
#else
	(void)agent;
	return false;
#endif
}

/* plan: gets the members that its kind has. A list is none of them. */
static void work_out(struct dp_agent *agent, const struct dp_site *site, struct dp_plan *plan)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	plan->kind = DP_PLAN_CHAIN;
	if (!may_plan(agent) || !probe || probe->next != DP_NONE || !is_simple(probe))
		return;
	work_out_handler(agent, probe, plan);
	if (plan->kind == DP_PLAN_RETURN && are_returned(agent))
		plan->kind = DP_PLAN_CHAIN;
	else
		add_resume(site, plan);
}

/* --- lists --- */

static bool has_several(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);

	return probe && probe->next != DP_NONE;
}

/* The number of plans that a list for the site has; 0: its probes need the chain. */
static unsigned listable(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);
	unsigned count = 0;

	if (!may_plan(agent) || !has_several(agent, site))
		return 0;
	for (; probe; probe = dp_probe_behind(agent, probe)) {
		if (probe->state != DP_PROBE_ARMED)
			continue;
		if (!is_simple(probe))
			return 0;
		count++;
	}
	return count <= sizeof(site->plan.at) ? count : 0;
}

static bool is_free(struct dp_agent *agent, const struct dp_listed *entry)
{
	return entry->owner == 0 ||
	       dp_plan_kind(&dp_site_at(agent, entry->owner - 1u)->plan) != DP_PLAN_LIST;
}

/* The first so many free entries. Returns false when there are not enough. */
static bool find_entries(struct dp_agent *agent, unsigned count, uint8_t *at)
{
	for (unsigned i = 0; i < DP_LISTED && count > 0; i++)
		if (is_free(agent, &agent->listed[i])) {
			*at++ = (uint8_t)i;
			count--;
		}
	return count == 0;
}

/* Entries that the last list of the site had are free. */
static void free_entries(struct dp_agent *agent, const struct dp_site *site)
{
	for (unsigned i = 0; i < DP_LISTED; i++)
		if (agent->listed[i].owner == site - agent->site + 1)
			agent->listed[i].owner = 0;
}

static void fill_entry(struct dp_agent *agent, const struct dp_site *site, struct dp_listed *entry,
		       struct dp_probe *probe)
{
	entry->owner = (uint8_t)(site - agent->site + 1);
	entry->number = (uint8_t)(probe - agent->probe);
	work_out_handler(agent, probe, &entry->plan);
}

/* The probe that decides whether hits of a list may leave: one with logonfault, if there is any. */
static struct dp_probe *deciding(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain), *found = NULL;

	for (; probe; probe = dp_probe_behind(agent, probe))
		if (probe->state == DP_PROBE_ARMED && (!found || probe->logonfault))
			found = probe;
	return found;
}

/* The probe has ended: a fault of a later hit is none of its last one. */
static void leave_out(struct dp_agent *agent, struct dp_probe *probe)
{
	probe->ran = 0;
	probe->left.at = DP_THIS_CPU(agent)->ring.head;
}

/* Let the list of the site, which has no plan, be its plan, if it may have one. */
static void make_list(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_plan *plan = &site->plan;
	unsigned count = listable(agent, site);
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	if (count == 0)
		return;
	free_entries(agent, site);
	if (!find_entries(agent, count, plan->at))
		return;
	plan->words = 0;
	for (; probe; probe = dp_probe_behind(agent, probe)) {
		if (probe->state == DP_PROBE_ARMED)
			fill_entry(agent, site, &agent->listed[plan->at[plan->words++]], probe);
		else
			leave_out(agent, probe);
	}
	plan->kind = DP_PLAN_LIST;
	plan->probe = deciding(agent, site);
	add_resume(site, plan);
}

void dp_plan_make(struct dp_agent *agent, struct dp_site *site)
{
	work_out(agent, site, &site->plan);
	if (site->plan.kind == DP_PLAN_CHAIN)
		make_list(agent, site);
	if (site->plan.kind != DP_PLAN_CHAIN)
		site->plan.probe->ran = 1; /* in each hit that follows the plan */
}

/* A list is long work: the next hit makes it. */
void dp_plan_begin(struct dp_agent *agent, struct dp_site *site)
{
	dp_irq irq = dp_lock_take();

	if (has_several(agent, site))
		dp_plan_drop(site);
	else if (site->armed)
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

#if DP_WITH_TIMERS
bool dp_plan_timer_stands(struct dp_agent *agent, const struct dp_timer *timer)
{
	struct dp_plan right;

	dp_copy_words(&right, &timer->plan, sizeof(right));
	dp_plan_timer(agent, timer->probe, &right);
	return same(&right, &timer->plan);
}
#endif

/* Is the entry still what the handler of the probe asks for? */
static bool stands(struct dp_agent *agent, const struct dp_listed *entry, struct dp_probe *probe)
{
	struct dp_plan right;

	dp_copy_words(&right, &entry->plan, sizeof(right));
	work_out_handler(agent, probe, &right);
	return same(&right, &entry->plan) && entry->number == probe - agent->probe;
}

/* Is the list of the site right? The number of its plans is. A hit meanwhile may change it, so that
 * the answer is no. */
static bool list_stands(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_plan *plan = &site->plan;
	struct dp_probe *probe = dp_probe_at(agent, site->chain);
	struct dp_plan right;
	unsigned n = 0;

	dp_copy_words(&right, plan, sizeof(right));
	right.probe = deciding(agent, site);
	right.kind = DP_PLAN_LIST;
	if (right.probe)
		add_resume(site, &right);
	for (; probe && n < plan->words; probe = dp_probe_behind(agent, probe))
		if (probe->state == DP_PROBE_ARMED &&
		    (plan->at[n] >= DP_LISTED ||
		     !stands(agent, &agent->listed[plan->at[n++]], probe)))
			return false;
	return same(&right, plan);
}

/* A list that is wrong goes; a chain goes that could be a list now. */
static void renew_several(struct dp_agent *agent, struct dp_site *site)
{
	unsigned count = listable(agent, site);
	uint8_t at[sizeof(site->plan.at)];
	bool right;

	if (dp_plan_kind(&site->plan) == DP_PLAN_LIST)
		right = count == site->plan.words && list_stands(agent, site);
	else
		right = site->plan.kind == DP_PLAN_CHAIN &&
			(count == 0 || !find_entries(agent, count, at));
	if (!right)
		dp_plan_begin(agent, site);
}

/* Nearly always the plan is the right one, which is found out with interrupts open. */
void dp_plan_renew(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_plan right;

	if (!site->armed || site->plan.kind == DP_PLAN_NONE)
		return;
	if (has_several(agent, site)) {
		renew_several(agent, site);
		return;
	}
	dp_copy_words(&right, &site->plan, sizeof(right));
	work_out(agent, site, &right);
	if (!same(&right, &site->plan))
		dp_plan_begin(agent, site);
}
#endif
