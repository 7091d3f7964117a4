/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prepares sites and steps displaced instructions. port/README.md 7 */
#include "cortexm_data.h"
#include "dp_scan.h"
#include "dp_watch.h"
#include "thumb/it_state.h"

#define DP_OPERAND_RN (15u << 16)
_Static_assert(DP_XPSR_IT == DP_THUMB_IT, "one ITSTATE");
enum {
	DP_HANDLER_NMI = 2, /* its number in the vector table; HardFault follows */
	DP_HANDLER_ENTRY_BYTES = 64
};

static enum dp_err prepare_error(const struct dp_site *site, const struct dp_arm_plan *plan,
				 enum dp_refusal *why)
{
	static const uint32_t debuggers[] = {/* ours, GDB's and Linux's, those through JTAG */
					     DP_ARM_TRAP_THUMB, DP_ARM_TRAP2_THUMB,
					     DP_ARM_TRAP_THUMB32, 0xde01, 0xbe00};

	if (plan->action != DP_ARM_REFUSE)
		return DP_ERR_OK;
	*why = plan->detail;
	if (plan->detail == DP_REFUSE_BREAKPOINT)
		for (unsigned i = 0; i < sizeof(debuggers) / sizeof(debuggers[0]); i++)
			if (site->original == debuggers[i])
				return DP_ERR_FOREIGN_BREAK;
	return DP_ERR_NOT_PROBEABLE;
}

/* vldr with a literal uses no other core register, so r0 is free. */
uint32_t dp_cortexm_slot_insn(const struct dp_site *site)
{
	return site->port.action == DP_ARM_REWRITE ? site->original & ~DP_OPERAND_RN
						   : site->original;
}

/* The first instructions of the handlers of NMI and HardFault: a trap there is a lockup. The
 * board's ranges name what these handlers call. */
static bool in_urgent_handler(const struct dp_site *site)
{
	const uint32_t *vectors = dp_cortexm->vectors;

	if (vectors == NULL)
		return false;
	return site->address - (vectors[DP_HANDLER_NMI] & ~1u) < DP_HANDLER_ENTRY_BYTES ||
	       site->address - (dp_cortexm->handlers[0] & ~1u) < DP_HANDLER_ENTRY_BYTES;
}

/* Take a slot for the plan, if the plan has one. A copy that jumps out needs a slot of its own. */
static void take_slot(struct dp_site *site)
{
	if (site->port.action == DP_ARM_EMULATE)
		site->port.action = (uint8_t)dp_thumb_out(site->original, site->port.detail);
	if (site->port.action > DP_ARM_REWRITE && !dp_cortexm_jumps_out(site))
		return;
	site->port.slot = dp_slots_take(&dp_cortexm->slots, site, dp_cortexm_slot_insn(site));
	if (dp_cortexm_jumps_out(site) && site->port.slot == DP_SLOT_SCRATCH) {
		site->port.slot = DP_SLOT_NONE;
		site->port.action = DP_ARM_EMULATE;
	}
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	struct dp_arm_plan plan =
		dp_cortexm_decode(site->original, site->insn_bytes, DP_CORTEXM_ARCHITECTURE);
	enum dp_err error;

	*why = DP_REFUSE_NOTHING;
	error = prepare_error(site, &plan, why);
	if (error == DP_ERR_OK && in_urgent_handler(site))
		error = DP_ERR_IN_AGENT;
	if (error == DP_ERR_OK)
		error = dp_scan(site, original_at);
	if (error != DP_ERR_OK || site->armed)
		return error;
	site->port.action = plan.action;
	site->port.detail = plan.detail;
	site->port.slot = DP_SLOT_NONE;
	site->port.condition = dp_thumb_condition_of(site->original, plan.action, plan.detail);
	take_slot(site);
	return DP_ERR_OK;
}

#if DP_PORT_COMPARATORS > 0
/* Read the instruction. One that has stopped the CPU in place is no trap; in a slot it may be
 * another one than the original. */
static bool read_here(struct dp_site *site, const struct dp_frame *frame,
		      dp_original_at original_at)
{
	const uint16_t *place = (const uint16_t *)(uintptr_t)site->address;
	bool in_place = frame->r[DP_ARM_PC] == site->address;

	for (unsigned n = 0; n == 0 || 2 * n < site->insn_bytes; n++) {
		union {
			uint8_t byte[2];
			uint16_t half;
		} code = {{0}};

		if (in_place)
			code.half = place[n];
		else if (!original_at(site->address + 2 * n, code.byte, 2))
			return false;
		if (n == 0)
			site->insn_bytes = (uint8_t)dp_thumb_bytes(code.half);
		site->original = site->original << 16 | code.half;
	}
	return true;
}

/* The same few instructions come again and again: their plans are kept. */
static const struct dp_cortexm_plan *plan_here(const struct dp_site *site)
{
	struct dp_cortexm_plan *kept = &dp_cortexm->kept[site->address / 2 % DP_CORTEXM_PLANS_KEPT];
	struct dp_arm_plan plan;

	if (kept->insn != site->original || kept->bytes != site->insn_bytes) {
		plan = dp_cortexm_decode(site->original, site->insn_bytes, DP_CORTEXM_ARCHITECTURE);
		kept->insn = site->original;
		kept->bytes = site->insn_bytes;
		kept->action = plan.action;
		kept->detail = plan.detail;
	}
	return kept;
}

enum dp_err dp_port_prepare_here(struct dp_site *site, const struct dp_frame *frame,
				 dp_original_at original_at)
{
	const struct dp_cortexm_plan *plan;

	site->isa = DP_ISA_THUMB;
	site->original = 0;
	if (!read_here(site, frame, original_at))
		return DP_ERR_NOT_PROBEABLE;
	plan = plan_here(site);
	if (plan->action == DP_ARM_REFUSE)
		return DP_ERR_NOT_PROBEABLE;
	site->port.action = plan->action;
	site->port.detail = plan->detail;
	site->port.condition = dp_thumb_condition_of(site->original, plan->action, plan->detail);
	site->port.slot = plan->action <= DP_ARM_REWRITE ? DP_SLOT_SCRATCH : DP_SLOT_NONE;
	return DP_ERR_OK;
}
#endif

/* In an IT block the condition is the block's; outside of one only branches have any. */
static bool condition_holds(const struct dp_site *site, const struct dp_frame *frame)
{
	uint32_t it = dp_thumb_it(frame->xpsr);

	if (it & 15)
		return dp_arm_condition(it >> 4, frame->xpsr);
	return dp_arm_condition(site->port.condition & 15, frame->xpsr);
}

static bool executes(const struct dp_site *site, const struct dp_frame *frame)
{
	return (site->port.condition >= 14 && !(frame->xpsr & DP_XPSR_IT)) ||
	       condition_holds(site, frame);
}

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	if (site->port.condition < 0 && !taken)
		return true;
	if (site->port.condition == DP_ARM_CBZ)
		return dp_thumb_cbz_taken(site->original, frame);
	return executes(site, frame);
}

static enum dp_step step_over(const struct dp_site *site, struct dp_frame *frame)
{
	frame->r[DP_ARM_PC] = site->address + site->insn_bytes;
	if (frame->xpsr & DP_XPSR_IT)
		dp_thumb_advance_it(frame);
	return DP_STEP_DONE;
}

/* Copy, then second trap: nothing may come between, and ITSTATE must let the trap happen. r0: what
 * the copy is to find in r0, if rewritten. */
static enum dp_step enter_two(const struct dp_site *site, struct dp_frame *frame,
			      const uint32_t *slot, unsigned copy_bytes)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	uint32_t entry = (uint32_t)(uintptr_t)&slot[DP_CORTEXM_SLOT_INSN2];

	p->address = site->address;
	p->xpsr = frame->xpsr;
	p->primask = (uint8_t)frame->primask;
	p->trap2 = entry + copy_bytes;
	p->active = DP_CORTEXM_STEP;
#if DP_CORTEXM_HAS_FAULTS
	p->cfsr = DP_SCS(CFSR) & ~(uint32_t)DP_CFSR_UNDEF; /* that one is the trap's */
#endif
	frame->primask = 1;
	dp_thumb_let_it_execute(frame);
	frame->r[DP_ARM_PC] = entry;
	return DP_STEP_PENDING;
}

static void rewrite(struct dp_frame *frame, uint32_t r0)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();

	p->rewritten = 1;
	p->r0 = frame->r[0];
	frame->r[0] = r0;
}

static enum dp_step step_two(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();

	p->again = 0;
	p->rewritten = 0;
	dp_cortexm_note_access(site->original, site->insn_bytes, frame);
	if (site->port.action == DP_ARM_REWRITE)
		rewrite(frame, (site->address + 4) & ~3u);
	return enter_two(site, frame, dp_cortexm_slot_words(site), site->insn_bytes);
}

/* An emulated access has failed. The CPU reports the fault better than software can: the access is
 * made once more, in the context. */
static enum dp_step step_failed(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	uint32_t insn = 0x6800; /* ldr r0, [r0] */

	if (p->fault_width == 1)
		insn = 0x7800; /* ldrb r0, [r0] */
	else if (p->fault_width == 2)
		insn = 0x8800; /* ldrh r0, [r0] */
	else if (p->fault_width != 4)
		insn = 0xc801; /* ldmia r0, {r0} */
	p->again = 1;
	rewrite(frame, p->fault_at);
	dp_cortexm_note_access(insn, 2, frame);
	return enter_two(site, frame, dp_cortexm_slot_with(site, insn), 2);
}

/* In the slot, without a second trap. */
static bool may_fault(const struct dp_site *site)
{
	return site->port.action == DP_ARM_MEMORY || site->port.action == DP_ARM_OUT_MEMORY;
}

/* With own_vectors the port does not know whether each fault comes to it. */
static bool leaves(const struct dp_site *site, bool may_leave)
{
	return site->port.action == DP_ARM_ONE_TRAP || site->port.action == DP_ARM_OUT ||
	       (may_fault(site) && may_leave && dp_cortexm->vectors != NULL);
}

/* Where the site's slot is entered so that it jumps back, or out; 0: it cannot. A copy that returns
 * from an exception does so in the context. */
static uint32_t one_trap_entry(const struct dp_site *site, bool may_leave)
{
	const uint32_t *words = dp_slots_words(&dp_cortexm->slots, site->port.slot);

	if (!leaves(site, may_leave) || dp_site_is_late(site) || site->port.slot == DP_SLOT_SCRATCH)
		return 0;
	/* The second half holds a 16-bit copy. */
	return (uint32_t)(uintptr_t)&words[DP_CORTEXM_SLOT_INSN] + 4u - site->insn_bytes;
}

dp_addr dp_port_resume(const struct dp_site *site, bool may_leave)
{
	return site->port.condition >= 14 ? one_trap_entry(site, may_leave) : 0;
}

/* The jump back runs with ITSTATE 0: right outside IT blocks and for their last instruction. The
 * copy runs with another ITSTATE than the original, which a fault would show. */
static bool step_one(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	uint32_t entry = one_trap_entry(site, may_leave);

	if (entry == 0 || (dp_thumb_it(frame->xpsr) & 7) != 0 ||
	    (may_fault(site) && (frame->xpsr & DP_XPSR_IT)))
		return false;
	dp_thumb_let_it_execute(frame);
	frame->r[DP_ARM_PC] = entry;
	return true;
}

enum dp_step dp_port_step(const struct dp_site *site, struct dp_frame *frame, bool may_leave)
{
	unsigned action = site->port.action;

	if (!executes(site, frame) || action == DP_ARM_NOP)
		return step_over(site, frame);
	if (step_one(site, frame, may_leave))
		return DP_STEP_AWAY;
	if (action < DP_ARM_EMULATE)
		return step_two(site, frame);
	return dp_cortexm_emulate(site, frame) ? DP_STEP_DONE : step_failed(site, frame);
}

static void give_back(struct dp_frame *frame)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();

	frame->xpsr = (frame->xpsr & ~(uint32_t)DP_XPSR_IT) | (p->xpsr & DP_XPSR_IT);
	frame->primask = p->primask;
	if (p->rewritten)
		frame->r[0] = p->r0;
	p->active = DP_CORTEXM_NO_STEP;
}

/* An access that has failed, and not the second time: the instruction is tried again. */
void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	give_back(frame);
	if (dp_cortexm_pending()->again)
		frame->r[DP_ARM_PC] = site->address;
	else
		step_over(site, frame);
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	give_back(frame);
	frame->r[DP_ARM_PC] = site->address;
}
