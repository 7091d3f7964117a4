/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs instructions on the saved registers. Power ISA 2.03 books I and III-E */
#include "ppc_port.h"

static unsigned field_rt(uint32_t insn)
{
	return insn >> 21 & 31;
}

static unsigned field_ra(uint32_t insn)
{
	return insn >> 16 & 31;
}

static uint32_t immediate(uint32_t insn)
{
	return (uint32_t)(int32_t)(int16_t)insn;
}

/* --- branches. AA is bit 1, LK is bit 0 --- */

static void go(uint32_t insn, uint32_t target, bool taken, struct dp_frame *frame)
{
	uint32_t next = frame->pc + 4;

	frame->pc = taken ? target : next;
	if (insn & 1)
		frame->lr = next; /* also when not taken */
}

static uint32_t relative(uint32_t insn, uint32_t offset, const struct dp_frame *frame)
{
	return insn & 2 ? offset : frame->pc + offset;
}

/* BO and BI. ctr: the counter as the branch leaves it. */
static inline bool goes(uint32_t insn, uint32_t ctr, const struct dp_frame *frame)
{
	unsigned bo = field_rt(insn), bi = field_ra(insn);
	bool count = true, condition = true;

	if (!(bo & 4))
		count = (ctr != 0) != (bo >> 1 & 1);
	if (!(bo & 16))
		condition = (frame->cr >> (31 - bi) & 1) == (bo >> 3 & 1);
	return count && condition;
}

static inline bool counts(uint32_t insn)
{
	return !(field_rt(insn) & 4);
}

/* The counter is decremented also when the condition fails. */
static bool taken(uint32_t insn, struct dp_frame *frame)
{
	if (counts(insn))
		frame->ctr--;
	return goes(insn, frame->ctr, frame);
}

bool dp_ppc_taken(uint32_t insn, unsigned class, const struct dp_frame *frame)
{
	return class <= DP_PPC_B || goes(insn, frame->ctr - counts(insn), frame);
}

static void branch(uint32_t insn, unsigned class, struct dp_frame *frame)
{
	uint32_t offset;

	switch (class) {
	case DP_PPC_B:
		offset = (uint32_t)((int32_t)((insn & DP_PPC_BRANCH_MASK) << 6) >> 6);
		go(insn, relative(insn, offset, frame), true, frame);
		break;
	case DP_PPC_BC:
		offset = immediate(insn & 0xfffc);
		go(insn, relative(insn, offset, frame), taken(insn, frame), frame);
		break;
	case DP_PPC_BCLR: /* the target is read before the link is written */
		go(insn, frame->lr & ~3u, taken(insn, frame), frame);
		break;
	default:
		go(insn, frame->ctr & ~3u, taken(insn, frame), frame);
		break;
	}
}

/* --- the MSR. Privileged: in user mode it faults, from the slot. wrtee is of BookE --- */

static bool machine_state(uint32_t insn, unsigned class, struct dp_frame *frame)
{
	uint32_t *rt = &frame->r[field_rt(insn)];
	bool keeps_me = dp_ppc->board->quirks & DP_QUIRK_MTMSR_KEEPS_ME;

	if ((frame->msr & DP_MSR_PR) || (class >= DP_PPC_WRTEE && !DP_PPC_BOOKE))
		return false;
	switch (class) {
	case DP_PPC_MFMSR:
		*rt = frame->msr;
		break;
	case DP_PPC_MTMSR:
		frame->msr =
			keeps_me ? (*rt & ~(uint32_t)DP_MSR_ME) | (frame->msr & DP_MSR_ME) : *rt;
		break;
	case DP_PPC_WRTEE:
		frame->msr = (frame->msr & ~(uint32_t)DP_MSR_EE) | (*rt & DP_MSR_EE);
		break;
	default:
		frame->msr = (frame->msr & ~(uint32_t)DP_MSR_EE) | (insn & DP_MSR_EE);
		break;
	}
	frame->pc += 4;
	return true;
}

bool dp_ppc_emulate(uint32_t insn, unsigned class, struct dp_frame *frame)
{
	if (class <= DP_PPC_WRTEEI)
		return machine_state(insn, class, frame);
	branch(insn, class, frame);
	return true;
}
