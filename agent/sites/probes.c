/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the probe table, and the chains of probes at the sites. */
#include "dp_probes.h"

#include "dp_at_work.h"
#include "dp_bytes.h"
#include "dp_entries.h"
#include "dp_governor.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_object.h"
#include "dp_plan.h"
#include "dp_site_sum.h"
#include "dp_sent.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_watches.h"

/* May a record with the number be in a ring? */
static bool waits(const struct dp_agent *agent, const struct dp_probe *probe)
{
	bool found = false;

	for (unsigned i = 0; i < DP_PORT_CPUS; i++) {
		const struct dp_ring *ring = &agent->cpu[i].ring;

		/* retired_at is between kept and head */
		found |= probe->retired_at[i] - ring->kept - 1 < ring->head - ring->kept;
	}
	return found;
}

static bool number_free(const struct dp_agent *agent, unsigned i)
{
	const struct dp_probe *p = &agent->probe[i];

	return p->program == DP_NONE && !waits(agent, p);
}

/* Note where the records with the number end. context: locked. */
static void retire(const struct dp_agent *agent, struct dp_probe *probe, bool hit)
{
	for (unsigned i = 0; i < DP_PORT_CPUS; i++) {
		const struct dp_ring *ring = &agent->cpu[i].ring;

		probe->retired_at[i] = hit ? ring->head : ring->kept;
	}
}

/* No record with the number is sent again: another probe gets it. */
static void forget_records(struct dp_agent *agent, const struct dp_probe *probe)
{
	dp_irq irq = dp_lock_take(); /* a request in a hit may release what was sent */

	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		dp_sent_forget(&agent->cpu[i], probe->retired_at[i]);
	dp_lock_give(irq);
}

unsigned dp_probe_numbers_free(const struct dp_agent *agent)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		n += number_free(agent, i);
	return n;
}

/* Fill the free entry: no hit finds a probe without a program. */
static void define(struct dp_agent *agent, struct dp_probe *probe, const struct dp_point *point,
		   unsigned index)
{
	dp_clear(probe, sizeof(*probe));
	probe->program = DP_NONE;
	probe->point = (uint8_t)index;
	probe->site = DP_NONE;
	probe->state = DP_PROBE_WAITING;
	probe->logonfault = (point->traits[DP_TR_FLAGS] & DP_POINT_LOGONFAULT) != 0;
	probe->taken = (point->traits[DP_TR_FLAGS] & DP_POINT_TAKEN) != 0;
#if DP_KINDS > 1
	probe->kind = point->traits[DP_TR_KIND] & 7u;
#endif
	probe->phase = point->traits[DP_TR_PHASE];
	probe->entry = (uint16_t)dp_get_u32(point->row + DP_PT_ENTRY);
	probe->excpt_mask = dp_get_u16(point->traits + DP_TR_EXCPT_MASK);
	probe->minor = dp_get_u16(point->row + DP_PT_MINOR);
	probe->ignore = dp_get_u32(point->traits + DP_TR_IGNORE);
	probe->due = probe->maxhits = dp_get_u32(point->traits + DP_TR_MAXHITS);
	dp_governor_start(agent, probe);
}

struct dp_probe *dp_probe_take(struct dp_agent *agent, uint8_t program, unsigned index)
{
	const struct dp_point point = dp_program_point(dp_program_at(agent, program), index);
	struct dp_probe *probe;
	dp_irq irq;
	bool holds;

	do
		agent->probe_last = (uint8_t)dp_entry_behind(agent->probe_last);
	while (!number_free(agent, agent->probe_last));
	probe = dp_probe_at(agent, agent->probe_last);
	forget_records(agent, probe);
	define(agent, probe, &point, index);
	irq = dp_lock_take();
	holds = dp_work_holds(agent);
	if (holds) { /* else the program may be gone */
		probe->program = program;
		agent->probes++;
	} else {
		retire(agent, probe, false);
	}
	dp_lock_give(irq);
	return holds ? probe : NULL;
}

void dp_probe_drop(struct dp_agent *agent, struct dp_probe *probe)
{
	dp_irq irq = dp_lock_take();

	if (probe->program != DP_NONE) { /* a hit may have removed the program */
		probe->program = DP_NONE;
		retire(agent, probe, dp_probe_hits(probe) > 0);
		agent->probes--;
	}
	dp_lock_give(irq);
}

struct dp_probe *dp_probe_next(struct dp_agent *agent, unsigned program, struct dp_probe *after)
{
	struct dp_probe *probe = after ? after + 1 : agent->probe;

	for (; probe < agent->probe + DP_MAX_PROBES; probe++)
		if (probe->program == program)
			return probe;
	return NULL;
}

/* The place in a site's chain that holds the probe; null: its end. */
static uint8_t *chain_link(struct dp_agent *agent, struct dp_site *site,
			   const struct dp_probe *probe)
{
	uint8_t *link = &site->chain;
	struct dp_probe *there;

	while ((there = dp_probe_at(agent, *link)) != probe)
		link = &there->next;
	return link;
}

/* No hit at the address is any more one of a probe that has been there: another probe comes, or one
 * that has been hit goes. going: that one, or null. Once a hit has removed it, the hits of those
 * removed with it count. */
static void forget_hits(struct dp_agent *agent, dp_addr address, const struct dp_probe *going)
{
	struct dp_probe *probe = agent->probe;

	for (; probe < agent->probe + DP_MAX_PROBES; probe++)
		if (probe->site == DP_NONE && probe->left.address == address &&
		    !dp_probe_is_returned(probe)) {
			dp_irq irq = dp_lock_take();

			if (!going || going->site != DP_NONE)
				probe->left.address = 0;
			dp_lock_give(irq);
		}
}

#if DP_PORT_COMPARATORS > 0
/* Does a program with a probe at the site push wpold? */
static bool is_asked(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		if (agent->program[probe->program].view.asks_old)
			return true;
	return false;
}

/* The probes of the site have changed. */
static void ask(struct dp_agent *agent, const struct dp_site *site)
{
	if (dp_site_is_watch(agent, site))
		dp_watch_ask(agent, site, is_asked(agent, site));
}
#else
static void ask(struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
}
#endif

bool dp_probe_chain(struct dp_agent *agent, struct dp_probe *probe, struct dp_site *site)
{
	dp_irq irq;
	bool holds;

	forget_hits(agent, site->address, NULL);
	irq = dp_lock_take();
	holds = dp_work_holds(agent) && probe->state == DP_PROBE_WAITING;

	if (holds) {
		dp_site_sum_begin(agent, site);
		probe->state = DP_PROBE_ARMED;
		probe->site = (uint8_t)(site - agent->site);
		probe->left.address = dp_site_is_watch(agent, site) ? 0 : site->address;
		probe->next = DP_NONE;
		*chain_link(agent, site, NULL) = (uint8_t)(probe - agent->probe);
		ask(agent, site);
		dp_site_settle(agent, site);
	}
	dp_lock_give(irq);
	return holds;
}

/* Mask interrupts when the hits of earlier probes are forgotten, if this one has been hit.
 * Meanwhile the first hit may come, or a hit may remove an earlier probe. returns: the probe's
 * site; null: a hit has removed the probe. */
static struct dp_site *mask_and_forget(struct dp_agent *agent, const struct dp_probe *probe,
				       dp_irq *irq)
{
	struct dp_site *site;
	uint32_t changes = 0; /* since when they are forgotten */
	bool forgotten = false;

	for (;;) {
		*irq = dp_lock_take();
		site = dp_site_at(agent, probe->site);
		if (!site || dp_probe_hits(probe) == 0 ||
		    (forgotten && dp_work_changes(agent) == changes))
			return site;
		changes = dp_work_changes(agent);
		forgotten = true;
		dp_lock_give(*irq);
		forget_hits(agent, site->address, probe);
	}
}

void dp_probe_unchain(struct dp_agent *agent, struct dp_probe *probe)
{
	dp_irq irq;
	struct dp_site *site = mask_and_forget(agent, probe, &irq);
	uint8_t outer = DP_NONE;

	if (site) {
		outer = dp_site_sum_begin(agent, site);
		dp_plan_drop(site);
		*chain_link(agent, site, probe) = probe->next;
		ask(agent, site);
		probe->site = DP_NONE;
		if (probe->state == DP_PROBE_ARMED) /* one that has ended does not begin again */
			probe->state = DP_PROBE_WAITING;
	}
	dp_lock_give(irq);
	if (!site)
		return;
	dp_site_sum_note(agent, site, outer);
	irq = dp_lock_take();
	dp_site_drop_bare(agent, site);
	dp_lock_give(irq);
}
