/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs instructions on the saved registers. MD00086 chapter 3 */
#include "mips_port.h"

enum {
	DP_CU0 = 0x10000000,
	DP_CU1 = 0x20000000
}; /* Status */

#define DP_CAUSE_OF_EXCEPTION 0xb000007cu /* Cause: BD, CE, ExcCode */

static unsigned field_rs(uint32_t insn)
{
	return insn >> 21 & 31;
}

static unsigned field_rt(uint32_t insn)
{
	return insn >> 16 & 31;
}

static unsigned field_rd(uint32_t insn)
{
	return insn >> 11 & 31;
}

static uint32_t immediate(uint32_t insn)
{
	return (uint32_t)(int32_t)(int16_t)insn;
}

static void set(struct dp_frame *frame, unsigned number, uint32_t value)
{
	if (number != 0)
		frame->r[number] = value;
}

/* --- jumps --- */

static void branch(struct dp_mips_way *way, uint32_t insn, uint32_t address, bool taken,
		   bool likely)
{
	way->next = taken ? address + 4 + (immediate(insn) << 2) : address + 8;
	way->nullified = likely && !taken;
}

static bool compares(uint32_t insn, const struct dp_frame *frame)
{
	int32_t s = (int32_t)frame->r[field_rs(insn)], t = (int32_t)frame->r[field_rt(insn)];

	switch (insn >> 26 & 3) {
	case 0:
		return s == t;
	case 1:
		return s != t;
	case 2:
		return s <= 0;
	default:
		return s > 0;
	}
}

static bool signs(uint32_t insn, const struct dp_frame *frame)
{
	bool negative = (int32_t)frame->r[field_rs(insn)] < 0;

	return negative != (field_rt(insn) & 1);
}

/* The condition is read before the link is written; the link is written even when not taken. */
static void branch_regimm(struct dp_mips_way *way, uint32_t insn, uint32_t address,
			  struct dp_frame *frame)
{
	unsigned kind = field_rt(insn);

	branch(way, insn, address, signs(insn, frame), kind >> 1 & 1);
	if (kind & 0x10)
		frame->r[DP_MIPS_RA] = address + 8;
}

static uint32_t fcr31(void)
{
	register uint32_t value __asm__("$2");

	__asm__ volatile(".word 0x4442f800"
			 : "=r"(value)); /* cfc1 $2, $31: also in soft-float code */
	return value;
}

static bool tests_bc1(uint32_t insn)
{
	unsigned code = insn >> 18 & 7, bit = code ? 24 + code : 23;

	return (fcr31() >> bit & 1) == (insn >> 16 & 1);
}

static bool branch_bc1(struct dp_mips_way *way, uint32_t insn, uint32_t address,
		       const struct dp_frame *frame)
{
	if ((frame->status & DP_CU1) == 0)
		return false;
	branch(way, insn, address, tests_bc1(insn), insn >> 17 & 1);
	return true;
}

bool dp_mips_taken(uint32_t insn, unsigned class, const struct dp_frame *frame)
{
	switch (class) {
	case DP_MIPS_BRANCH:
		return compares(insn, frame);
	case DP_MIPS_REGIMM:
		return signs(insn, frame);
	case DP_MIPS_BC1:
		return (frame->status & DP_CU1) != 0 && tests_bc1(insn);
	default:
		return true;
	}
}

bool dp_mips_jump(uint32_t insn, uint32_t address, struct dp_frame *frame, struct dp_mips_way *way)
{
	struct dp_mips_plan plan = dp_mips_decode(insn, dp_mips->release);

	if (plan.action != DP_MIPS_JUMP)
		return false;
	way->nullified = false;
	switch (plan.detail) {
	case DP_MIPS_J:
		way->next = ((address + 4) & 0xf0000000) | (insn & 0x03ffffff) << 2;
		if (insn >> 26 & 1)
			frame->r[DP_MIPS_RA] = address + 8;
		return true;
	case DP_MIPS_JR:
		way->next = frame->r[field_rs(insn)];
		if (insn & 1)
			set(frame, field_rd(insn), address + 8);
		return true;
	case DP_MIPS_BRANCH:
		branch(way, insn, address, compares(insn, frame), insn >> 30 & 1);
		return true;
	case DP_MIPS_REGIMM:
		branch_regimm(way, insn, address, frame);
		return true;
	default:
		return branch_bc1(way, insn, address, frame);
	}
}

/* --- the others --- */

static void simple(uint32_t insn, struct dp_frame *frame)
{
	uint32_t s = frame->r[field_rs(insn)], t = frame->r[field_rt(insn)];

	if (insn >> 26)
		set(frame, field_rt(insn), s + immediate(insn));
	else
		set(frame, field_rd(insn), insn & 4 ? s | t : s + t);
}

/* In user mode, without CU0, a coprocessor instruction is a fault: from the slot. */
static bool kernel(const struct dp_frame *frame)
{
	return (frame->status & DP_STATUS_KSU) == 0 || (frame->status & DP_CU0);
}

/* The trap has overwritten the code, the delay bit and the coprocessor of the last exception. They
 * read as after an interrupt, which may come before any instruction that can be probed. */
static void cause_read(uint32_t insn, struct dp_frame *frame)
{
	set(frame, field_rt(insn), frame->cause & ~DP_CAUSE_OF_EXCEPTION);
}

static void status_access(uint32_t insn, unsigned class, struct dp_frame *frame)
{
	uint32_t status = frame->status, value = frame->r[field_rt(insn)];

	if (class != DP_MIPS_MTC0_STATUS)
		set(frame, field_rt(insn), status);
	if (class == DP_MIPS_MTC0_STATUS)
		frame->status = value;
	else if (class == DP_MIPS_DI_EI)
		frame->status = (status & ~(uint32_t)DP_STATUS_IE) | (insn >> 5 & 1);
}

bool dp_mips_emulate(uint32_t insn, unsigned class, struct dp_frame *frame)
{
	switch (class) {
	case DP_MIPS_SIMPLE:
		simple(insn, frame);
		return true;
	default:
		if (!kernel(frame))
			return false;
		if (class == DP_MIPS_MFC0_CAUSE)
			cause_read(insn, frame);
		else
			status_access(insn, class, frame);
		return true;
	}
}
