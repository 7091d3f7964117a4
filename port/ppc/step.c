/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prepares sites and steps displaced instructions. port/README.md 7 */
#include "dp_scan.h"
#include "ppc_port.h"

static enum dp_err prepare_error(const struct dp_site *site, const struct dp_ppc_plan *plan,
				 enum dp_refusal *why)
{
	static const uint32_t debuggers[] = {/* ours, GDB's */
					     DP_PPC_TRAP_WORD, DP_PPC_TRAP2_WORD, 0x7d821008u};

	*why = DP_REFUSE_NOTHING;
	for (unsigned i = 0; i < sizeof(debuggers) / sizeof(debuggers[0]); i++)
		if (site->original == debuggers[i]) {
			*why = DP_REFUSE_BREAKPOINT;
			return DP_ERR_FOREIGN_BREAK;
		}
	if (plan->action != DP_PPC_REFUSE)
		return DP_ERR_OK;
	*why = plan->detail;
	return DP_ERR_NOT_PROBEABLE;
}

/* A copy that branches out needs a slot of its own, and the branch back if it has a condition. */
static void take_slot(struct dp_site *site)
{
	if (site->port.action == DP_PPC_EMULATE &&
	    dp_ppc_goes_out(site->original, site->port.detail))
		site->port.action = DP_PPC_OUT;
	if (site->port.action > DP_PPC_TWO_TRAP && site->port.action != DP_PPC_OUT)
		return;
	dp_ppc_slot_take(site);
	if (site->port.action == DP_PPC_OUT && !(site->port.flags & DP_PPC_SITE_LEAVES)) {
		dp_port_release(site);
		site->port.action = DP_PPC_EMULATE;
	}
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	struct dp_ppc_plan plan = dp_ppc_decode(site->original, DP_PPC_SPRG);
	enum dp_err error = prepare_error(site, &plan, why);

	if (error != DP_ERR_OK)
		return error;
	error = dp_scan(site, original_at);
	if (error != DP_ERR_OK)
		return error;
	if (site->armed)
		return DP_ERR_OK;
	site->port = (struct dp_port_site){
		.action = plan.action, .detail = plan.detail, .slot = DP_SLOT_NONE};
	take_slot(site);
	return DP_ERR_OK;
}

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	return !taken || site->port.action < DP_PPC_EMULATE ||
	       dp_ppc_taken(site->original, site->port.detail, frame);
}

static struct dp_ppc_pending *pending(void)
{
	return &dp_ppc->pending[dp_this_cpu()];
}

/* Copy, then second trap: nothing may come between. */
static enum dp_step step_two(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_ppc_pending *p = pending();

	p->address = site->address;
	p->entry = dp_ppc_slot_enter_two(site);
	p->msr = frame->msr;
	p->active = 1;
	frame->msr &= ~(uint32_t)DP_MSR_MASK;
	frame->pc = p->entry;
	return DP_STEP_PENDING;
}

dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	if (!(site->port.flags & DP_PPC_SITE_LEAVES) || dp_site_is_late(site) ||
	    (site->port.action == DP_PPC_MEMORY && !may_leave))
		return 0;
	return dp_ppc_slot_enter(site);
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	dp_addr slot;

	switch (site->port.action) {
	case DP_PPC_NOP:
		frame->pc += 4;
		return DP_STEP_DONE;
	case DP_PPC_EMULATE:
		break;
	default:
		slot = dp_port_resume(site, may_leave);
		if (slot == 0)
			break;
		frame->pc = slot;
		return DP_STEP_AWAY;
	}
	if (site->port.action >= DP_PPC_EMULATE &&
	    dp_ppc_emulate(site->original, site->port.detail, frame))
		return DP_STEP_DONE;
	return step_two(site, frame);
}

static void give_back(struct dp_frame *frame)
{
	struct dp_ppc_pending *p = pending();
	uint32_t mask = DP_MSR_MASK;

#if DP_PPC_BOOKE
	/* The firmware's own traps set CE there too. */
	if (dp_ppc->board->quirks & DP_QUIRK_TRAP_SETS_CE)
		mask &= ~(uint32_t)DP_MSR_CE;
#endif
	frame->msr = (frame->msr & ~mask) | (p->msr & mask);
	p->active = 0;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->pc = pending()->address + 4;
}

/* The CPU reports some floating point exceptions at the next instruction. */
void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->pc = pending()->address + (frame->pc - pending()->entry);
}
