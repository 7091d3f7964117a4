/* SPDX-License-Identifier: BSD-2-Clause */
/* The place where HALT stops the target with its registers: the instruction that an interrupt has
 * interrupted, or the one behind the call of dp_poll. A trap stands there without a probe until the
 * target has stopped.  PROTOCOL.md 5.13 */
#include "dp_halt_step.h"

#include "dp_clock.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_plan.h"
#include "dp_sites.h"
#include "dp_stream_line.h"
#include "dp_text.h"
#include "dp_wire.h"

#if DP_WITH_HALT
enum {
	DP_HALT_ASKED = 5,       /* so often, HALT waits no longer for dp_sample */
	DP_HALT_DUE_SECONDS = 2, /* so long, a HALT that is not repeated counts */
	DP_UNHEARD_SAMPLES = 50  /* without a clock: nobody polls */
};

/* Take the trap of the place out of the text. context: locked. */
static void leave_place(struct dp_agent *agent)
{
	struct dp_site *site;

	if (agent->steps.place == 0)
		return;
	site = dp_site_at(agent, agent->steps.place - 1u);
	agent->steps.place = 0;
	if (site->chain == DP_NONE) /* else a probe has come */
		dp_site_drop_bare(agent, site);
}

/* Is the target still to stop? A host that wants it says HALT again and again. context: locked. */
static bool is_due(struct dp_agent *agent)
{
	struct dp_halt *halt = &agent->halt;
	uint32_t hz = dp_tick_hz(agent);

	if (halt->due == DP_HALT_WITHDRAWN ||
	    (hz != 0 && (uint32_t)dp_now(agent) - halt->due_at >= hz * DP_HALT_DUE_SECONDS))
		halt->due = halt->seconds = 0;
	return halt->due != 0;
}

/* The stop may not be in the middle of a request, whose host waits: the next place is for it. */
enum dp_taken dp_halt_at_place(struct dp_agent *agent, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	leave_place(agent);
	if (is_due(agent) && !(agent->executing != 0 && agent->executing <= DP_WORK_UNKNOWN))
		return dp_step_stop(agent, frame, DP_HALT_REQUEST);
	cpu->in_hit = 0;
	return DP_RESUME;
}

/* Prepare the site of the address. returns: can a trap stand there? */
static bool prepare(struct dp_agent *agent, struct dp_site *draft, dp_addr address, unsigned isa)
{
	enum dp_refusal why;

	if (dp_site_find(agent, address) ||
	    dp_draft_prepare(agent, draft, address, isa, 1u << DP_PHASE_BEFORE, &why) != DP_ERR_OK)
		return false;
	if (!dp_site_overlaps(agent, draft))
		return true;
	dp_port_release(draft);
	return false;
}

/* The site of the place; null: no trap stands there, or a probe has come. context: locked. */
static const struct dp_site *place_of(struct dp_agent *agent)
{
	const struct dp_site *site = NULL;

	if (agent->steps.place != 0)
		site = dp_site_at(agent, agent->steps.place - 1u);
	return site && site->chain == DP_NONE && site->armed ? site : NULL;
}

/* Let the place be at the address: put a trap there, unless it stands there already. returns: false
 * where none can stand. context: locked, no work. */
static bool take_place(struct dp_agent *agent, dp_addr address, unsigned isa)
{
	const struct dp_site *there = place_of(agent);
	struct dp_site *site, draft;

	if (there && there->address == address)
		return true;
	leave_place(agent);
	if (!prepare(agent, &draft, address, isa))
		return false;
	site = dp_site_free(agent);
	if (!site) {
		dp_port_release(&draft);
		return false;
	}
	dp_plan_drop(&draft);
	dp_site_put(agent, site, &draft);
	agent->steps.place = (uint8_t)(site - agent->site + 1);
	if (dp_site_arm(agent, site) == DP_ERR_OK)
		return true;
	leave_place(agent);
	return false;
}

/* --- an interrupt --- */

/* The instruction set of an interrupted instruction: the only one of the CPU, the one that the
 * lowest bit of pc tells, or the one of the table of functions. returns: false: it is not known. */
static bool find_isa(const struct dp_agent *agent, dp_addr pc, unsigned *isa)
{
	struct dp_site site;

	for (*isa = 0; !(DP_PORT_ISAS >> *isa & 1); ++*isa)
		;
	if (DP_PORT_ISAS >> *isa == 1)
		return true;
	if (pc & 1) {
		++*isa;
		return true;
	}
	if (!agent->bounds || pc - agent->module->base >= agent->module->bytes)
		return false;
	site.address = pc;
	site.isa = *isa & 0xfu;
	if (dp_bounds_find(agent, &site) == DP_ERR_WRONG_ISA)
		++*isa;
	return true;
}

/* A context that stands in a slot does not come to the address of its pc. Where the board writes
 * text, which wears flash, a stop has one place of a sample: no sample moves it. */
static void sample_place(struct dp_agent *agent, dp_addr pc)
{
	unsigned isa;

	if (dp_board_means(agent->board) == DP_MEANS_BOARD && place_of(agent))
		return;
	if (dp_port_slot_origin(pc) == pc && find_isa(agent, pc, &isa))
		take_place(agent, pc & ~(dp_addr)(pc & DP_PORT_ISAS >> 1), isa);
}

/* Does a request wait, and has nobody taken one for a while? Without a clock calls count. */
static bool is_unheard(struct dp_agent *agent)
{
	struct dp_steps *steps = &agent->steps;
	uint32_t hz = dp_tick_hz(agent), now = (uint32_t)dp_now(agent);
	uint8_t tails = 0, waiting = 0;

	for (unsigned i = 0; i < DP_LINES; i++) {
		tails = (uint8_t)(tails + agent->wire[i].tail);
		waiting |= agent->wire[i].head != agent->wire[i].tail;
	}
	if (!waiting)
		return false;
	if (steps->unheard == 0 || steps->tails != tails) {
		steps->unheard = 1;
		steps->tails = tails;
		steps->since = now;
	}
	if (hz != 0)
		return now - steps->since >= hz / 2;
	return steps->unheard >= DP_UNHEARD_SAMPLES || ++steps->unheard == DP_UNHEARD_SAMPLES;
}

/* Send what the transmitters take at once. returns: is something left? */
static bool send_some(struct dp_agent *agent)
{
	bool left = false;

	for (unsigned i = 0; i < DP_LINES; i++) {
		if (!agent->board->com[i].put)
			continue;
		while (dp_transmit_some(&agent->board->com[i], &agent->wire[i], DP_LINE_MAX) > 0)
			;
		left |= dp_line_under_way(&agent->wire[i]);
	}
	return left;
}

/* Serve a request of those that hits serve, and wait for no transmitter. Not inlined: sources.mk
 * names the function for the worst stack. */
static DP_APART void serve_sample(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	agent->steps.hears = 1;
	agent->serve(agent, true);
	agent->steps.hears = 0;
	cpu->in_hit = 0;
	agent->steps.sends = 1;
}

void dp_halt_sample(struct dp_agent *agent, dp_addr pc)
{
	if (!dp_halt_wants_sample(agent) || DP_THIS_CPU(agent)->in_hit || agent->executing)
		return;
	if (is_unheard(agent))
		serve_sample(agent);
	if (agent->steps.sends)
		agent->steps.sends = send_some(agent);
	if (!dp_halt_due(agent))
		return;
	if (is_due(agent))
		sample_place(agent, pc);
	else
		leave_place(agent);
}

/* --- dp_poll --- */

/* Stop here, where the frame of the firmware is not known. */
static void stop_here(struct dp_agent *agent, dp_addr caller)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	dp_halt(agent, NULL, caller, DP_HALT_REQUEST);
	cpu->in_hit = 0;
}

void dp_halt_in_poll(struct dp_agent *agent, const void *caller)
{
	dp_addr place = (dp_addr)(uintptr_t)caller;
	/* Of the second instruction set, the lowest bit of a return address is 1. */
	unsigned second = DP_PORT_ISAS > 1 && (place & 1);
	dp_irq irq = dp_lock_take();

	if (DP_THIS_CPU(agent)->in_hit || agent->executing) {
		dp_lock_give(irq);
		return;
	}
	if (!is_due(agent))
		leave_place(agent);
	if (!dp_halt_due(agent) || (agent->steps.sampled && agent->halt.due < DP_HALT_ASKED)) {
		dp_lock_give(irq);
		return;
	}
	place -= second;
	if (!take_place(agent, place, second))
		stop_here(agent, place);
	dp_lock_give(irq);
}
#endif
