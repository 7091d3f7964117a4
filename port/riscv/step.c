/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prepares sites and steps displaced instructions. port/README.md 7 */
#include "dp_scan.h"
#include "riscv_triggers.h"

static struct dp_riscv_plan plan_of(const struct dp_site *site)
{
	if (dp_riscv_bytes(site->original) == 0)
		return (struct dp_riscv_plan){DP_RISCV_REFUSE, DP_REFUSE_UNDEFINED, 0};
	return dp_riscv_decode(site->original, dp_riscv->cpu);
}

static enum dp_err prepare_error(const struct dp_site *site, const struct dp_riscv_plan *plan,
				 enum dp_refusal *why)
{
	*why = DP_REFUSE_NOTHING;
	if (plan->action != DP_RISCV_REFUSE)
		return DP_ERR_OK;
	*why = plan->detail;
	/* ours and GDB's */
	return dp_riscv_is_break(site->original) ? DP_ERR_FOREIGN_BREAK : DP_ERR_NOT_PROBEABLE;
}

/* A copy that jumps out needs a slot of its own. Without 16-bit instructions it may fault there. */
static void take_slot(struct dp_site *site)
{
	if (DP_RISCV_WITH_C && site->port.action == DP_RISCV_EMULATE &&
	    dp_riscv_goes_out(site->original, site->port.detail))
		site->port.action = DP_RISCV_OUT;
	if (site->port.action > DP_RISCV_TWO_TRAP && site->port.action != DP_RISCV_OUT)
		return;
	dp_riscv_slot_take(site);
	if (site->port.action == DP_RISCV_OUT && !(site->port.flags & DP_RISCV_SITE_LEAVES)) {
		dp_port_release(site);
		site->port.action = DP_RISCV_EMULATE;
	}
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	struct dp_riscv_plan plan = plan_of(site);
	enum dp_err error = prepare_error(site, &plan, why);

	if (error != DP_ERR_OK)
		return error;
	error = dp_scan(site, original_at);
	if (error != DP_ERR_OK)
		return error;
	if (dp_riscv_state_is_live(site, original_at))
		return DP_ERR_IN_AGENT;
	if (site->armed)
		return DP_ERR_OK;
	site->port = (struct dp_port_site){
		.action = plan.action, .detail = plan.detail, .slot = DP_SLOT_NONE};
	take_slot(site);
	return DP_ERR_OK;
}

#if DP_RISCV_TRIGGERS > 0
enum dp_err dp_port_prepare_here(struct dp_site *site, const struct dp_frame *frame,
				 dp_original_at original_at)
{
	struct dp_riscv_plan plan;
	uint16_t half[2] = {0, 0};

	(void)frame;
	if (!original_at(site->address, (uint8_t *)&half[0], 2))
		return DP_ERR_NOT_PROBEABLE;
	site->insn_bytes = (uint8_t)dp_riscv_bytes(half[0]);
	if (site->insn_bytes == 4 && !original_at(site->address + 2, (uint8_t *)&half[1], 2))
		return DP_ERR_NOT_PROBEABLE;
	site->original = (uint32_t)half[1] << 16 | half[0];
	plan = plan_of(site);
	if (plan.action == DP_RISCV_REFUSE)
		return DP_ERR_NOT_PROBEABLE;
	site->port.action = plan.action;
	site->port.detail = plan.detail;
	site->port.slot = plan.action <= DP_RISCV_TWO_TRAP ? DP_SLOT_SCRATCH : DP_SLOT_NONE;
	return DP_ERR_OK;
}
#endif

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	return !taken || site->port.action < DP_RISCV_EMULATE ||
	       dp_riscv_taken(site->original, site->port.detail, frame);
}

static struct dp_riscv_pending *pending(void)
{
	return &dp_riscv->pending[dp_this_cpu()];
}

/* With MIE = 0 a CPU may have no triggers either: let those that are on see the accesses of the
 * copy. Debug Specification 5.4 */
static bool masks_mie(const struct dp_site *site, const struct dp_frame *frame)
{
#if DP_RISCV_TRIGGERS > 0
	if (dp_riscv->triggers.armed != 0 && !dp_riscv_is_csr(site->original))
		return true;
#endif
	(void)site;
	return !dp_riscv_in_m_mode(frame);
}

/* Copy, then second trap: nothing may come between. Below M mode MIE masks nothing. Privileged ISA
 * 3.1.6.1 */
static enum dp_step step_two(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_riscv_pending *p = pending();

	p->address = site->address;
	p->entry = dp_riscv_slot_enter_two(site);
	p->mstatus = frame->mstatus;
	p->bytes = site->insn_bytes;
	p->active = 1;
	p->has_mie = masks_mie(site, frame);
	if (p->has_mie) {
		DP_RISCV_GET(p->mie, DP_CSR_MIE);
		DP_RISCV_PUT((dp_word)0, DP_CSR_MIE);
	} else {
		frame->mstatus &= ~(dp_word)DP_STATUS_MPIE;
	}
	frame->pc = p->entry;
	return DP_STEP_PENDING;
}

dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	if (!(site->port.flags & DP_RISCV_SITE_LEAVES) || dp_site_is_late(site) ||
	    (site->port.action == DP_RISCV_MEMORY && !may_leave))
		return 0;
	return dp_riscv_slot_enter(site);
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	const dp_addr slot = dp_port_resume(site, may_leave);

	if (site->port.action == DP_RISCV_NOP) {
		frame->pc += site->insn_bytes;
		return DP_STEP_DONE;
	}
	if (slot != 0) {
		frame->pc = slot;
		return DP_STEP_AWAY;
	}
	if (site->port.action < DP_RISCV_EMULATE)
		return step_two(site, frame);
	switch (dp_riscv_emulate(site, frame)) {
	case DP_RISCV_EMULATED:
		return DP_STEP_DONE;
	case DP_RISCV_FAULTS:
		return DP_STEP_FAULT;
	default:
		return step_two(site, frame);
	}
}

/* Only what the step has changed: a floating point instruction sets FS. */
static void give_back(struct dp_frame *frame)
{
	const dp_word mask = DP_STATUS_MPIE;
	struct dp_riscv_pending *p = pending();

	if (p->has_mie)
		DP_RISCV_PUT(p->mie, DP_CSR_MIE);
	frame->mstatus = (frame->mstatus & ~mask) | (p->mstatus & mask);
	p->active = 0;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->pc = pending()->address + pending()->bytes;
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	(void)site;
	give_back(frame);
	frame->pc = pending()->address;
}
