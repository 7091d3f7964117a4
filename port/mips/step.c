/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prepares sites and steps displaced instructions. port/README.md 7 */
#include "mips_port.h"

/* Out of line: 14 instructions a hit less (24Kc). */
#define DP_RARELY __attribute__((__noinline__, cold))

/* User mode fetches below, and cannot fetch from the slots, which are above. */
#define DP_KSEG0 0x80000000u

static enum dp_err prepare_error(const struct dp_site *site, const struct dp_mips_plan *plan,
				 enum dp_refusal *why)
{
	static const uint32_t debuggers[] = {/* ours, GDB's, Linux's kprobes */
					     DP_MIPS_TRAP, DP_MIPS_TRAP2, 0x0005000d, 0x0000030d,
					     0x0000034d};

	*why = DP_REFUSE_NOTHING;
	if (DP_MIPS_USER_MODE && site->address < DP_KSEG0) {
		*why = DP_REFUSE_USER_MODE;
		return DP_ERR_NOT_PROBEABLE;
	}
	if (plan->action != DP_MIPS_REFUSE)
		return DP_ERR_OK;
	*why = plan->detail;
	for (unsigned i = 0; i < sizeof(debuggers) / sizeof(debuggers[0]); i++)
		if (site->original == debuggers[i])
			return DP_ERR_FOREIGN_BREAK;
	return DP_ERR_NOT_PROBEABLE;
}

/* May the jump itself, with its delay slot, be executed in a slot? jr, without link. */
static bool goes_out(const struct dp_site *site)
{
	return site->port.action == DP_MIPS_JUMP && site->port.detail == DP_MIPS_JR &&
	       !(site->original & 1) &&
	       (site->port.delay_action <= DP_MIPS_MEMORY ||
		site->port.delay_action == DP_MIPS_NOP);
}

/* Is there a copy to execute? */
static bool needs_slot(const struct dp_site *site)
{
	if (site->port.action == DP_MIPS_JUMP)
		return site->port.delay_action != DP_MIPS_NOP ||
		       (site->port.flags & DP_MIPS_SITE_OUT);
	return site->port.action <= DP_MIPS_TWO_TRAP;
}

/* A jump's slot holds the word of its delay slot, whatever becomes of it; nothing, if that does
 * nothing. */
static void take_slot(struct dp_site *site, uint32_t delay)
{
	bool jump = site->port.action == DP_MIPS_JUMP;

	site->port.slot = DP_SLOT_NONE;
	if (goes_out(site))
		site->port.flags |= DP_MIPS_SITE_OUT;
	if (jump && site->port.delay_action == DP_MIPS_NOP)
		delay = 0;
	if (needs_slot(site))
		site->port.slot =
			dp_slots_take(&dp_mips->slots, site, jump ? delay : site->original);
	if (site->port.slot != DP_SLOT_SCRATCH || !(site->port.flags & DP_MIPS_SITE_OUT))
		return;
	site->port.flags ^= DP_MIPS_SITE_OUT;
	if (!needs_slot(site))
		site->port.slot = DP_SLOT_NONE;
}

/* The slot is composed already. */
static void keep_slot(struct dp_site *site, const struct dp_port_site *old)
{
	site->port.slot = old->slot;
	site->port.flags |= old->flags & DP_MIPS_SITE_OUT;
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	struct dp_mips_plan plan = dp_mips_decode(site->original, dp_mips->release);
	enum dp_err error = prepare_error(site, &plan, why);
	struct dp_port_site old = site->port;
	uint32_t delay = 0;

	if (error != DP_ERR_OK)
		return error;
	/* A copy of a no-op is faster than its emulation, which is for delay slots. */
	if (site->original == 0)
		plan.action = DP_MIPS_ONE_TRAP;
	site->port = (struct dp_port_site){.action = plan.action, .detail = plan.detail};
	error = dp_mips_scan(site, original_at, &delay);
	if (!dp_mips_same_region(site->address, (uint32_t)(uintptr_t)dp_mips->slots.start))
		site->port.flags |= DP_MIPS_SITE_FAR;
	if (error == DP_ERR_OK && site->armed)
		keep_slot(site, &old);
	else if (error == DP_ERR_OK)
		take_slot(site, delay);
	/* The slot of last resort has no room for the state of a delay slot. */
	if (error == DP_ERR_OK && plan.action == DP_MIPS_JUMP && site->port.slot == DP_SLOT_SCRATCH)
		error = DP_ERR_NO_SLOT;
	if (error != DP_ERR_OK)
		site->port = old;
	return error;
}

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	return !taken || site->port.action != DP_MIPS_JUMP ||
	       dp_mips_taken(site->original, site->port.detail, frame);
}

static enum dp_step done(struct dp_frame *frame, uint32_t next)
{
	frame->epc = next;
	frame->cause &= 0x7fffffff;
	return DP_STEP_DONE;
}

/* The address where the context continues, and the state that a fault must show. */
struct course {
	uint32_t next;
	uint32_t fault; /* EPC */
	bool delay;     /* in the delay slot of the jump at `fault` */
};

/* Copy, then second trap: nothing may come between. */
static enum dp_step step_two(uint32_t address, struct dp_frame *frame, const struct course *course,
			     uint32_t entry)
{
	struct dp_mips_pending *p = dp_mips_pending();

	p->address = address;
	p->next = course->next;
	p->fault = course->fault;
	p->status = frame->status;
	p->active = 1;
	p->left = 0;
	p->deliver = 0;
	p->entry = entry;
	frame->status &= ~(uint32_t)DP_STATUS_IE;
	frame->epc = p->entry;
	frame->cause &= 0x7fffffff;
	return DP_STEP_PENDING;
}

static enum dp_step perform(const struct dp_site *site, struct dp_frame *frame,
			    const struct course *course, unsigned action, unsigned class,
			    uint32_t insn)
{
	bool simple = action == DP_MIPS_ONE_TRAP && class == DP_MIPS_SIMPLE;
	uint32_t entry;

	if (action == DP_MIPS_NOP)
		return done(frame, course->next);
	if ((action == DP_MIPS_EMULATE || (simple && course->delay)) &&
	    dp_mips_emulate(insn, class, frame))
		return done(frame, course->next);
	if (site->port.slot == DP_SLOT_SCRATCH || (site->port.flags & DP_MIPS_SITE_OUT))
		entry = dp_mips_slot_scratch(site, course->delay, insn);
	else
		entry = dp_mips_slot_enter(site,
					   course->delay ? DP_MIPS_SLOT_JUMP : DP_MIPS_SLOT_INSN);
	return step_two(site->address, frame, course, entry);
}

/* A fault in the delay slot of the jump back has set Cause.BD, which software cannot write: the
 * copy faults once more, with two traps. */
enum dp_taken dp_mips_step_again(struct dp_frame *frame)
{
	uint32_t address = dp_port_slot_origin(frame->epc);
	const uint32_t *words = dp_slots_at(&dp_mips->slots, frame->epc);
	const struct course course = {.next = address + 4, .fault = address};

	step_two(address, frame, &course, (uint32_t)(uintptr_t)&words[DP_MIPS_SLOT_INSN]);
	dp_mips_pending()->left = 1;
	return DP_RESUME;
}

static bool trap_stands_at(uint32_t address)
{
	uint32_t word;

	return dp_mips_peek(address, &word) && word == DP_MIPS_TRAP;
}

/* Coprocessor unusable: the jump itself must fault, from the slot of last resort. */
static enum dp_step step_unusable(const struct dp_site *site, struct dp_frame *frame)
{
	struct course course = {.next = site->address + 4, .fault = site->address};

	return step_two(site->address, frame, &course,
			dp_mips_slot_scratch(site, false, site->original));
}

static enum dp_step step_jump(const struct dp_site *site, struct dp_frame *frame)
{
	struct course course = {.fault = site->address, .delay = true};
	struct dp_mips_way way;

	if (!dp_mips_jump(site->original, site->address, frame, &way))
		return step_unusable(site, frame);
	if (way.nullified)
		return done(frame, way.next);
	/* The probe in the delay slot fires too, as if it were hit behind this jump. Deciding the
	 * jump again gives the same: none reads the register it links. */
	if (trap_stands_at(site->address + 4)) {
		frame->cause |= 0x80000000;
		frame->epc = site->address;
		frame->jump = site->original;
		return DP_STEP_DONE;
	}
	course.next = way.next;
	return perform(site, frame, &course, site->port.delay_action, site->port.delay_detail,
		       site->port.slot == DP_SLOT_NONE ? 0 : dp_mips_slot_insn(site));
}

/* Return the jump before the delay slot that was hit, in its original form; 0: not known. */
static uint32_t jump_of(struct dp_frame *frame)
{
	uint32_t word = frame->jump;

	if (word == 0)
		dp_mips_peek(frame->epc, &word);
	frame->jump = 0;
	return word;
}

/* The slot executes jump and delay slot. A probe in the delay slot would be passed over. */
static DP_RARELY bool leaves_out(const struct dp_site *site, unsigned last)
{
	return (site->port.delay_action <= last || site->port.delay_action == DP_MIPS_NOP) &&
	       !trap_stands_at(site->address + 4);
}

/* Does the slot of the site step any context outside a delay slot? With own_vectors the port does
 * not know whether each fault comes to it. */
static inline bool leaves(const struct dp_site *site, bool may_leave)
{
	unsigned last = may_leave && dp_mips->vector ? DP_MIPS_MEMORY : DP_MIPS_ONE_TRAP;

	if (dp_site_is_late(site))
		return false;
	if (site->port.flags & DP_MIPS_SITE_OUT)
		return leaves_out(site, last);
	return site->port.action <= last && site->port.flags == 0 &&
	       site->port.slot != DP_SLOT_SCRATCH;
}

dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	return leaves(site, may_leave) ? dp_mips_slot_enter(site, DP_MIPS_SLOT_JUMP) : 0;
}

static inline enum dp_step step_one(const struct dp_site *site, struct dp_frame *frame)
{
	frame->epc = dp_mips_slot_enter(site, DP_MIPS_SLOT_JUMP);
	return DP_STEP_AWAY;
}

static DP_RARELY enum dp_step step_otherwise(const struct dp_site *site, struct dp_frame *frame)
{
	struct course course = {.next = site->address + 4, .fault = site->address};
	struct dp_mips_way way;

	if (site->port.action == DP_MIPS_JUMP)
		return step_jump(site, frame);
	if (dp_mips_in_delay_slot(frame)) {
		/* The jump has got a probe of its own since: begin again there. */
		if (!dp_mips_jump(jump_of(frame), frame->epc, frame, &way))
			return done(frame, frame->epc);
		course.next = way.next;
		course.fault = frame->epc;
		course.delay = true;
	}
	return perform(site, frame, &course, site->port.action, site->port.detail, site->original);
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	if (leaves(site, may_leave) && !dp_mips_in_delay_slot(frame))
		return step_one(site, frame);
	return step_otherwise(site, frame);
}

static void give_back(struct dp_frame *frame)
{
	struct dp_mips_pending *p = dp_mips_pending();

	frame->status = (frame->status & ~(uint32_t)DP_STATUS_IE) | (p->status & DP_STATUS_IE);
	p->active = 0;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	done(frame, dp_mips_pending()->next);
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->epc = dp_mips_pending()->fault;
}
