/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers of timers: ticks in dp_poll, samples in dp_sample. A handler runs on the stack of
 * its caller, masked as a hit is, and counts as a hit. */
#include "dp_agent.h"

#include "dp_clock.h"
#include "dp_entries.h"
#include "dp_governor.h"
#include "dp_halt_step.h"
#include "dp_handlers.h"
#include "dp_hit.h"
#include "dp_lock.h"
#include "dp_storm.h"
#include "dp_timers.h"

#if DP_WITH_TIMERS
static void ignore(struct dp_agent *agent, struct dp_probe *probe)
{
	probe->ignore--;
	if (dp_governor_take(probe))
		dp_governor_used_up(agent, probe);
}

/* Run the handler of the timer, which is due, and let the timer be due again. A probe that has
 * ended frees its timer. */
static void run(struct dp_agent *agent, struct dp_timer *timer, uint64_t now,
		struct dp_frame *frame)
{
	unsigned number = timer->probe;
	struct dp_probe *probe = dp_probe_at(agent, number);

	/* The line's own count has the hits that were not handled: what is late is none. */
	probe->missed += dp_timer_go_on(timer, now);
	if (probe->state == DP_PROBE_ARMED && probe->ignore > 0)
		ignore(agent, probe);
	else if (probe->state == DP_PROBE_ARMED)
		dp_hit_nowhere(agent, number, &timer->plan, frame);
	if (probe->state != DP_PROBE_ARMED)
		dp_timer_drop(agent, number);
}

/* Words in pairs: dp_clear goes byte by byte, and a sample is to be short. */
typedef uint64_t __attribute__((may_alias)) pair;

static void clear(struct dp_frame *frame)
{
	/* not the words of the stack behind: a plan copies them before it reads them */
	const size_t bytes = DP_PORT_STACK_AT > 0 ? DP_PORT_STACK_AT : sizeof(*frame);
	pair *words = (pair *)(void *)frame;

	_Static_assert(sizeof(*frame) % sizeof(*words) == 0 &&
			       DP_PORT_STACK_AT % sizeof(*words) == 0,
		       "cleared by pairs of words");
	for (unsigned n = bytes / sizeof(*words); n > 0; n--)
		*words++ = 0;
}

/* --- ticks --- */

/* Run the timer of this index, if it is a tick and due. Registers read 0. */
static void tick(struct dp_agent *agent, unsigned index, uint64_t now)
{
	struct dp_timer *timer = &agent->timers.timer[index];
	_Alignas(pair) struct dp_frame frame;
	dp_irq irq = dp_lock_take();

	/* in a hit the interpreter is busy: the next poll runs it */
	if (index < agent->timers.count && !timer->sampled && dp_timer_is_due(timer, now) &&
	    !DP_THIS_CPU(agent)->in_hit) {
		clear(&frame);
		run(agent, timer, now, &frame);
	}
	dp_lock_give(irq);
}

/* The order is that of arming. A timer that goes moves those behind it: one of them may wait for
 * the next poll. */
static void ticks_due(struct dp_agent *agent)
{
	for (unsigned i = 0; i < agent->timers.count; i++)
		tick(agent, i, dp_now(agent));
}

const struct dp_feature dp_feature_timers = {.poll = ticks_due};

/* --- samples --- */

/* In a storm of samples dp_poll does not run. */
static void serve(struct dp_agent *agent)
{
	if (!dp_storm_hit(agent))
		return;
	DP_THIS_CPU(agent)->in_hit = 1;
	dp_hit_serve(agent);
	DP_THIS_CPU(agent)->in_hit = 0;
}

/* A call from a context that no mask holds off may come in a hit. */
static void run_sample(struct dp_agent *agent, struct dp_timer *timer, struct dp_frame *frame)
{
	uint64_t now = agent->timers.calls;

	if (DP_THIS_CPU(agent)->in_hit) {
		dp_probe_at(agent, timer->probe)->missed += 1 + dp_timer_go_on(timer, now);
		return;
	}
	run(agent, timer, now, frame);
	serve(agent);
}

static DP_APART void run_samples(struct dp_agent *agent, dp_addr pc, dp_addr sp, dp_addr ra)
{
	struct dp_timers *timers = &agent->timers;
	const dp_addr second = DP_PORT_ISAS >> 1 & 1; /* the bit of the second instruction set */
	_Alignas(pair) struct dp_frame frame;

	clear(&frame);
	DP_PORT_FRAME(&frame, dp_port_slot_origin(pc) & ~second, sp, ra);
	dp_timers_count(timers);
	for (unsigned i = 0; i < timers->count;) {
		struct dp_timer *timer = &timers->timer[i];
		unsigned before = timers->count;

		if (timer->sampled && dp_timer_is_due(timer, timers->calls))
			run_sample(agent, timer, &frame);
		i += timers->count == before; /* else another one is there now */
	}
	dp_timers_plan(timers);
}

/* With one CPU a call without a due sample takes no lock: no other context counts down. */
void dp_sample(struct dp_agent *agent, dp_addr pc, dp_addr sp, dp_addr ra)
{
	struct dp_timers *timers = &agent->timers;
	dp_irq irq;

	if (DP_PORT_CPUS == 1 && timers->wait != 1 && !dp_halt_wants_sample(agent)) {
		timers->wait -= timers->wait > 0;
		return;
	}
	irq = dp_lock_take();
	dp_halt_sample(agent, pc);
	if (timers->wait > 0 && --timers->wait == 0)
		run_samples(agent, pc, sp, ra);
	dp_lock_give(irq);
}
#endif
