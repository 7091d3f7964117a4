/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prepares sites and steps displaced instructions. port/README.md 7 */
#include "dp_scan.h"
#include "dp_watch.h"
#include "ia32_port.h"

static bool is_break(const struct dp_site *site)
{
	return site->original_bytes[0] == DP_IA32_TRAP;
}

/* A copy of it goes to the return address. Behind it there is no second trap: emulated, where one
 * is needed. */
static bool is_return(const struct dp_ia32_insn *insn)
{
	return insn->action == DP_IA32_EMULATE && insn->detail == DP_IA32_RET;
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	const struct dp_ia32_insn insn = dp_ia32_decode(site->original_bytes, DP_IA32_INSN_MAX);
	enum dp_err error;

	*why = DP_REFUSE_NOTHING;
	if (insn.action == DP_IA32_REFUSE) {
		*why = insn.detail;
		return is_break(site) ? DP_ERR_FOREIGN_BREAK : DP_ERR_NOT_PROBEABLE;
	}
	error = dp_scan(site, original_at);
	if (error != DP_ERR_OK || site->armed)
		return error;
	site->port = (struct dp_port_site){
		.action = insn.action, .detail = insn.detail, .slot = DP_SLOT_NONE};
	if (insn.action <= DP_IA32_MEMORY || is_return(&insn))
		dp_ia32_slot_take(site);
	return DP_ERR_OK;
}

#if DP_IA32_WITH_WATCH
/* Byte by byte: the instruction may end at the end of memory. */
enum dp_err dp_port_prepare_here(struct dp_site *site, const struct dp_frame *frame,
				 dp_original_at original_at)
{
	struct dp_ia32_insn insn = {.cut = true};

	(void)frame;
	for (unsigned there = 0; insn.cut && there < DP_IA32_INSN_MAX;) {
		if (!original_at(site->address + there, &site->original_bytes[there], 1))
			return DP_ERR_NOT_PROBEABLE;
		there++;
		insn = dp_ia32_decode(site->original_bytes, there);
	}
	if (insn.bytes == 0 || insn.action == DP_IA32_REFUSE)
		return DP_ERR_NOT_PROBEABLE;
	site->insn_bytes = insn.bytes;
	site->port = (struct dp_port_site){.action = insn.action,
					   .detail = insn.detail,
					   .slot = insn.action <= DP_IA32_MEMORY ? DP_SLOT_SCRATCH
										 : DP_SLOT_NONE};
	return DP_ERR_OK;
}
#endif

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	return !taken || site->port.action < DP_IA32_EMULATE || dp_ia32_taken(site, frame);
}

static struct dp_ia32_pending *pending(void)
{
	return &dp_ia32->pending[dp_this_cpu()];
}

/* Copy, then second trap: nothing may come between. */
static enum dp_step go_pending(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_ia32_pending *p = pending();

	p->address = site->address;
	p->behind = site->insn_bytes;
	p->active = 1;
	p->had_if = (frame->eflags & DP_FLAG_IF) != 0;
	frame->eflags &= ~(uint32_t)DP_FLAG_IF;
	frame->eip = p->entry;
	return DP_STEP_PENDING;
}

static enum dp_step step_two(const struct dp_site *site, struct dp_frame *frame)
{
	pending()->entry = dp_ia32_slot_enter_two(site);
	pending()->bytes = site->insn_bytes;
	return go_pending(site, frame);
}

dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	if (!site->port.leaves || dp_site_is_late(site) ||
	    (site->port.action != DP_IA32_ONE_TRAP && !may_leave))
		return 0;
	return dp_ia32_slot_enter(site);
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	const dp_addr slot = dp_port_resume(site, may_leave);

	if (slot != 0) {
		frame->eip = slot;
		return DP_STEP_AWAY;
	}
	if (site->port.action < DP_IA32_EMULATE)
		return step_two(site, frame);
	if ((frame->cs & 3) && dp_ia32_begin_access(site, frame))
		return go_pending(site, frame);
	return dp_ia32_emulate(site, frame) ? DP_STEP_DONE : DP_STEP_FAULT;
}

static void give_back(struct dp_frame *frame)
{
	struct dp_ia32_pending *p = pending();

	if (p->had_if)
		frame->eflags |= DP_FLAG_IF;
	p->active = 0;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->eip = pending()->address + pending()->behind;
	dp_ia32_end_access(frame);
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->eip = pending()->address;
	pending()->access = DP_IA32_NO_ACCESS;
}
