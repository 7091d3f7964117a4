/* SPDX-License-Identifier: BSD-2-Clause */
/* An access that a comparator has reported. Handlers of the kinds X and R run at once. Then the
 * access is completed, in a slot, with its comparators off; the others stay on, since the
 * instruction may access more. Behind the instruction the other handlers run, and the comparators
 * are on again. A handler that says `exit 1` stops the target where it runs: before the access, or
 * behind its instruction. */
#include "dp_watched.h"

#include "dp_entries.h"
#include "dp_halt_step.h"
#include "dp_handlers.h"
#include "dp_memory.h"
#include "dp_sites.h"
#include "dp_text.h"
#include "dp_watches.h"

#if DP_PORT_COMPARATORS > 0
/* The lowest comparator of a set that has one. A CPU may have no instruction for it: each product
 * with a power of two has other highest bits. */
static inline unsigned lowest(unsigned comparators)
{
	static const uint8_t number[16] = {0, 1, 2, 5, 3, 9, 6, 11, 15, 4, 8, 10, 14, 7, 13, 12};

	return number[(uint16_t)((comparators & -comparators) * 0x09afu) >> 12];
}

static struct dp_site *site_of(struct dp_agent *agent, unsigned comparator)
{
	return &agent->site[DP_WATCH_BASE + comparator];
}

/* The access that the programs of the site's probes see; null: none. */
static void set_access(struct dp_agent *agent, const struct dp_site *site,
		       const struct dp_vm_access *access)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_behind(agent, probe))
		agent->program[probe->program].view.access = access;
}

static void run_watch(struct dp_agent *agent, unsigned comparator, struct dp_frame *frame)
{
	struct dp_watch *watch = &agent->watch[comparator];
	const struct dp_vm_access access = {watch,
					    DP_THIS_CPU(agent)->watching.address[comparator]};
	struct dp_site *site = site_of(agent, comparator);
	bool reads = watch->kind == DP_PROBE_WATCH_R;

	if (reads) /* writes since the last read were no access of this kind */
		dp_watch_note(watch);
	set_access(agent, site, &access);
	dp_handlers_run(agent, site, DP_PHASE_BEFORE, frame);
	set_access(agent, site, NULL);
	if (!reads)
		dp_watch_note(watch);
}

static void run_watches(struct dp_agent *agent, unsigned comparators, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const dp_addr pc = cpu->watching.access.pc, resume = (dp_addr)DP_PORT_PC(frame);

	DP_PORT_PC(frame) = pc;
	for (; comparators != 0; comparators &= comparators - 1)
		run_watch(agent, lowest(comparators), frame);
	if (DP_PORT_PC(frame) == pc) /* else a handler has written it */
		DP_PORT_PC(frame) = resume;
}

static void count_missed(struct dp_agent *agent, unsigned comparators)
{
	for (; comparators != 0; comparators &= comparators - 1) {
		const unsigned n = lowest(comparators);

		dp_handlers_missed(agent, site_of(agent, n), DP_PHASE_BEFORE, NULL);
		dp_watch_note(&agent->watch[n]);
	}
}

static void forget(struct dp_per_cpu *cpu)
{
	cpu->watching.matched = cpu->watching.late = 0;
	cpu->hold.off = 0;
}

/* The handlers of the instruction have run, or it has faulted: probes that have done their last hit
 * end. */
static void settle_watches(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	for (unsigned n = 0; cpu->unsettled && n < DP_PORT_COMPARATORS; n++)
		if (cpu->watching.matched >> n & 1)
			dp_hit_settle(agent, site_of(agent, n));
	forget(cpu);
}

void dp_watched_end(struct dp_agent *agent, struct dp_frame *frame)
{
	const struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;

	if (watching->late != 0)
		run_watches(agent, watching->late, frame);
	settle_watches(agent);
}

enum dp_taken dp_watched_fail(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;
	bool away = watching->away && site == &watching->here;

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (watching->matched & ~watching->late & 1u << n)
			dp_hit_note_faults(agent, site_of(agent, n));
	settle_watches(agent);
	dp_hit_fail(agent, site, frame);
	if (away)
		dp_hit_fault_away(frame, site->address);
	return DP_FIRMWARE;
}

void dp_watched_recover(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	forget(cpu);
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++) /* of the handler that has not returned */
		agent->program[i].view.access = NULL;
	cpu->hold.held = 1; /* by the locked stretch of dp_poll */
}

/* --- the step --- */

/* The site whose trap the CPU has not come to, because the comparator has stopped it before; or
 * null. */
static struct dp_site *site_ahead(struct dp_agent *agent)
{
	const struct dp_watched *access = &DP_THIS_CPU(agent)->watching.access;
	bool trap_ahead = access->kinds & DP_WATCHED_EXECUTE;
	struct dp_site *site = trap_ahead ? dp_site_find(agent, access->pc) : NULL;

	return site && site->armed ? site : NULL;
}

/* Execute the instruction of a probe that has had its hit: the step leads round the trap. */
static enum dp_step step_probed(struct dp_agent *agent, struct dp_site *site,
				struct dp_frame *frame, bool fires)
{
	enum dp_step step;

	if (dp_hit_returns(agent)) {
		dp_hit_return(agent, site, frame);
		return DP_STEP_DONE;
	}
	step = dp_port_step(site, frame, false);
	if (step == DP_STEP_DONE && fires)
		dp_handlers_run(agent, site, DP_PHASE_AFTER, frame);
	return step;
}

/* Step the instruction in the scratch slot. One that cannot be stepped runs in place with the
 * comparators of the access off until dp_poll, and the handlers behind the access do not run. */
static enum dp_step step_here(struct dp_agent *agent, struct dp_site *here, struct dp_frame *frame)
{
	struct dp_watching *watching = &DP_THIS_CPU(agent)->watching;

	dp_clear_words(here, sizeof(*here));
	here->address = watching->access.pc;
	here->chain = DP_NONE;
	here->phases = 1u << DP_PHASE_AFTER; /* never one trap */
	if (dp_port_prepare_here(here, frame, dp_text_original) != DP_ERR_OK) {
		dp_watches_rest(agent, DP_THIS_CPU(agent)->hold.off);
		count_missed(agent, watching->late);
		watching->late = 0;
		return DP_STEP_DONE;
	}
	watching->away = dp_port_slot_origin(dp_port_pc(frame)) != dp_port_pc(frame);
	DP_PORT_PC(frame) = here->address;
	return dp_port_step(here, frame, false);
}

/* A handler before the access has said `exit 1` or `exit 2`. Meanwhile requests may remove the
 * watchpoints of the access (dp_watch_take), and a probe on the instruction. */
static void stop_before(struct dp_agent *agent, struct dp_frame *frame)
{
	const dp_addr pc = DP_THIS_CPU(agent)->watching.access.pc;
	const dp_addr resume = (dp_addr)DP_PORT_PC(frame);

	DP_PORT_PC(frame) = pc;
	dp_step_stop_hit(agent, frame, pc);
	DP_PORT_PC(frame) = resume;
	dp_step_begin(agent);
}

/* Do the access, and what belongs to its instruction. A probe there has its hit before. */
static enum dp_taken complete(struct dp_agent *agent, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_site *site = site_ahead(agent);
	bool fires = site && dp_port_fires(site, frame, false);
	enum dp_step step;

	if (fires)
		dp_handlers_run(agent, site, DP_PHASE_BEFORE, frame);
	if (dp_halt_asked(agent)) {
		stop_before(agent, frame);
		site = site_ahead(agent);
	}
	if (site) {
		step = step_probed(agent, site, frame, fires);
	} else {
		site = &cpu->watching.here;
		step = step_here(agent, site, frame);
	}
	if (step == DP_STEP_FAULT) {
		dp_step_failed(agent);
		return dp_watched_fail(agent, site, frame);
	}
	if (step == DP_STEP_PENDING) {
		cpu->pending = site;
		return DP_RESUME;
	}
	dp_watched_end(agent, frame);
	dp_hit_finish(agent, site);
	return dp_step_ended(agent, frame);
}

/* --- the access --- */

/* May handlers run now: is there no hit, or is the access one of the instruction that this CPU
 * steps in a two-trap slot? A CPU that reports behind the access may tell another pc. */
static bool may_run(const struct dp_per_cpu *cpu, const struct dp_watched *access, bool before)
{
	if (cpu->hold.held > 1) /* the agent's own, from a port that does not switch them off */
		return false;
	return !cpu->in_hit || (cpu->pending && (!before || cpu->pending->address == access->pc));
}

/* An access of the agent, or of an exception in a step: no handler runs. */
static enum dp_taken miss(struct dp_agent *agent, unsigned wanted, unsigned covered, bool before)
{
	count_missed(agent, wanted);
	if (before)
		dp_watches_rest(agent, (uint16_t)covered);
	return DP_RESUME;
}

/* Go on behind the access, or complete it. In a two-trap slot the copy runs to its end. */
static enum dp_taken go_on(struct dp_agent *agent, struct dp_frame *frame, bool before)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	if (cpu->pending)
		return DP_RESUME;
	if (before)
		return complete(agent, frame);
	dp_watched_end(agent, frame);
	dp_hit_finish(agent, &cpu->watching.here);
	return dp_step_ended(agent, frame);
}

/* Has a comparator stopped the CPU in place of a trap? */
static bool is_site(struct dp_agent *agent, const struct dp_watched *access)
{
	const struct dp_site *site;

	if (!(access->kinds & DP_WATCHED_EXECUTE))
		return false;
	site = dp_site_find(agent, access->pc);
	return site && site->armed && dp_site_is_compared(site);
}

/* Note where the first access of the instruction to each range was. */
static void note_addresses(struct dp_agent *agent, struct dp_watching *watching, unsigned wanted)
{
	const struct dp_watched *access = &watching->access;

	for (wanted &= ~(unsigned)watching->matched; wanted != 0; wanted &= wanted - 1) {
		const unsigned n = lowest(wanted);

		watching->address[n] = access->told ? access->address : agent->watch[n].address;
	}
}

/* Those of kind R, whose handlers run before the access. */
static uint16_t of_reads(const struct dp_agent *agent, uint16_t comparators)
{
	unsigned reads = 0;

	for (unsigned left = comparators; left != 0; left &= left - 1)
		if (agent->watch[lowest(left)].kind == DP_PROBE_WATCH_R)
			reads |= left & -left;
	return (uint16_t)reads;
}

/* No comparator covers the access. Its watchpoint may just be gone, as the trap of stray(): the
 * instruction goes on. Returns whether it was stopped once more: the CPU told a wrong address. */
static bool strays_again(struct dp_watching *watching, const struct dp_watched *access)
{
	bool again = watching->strayed && watching->stray == access->pc;

	watching->strayed = !again;
	watching->stray = access->pc;
	return again;
}

/* Take the address of a stray access for not told, and its kind too where no comparator has it.
 * Else the instruction would be stopped without end. */
static uint16_t match_untold(struct dp_agent *agent, struct dp_watched *access, uint16_t *covered)
{
	uint16_t wanted;

	access->told = false;
	access->bytes = 0;
	wanted = dp_watches_match(agent, access, covered);
	if (*covered != 0 || (access->kinds & DP_WATCHED_EXECUTE))
		return wanted;
	access->kinds |= DP_WATCHED_READ | DP_WATCHED_WRITE;
	return dp_watches_match(agent, access, covered);
}

/* One access is one hit of each watchpoint that it is for. */
enum dp_taken dp_watched_hit(struct dp_agent *agent, struct dp_frame *frame,
			     const struct dp_watched *access, bool *is_trap)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_watching *watching = &cpu->watching;
	bool before = !(access->kinds & DP_PORT_WATCH_AFTER);
	struct dp_watched untold;
	uint16_t covered, early, wanted = dp_watches_match(agent, access, &covered);

	*is_trap = covered == 0 && is_site(agent, access);
	if (*is_trap)
		return DP_RESUME;
	if (covered == 0 && dp_port_watch_at(access))
		return DP_NOT_OURS;
	if (covered == 0 && before && strays_again(watching, access)) {
		dp_copy_words(&untold, access, sizeof(untold));
		wanted = match_untold(agent, &untold, &covered);
		access = &untold;
	}
	if (covered == 0)
		return DP_RESUME;
	watching->strayed = 0;
	if (!may_run(cpu, access, before))
		return miss(agent, wanted, covered, before);
	dp_copy_words(&watching->access, access, sizeof(*access));
	watching->here.chain = DP_NONE; /* of dp_hit_finish() */
	cpu->in_hit = 1;
	note_addresses(agent, watching, wanted);
	watching->matched |= wanted;
	cpu->hold.off |= before ? covered : 0;
	early = access->kinds & DP_WATCHED_EXECUTE ? wanted : of_reads(agent, wanted);
	if (cpu->pending) /* the frame is that of the slot */
		early = 0;
	if (early != 0)
		run_watches(agent, early, frame);
	watching->late |= wanted & ~early;
	return go_on(agent, frame, before);
}
#endif
