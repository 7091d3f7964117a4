/* SPDX-License-Identifier: BSD-2-Clause */
/* The pointer to the agent, for trap entries: the only static variable of the core. The lock of an
 * agent for several CPUs: tickets, so that each CPU has its turn. */
#include "dp_lock.h"

#include "dp_state.h"

struct dp_agent *dp_the_agent;

#if DP_PORT_CPUS > 1
static bool is_owner(const struct dp_agent *agent)
{
	return __atomic_load_n(&agent->lock.owner, __ATOMIC_RELAXED) == dp_this_cpu() + 1;
}

void dp_lock_enter(void)
{
	struct dp_agent *agent = dp_the_agent;
	uint32_t ticket;

	if (!agent) /* before dp_init there is nothing to guard */
		return;
	if (!is_owner(agent)) {
		ticket = __atomic_fetch_add(&agent->lock.tickets, 1, __ATOMIC_RELAXED);
		while (__atomic_load_n(&agent->lock.turn, __ATOMIC_ACQUIRE) != ticket)
			;
		__atomic_store_n(&agent->lock.owner, dp_this_cpu() + 1, __ATOMIC_RELAXED);
	}
	agent->lock.depth++;
}

/* A CPU that was in a hit when dp_init began has not taken the lock. */
void dp_lock_leave(void)
{
	struct dp_agent *agent = dp_the_agent;

	if (!agent || !is_owner(agent) || --agent->lock.depth > 0)
		return;
	__atomic_store_n(&agent->lock.owner, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&agent->lock.turn, agent->lock.turn + 1, __ATOMIC_RELEASE);
}

void dp_lock_recover(void)
{
	dp_the_agent->lock.depth = 1;
}
#endif

#if DP_PORT_COMPARATORS > 0
/* Tell the port which comparators are off now, when that has changed. */
static void pause_comparators(struct dp_agent *agent)
{
	struct dp_hold *hold = &DP_THIS_CPU(agent)->hold;
	uint16_t off = hold->off;

	if (hold->held > 0) /* none to pause while none is armed */
		off = agent->comparators > 0 ? DP_ALL_COMPARATORS : hold->paused;
	if (off == hold->paused)
		return;
	hold->paused = off;
	dp_port_watch_pause(off);
}

void dp_watches_hold(struct dp_agent *agent)
{
	DP_THIS_CPU(agent)->hold.held++;
	pause_comparators(agent);
}

/* A stretch that began before dp_init holds nothing. */
void dp_watches_release(struct dp_agent *agent)
{
	if (DP_THIS_CPU(agent)->hold.held > 0)
		DP_THIS_CPU(agent)->hold.held--;
	pause_comparators(agent);
}
#endif

#if DP_PORT_CPUS > 1 || DP_PORT_COMPARATORS > 0
static void begin(void)
{
	if (dp_the_agent)
		dp_watches_hold(dp_the_agent);
}

static void end(void)
{
	if (dp_the_agent)
		dp_watches_release(dp_the_agent);
}

dp_irq dp_mask_take(void)
{
	dp_irq irq = dp_port_mask();

	begin();
	return irq;
}

void dp_mask_give(dp_irq irq)
{
	end();
	dp_port_unmask(irq);
}

dp_irq dp_lock_take(void)
{
	dp_irq irq = dp_port_mask();

	dp_lock_enter();
	begin();
	return irq;
}

void dp_lock_give(dp_irq irq)
{
	end();
	dp_lock_leave();
	dp_port_unmask(irq);
}
#endif
