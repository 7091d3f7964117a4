/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a hit: its records are valid, or its instruction has faulted. */
#include "dp_handlers.h"

#include "dp_entries.h"
#include "dp_governor.h"
#include "dp_hit_log.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_probes.h"
#include "dp_ring_full.h"
#include "dp_sent.h"
#include "dp_sites.h"
#include "dp_speculate.h"
#include "dp_storm.h"
#include "dp_wire.h"

void dp_hit_settle(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		if (probe->state == DP_PROBE_ARMED && probe->maxhits == 0)
			dp_governor_used_up(agent, probe);
	dp_site_settle(agent, site);
}

void dp_hit_serve(struct dp_agent *agent)
{
	while (agent->serve(agent, true))
		agent->poll_due = 1; /* an answer may be under way */
}

void dp_hit_send(struct dp_agent *agent)
{
	dp_transmit_records(agent);
	while (dp_speculated_move(agent))
		dp_transmit_records(agent);
}

void dp_hit_finish(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_ring_commit(&cpu->ring);
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		dp_hit_send(agent);
	if (cpu->unsettled) {
		cpu->unsettled = 0;
		dp_hit_settle(agent, site);
	}
	if (dp_storm_hit(agent))
		dp_hit_serve(agent);
	cpu->in_hit = 0;
}

void dp_hit_late(struct dp_agent *agent, struct dp_site *site, unsigned phase,
		 struct dp_frame *frame)
{
	dp_handlers_run(agent, site, phase, frame);
	dp_hit_finish(agent, site);
}

#if DP_RETURNS
void dp_hit_return(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const struct dp_returned *returned = &cpu->returned;

	cpu->returns = 0;
	if (returned->words > 0)
		DP_PORT_RESULT(frame, 0) = returned->word[0];
	if (DP_RETURN_WORDS > 1 && returned->words > 1)
		DP_PORT_RESULT(frame, 1) = returned->word[DP_RETURN_WORDS - 1];
	DP_PORT_RETURN(frame);
	dp_handlers_returned(agent, site, frame);
}

/* A probe that was installed meanwhile has the number, and no hit. */
void dp_hit_recall(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const struct dp_probe *probe;

	if (!cpu->returns)
		return;
	probe = dp_probe_at(agent, cpu->returns - 1u);
	if (probe->site == DP_NONE || probe->program == DP_NONE || dp_probe_hits(probe) == 0)
		cpu->returns = 0;
}
#endif

_Static_assert(DP_PHASE_RETURNED > DP_PHASE_FAULT, "neither waits for the end of an instruction");
/* A handler that ran before the fault and logs nothing for it does not count a hit. */
static void note_fault(struct dp_probe *probe)
{
	bool before = probe->phase == DP_PHASE_BEFORE;

	if (before ? !probe->ran : probe->phase >= DP_PHASE_FAULT || probe->state != DP_PROBE_ARMED)
		return;
	probe->faulted++;
	if (before && !probe->logonfault)
		dp_governor_uncount(probe);
}

void dp_hit_note_faults(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		note_fault(probe);
}

enum dp_taken dp_hit_fail(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	dp_hit_note_faults(agent, site);
	/* records that are withdrawn have overwritten older ones */
	dp_sent_forget(DP_THIS_CPU(agent), DP_THIS_CPU(agent)->ring.head - DP_RING_BYTES);
	dp_hit_log_abort(agent);
	dp_ring_full_back(agent);
	dp_hit_late(agent, site, DP_PHASE_FAULT, frame);
	return DP_FIRMWARE;
}

/* --- a fault in a one-trap slot --- */

/* The removed probe whose last hit was one at the address by this context, or null. */
static struct dp_probe *removed_hit_by(struct dp_agent *agent, dp_addr address, dp_word sp)
{
	struct dp_probe *probe = agent->probe;

	for (; probe < agent->probe + DP_MAX_PROBES; probe++)
		if (probe->site == DP_NONE && probe->left.address == address &&
		    probe->left.sp == sp && !dp_probe_is_returned(probe))
			return probe;
	return NULL;
}

/* May hits of the probe leave by a one-trap slot? */
static bool leaves(const struct dp_probe *probe)
{
	return probe->phase == DP_PHASE_BEFORE && !probe->logonfault;
}

/* The oldest probe at the site whose hits may leave by a one-trap slot, or null. One that has ended
 * counts where none is armed. */
static struct dp_probe *leaving(struct dp_agent *agent, const struct dp_site *site)
{
	struct dp_probe *probe = site ? dp_probe_at(agent, site->chain) : NULL, *ended = NULL;

	for (; probe; probe = dp_probe_behind(agent, probe)) {
		if (leaves(probe) && probe->state == DP_PROBE_ARMED)
			return probe;
		if (leaves(probe) && !ended)
			ended = probe;
	}
	return ended;
}

/* The probe whose last hit was one at the address by this context. Null: the hit is not known. A
 * hit that logs nothing may leave no stack pointer, so hits of removed probes count only until the
 * probe that is there is hit. */
static struct dp_probe *last_hit_by(struct dp_agent *agent, dp_addr address, struct dp_probe *there,
				    dp_word sp)
{
	if (!there || dp_probe_hits(there) == 0)
		return removed_hit_by(agent, address, sp);
	return there->left.sp == sp ? there : NULL;
}

/* The probes behind the oldest one had the hit too, in one list with it. Each hit of a list leaves
 * its stack pointer. The newest record goes first: the ring takes room back from its end.
 * known: the oldest probe had the hit, and so the others that have its stack pointer. */
static void withdraw_others(struct dp_agent *agent, struct dp_probe *probe, dp_word sp, bool known)
{
	enum {
		MOST = sizeof(((struct dp_plan *)0)->at)
	};
	struct dp_probe *had[MOST];
	unsigned count = 0;

	while ((probe = dp_probe_behind(agent, probe))) {
		bool same = probe->left.sp == sp;

		if (probe->state != DP_PROBE_ARMED || !leaves(probe) || dp_probe_hits(probe) == 0 ||
		    (known && !same))
			continue;
		note_fault(probe);
		if (same && count < MOST)
			had[count++] = probe;
	}
	while (count > 0)
		dp_hit_log_back(agent, had[--count]);
}

void dp_hit_fault_away(const struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	struct dp_probe *there = leaving(agent, dp_site_find(agent, address));
	struct dp_probe *left = last_hit_by(agent, address, there, DP_PORT_SP(frame));
	struct dp_probe *probe = left ? left : there;

	if (!probe || probe->logonfault)
		return;
	if (probe->program != DP_NONE && dp_probe_hits(probe) > 0)
		note_fault(probe);
	if (probe == there)
		withdraw_others(agent, there, DP_PORT_SP(frame), left != NULL);
	if (left)
		dp_hit_log_back(agent, left);
	if (probe->program == DP_NONE) /* the withdraw has the probe's number */
		probe->retired_at[dp_this_cpu()] = DP_THIS_CPU(agent)->ring.head;
}

void dp_agent_fault_away(const struct dp_frame *frame, dp_addr address)
{
	dp_lock_enter();
	dp_hit_fault_away(frame, address);
	dp_lock_leave();
}
