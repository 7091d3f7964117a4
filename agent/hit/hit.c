/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe hit: execute, step, commit, return (port/README.md, "The path of a hit").  Runs inside
 * the port's trap entry on the private stack, interrupts masked.
 *
 * dp_agent_trap: the site's plan tells the kind of hit
 *   no site  stray
 *   NOTHING  counted_hit -----------------------------------------.
 *   COUNT    mapped_hit --- the key has an entry ---> counted_hit +
 *              '-- or: planned_hit                                |
 *   TEST     tested_hit --- the test ends it ---> counted_hit ----+--> leave: the context goes on
 *   COMPARE    | or: logged_hit, rest_of_hit                      |    in the slot
 *   WORDS    logged_hit --- words in the ring --------------------'
 *              '-- no room: crowded_hit --> planned_hit, rest_of_hit
 *   with words of the stack: stack_hit --- words in the frame ---> as above; or: planned_hit
 *   RETURN   returned_hit --> the context goes on at the caller; or: planned_hit
 *   RUN      planned_hit --> the handler runs --> resume --> the slot, or step
 *   LIST     listed_hit --> each probe of the list as above, less the way out --> resume
 *   others   unplanned_hit --> stepped_hit: a chain, or a step by the port --> step, step_only
 * step --> dp_hit_return, where a handler lets the function return;
 *   dp_hit_finish, dp_hit_fail; or it waits for the second trap: dp_agent_stepped,
 *   dp_agent_fault (stepped.c)
 * dp_agent_watch --> dp_watched_hit (watched.c), or trap for a site by a comparator
 * dp_watched_hit --> handlers of an execution --> complete: the access, comparators
 *   off, unless it is done --> dp_watched_end: handlers of a read or write; or dp_watched_fail */
#include "dp_hit.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_governor.h"
#include "dp_halt.h"
#include "dp_halt_step.h"
#include "dp_handlers.h"
#include "dp_hit_log.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_map.h"
#include "dp_plan.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_storm.h"
#include "dp_tell.h"
#include "dp_watched.h"
#include "dp_watches.h"
#include "dp_wire.h"

void dp_hit_recover(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_port_recover();
	if (!cpu->in_hit || cpu->pending)
		return;
	dp_lock_recover();
	dp_ring_commit(&cpu->ring);
	for (unsigned i = 0; i < DP_SITES; i++) /* the site of the hit is not known */
		if (agent->site[i].chain < DP_MAX_PROBES)
			dp_hit_settle(agent, &agent->site[i]);
	cpu->unsettled = 0;
#if DP_RETURNS
	cpu->returns = 0;
#endif
	cpu->in_hit = 0;
	dp_watched_recover(agent);
}

static bool all_log_on_fault(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);

	while (probe && (probe->logonfault || probe->phase != DP_PHASE_BEFORE))
		probe = dp_probe_behind(agent, probe);
	return !probe;
}

/* The trap belongs to no site. Either the probe was just removed: then the original is back, and
 * the instruction is retried. Or the trap word belongs to the firmware or a debugger. */
static DP_APART enum dp_taken stray(struct dp_agent *agent, const struct dp_frame *frame)
{
	uint32_t found;

	if (!dp_port_trap_at(frame, &found))
		return DP_RESUME;
	agent->strays++;
	DP_TELL(agent, DP_NOTICE_STRAY_TRAP, DP_WIDTHS_stray_trap_notice, dp_port_pc(frame), found);
	return DP_NOT_OURS;
}

/* A hit while another is handled: the instruction is executed, its probes are not run. */
static enum dp_taken step_only(struct dp_agent *agent, const struct dp_site *site,
			       struct dp_frame *frame)
{
	bool fires = dp_port_fires(site, frame, false);
	enum dp_step step;

	if (fires)
		dp_handlers_missed(agent, site, DP_PHASE_BEFORE, frame);
	step = dp_port_step(site, frame, false);
	if (step == DP_STEP_FAULT)
		dp_handlers_missed(agent, site, DP_PHASE_FAULT, frame);
	else if (step == DP_STEP_DONE && fires)
		dp_handlers_missed(agent, site, DP_PHASE_AFTER, frame);
	return step == DP_STEP_FAULT ? DP_FIRMWARE : DP_RESUME;
}

/* The last record before a hang must be seen: do not wait for the step. */
static void send_before_step(struct dp_agent *agent, const struct dp_site *site)
{
	if (!all_log_on_fault(agent, site))
		return;
	dp_ring_commit(&DP_THIS_CPU(agent)->ring);
	dp_transmit_records(agent);
}

/* Can dp_agent_fault_away withdraw what the hit has done? Not the end of a probe. */
static bool may_leave(const struct dp_agent *agent, const struct dp_site *site)
{
	return dp_plan_kind(&site->plan) > DP_PLAN_CHAIN && !site->plan.probe->logonfault &&
	       !DP_THIS_CPU(agent)->unsettled;
}

#if DP_WITH_HALT
/* A handler has said `exit 1` or `exit 2`. Meanwhile requests may remove the site, and install
 * another one there. returns: the site with which the hit goes on; null: the original is back, and
 * the context resumes with it. */
static DP_APART struct dp_site *stop_before(struct dp_agent *agent, const struct dp_site *site,
					    struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	dp_addr address = site->address;
	struct dp_site *there;

	dp_step_stop_hit(agent, frame, dp_port_pc(frame));
	there = dp_site_find(agent, address);
	if (there && there->armed)
		return there;
	cpu->unsettled = 0;
	cpu->in_hit = 0;
	return NULL;
}
#else
static inline struct dp_site *stop_before(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	(void)agent, (void)frame;
	return site;
}
#endif

/* The port decides how the instruction is stepped. */
static DP_APART enum dp_taken execute(struct dp_agent *agent, struct dp_site *site,
				      struct dp_frame *frame, bool fires)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	enum dp_step step;

	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		send_before_step(agent, site);
	step = dp_site_step(site, frame, may_leave(agent, site));
	if (step == DP_STEP_FAULT)
		return dp_hit_fail(agent, site, frame);
	if (step == DP_STEP_PENDING)
		cpu->pending = site;
	else if (step == DP_STEP_DONE && fires && dp_site_is_late(site))
		dp_hit_late(agent, site, DP_PHASE_AFTER, frame);
	else
		dp_hit_finish(agent, site);
	return DP_RESUME;
}

/* The hit may have another end than its instruction: the target stops, or the function returns. */
static DP_APART enum dp_taken unsettled_step(struct dp_agent *agent, struct dp_site *site,
					     struct dp_frame *frame, bool fires)
{
	if (dp_halt_asked(agent)) {
		site = stop_before(agent, site, frame);
		if (dp_step_asked(agent))
			return site ? dp_step_hit(agent, site, frame, fires)
				    : dp_step_go(agent, frame);
		if (!site)
			return DP_RESUME;
	}
	if (!dp_hit_returns(agent))
		return execute(agent, site, frame, fires);
	dp_hit_return(agent, site, frame);
	dp_hit_finish(agent, site);
	return DP_RESUME;
}

/* The handlers have run. Inlined with two calls at the end: no stack frame of its own. */
static inline enum dp_taken step(struct dp_agent *agent, struct dp_site *site,
				 struct dp_frame *frame, bool fires)
{
	if (DP_THIS_CPU(agent)->unsettled || dp_hit_returns(agent))
		return unsettled_step(agent, site, frame, fires);
	return execute(agent, site, frame, fires);
}

#if DP_WITH_COUNTS
/* Count in the plan's map. The RPN stack keeps the words as pushes leave them: decisions.txt C03.
 * returns: false: the key has no entry. Then the handler is to run. Inlined: 8 instructions a hit
 * less (Cortex-A9). */
static inline __attribute__((__always_inline__)) bool
count_in_map(struct dp_agent *agent, const struct dp_plan *plan, const struct dp_frame *frame)
{
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS;
	const uint8_t *at = plan->at, *end = at + plan->words;
	dp_word keys[sizeof(plan->at)], *key = keys;

	dp_move_settle(agent);
	while (at != end)
		*--top = *key++ = dp_plan_word(frame, *at++);
	return dp_map_count(agent->program[plan->probe->program].view.maps, plan->map, keys);
}
#endif

#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
static DP_APART bool copy_stack(struct dp_agent *agent, const struct dp_plan *plan,
				struct dp_frame *frame)
{
	if (!DP_PORT_LOAD_STACK(frame))
		return false;
	if (!dp_plan_tests(plan))
		dp_plan_under_words(agent, plan, 0);
	return true;
}
#endif

/* Copy the words of the stack to the frame, if the plan has any. The RPN stack gets what lies under
 * them: the handler's words, or the same handler, come above it. returns: false: they are not
 * readable. The handler is to run. */
static inline bool load_stack(struct dp_agent *agent, const struct dp_plan *plan,
			      struct dp_frame *frame)
{
#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
	return (plan->kind & DP_PLAN_STACK) == 0 || copy_stack(agent, plan, frame);
#else
	(void)agent, (void)plan, (void)frame;
	return true;
#endif
}

/* Do what the test of the plan, or its words, are. Returns false where the handler is to run.
 * *from: the plan whose test has run the begin of the handler, else null. */
static DP_APART bool do_without_handler(struct dp_agent *agent, const struct dp_plan *plan,
					unsigned number, struct dp_frame *frame,
					const struct dp_plan **from)
{
	const unsigned kind = dp_plan_stepped_kind(plan);
	bool logs = kind == DP_PLAN_WORDS;

	*from = NULL;
	if (!load_stack(agent, plan, frame))
		return false;
#if DP_WITH_COUNTS
	if (kind == DP_PLAN_COUNT)
		return count_in_map(agent, plan, frame);
#endif
#if DP_WITH_LANGUAGE
	if (dp_plan_tests(plan)) {
		enum dp_plan_found found = dp_plan_compare(agent, plan, frame);

		if (found == DP_PLAN_ENDS) {
			plan->probe->overruns = 0; /* those in a row count */
			return true;
		}
		if (found == DP_PLAN_GOES_ON)
			*from = plan;
		logs = *from && plan->words > 0;
		if (logs)
			dp_plan_under_words(agent, plan, 1);
	}
	if (kind == DP_PLAN_MEMORY)
		return dp_hit_log_memory(agent, plan, number, frame);
#endif
	return logs && dp_hit_log_words(agent, plan, number, frame);
}

/* The probe of a plan without a way out does its part. number: of the probe. Inlined: 26
 * instructions less for two probes at a place (Cortex-A9). */
static inline __attribute__((__always_inline__)) void
follow_listed(struct dp_agent *agent, const struct dp_site *site, const struct dp_plan *plan,
	      unsigned number, struct dp_frame *frame)
{
	struct dp_probe *probe = plan->probe;
	const struct dp_plan *from;

	probe->ran = probe->state == DP_PROBE_ARMED;
	if (!probe->ran) /* a handler before this one has stopped the program */
		return;
	probe->left.at = DP_THIS_CPU(agent)->ring.head;
	probe->left.sp = DP_PORT_SP(frame);
	if (plan->kind == DP_PLAN_NOTHING || do_without_handler(agent, plan, number, frame, &from))
		dp_handlers_count(agent, probe);
	else
		dp_handlers_run_one(agent, probe, number, site, from, frame);
}

/* Each probe of the list does its part, in order of installation. A handler may drop the plan. */
static DP_APART void follow_list(struct dp_agent *agent, const struct dp_site *site,
				 struct dp_frame *frame)
{
	const uint8_t *at = site->plan.at, *end = at + site->plan.words;

	for (; at != end; at++)
		follow_listed(agent, site, &agent->listed[*at].plan, agent->listed[*at].number,
			      frame);
}

/* Let the only probe handle the hit: the handler runs, unless it only counts. */
static void follow(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	struct dp_probe *probe = site->plan.probe;

	probe->ran = 1;
	if (dp_plan_kind(&site->plan) == DP_PLAN_NOTHING)
		dp_handlers_count(agent, probe);
	else
		dp_handlers_run_one(agent, probe, site->chain, site, NULL, frame);
}

/* The handler has run: the context goes on in the slot, unless the probe ends with this hit. */
static enum dp_taken resume(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	if (DP_THIS_CPU(agent)->unsettled || dp_hit_returns(agent) || !dp_plan_leaves(&site->plan))
		return step(agent, site, frame, true);
	DP_PORT_PC(frame) = site->plan.resume;
	dp_hit_finish(agent, site);
	return DP_RESUME;
}

/* The plan knows the only probe. */
static DP_APART enum dp_taken planned_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	DP_THIS_CPU(agent)->in_hit = 1;
	follow(agent, site, frame);
	return resume(agent, site, frame);
}

/* The plan is a list. */
static DP_APART enum dp_taken listed_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	DP_THIS_CPU(agent)->in_hit = 1;
	follow_list(agent, site, frame);
	return resume(agent, site, frame);
}

/* The hit ends with its instruction: the plan cannot tell where the context resumes, or the probe
 * ends with this hit. */
static DP_APART enum dp_taken unfinished_hit(struct dp_agent *agent, struct dp_site *site,
					     struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	if (site->plan.probe->maxhits == 0)
		cpu->unsettled = 1;
	return step(agent, site, frame, true);
}

/* Run what the test of the plan has left of the handler. */
static DP_APART enum dp_taken rest_of_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame, enum dp_plan_found found)
{
	const struct dp_plan *plan = &site->plan;

	DP_THIS_CPU(agent)->in_hit = 1;
	dp_handlers_run_one(agent, plan->probe, site->chain, site,
			    found == DP_PLAN_GOES_ON ? plan : NULL, frame);
	return resume(agent, site, frame);
}

static DP_APART enum dp_taken hit_in_storm(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	cpu->in_hit = 1;
	dp_hit_serve(agent);
	cpu->in_hit = 0;
	return DP_RESUME;
}

/* The handler has done its work, and the context goes on in the slot. Inlined with counted_hit: 6
 * instructions a hit less (Cortex-A9). */
static inline __attribute__((__always_inline__)) enum dp_taken
leave(struct dp_agent *agent, struct dp_frame *frame, dp_addr resume)
{
	DP_PORT_PC(frame) = resume;
	if (dp_storm_hit(agent))
		return hit_in_storm(agent);
	return DP_RESUME;
}

/* The hit counts, and nothing that it does can be hit: it needs no mark. Inlined with leave: 6
 * instructions a hit less (Cortex-A9). */
static inline __attribute__((__always_inline__)) enum dp_taken
counted_hit(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	if (--site->plan.probe->maxhits == 0)
		return unfinished_hit(agent, site, frame);
	return leave(agent, frame, site->plan.resume);
}

/* The ring has no room for the words in one part: the interpreter logs or counts them. A test has
 * run, and may have read a device. */
static DP_APART enum dp_taken crowded_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	if (dp_plan_tests(&site->plan))
		return rest_of_hit(agent, site, frame, DP_PLAN_GOES_ON);
	return planned_hit(agent, site, frame);
}

/* A hit whose words stand in the ring counts, and does nothing else. A hit that is not over leaves
 * the commit to its end. Inlined: 8 instructions a hit that logs words of memory (Cortex-A9). */
static inline __attribute__((__always_inline__)) enum dp_taken
behind_log(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_probe *probe = site->plan.probe;
	dp_addr resume = site->plan.resume;

	if (DP_CLOCK_CALLS)
		cpu->in_hit = 0;
	probe->left.at = cpu->ring.committed;
	probe->left.sp = DP_PORT_SP(frame);
	if (--probe->maxhits == 0 || resume == 0)
		return unfinished_hit(agent, site, frame);
	dp_ring_commit(&cpu->ring);
	return leave(agent, frame, resume);
}

/* The words are those of the frame. A function of the board that tells the time may be hit
 * meanwhile. Inlined: 27 instructions a hit of two words of the stack (IA32). */
static inline __attribute__((__always_inline__)) enum dp_taken
log_hit(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame)
{
	if (DP_CLOCK_CALLS)
		DP_THIS_CPU(agent)->in_hit = 1;
	if (!dp_hit_log_words(agent, &site->plan, site->chain, frame))
		return crowded_hit(agent, site, frame);
	return behind_log(agent, site, frame);
}

static DP_APART enum dp_taken logged_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	return log_hit(agent, site, frame);
}

#if DP_WITH_LANGUAGE
/* Words of memory are among them. Where one is not readable the interpreter raises the exception.
 */
static DP_APART enum dp_taken loaded_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	if (DP_CLOCK_CALLS)
		DP_THIS_CPU(agent)->in_hit = 1;
	if (!dp_hit_log_memory(agent, &site->plan, site->chain, frame))
		return planned_hit(agent, site, frame);
	return behind_log(agent, site, frame);
}

/* A hit that the test ends counts, and does nothing else. Inlined, so that each test has its
 * function: 15 instructions a hit less (Cortex-A9). stepped: the plan may have no resume address.
 */
static inline __attribute__((__always_inline__)) enum dp_taken
behind_test(struct dp_agent *agent, struct dp_site *site, struct dp_frame *frame,
	    enum dp_plan_found found, bool stepped)
{
	if (found == DP_PLAN_GOES_ON && site->plan.words > 0) {
		dp_plan_under_words(agent, &site->plan, 1);
		return logged_hit(agent, site, frame);
	}
	if (found != DP_PLAN_ENDS)
		return rest_of_hit(agent, site, frame, found);
	site->plan.probe->left.at = DP_THIS_CPU(agent)->ring.head; /* no record to withdraw */
	site->plan.probe->overruns = 0;                            /* those in a row count */
	site->plan.probe->ran = 1; /* as it is: so the byte of both is stored, and not read */
	if (stepped && site->plan.resume == 0) {
		site->plan.probe->maxhits--;
		return unfinished_hit(agent, site, frame);
	}
	return counted_hit(agent, site, frame);
}

static DP_APART enum dp_taken tested_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	return behind_test(agent, site, frame, dp_plan_test(agent, &site->plan, frame), false);
}

/* Also a stepped DP_PLAN_TEST: the two tests find the same. */
static DP_APART enum dp_taken compared_hit(struct dp_agent *agent, struct dp_site *site,
					   struct dp_frame *frame)
{
	return behind_test(agent, site, frame, dp_plan_compare(agent, &site->plan, frame), true);
}
#else
static enum dp_taken compared_hit(struct dp_agent *agent, struct dp_site *site,
				  struct dp_frame *frame)
{
	return planned_hit(agent, site, frame); /* no plan begins with a test */
}

static enum dp_taken loaded_hit(struct dp_agent *agent, struct dp_site *site,
				struct dp_frame *frame)
{
	return planned_hit(agent, site, frame); /* no plan reads memory */
}
#endif

#if DP_RETURNS
/* The handler lets the function return a constant, counts, and does nothing else. The RPN stack
 * keeps the words as pushes leave them: decisions.txt C03. The last hit ends the probe: the
 * interpreter's way. Where probes of phase RETURNED are armed no plan is of this kind. */
static DP_APART enum dp_taken returned_hit(struct dp_agent *agent, struct dp_site *site,
					   struct dp_frame *frame)
{
	const struct dp_plan *plan = &site->plan;
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS;

	if (!DP_PORT_MAY_RETURN(frame) || plan->probe->maxhits == 1)
		return planned_hit(agent, site, frame);
	plan->probe->maxhits--;
	if (plan->words > 0)
		DP_PORT_RESULT(frame, 0) = top[-1] = plan->test.offset;
	if (DP_RETURN_WORDS > 1 && plan->words > 1) {
		DP_PORT_RESULT(frame, 1) = plan->test.offset;
		DP_PORT_RESULT(frame, 0) = top[-2] = plan->test.wanted;
	}
	DP_PORT_RETURN(frame);
	if (dp_storm_hit(agent))
		return hit_in_storm(agent);
	return DP_RESUME;
}
#endif

static DP_APART enum dp_taken stepped_hit(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const unsigned kind = dp_plan_stepped_kind(&site->plan);
	bool fires, planned;

	if (!site->armed) /* another CPU has removed the trap: the slot may go, too */
		return stray(agent, frame);
	if (cpu->in_hit)
		return step_only(agent, site, frame);
	if (dp_halt_is_place(agent, site))
		return dp_halt_at_place(agent, frame);
	cpu->in_hit = 1;
	fires = dp_port_fires(site, frame, false);
	planned = fires && load_stack(agent, &site->plan, frame);
	if (planned && kind == (DP_PLAN_WORDS | DP_PLAN_STEPPED)) {
		site->plan.probe->ran = 1;
		return logged_hit(agent, site, frame);
	}
	if (planned && kind == (DP_PLAN_MEMORY | DP_PLAN_STEPPED)) {
		site->plan.probe->ran = 1;
		return loaded_hit(agent, site, frame);
	}
	if (planned && dp_plan_is_stepped_test(&site->plan)) {
		site->plan.probe->ran = 1;
		return compared_hit(agent, site, frame);
	}
	if (fires && dp_plan_kind(&site->plan) > DP_PLAN_LIST)
		follow(agent, site, frame);
	else if (fires && dp_plan_kind(&site->plan) == DP_PLAN_LIST)
		follow_list(agent, site, frame);
	else if (fires)
		dp_handlers_run(agent, site, DP_PHASE_BEFORE, frame);
	return step(agent, site, frame, fires);
}

#if DP_WITH_D || DP_WITH_TIMERS
void dp_hit_nowhere(struct dp_agent *agent, unsigned number, const struct dp_plan *plan,
		    struct dp_frame *frame)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	struct dp_probe *probe = dp_probe_at(agent, number);
	static const struct dp_site nowhere = {.address = 0};

	cpu->in_hit = 1;
	if (plan && agent->transmit.mode != DP_MODE_SYNCHRONOUS)
		follow_listed(agent, &nowhere, plan, number, frame);
	else
		dp_handlers_run_one(agent, probe, number, &nowhere, NULL, frame);
	dp_ring_commit(&cpu->ring);
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		dp_hit_send(agent);
	if (cpu->unsettled && probe->state == DP_PROBE_ARMED && probe->maxhits == 0)
		dp_governor_used_up(agent, probe);
	cpu->unsettled = 0;
	cpu->in_hit = 0;
}
#endif

#if DP_WITH_COUNTS
static DP_APART enum dp_taken mapped_hit(struct dp_agent *agent, struct dp_site *site,
					 struct dp_frame *frame)
{
	if (!count_in_map(agent, &site->plan, frame))
		return planned_hit(agent, site, frame);
	site->plan.probe->left.at = DP_THIS_CPU(agent)->ring.head; /* no record to withdraw */
	return counted_hit(agent, site, frame);
}
#endif

/* Is all that the hit does to go on in the block that calls C exits? */
static bool is_for_exits(const struct dp_agent *agent, const struct dp_site *site,
			 const struct dp_frame *frame)
{
	return dp_site_has_only_exits(site) && site->armed && !DP_THIS_CPU(agent)->in_hit &&
	       DP_PORT_PLAIN(frame) && !dp_halt_is_place(agent, site);
}

/* The first hit behind a change works the plan out, and is itself the first to follow it. */
static DP_APART enum dp_taken unplanned_hit(struct dp_agent *agent, struct dp_site *site,
					    struct dp_frame *frame)
{
	if (is_for_exits(agent, site, frame))
		return leave(agent, frame, dp_site_body(site));
	if (site->plan.kind == DP_PLAN_NONE && site->armed && !DP_THIS_CPU(agent)->in_hit) {
		dp_move_settle(agent);
		dp_plan_make(agent, site);
		if (dp_plan_leaves(&site->plan) && DP_PORT_PLAIN(frame))
			return site->plan.kind == DP_PLAN_LIST ? listed_hit(agent, site, frame)
							       : planned_hit(agent, site, frame);
	}
	return stepped_hit(agent, site, frame);
}

#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
static DP_APART enum dp_taken other_stack_hit(struct dp_agent *agent, struct dp_site *site,
					      struct dp_frame *frame)
{
	const unsigned kind = site->plan.kind & ~(unsigned)DP_PLAN_STACK;

#if DP_WITH_COUNTS
	if (kind == DP_PLAN_COUNT) {
		dp_plan_under_words(agent, &site->plan, 0);
		return mapped_hit(agent, site, frame);
	}
#endif
	if (kind == DP_PLAN_MEMORY)
		return loaded_hit(agent, site, frame);
	if (kind == DP_PLAN_TEST)
		return tested_hit(agent, site, frame);
	return compared_hit(agent, site, frame);
}

/* Words of the stack are among those of the plan. Where they are not readable the interpreter runs
 * the handler. */
static DP_APART enum dp_taken stack_hit(struct dp_agent *agent, struct dp_site *site,
					struct dp_frame *frame)
{
	if (!DP_PORT_LOAD_STACK(frame))
		return planned_hit(agent, site, frame);
	if (site->plan.kind != (DP_PLAN_WORDS | DP_PLAN_STACK))
		return other_stack_hit(agent, site, frame);
	dp_plan_under_words(agent, &site->plan, 0);
	return log_hit(agent, site, frame);
}
#endif

/* The other kinds: each has one handler. */
static DP_APART enum dp_taken follow_kind(struct dp_agent *agent, struct dp_site *site,
					  struct dp_frame *frame)
{
#if DP_WITH_LANGUAGE
	if (site->plan.kind == DP_PLAN_COMPARE)
		return compared_hit(agent, site, frame);
#endif
#if DP_WITH_COUNTS
	if (site->plan.kind == DP_PLAN_COUNT)
		return mapped_hit(agent, site, frame);
#endif
	if (site->plan.kind == DP_PLAN_LIST)
		return listed_hit(agent, site, frame);
#if DP_WITH_LANGUAGE
	if (site->plan.kind == DP_PLAN_MEMORY)
		return loaded_hit(agent, site, frame);
#endif
#if DP_RETURNS
	if (site->plan.kind == DP_PLAN_RETURN)
		return returned_hit(agent, site, frame);
#endif
	return unplanned_hit(agent, site, frame);
}

/* Each kind of plan has one handler. The cheapest come first, and not by a table: its address alone
 * takes 8 instructions (MIPS, PowerPC). */
static inline enum dp_taken follow_plan(struct dp_agent *agent, struct dp_site *site,
					struct dp_frame *frame)
{
	if (site->plan.kind == DP_PLAN_NOTHING)
		return counted_hit(agent, site, frame);
#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
	if (site->plan.kind >= DP_PLAN_STACK && site->plan.kind < DP_PLAN_STEPPED)
		return stack_hit(agent, site, frame);
#endif
	if (site->plan.kind == DP_PLAN_WORDS)
		return logged_hit(agent, site, frame);
#if DP_WITH_LANGUAGE
	if (site->plan.kind == DP_PLAN_TEST)
		return tested_hit(agent, site, frame);
#endif
	if (site->plan.kind == DP_PLAN_RUN)
		return planned_hit(agent, site, frame);
	return follow_kind(agent, site, frame);
}

/* The common hits need no stack frame here: all calls are the last thing to do. */
static inline enum dp_taken trap(struct dp_agent *agent, struct dp_frame *frame, dp_addr address)
{
	struct dp_site *site;

	if (!agent) /* a trap word of the run before, met before dp_init */
		return DP_NOT_OURS;
	site = dp_site_lookup(agent, address);
	if (!site)
		return stray(agent, frame);
	if (DP_THIS_CPU(agent)->in_hit || !DP_PORT_PLAIN(frame))
		return unplanned_hit(agent, site, frame);
	return follow_plan(agent, site, frame);
}

/* While a comparator is armed, the comparators are off for the time of each hit. */
static DP_APART enum dp_taken trap_unwatched(struct dp_agent *agent, struct dp_frame *frame,
					     dp_addr address)
{
	enum dp_taken taken;

	dp_watches_hold(agent);
	taken = trap(agent, frame, address);
	dp_watches_release(agent);
	return taken;
}

enum dp_taken dp_agent_trap(struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	enum dp_taken taken;

	dp_lock_enter();
	if (dp_watches_armed(agent))
		taken = trap_unwatched(agent, frame, address);
	else
		taken = trap(agent, frame, address);
	dp_lock_leave();
	return taken;
}

#if DP_PORT_COMPARATORS > 0
enum dp_taken dp_agent_watch(struct dp_frame *frame, const struct dp_watched *access)
{
	struct dp_agent *agent = dp_the_agent;
	enum dp_taken taken;
	bool is_trap;

	if (!agent)
		return DP_NOT_OURS;
	dp_lock_enter();
	dp_watches_hold(agent);
	taken = dp_watched_hit(agent, frame, access, &is_trap);
	if (is_trap)
		taken = trap(agent, frame, access->pc);
	dp_watches_release(agent);
	dp_lock_leave();
	return taken;
}
#endif
