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

static unsigned field_rb(uint32_t insn)
{
	return insn >> 11 & 31;
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

/* BO and BI: the counter is decremented also when the condition fails. */
static bool taken(uint32_t insn, struct dp_frame *frame)
{
	unsigned bo = field_rt(insn), bi = field_ra(insn);
	bool count = true, condition = true;

	if (!(bo & 4)) {
		frame->ctr--;
		count = (frame->ctr != 0) != (bo >> 1 & 1);
	}
	if (!(bo & 16))
		condition = (frame->cr >> (31 - bi) & 1) == (bo >> 3 & 1);
	return count && condition;
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

/* --- memory. Opcodes 32 to 45 and, in the same order, extended opcodes 23 + 32 n --- */

enum {
	KIND_WORD = 0, /* lwz lwzu lbz lbzu stw stwu stb stbu lhz lhzu lha lhau sth sthu */
	KIND_LHA = 10,
	KIND_UPDATE = 1,
};

static unsigned kind_of(uint32_t insn)
{
	return insn >> 26 == 31 ? insn >> 6 & 31 : (insn >> 26) - 32;
}

static unsigned width_of(unsigned kind)
{
	if (kind >= 8)
		return 2;
	return kind & 2 ? 1 : 4;
}

/* An access of its own width, exactly once. The CPU decides cases that may differ: user mode's
 * rights, addresses that are not aligned, little-endian mode. The private stack is allowed too:
 * a callback's store may go there after the agent's frames have left the stack. */
static bool own_access(const struct dp_frame *frame, uint32_t address, unsigned width)
{
	return (frame->msr & DP_MSR_PR) == 0 && !dp_ppc->board->ranges_only &&
	       (address & (width - 1)) == 0 &&
	       address - (uint32_t)(uintptr_t)dp_ppc->memory->stack >= dp_ppc->memory->stack_bytes;
}

static bool load(uint32_t insn, uint32_t address, unsigned kind, struct dp_frame *frame)
{
	uint32_t *rt = &frame->r[field_rt(insn)], word;
	uint16_t half;
	uint8_t byte;

	switch (width_of(kind)) {
	case 4:
		if (!dp_access_load(address, 4, &word))
			return false;
		*rt = word;
		return true;
	case 2:
		if (!dp_access_load(address, 2, &half))
			return false;
		*rt = (kind & ~KIND_UPDATE) == KIND_LHA ? (uint32_t)(int32_t)(int16_t)half : half;
		return true;
	default:
		if (!dp_access_load(address, 1, &byte))
			return false;
		*rt = byte;
		return true;
	}
}

static bool store(uint32_t insn, uint32_t address, unsigned kind, const struct dp_frame *frame)
{
	uint32_t word = frame->r[field_rt(insn)];
	uint16_t half = (uint16_t)word;
	uint8_t byte = (uint8_t)word;

	switch (width_of(kind)) {
	case 4:
		return dp_access_store(address, 4, &word);
	case 2:
		return dp_access_store(address, 2, &half);
	default:
		return dp_access_store(address, 1, &byte);
	}
}

static bool memory(uint32_t insn, unsigned class, struct dp_frame *frame)
{
	unsigned kind = kind_of(insn), ra = field_ra(insn);
	uint32_t address = ra ? frame->r[ra] : 0;

	address += insn >> 26 == 31 ? frame->r[field_rb(insn)] : immediate(insn);
	if (!own_access(frame, address, width_of(kind)))
		return false;
	if (class == DP_PPC_LOAD ? !load(insn, address, kind, frame)
				 : !store(insn, address, kind, frame))
		return false;
	if (kind & KIND_UPDATE)
		frame->r[ra] = address;
	frame->pc += 4;
	return true;
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
	if (class <= DP_PPC_STORE)
		return memory(insn, class, frame);
	if (class <= DP_PPC_WRTEEI)
		return machine_state(insn, class, frame);
	branch(insn, class, frame);
	return true;
}
