/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers of a hit, and its end. context of all functions: HIT. */
#ifndef DP_HANDLERS_H
#define DP_HANDLERS_H

#include "dp_state.h"

/* Count a hit. Whether it counts for maxhits is known when the instruction has completed. */
static inline void dp_handlers_count(struct dp_agent *agent, struct dp_probe *probe)
{
	if (--probe->maxhits == 0)
		DP_THIS_CPU(agent)->unsettled = 1;
}

/* Run the handler of one probe, and count the hit.
 * test: the plan whose test has run the begin of the handler, or null. */
void dp_handlers_run_one(struct dp_agent *agent, struct dp_probe *probe, unsigned number,
			 const struct dp_site *site, const struct dp_plan *test,
			 struct dp_frame *frame);
/* Run every active probe of the phase at the site, in order of installation. A trap without any
 * active probe is a trap that could not be removed yet. */
void dp_handlers_run(struct dp_agent *agent, struct dp_site *site, unsigned phase,
		     struct dp_frame *frame);
#if DP_RETURNS
/* Run every armed probe of phase RETURNED for the function that begins at the site, of all programs
 * in order of installation. */
void dp_handlers_returned(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame);
#endif
/* Count a hit whose handlers of the phase do not run.
 * frame: null for a watchpoint, which waits for no branch. */
void dp_handlers_missed(struct dp_agent *agent, const struct dp_site *site, unsigned phase,
			const struct dp_frame *frame);

/* --- the end (hit_end.c) --- */

/* Probes that have done their last hit end, and the trap goes with the last of them. */
void dp_hit_settle(struct dp_agent *agent, struct dp_site *site);
/* Serve requests more often than anybody polls: who wants to stop the storm must be heard. */
void dp_hit_serve(struct dp_agent *agent);
/* Synchronous mode: send the records of the hit, and those of the speculations that it has
 * committed. */
void dp_hit_send(struct dp_agent *agent);
/* The instruction completed: the records of the hit are valid, and the hit ends. */
void dp_hit_finish(struct dp_agent *agent, struct dp_site *site);
/* The same behind the handlers of a phase, which sees what the instruction left. */
void dp_hit_late(struct dp_agent *agent, struct dp_site *site, unsigned phase,
		 struct dp_frame *frame);

/* --- `return` (hit_end.c) --- */

#if DP_RETURNS
/* Does a handler of the hit let the function return? */
static inline bool dp_hit_returns(const struct dp_agent *agent)
{
	return DP_THIS_CPU(agent)->returns != 0;
}

/* The function returns in place of the instruction, and the handlers of the phase RETURNED run. The
 * caller ends the hit. Only where dp_hit_returns. */
void dp_hit_return(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame);
/* Requests may have removed the probe whose handler lets the function return: then it does not. */
void dp_hit_recall(struct dp_agent *agent);
#else
static inline bool dp_hit_returns(const struct dp_agent *agent)
{
	(void)agent;
	return false;
}

static inline void dp_hit_return(struct dp_agent *agent, struct dp_site *site,
				 struct dp_frame *frame)
{
	(void)agent, (void)site, (void)frame;
}

static inline void dp_hit_recall(struct dp_agent *agent)
{
	(void)agent;
}
#endif

/* Count the fault of the instruction for each of its probes. */
void dp_hit_note_faults(struct dp_agent *agent, const struct dp_site *site);
/* The instruction faulted: its hit ends without the records. returns: DP_FIRMWARE. */
enum dp_taken dp_hit_fail(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame);
/* The same for the hit that left by the one-trap slot of the address. Its frame is gone, and so may
 * be the plan, the probe and the site. When the hit is not known, its record stays: it may be
 * another context's. */
void dp_hit_fault_away(const struct dp_frame *frame, dp_addr address);

#endif
