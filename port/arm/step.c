/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prepares sites and steps displaced instructions. port/README.md 7 */
#include "arm_port.h"
#include "dp_scan.h"
#include "dp_watch.h"
#include "thumb/it_state.h"

#define DP_OPERAND_RN    (15u << 16)
#define DP_COPROCESSOR   0x0c000000u /* the bits that tell coprocessor instructions from msr */
#define DP_MSR_R0        0x0120f000u /* msr cpsr_, r0 without condition and fields */
#define DP_MSR_KEPT      0xf00f0000u /* condition and fields */
#define DP_MSR_IMMEDIATE 0x02000000u
_Static_assert(DP_PSR_IT == DP_THUMB_IT, "one ITSTATE");
enum {
	DP_HANDLER_ENTRY_BYTES = 64
};

static enum dp_err prepare_error(const struct dp_site *site, const struct dp_arm_plan *plan,
				 enum dp_refusal *why)
{
	static const uint32_t debuggers[] = { /* ours, GDB's and Linux's, those through JTAG */
#if DP_ARM_WITH_A32
					      DP_ARM_TRAP,
					      DP_ARM_TRAP2,
					      0xe7ffdefeu,
					      0xe7f001f0u,
					      0xe1200070u,
#endif
#if DP_ARM_WITH_THUMB
					      DP_ARM_TRAP_THUMB,
					      DP_ARM_TRAP2_THUMB,
					      DP_ARM_TRAP_THUMB32,
					      0xde01,
					      0xbe00
#endif
	};

	if (plan->action != DP_ARM_REFUSE)
		return DP_ERR_OK;
	*why = plan->detail;
	if (plan->detail == DP_REFUSE_BREAKPOINT)
		for (unsigned i = 0; i < sizeof(debuggers) / sizeof(debuggers[0]); i++)
			if (site->original == debuggers[i])
				return DP_ERR_FOREIGN_BREAK;
	return DP_ERR_NOT_PROBEABLE;
}

/* msr of the control fields: a write of the mode, the masks or the byte order. */
static bool writes_control(const struct dp_site *site)
{
	return DP_ARM_WITH_RARE && (site->original & DP_COPROCESSOR) == 0;
}

/* The operand register of a coprocessor load, and of Thumb's msr, is in the same place. Neither
 * uses another core register, so r0 is free. */
uint32_t dp_arm_slot_insn(const struct dp_site *site)
{
	if (site->port.action != DP_ARM_REWRITE)
		return site->original;
	if (writes_control(site) && !dp_arm_is_thumb(site))
		return (site->original & DP_MSR_KEPT) | DP_MSR_R0;
	return site->original & ~DP_OPERAND_RN;
}

/* The condition of the instruction by itself: thumb/it_state.h. */
static int8_t condition_of(const struct dp_site *site, const struct dp_arm_plan *plan)
{
	int condition = (int)(site->original >> 28);

	if (dp_arm_is_thumb(site))
		return dp_thumb_condition_of(site->original, plan->action, plan->detail);
	if (dp_arm_is_conditional_branch(site->original))
		condition |= DP_ARM_CHOICE;
	return (int8_t)condition;
}

/* The first instructions of the firmware's handler for undefined instructions. A trap there
 * overwrites lr and SPSR of the exception. Later instructions are safe: the handler has saved
 * both, or has switched modes. */
static bool in_undefined_handler(const struct dp_site *site)
{
	const struct dp_arm_vector *v = dp_arm->vector;

	return v != NULL &&
	       site->address - (v[DP_CLASS_UNDEFINED - 1].handler & ~1u) < DP_HANDLER_ENTRY_BYTES;
}

/* Take a slot for the plan, if the plan has one. A copy that jumps out needs a slot of its own. */
static void take_slot(struct dp_site *site)
{
	if (site->port.action == DP_ARM_EMULATE)
		site->port.action = (uint8_t)dp_arm_out(site->original, site->port.detail);
	if (!dp_arm_has_slot(site))
		return;
	site->port.slot = dp_slots_take(&dp_arm->slots, site, dp_arm_slot_insn(site));
	if (dp_arm_jumps_out(site) && site->port.slot == DP_SLOT_SCRATCH) {
		site->port.slot = DP_SLOT_NONE;
		site->port.action = DP_ARM_EMULATE;
	}
}

enum dp_err dp_port_prepare(struct dp_site *site, dp_original_at original_at, enum dp_refusal *why)
{
	struct dp_arm_plan plan = dp_arm_decode(site->original, dp_arm_is_thumb(site),
						site->insn_bytes, DP_ARM_ARCHITECTURE);
	enum dp_err error;

	*why = DP_REFUSE_NOTHING;
	error = prepare_error(site, &plan, why);
	if (error == DP_ERR_OK && dp_arm_is_thumb(site) &&
	    dp_thumb_leaves_for_half_a_word(site->original, site->address)) {
		*why = DP_REFUSE_UNPREDICTABLE;
		error = DP_ERR_NOT_PROBEABLE;
	}
	if (error == DP_ERR_OK && in_undefined_handler(site))
		error = DP_ERR_IN_AGENT;
	if (error == DP_ERR_OK)
		error = dp_scan(site, original_at);
	if (error != DP_ERR_OK || site->armed)
		return error;
	site->port.action = plan.action;
	site->port.detail = plan.detail;
	site->port.slot = DP_SLOT_NONE;
	site->port.condition = condition_of(site, &plan);
	take_slot(site);
	return DP_ERR_OK;
}

#if DP_ARM_WITH_WATCH
enum dp_err dp_port_prepare_here(struct dp_site *site, const struct dp_frame *frame,
				 dp_original_at original_at)
{
	bool thumb = dp_arm_thumb(frame);
	union {
		uint8_t byte[4];
		uint16_t half[2];
		uint32_t word;
	} code = {.word = 0};
	struct dp_arm_plan plan;

	site->isa = thumb ? DP_ISA_THUMB : DP_ISA_MAIN;
	site->insn_bytes = 4;
	if (!(thumb ? DP_ARM_WITH_THUMB : DP_ARM_WITH_A32) ||
	    !original_at(site->address, code.byte, thumb ? 2 : 4))
		return DP_ERR_NOT_PROBEABLE;
	if (thumb)
		site->insn_bytes = (uint8_t)dp_thumb_bytes(code.half[0]);
	if (thumb && site->insn_bytes == 4 && !original_at(site->address + 2, code.byte + 2, 2))
		return DP_ERR_NOT_PROBEABLE;
	site->original = !thumb                  ? code.word
			 : site->insn_bytes == 2 ? code.half[0]
						 : (uint32_t)code.half[0] << 16 | code.half[1];
	plan = dp_arm_decode(site->original, thumb, site->insn_bytes, DP_ARM_ARCHITECTURE);
	if (plan.action == DP_ARM_REFUSE)
		return DP_ERR_NOT_PROBEABLE;
	site->port.action = plan.action;
	site->port.detail = plan.detail;
	site->port.condition = condition_of(site, &plan);
	site->port.slot = plan.action <= DP_ARM_REWRITE ? DP_SLOT_SCRATCH : DP_SLOT_NONE;
	return DP_ERR_OK;
}
#endif

/* In an IT block the condition is the block's; in Thumb outside of one only branches have any. */
static bool condition_holds(const struct dp_site *site, const struct dp_frame *frame)
{
	uint32_t it = dp_thumb_it(frame->cpsr);

	if (it & 15)
		return dp_arm_condition(it >> 4, frame->cpsr);
	return dp_arm_condition(site->port.condition & 15, frame->cpsr);
}

/* Inlined: 8 instructions a hit less (Cortex-A9). */
static inline __attribute__((__always_inline__)) bool executes(const struct dp_site *site,
							       const struct dp_frame *frame)
{
	return (site->port.condition >= 14 && !(frame->cpsr & DP_PSR_IT)) ||
	       condition_holds(site, frame);
}

bool dp_port_fires(const struct dp_site *site, const struct dp_frame *frame, bool taken)
{
	if (site->port.condition < 0 && !taken)
		return true;
	if (DP_ARM_WITH_THUMB && site->port.condition == DP_ARM_CBZ)
		return dp_thumb_cbz_taken(site->original, frame);
	return executes(site, frame);
}

static inline enum dp_step step_over(const struct dp_site *site, struct dp_frame *frame)
{
	frame->r[DP_ARM_PC] = site->address + site->insn_bytes;
	if (frame->cpsr & DP_PSR_IT)
		dp_thumb_advance_it(frame);
	return DP_STEP_DONE;
}

/* The operand of msr. */
static uint32_t new_status(const struct dp_site *site, const struct dp_frame *frame)
{
	uint32_t w = site->original;
	unsigned rotate = w >> 7 & 30;

	if (dp_arm_is_thumb(site))
		return frame->r[w >> 16 & 15];
	if (!(w & DP_MSR_IMMEDIATE))
		return frame->r[w & 15];
	return (w & 0xff) >> rotate | (w & 0xff) << (-rotate & 31);
}

/* r0 for the copy. An msr masks interrupts in its slot, whatever it writes; its own I and F come
 * behind the second trap. */
static uint32_t rewritten_operand(const struct dp_site *site, const struct dp_frame *frame,
				  struct dp_arm_pending *p)
{
	const uint32_t masks = DP_PSR_I | DP_PSR_F;
	bool thumb = dp_arm_is_thumb(site), control;
	uint32_t value;

	if (!writes_control(site))
		return thumb ? (site->address + 4) & ~3u : site->address + 8;
	control = site->original >> (thumb ? 8 : 16) & 1;
	value = new_status(site, frame);
	if (control && (frame->cpsr & DP_PSR_MODE) != DP_MODE_USR)
		p->masks = value & masks;
	return value | masks;
}

/* Copy, then second trap: nothing may come between, and ITSTATE must let the trap happen. */
static enum dp_step step_two(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_arm_pending *p = dp_arm_pending();
	uint32_t entry = (uint32_t)(uintptr_t)&dp_arm_slot_words(site)[DP_ARM_SLOT_INSN2];

	p->address = site->address;
	p->cpsr = frame->cpsr;
	p->masks = frame->cpsr & (DP_PSR_I | DP_PSR_F);
	p->trap2 = entry + site->insn_bytes;
	p->rewritten = site->port.action == DP_ARM_REWRITE;
	p->active = 1;
	if (p->rewritten) {
		p->r0 = frame->r[0];
		frame->r[0] = rewritten_operand(site, frame, p);
	}
	frame->cpsr |= DP_PSR_I | DP_PSR_F;
	dp_thumb_let_it_execute(frame);
	frame->r[DP_ARM_PC] = entry;
	return DP_STEP_PENDING;
}

/* In the slot, without a second trap. */
static bool may_fault(const struct dp_site *site)
{
	return site->port.action == DP_ARM_MEMORY || site->port.action == DP_ARM_OUT_MEMORY;
}

/* With own_vectors the port does not know whether each abort comes to it. */
static bool leaves(const struct dp_site *site, bool may_leave)
{
	return site->port.action == DP_ARM_ONE_TRAP || site->port.action == DP_ARM_OUT ||
	       (may_fault(site) && may_leave && dp_arm->vector != NULL);
}

/* Where the site's slot is entered so that it jumps back, or out; 0: it cannot. Before ARMv7 no
 * Thumb instruction jumps to any address and changes no register. */
static uint32_t one_trap_entry(const struct dp_site *site, bool may_leave)
{
	const uint32_t *words = dp_slots_words(&dp_arm->slots, site->port.slot);

	if (!leaves(site, may_leave) || dp_site_is_late(site) ||
	    site->port.slot == DP_SLOT_SCRATCH ||
	    (dp_arm_is_thumb(site) && DP_ARM_ARCHITECTURE < 7 && !dp_arm_jumps_out(site)))
		return 0;
	/* The second half holds a 16-bit copy. */
	return (uint32_t)(uintptr_t)&words[DP_ARM_SLOT_INSN] + 4u - site->insn_bytes;
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

	if (entry == 0 || (dp_arm_is_thumb(site) && (dp_thumb_it(frame->cpsr) & 7) != 0) ||
	    (may_fault(site) && (frame->cpsr & DP_PSR_IT)))
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
	if (dp_arm_emulate(site, frame))
		return DP_STEP_DONE;
	frame->exception = DP_CLASS_DATA;
	return DP_STEP_FAULT;
}

static void give_back(struct dp_frame *frame)
{
	const uint32_t own = DP_PSR_I | DP_PSR_F | DP_PSR_IT;
	struct dp_arm_pending *p = dp_arm_pending();

	frame->cpsr = (frame->cpsr & ~own) | (p->cpsr & own);
	if (p->rewritten)
		frame->r[0] = p->r0;
	p->active = 0;
}

void dp_port_stepped(const struct dp_site *site, struct dp_frame *frame)
{
	give_back(frame);
	frame->cpsr = (frame->cpsr & ~(uint32_t)(DP_PSR_I | DP_PSR_F)) | dp_arm_pending()->masks;
	step_over(site, frame);
}

void dp_port_step_fault(const struct dp_site *site, struct dp_frame *frame)
{
	give_back(frame);
	frame->r[DP_ARM_PC] = site->address;
}
