/* SPDX-License-Identifier: BSD-2-Clause */
/* A stopped target: the feature HALT. A hit whose handler ends with `exit 1` stops before its
 * instruction, that of a write behind it, and dp_poll stops after the request HALT. The agent stays
 * there with interrupts masked, and answers requests.  PROTOCOL.md 5.13 */
#ifndef DP_HALT_H
#define DP_HALT_H

#include "dp_at_work.h"
#include "dp_build.h"
#include "dp_governor.h"
#include "dp_state.h"

/* Why the target is stopped, and why it goes on. The numbers travel. */
enum dp_halt_why {
	DP_HALT_EXIT = 1,
	DP_HALT_REQUEST,
	DP_HALT_STEP,     /* behind one */
	DP_HALT_REFUSED,  /* before an instruction that is not stepped */
	DP_HALT_CRASH = 8 /* by exit 2 */
};
enum dp_resume_why {
	DP_RESUME_REQUEST = 1,
	DP_RESUME_TYPED,
	DP_RESUME_ALONE, /* no request came */
	DP_RESUME_FAULT, /* of the stepped instruction */
	DP_RESUME_STEP   /* does not travel: the target stops again */
};

#if DP_WITH_HALT
/* Let the hit stop, if its handler has said `exit 1`, or `exit 2` with HISTORY, before an
 * instruction, the board can be stopped, and a session is there that may let it go on. After a stop
 * that ended alone, the next one waits for a request. A hit does not stop in the middle of a
 * request, whose host waits for the answer, and does not count for maxhits then. Of several
 * handlers of a hit, one with `exit 2` counts before others. number: of the probe. context: HIT. */
static inline void dp_halt_ask(struct dp_agent *agent, struct dp_probe *probe, unsigned number)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	if (cpu->vm.exit_number > 1 + DP_WITH_HISTORY || probe->phase != DP_PHASE_BEFORE ||
	    probe->site >= DP_SITES || !agent->board->stopped ||
	    !(agent->link.rights & DP_RIGHT_WRITE) || agent->halt.alone)
		return;
	if (agent->executing != 0 && agent->executing <= DP_WORK_UNKNOWN) {
		dp_governor_uncount(probe);
		return;
	}
	cpu->unsettled = 1; /* the hit does not leave by its plan */
	if (cpu->vm.exit_number <= agent->halt.asked)
		return;
	agent->halt.asked = cpu->vm.exit_number;
	agent->halt.probe = (uint8_t)number;
}

/* Is the hit to stop: before its instruction, or behind the access of a watchpoint? context: HIT.
 */
static inline bool dp_halt_asked(const struct dp_agent *agent)
{
	return agent->halt.asked;
}

/* Why it stops: by `exit 1` or `exit 2`. */
static inline enum dp_halt_why dp_halt_reason(const struct dp_agent *agent)
{
	return agent->halt.asked == 2 ? DP_HALT_CRASH : DP_HALT_EXIT;
}

/* The hit does not stop: the target stops behind the instruction anyway. context: HIT. */
static inline void dp_halt_forget(struct dp_agent *agent)
{
	agent->halt.asked = 0;
}

/* The host gives up, or is another one: the target is not to stop. */
static inline void dp_halt_withdraw(struct dp_agent *agent)
{
	if (agent->halt.due != 0)
		agent->halt.due = DP_HALT_WITHDRAWN;
}

/* A request has come: a host is there that can end a stop. */
static inline void dp_halt_heard(struct dp_agent *agent)
{
	agent->halt.alone = 0;
}

/* Does dp_sample serve the request? It waits for no transmitter, and leaves what hits do not serve.
 */
static inline bool dp_halt_hears(const struct dp_agent *agent)
{
	return agent->steps.hears;
}

/* Has HALT been asked for? */
static inline bool dp_halt_due(const struct dp_agent *agent)
{
	return agent->halt.due != 0;
}

/* Stay here until the target is to go on, and reset the board then if CORE has asked for that. The
 * records of the hit, which are committed, go first. frame: the registers, or null. pc: what the
 * host is told. context: HIT, or as in one. */
void dp_halt(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc, enum dp_halt_why why);
/* Look for requests once, between two steps. context: HIT. */
void dp_halt_look(struct dp_agent *agent, struct dp_frame *frame, dp_addr pc);
/* A stepped instruction has faulted: the stop is over. context: HIT. */
void dp_halt_lost(struct dp_agent *agent);
#else
static inline void dp_halt_ask(struct dp_agent *agent, const struct dp_probe *probe,
			       unsigned number)
{
	(void)agent, (void)probe, (void)number;
}

static inline bool dp_halt_asked(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline bool dp_halt_due(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline void dp_halt_withdraw(struct dp_agent *agent)
{
	(void)agent;
}

static inline void dp_halt_heard(struct dp_agent *agent)
{
	(void)agent;
}

static inline bool dp_halt_hears(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}
#endif

#endif
