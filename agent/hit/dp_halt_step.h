/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a stopped target (halt_step.c), and the place where HALT stops it (halt_place.c). */
#ifndef DP_HALT_STEP_H
#define DP_HALT_STEP_H

#include "dp_errors.h"
#include "dp_halt.h"
#include "dp_object.h"

#if DP_WITH_HALT
/* May the instruction before which the target is stopped be stepped?
 * why: receives the reason of NOT_PROBEABLE.
 * returns: DP_ERR_OK, or what a probe there would be refused with. context: HIT. */
enum dp_err dp_step_check(struct dp_agent *agent, enum dp_refusal *why);

/* Is the stop over because the target is to execute an instruction? context: HIT. */
static inline bool dp_step_asked(const struct dp_agent *agent)
{
	return agent->steps.count != 0;
}

/* Stay stopped before the pc of the frame, where no handler is to run, until the target goes on.
 * returns: how the context goes on. context: HIT, the hit before is over. */
enum dp_taken dp_step_stop(struct dp_agent *agent, struct dp_frame *frame, enum dp_halt_why why);
/* Execute the instruction of a hit whose handlers have run, and stop again.
 * fires: does the instruction execute? context and returns: as above. */
enum dp_taken dp_step_hit(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame,
			  bool fires);
/* Execute the instruction at the pc of the frame, and stop again. */
enum dp_taken dp_step_go(struct dp_agent *agent, struct dp_frame *frame);
/* Stay stopped in a hit whose handlers want it, behind its records. Requests may remove the probe
 * meanwhile. pc: what the host is told. context: HIT. */
void dp_step_stop_hit(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc);
/* The instruction of a watchpoint's hit is executed: it is a step, if one was asked for in the stop
 * before it. dp_step_ended or dp_step_failed follows. */
void dp_step_begin(struct dp_agent *agent);
/* The instruction is a step's, or its access wants a stop: it is done, and the target stops. */
enum dp_taken dp_step_over(struct dp_agent *agent, struct dp_frame *frame);
/* It has faulted: the firmware's handler runs. */
void dp_step_lost(struct dp_agent *agent);

/* An instruction in a two-trap slot, or that of a watchpoint's hit, is done. A step stops again,
 * and so does a watchpoint whose handler wants it. returns: how the context goes on. */
static inline enum dp_taken dp_step_ended(struct dp_agent *agent, struct dp_frame *frame)
{
	if (agent->steps.under_way || (DP_PORT_COMPARATORS > 0 && dp_halt_asked(agent)))
		return dp_step_over(agent, frame);
	return DP_RESUME;
}

/* It has faulted. */
static inline void dp_step_failed(struct dp_agent *agent)
{
	if (agent->steps.under_way)
		dp_step_lost(agent);
}

/* Is the site the place where the target is to stop? */
static inline bool dp_halt_is_place(const struct dp_agent *agent, const struct dp_site *site)
{
	return agent->steps.place != 0 && site == &agent->site[agent->steps.place - 1];
}

/* Stop at the place. context: HIT. */
enum dp_taken dp_halt_at_place(struct dp_agent *agent, struct dp_frame *frame);
/* Does the stop of the target, a request or an answer wait? With one CPU the caller needs no lock.
 */
static inline bool dp_halt_wants_sample(struct dp_agent *agent)
{
	bool waits = agent->halt.due != 0 || agent->steps.sends;

	agent->steps.sampled = 1;
	for (unsigned i = 0; i < DP_LINES; i++)
		waits |= agent->wire[i].head != agent->wire[i].tail;
	if (!waits)
		agent->steps.unheard = 0;
	return waits;
}

/* If the target is to stop: an interrupt has interrupted the instruction at pc, which shall be the
 * place. A request that waits for a dp_poll that does not come is served. context: locked. */
void dp_halt_sample(struct dp_agent *agent, dp_addr pc);
/* The target is to stop at the end of dp_poll: behind the call, or here without registers where no
 * trap can stand there. caller: the place behind the call. context: thread. */
void dp_halt_in_poll(struct dp_agent *agent, const void *caller);
#else
static inline bool dp_step_asked(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline enum dp_taken dp_step_hit(struct dp_agent *agent, struct dp_site *site,
					struct dp_frame *frame, bool fires)
{
	(void)agent, (void)site, (void)frame, (void)fires;
	return DP_RESUME;
}

static inline enum dp_taken dp_step_go(struct dp_agent *agent, struct dp_frame *frame)
{
	(void)agent, (void)frame;
	return DP_RESUME;
}

static inline void dp_step_stop_hit(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc)
{
	(void)agent, (void)frame, (void)pc;
}

static inline void dp_step_begin(struct dp_agent *agent)
{
	(void)agent;
}

static inline enum dp_taken dp_step_ended(struct dp_agent *agent, struct dp_frame *frame)
{
	(void)agent, (void)frame;
	return DP_RESUME;
}

static inline void dp_step_failed(struct dp_agent *agent)
{
	(void)agent;
}

static inline bool dp_halt_is_place(const struct dp_agent *agent, const struct dp_site *site)
{
	(void)agent, (void)site;
	return false;
}

static inline enum dp_taken dp_halt_at_place(struct dp_agent *agent, struct dp_frame *frame)
{
	(void)agent, (void)frame;
	return DP_RESUME;
}

static inline bool dp_halt_wants_sample(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline void dp_halt_sample(struct dp_agent *agent, dp_addr pc)
{
	(void)agent, (void)pc;
}

static inline void dp_halt_in_poll(struct dp_agent *agent, const void *caller)
{
	(void)agent, (void)caller;
}
#endif

#endif
