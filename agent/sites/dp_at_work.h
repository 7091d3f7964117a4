/* SPDX-License-Identifier: BSD-2-Clause */
/* The work of a thread: a request of dp_poll, the patrol, or the announcement of a module. One work
 * runs at a time. Interrupts are open, except in the steps that hits must see whole. Hits may come
 * between the steps, and in a storm serve other requests, which end programs and sessions. Other
 * tasks may announce modules and lock the agent. A removed program is disarmed at once. The memory
 * of its sites, slots and program stays until the end of the work (dp_work_end), because the work
 * may read it. The agent counts changes. Before each step that arms, the work repeats its checks
 * after a change. */
#ifndef DP_AT_WORK_H
#define DP_AT_WORK_H

#include "dp_lock.h"
#include "dp_state.h"

/* What is at work beside the requests, whose numbers are below. */
enum dp_work {
	DP_WORK_UNKNOWN = 0x7f, /* a request of no command */
	DP_WORK_MODULES = 0x80,
	DP_WORK_PATROL,
	DP_WORK_STOP,
	DP_WORK_EXITS
};

/* Does this request run inside a hit? */
static inline bool dp_work_in_hit(const struct dp_agent *agent)
{
	return DP_HITS_SERVE && DP_THIS_CPU(agent)->in_hit;
}

/* `changes` counts what a hit has disarmed in its upper half, all else in its lower half. */
enum {
	DP_WORK_HALF = UINT16_MAX + 1
};

/* Note a change that the request at work has not made itself. context: interrupts masked. */
static inline void dp_work_disturb(struct dp_agent *agent)
{
	agent->changes++;
}

/* Note that a hit has taken the trap of its site out of the text. context: interrupts masked. */
static inline void dp_work_disarmed(struct dp_agent *agent)
{
	agent->changes += DP_WORK_HALF;
}

/* From here on the request sees all changes so far. */
static inline void dp_work_note(struct dp_agent *agent)
{
	agent->noted = agent->changes;
}

/* Begin the work. returns: false when another thread is at work. */
static inline bool dp_work_begin(struct dp_agent *agent, uint8_t what)
{
	dp_irq irq = dp_lock_take();
	bool begun = !agent->executing;

	if (begun) {
		agent->executing = what;
		dp_work_note(agent);
	}
	dp_lock_give(irq);
	return begun;
}

/* How many changes there were. No access moves past the call: what is read between two calls with
 * one result has not changed. */
static inline uint32_t dp_work_changes(const struct dp_agent *agent)
{
	uint32_t changes;

	__asm__ volatile("" : : : "memory");
	changes = agent->changes;
	__asm__ volatile("" : : : "memory");
	return changes;
}

static inline bool dp_work_disturbed(const struct dp_agent *agent)
{
	return agent->noted != agent->changes;
}

/* Has a HELLO or CLOSE ended the session of the request at work? Only requests that hits serve can
 * do so. */
static inline bool dp_work_abandoned(const struct dp_agent *agent)
{
	return DP_HITS_SERVE && agent->link.abandoned;
}

/* May the request change the session, or what the session has made? context: interrupts masked. */
static inline bool dp_work_is_ours(const struct dp_agent *agent)
{
	return dp_work_in_hit(agent) || !dp_work_abandoned(agent);
}

/* May the request at work go on to change text? Without one at work: yes. A site that a hit has
 * disarmed keeps its entry and slot, and can be armed again. */
static inline bool dp_work_holds(const struct dp_agent *agent)
{
	return !agent->executing || (!dp_work_abandoned(agent) && !agent->locked &&
				     (uint16_t)agent->noted == (uint16_t)agent->changes);
}

#endif
