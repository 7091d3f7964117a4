/* SPDX-License-Identifier: BSD-2-Clause */
/* Preparing sites and stepping displaced instructions.  spec/stepping.md 1.4 */
#include "arm_port.h"
#include "arm_scan.h"

#define IT_ALWAYS_LAST 0xe8u /* one more instruction, condition AL: rule 6 */
#define COPROCESSOR_RN (15u << 16)

static enum dp_err prepare_error(const struct dp_site *site, const struct dp_arm_plan *plan,
				 enum dp_refusal *why)
{
	static const uint32_t debuggers[] = {/* ours, GDB's and Linux's, those through JTAG */
					     DP_ARM_TRAP, DP_ARM_TRAP2,        0xe7ffdefeu,
					     0xe7f001f0u, DP_ARM_TRAP_THUMB,   DP_ARM_TRAP2_THUMB,
					     0xde01,      DP_ARM_TRAP_THUMB32, 0xe1200070u,
					     0xbe00};

	*why = DP_REFUSE_NOTHING;
	if (plan->action != DP_ARM_REFUSE)
		return DP_ERR_OK;
	*why = plan->detail;
	if (plan->detail == DP_REFUSE_BREAKPOINT)
		for (unsigned i = 0; i < sizeof(debuggers) / sizeof(debuggers[0]); i++)
			if (site->original == debuggers[i])
				return DP_ERR_FOREIGN_BREAK;
	return DP_ERR_NOT_PROBEABLE;
}

/* The base register of a coprocessor load is in the same place in both instruction sets. It uses
 * no other core register, so r0 is free. */
uint32_t dp_arm_slot_insn(const struct dp_site *site)
{
	return site->port.action == DP_ARM_REWRITE ? site->original & ~COPROCESSOR_RN
						   : site->original;
}

enum dp_err dp_port_prepare(struct dp_site *site, unsigned phases, dp_original_at original_at,
			    enum dp_refusal *why)
{
	struct dp_arm_plan plan = dp_arm_decode(site->original, site->isa == DP_ISA_THUMB,
						site->insn_bytes, DP_ARM_ARCHITECTURE);
	enum dp_err error = prepare_error(site, &plan, why);

	if (error == DP_ERR_OK)
		error = dp_arm_scan(site, original_at);
	if (error != DP_ERR_OK)
		return error;
	if (!site->armed)
		site->port.watch = 0;
	site->port.watch |= (phases & ~(1u << DP_PHASE_BEFORE)) != 0;
	if (site->armed)
		return DP_ERR_OK;
	site->port.action = plan.action;
	site->port.detail = plan.detail;
	site->port.slot = DP_ARM_NO_SLOT;
	if (plan.action <= DP_ARM_REWRITE)
		site->port.slot = dp_arm_slot_take(site, dp_arm_slot_insn(site));
	return DP_ERR_OK;
}

/* DDI 0406C A8.3.1 */
bool dp_arm_condition(unsigned condition, uint32_t cpsr)
{
	bool n = cpsr >> 31 & 1, z = cpsr >> 30 & 1, c = cpsr >> 29 & 1, v = cpsr >> 28 & 1;
	bool result = true;

	switch (condition >> 1) {
	case 0:
		result = z;
		break;
	case 1:
		result = c;
		break;
	case 2:
		result = n;
		break;
	case 3:
		result = v;
		break;
	case 4:
		result = c && !z;
		break;
	case 5:
		result = n == v;
		break;
	case 6:
		result = n == v && !z;
		break;
	default:
		return true; /* AL, and the unconditional space */
	}
	return result != (condition & 1);
}

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame)
{
	uint32_t it;

	if (site->isa != DP_ISA_THUMB)
		return dp_arm_condition(site->original >> 28, frame->cpsr);
	it = dp_arm_it(frame->cpsr);
	if (it & 15)
		return dp_arm_condition(it >> 4, frame->cpsr);
	if (site->port.action != DP_ARM_EMULATE)
		return true;
	if (site->port.detail == DP_ARM_T_BCOND)
		return dp_arm_condition(site->original >> 8 & 15, frame->cpsr);
	if (site->port.detail == DP_ARM_W_BCOND)
		return dp_arm_condition(site->original >> 22 & 15, frame->cpsr);
	return true;
}

static struct dp_arm_pending *pending(void)
{
	return &dp_arm->pending[dp_port_cpu_number()];
}

static enum dp_step step_over(const struct dp_site *site, struct dp_frame *frame)
{
	frame->r[DP_ARM_PC] = site->address + site->insn_bytes;
	frame->cpsr = dp_arm_with_it(frame->cpsr, dp_arm_it_next(dp_arm_it(frame->cpsr)));
	return DP_STEP_DONE;
}

/* Copy, then second trap: nothing may come between, and ITSTATE must let the trap happen. */
static enum dp_step step_two(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_arm_pending *p = pending();

	p->address = site->address;
	p->insn_bytes = site->insn_bytes;
	p->cpsr = frame->cpsr;
	p->rewritten = site->port.action == DP_ARM_REWRITE;
	p->active = 1;
	if (p->rewritten) {
		p->r0 = frame->r[0];
		frame->r[0] =
			site->isa == DP_ISA_THUMB ? (site->address + 4) & ~3u : site->address + 8;
	}
	frame->cpsr |= DP_PSR_I | DP_PSR_F;
	if (dp_arm_it(frame->cpsr) & 15)
		frame->cpsr = dp_arm_with_it(frame->cpsr, IT_ALWAYS_LAST);
	frame->r[DP_ARM_PC] = dp_arm_slot_enter(site, true) & ~1u;
	return DP_STEP_PENDING;
}

/* The jump back runs with ITSTATE 0: right outside IT blocks and for their last instruction. */
static bool needs_two(const struct dp_site *site, const struct dp_frame *frame)
{
	if (site->port.action != DP_ARM_ONE_TRAP || site->port.watch ||
	    site->port.slot == DP_ARM_SCRATCH)
		return true;
	if (site->isa != DP_ISA_THUMB)
		return false;
	return DP_ARM_ARCHITECTURE < 7 || (dp_arm_it(frame->cpsr) & 7) != 0;
}

static enum dp_step step_one(const struct dp_site *site, struct dp_frame *frame)
{
	if (dp_arm_it(frame->cpsr) & 15)
		frame->cpsr = dp_arm_with_it(frame->cpsr, IT_ALWAYS_LAST);
	frame->r[DP_ARM_PC] = dp_arm_slot_enter(site, false) & ~1u;
	return DP_STEP_AWAY;
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame)
{
	if (site->port.action == DP_ARM_NOP || !dp_port_fires(site, frame))
		return step_over(site, frame);
	if (site->port.action == DP_ARM_EMULATE) {
		if (dp_arm_emulate(site, frame))
			return DP_STEP_DONE;
		frame->class = DP_CLASS_DATA;
		return DP_STEP_FAULT;
	}
	return needs_two(site, frame) ? step_two(site, frame) : step_one(site, frame);
}

static void give_back(struct dp_frame *frame, uint32_t it)
{
	struct dp_arm_pending *p = pending();

	frame->cpsr = (frame->cpsr & ~(uint32_t)(DP_PSR_I | DP_PSR_F)) |
		      (p->cpsr & (DP_PSR_I | DP_PSR_F));
	frame->cpsr = dp_arm_with_it(frame->cpsr, it);
	if (p->rewritten)
		frame->r[0] = p->r0;
	p->active = 0;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	give_back(frame, dp_arm_it_next(dp_arm_it(pending()->cpsr)));
	frame->r[DP_ARM_PC] = site->address + site->insn_bytes;
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	give_back(frame, dp_arm_it(pending()->cpsr));
	frame->r[DP_ARM_PC] = site->address;
}
