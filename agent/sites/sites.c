/* SPDX-License-Identifier: BSD-2-Clause */
/* Sites by address, in a hash, because every hit looks up its site. A hit may come at any step:
 * after each step the tables are complete for a hit. */
#include "dp_sites.h"

#include "dp_at_work.h"
#include "dp_entries.h"
#include "dp_keep.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_plan.h"
#include "dp_site_sum.h"
#include "dp_watches.h"

/* The place in a bucket's list that holds the site at the address; there is none: its end. */
static uint8_t *place_of(struct dp_agent *agent, dp_addr address)
{
	uint8_t *place = &agent->bucket[dp_site_bucket(address)];

	while (*place != DP_NONE && agent->site[*place].address != address)
		place = &agent->site[*place].behind;
	return place;
}

struct dp_site *dp_site_find(struct dp_agent *agent, dp_addr address)
{
	return dp_site_at(agent, *place_of(agent, address));
}

void dp_site_link(struct dp_agent *agent, unsigned index)
{
	uint8_t *place = place_of(agent, agent->site[index].address);

	agent->site[index].behind = *place;
	*place = (uint8_t)index;
}

bool dp_site_overlaps(const struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_site *other = agent->site;

	for (; other < agent->site + DP_MAX_PROBES; other++)
		if (other->address != site->address && other->chain != DP_SITE_FREE &&
		    (other->address - site->address < site->insn_bytes ||
		     site->address - other->address < other->insn_bytes))
			return true;
	return false;
}

struct dp_site *dp_site_free(struct dp_agent *agent)
{
	struct dp_site *site = agent->site;

	for (; site < agent->site + DP_MAX_PROBES; site++)
		if (site->chain == DP_SITE_FREE)
			return site;
	return NULL;
}

void dp_site_put(struct dp_agent *agent, struct dp_site *site, const struct dp_site *draft)
{
	dp_irq irq = dp_lock_take();
	uint8_t chain = site->chain, behind = site->behind;

	dp_copy_words(site, draft, sizeof(*site));
	site->chain = chain;
	site->behind = behind;
	if (chain == DP_SITE_FREE)
		site->chain = DP_NONE;
	if (chain == DP_SITE_FREE && !dp_site_is_watch(agent, site))
		dp_site_link(agent, (unsigned)(site - agent->site));
	dp_lock_give(irq);
}

/* Release the slot of a bare site, and make its entry free. The site of a comparator is in no
 * bucket.
 */
static void drop(struct dp_agent *agent, struct dp_site *site)
{
	uint8_t *place = place_of(agent, site->address);

	if (!dp_site_is_watch(agent, site))
		dp_port_release(site);
	if (dp_site_at(agent, *place) == site)
		*place = site->behind;
	site->chain = DP_SITE_FREE;
}

/* --- by the means of the site --- */

/* Does the text still hold the original? The firmware may have written other code since the site
 * was prepared. */
static bool is_ready(const struct dp_agent *agent, const struct dp_site *site)
{
	return dp_site_is_watch(agent, site) || dp_port_disarm(site) == DP_ERR_OK;
}

/* Count what the board writes: a try too. */
static void count_write(struct dp_agent *agent, const struct dp_site *site)
{
	agent->text_writes += site->means == DP_MEANS_BOARD;
}

static enum dp_err put(struct dp_agent *agent, const struct dp_site *site)
{
	count_write(agent, site);
	if (dp_site_is_watch(agent, site))
		return dp_watch_put(agent, site);
	return dp_site_is_compared(site) ? dp_compare_put(agent, site) : dp_port_arm(site);
}

/* False: the trap cannot be taken out of the text. */
static bool take(struct dp_agent *agent, const struct dp_site *site)
{
	count_write(agent, site);
	if (dp_site_is_watch(agent, site))
		dp_watch_take(agent, site);
	else if (dp_site_is_compared(site))
		dp_compare_end(agent, site);
	else
		return dp_port_disarm(site) != DP_ERR_NOT_PATCHABLE;
	return true;
}

#if DP_WITH_INTEGRITY
bool dp_site_comparator_stands(struct dp_agent *agent, const struct dp_site *site)
{
	if (dp_site_is_watch(agent, site))
		return dp_watch_stands(agent, site);
	return !dp_site_is_compared(site) || dp_compare_stands(agent, site);
}

/* Does the text hold the original, under a comparator? */
static bool is_original(const struct dp_agent *agent, const struct dp_site *site)
{
	dp_irq irq = dp_mask_take();
	bool original = is_ready(agent, site);

	dp_mask_give(irq);
	return original;
}

bool dp_site_stands(struct dp_agent *agent, const struct dp_site *site, uint32_t *found)
{
	bool trap;

	*found = 0;
	if (dp_site_is_watch(agent, site))
		return dp_watch_stands(agent, site);
	trap = dp_watches_is_armed(site, found);
	return dp_site_is_compared(site)
		       ? is_original(agent, site) && dp_compare_stands(agent, site)
		       : trap;
}
#endif

/* --- arm and disarm --- */

/* Drop the plans in which the port may count on there being a trap at the site, or none. */
static void drop_plans(struct dp_agent *agent, struct dp_site *site)
{
	dp_plan_drop(site);
#ifdef DP_PORT_RESUME_BEHIND
	site = dp_site_find(agent, site->address - DP_PORT_RESUME_BEHIND);
	if (site)
		dp_plan_drop(site);
#else
	(void)agent;
#endif
}

/* Everything that a hit at the site needs is there. No phase: hits have ended all its probes, or it
 * has C exits alone. */
static enum dp_err put_armed(struct dp_agent *agent, struct dp_site *site)
{
	enum dp_err error = DP_ERR_BUSY;
	dp_irq irq = dp_lock_take();

	if (dp_work_holds(agent) && (site->phases != 0 || dp_site_has_exits(site)) &&
	    is_ready(agent, site)) {
		site->armed = 1;
		drop_plans(agent, site);
		error = put(agent, site);
		if (error != DP_ERR_OK)
			site->armed = 0;
	}
	dp_lock_give(irq);
	return error;
}

static enum dp_err arm_by(struct dp_agent *agent, struct dp_site *site, enum dp_means means)
{
	enum dp_err error;

	site->means = (uint8_t)means & 0xfu;
	dp_site_sum_note(agent, site, DP_NONE);
	dp_keep_note(agent, site);
	error = put_armed(agent, site);
	if (error == DP_ERR_OK)
		dp_plan_begin(agent, site);
	else
		dp_keep_forget(agent, site);
	return error;
}

/* The text cannot be written. */
static enum dp_err arm_compared(struct dp_agent *agent, struct dp_site *site)
{
	enum dp_err error = dp_compare_take(agent, site);

	if (error != DP_ERR_OK)
		return error;
	error = arm_by(agent, site, site->means);
	if (error != DP_ERR_OK)
		dp_compare_end(agent, site);
	return error;
}

enum dp_err dp_site_arm(struct dp_agent *agent, struct dp_site *site)
{
	enum dp_err error;

	if (site->armed) {
		dp_site_sum_note(agent, site, DP_NONE);
		return DP_ERR_OK;
	}
	if (dp_site_is_watch(agent, site))
		return arm_by(agent, site, DP_MEANS_COMPARE);
	error = arm_by(agent, site, dp_board_means(agent->board));
	return error == DP_ERR_NOT_PATCHABLE ? arm_compared(agent, site) : error;
}

void dp_site_disarm(struct dp_agent *agent, struct dp_site *site)
{
	if (!site->armed)
		return;
	if (!take(agent, site))
		return; /* the trap is still in the text, so hits must find and step it */
	site->armed = 0;
	drop_plans(agent, site);
	if (DP_THIS_CPU(agent)->in_hit)
		dp_work_disarmed(agent); /* the request at work may be reading this text */
	dp_keep_forget(agent, site);
}

/* Is the site the place where HALT stops the target? It has no probe either. */
static bool is_place(const struct dp_agent *agent, unsigned index)
{
#if DP_WITH_HALT
	return agent->steps.place == index + 1;
#else
	(void)agent, (void)index;
	return false;
#endif
}

bool dp_site_stuck(const struct dp_agent *agent)
{
	const struct dp_site *site = agent->site;

	for (unsigned i = 0; i < DP_SITES; i++, site++)
		if (site->chain == DP_NONE && site->armed && !is_place(agent, i) &&
		    !dp_site_has_exits(site))
			return true;
	return false;
}

void dp_site_settle(struct dp_agent *agent, struct dp_site *site)
{
	const struct dp_probe *p;
	unsigned phases = 0;

	for (p = dp_probe_at(agent, site->chain); p; p = dp_probe_behind(agent, p))
		if (p->state == DP_PROBE_ARMED)
			phases |= 1u << p->phase;
	/* a damaged site stays damaged: no new sum */
	site->sum = (uint16_t)(site->sum + phases - site->phases);
	site->phases = (uint8_t)phases;
	dp_plan_drop(site);
	if (phases == 0 && !dp_site_has_exits(site))
		dp_site_disarm(agent, site);
}

/* No probe is there, and no CPU needs the site. */
static bool is_bare(const struct dp_agent *agent, const struct dp_site *site)
{
	return site->chain == DP_NONE && !site->armed && !dp_site_is_stepped(agent, site);
}

void dp_site_drop_bare(struct dp_agent *agent, struct dp_site *site)
{
	dp_site_settle(agent, site);
	if (!is_bare(agent, site))
		return;
	if (agent->executing) {
		agent->leavings = 1;
		return;
	}
	drop(agent, site);
}

void dp_sites_tidy(struct dp_agent *agent)
{
	struct dp_site *site = agent->site;

	for (; site < agent->site + DP_SITES; site++) {
		dp_irq irq = dp_lock_take();

		if (is_bare(agent, site))
			drop(agent, site);
		dp_lock_give(irq);
	}
}
