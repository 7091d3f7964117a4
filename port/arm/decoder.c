/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of ARM for the host: ARMv7-A refuses least. */
#include "dp_decoder.h"

#include "arm_decode.h"
#include "dp_object.h"

enum {
	DP_ARM_NEWEST = 7
};

static bool is_thumb(const struct dp_insn *insn)
{
	return insn->isa == DP_ISA_THUMB;
}

/* The instruction as arm_decode.h wants it. */
static uint32_t number_of(const struct dp_insn *insn)
{
	if (is_thumb(insn) && insn->count == 4)
		return dp_insn_number(insn, 0, 2) << 16 | dp_insn_number(insn, 2, 2);
	return dp_insn_number(insn, 0, insn->count);
}

static struct dp_arm_plan plan_of(const struct dp_insn *insn, unsigned architecture)
{
	return dp_arm_decode(number_of(insn), is_thumb(insn), insn->count, architecture);
}

static unsigned length(const struct dp_insn *insn)
{
	if (!is_thumb(insn))
		return 4;
	return insn->count < 2 ? 0 : dp_thumb_bytes(dp_insn_number(insn, 0, 2));
}

static enum dp_refusal refusal(const struct dp_insn *insn, unsigned architecture)
{
	const struct dp_arm_plan plan = plan_of(insn, architecture);

	if (is_thumb(insn) &&
	    dp_thumb_leaves_for_half_a_word(number_of(insn), (uint32_t)insn->address))
		return DP_REFUSE_UNPREDICTABLE;
	return plan.action == DP_ARM_REFUSE ? (enum dp_refusal)plan.detail : DP_REFUSE_NOTHING;
}

static int window(const struct dp_insn *insn)
{
	return dp_arm_window(number_of(insn), is_thumb(insn));
}

static bool in_slot(const struct dp_insn *insn, unsigned architecture)
{
	return plan_of(insn, architecture).action <= DP_ARM_REWRITE;
}

/* imm25 of T4's B: S:I1:I2:imm10:imm11:0 with I = NOT(J EOR S).  DDI 0406C A8.8.18 */
static uint64_t thumb_offset(uint32_t opcode)
{
	const uint32_t s = opcode >> 26 & 1, j1 = opcode >> 13 & 1, j2 = opcode >> 11 & 1;
	const uint32_t i1 = !(j1 ^ s), i2 = !(j2 ^ s);

	return dp_insn_signed(s << 24 | i1 << 23 | i2 << 22 | (opcode >> 16 & 0x3ff) << 12 |
				      (opcode & 0x7ff) << 1,
			      25);
}

/* imm21 of T3's B: S:J2:J1:imm6:imm11:0 */
static uint64_t thumb_condition_offset(uint32_t opcode)
{
	return dp_insn_signed((opcode >> 26 & 1) << 20 | (opcode >> 11 & 1) << 19 |
				      (opcode >> 13 & 1) << 18 | (opcode >> 16 & 0x3f) << 12 |
				      (opcode & 0x7ff) << 1,
			      21);
}

/* b<c>; svc and udf have the last two conditions. */
static bool is_condition_16(uint32_t opcode)
{
	return (opcode & 0xf000) == 0xd000 && (opcode & 0x0e00) != 0x0e00;
}

static bool is_condition_32(uint32_t opcode)
{
	return (opcode & 0xf800d000) == 0xf0008000 && (opcode & 0x03800000) != 0x03800000;
}

static bool jump_16(uint32_t opcode, uint64_t *offset)
{
	if (dp_thumb_is_cbz(opcode)) {
		*offset = (opcode >> 9 & 1) << 6 | (opcode >> 3 & 31) << 1;
		return true;
	}
	*offset = is_condition_16(opcode) ? dp_insn_signed(opcode, 8) * 2
					  : dp_insn_signed(opcode, 11) * 2;
	return is_condition_16(opcode) || (opcode & 0xf800) == 0xe000;
}

/* b of any condition; b, b.w, cbz. */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	uint64_t offset;
	bool is;

	if (!is_thumb(insn)) {
		*target = insn->address + 8 + dp_insn_signed(opcode, 24) * 4;
		return (opcode & 0x0f000000) == 0x0a000000 && opcode >> 28 != 15; /* 15: blx */
	}
	if (insn->count == 2) {
		is = jump_16(opcode, &offset);
	} else {
		offset = is_condition_32(opcode) ? thumb_condition_offset(opcode)
						 : thumb_offset(opcode);
		is = is_condition_32(opcode) || (opcode & 0xf800d000) == 0xf0009000;
	}
	*target = insn->address + 4 + offset;
	return is;
}

static enum dp_condition condition(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	if (!is_thumb(insn))
		return opcode >> 28 < 14 ? DP_CONDITION_FIRES : DP_CONDITION_NONE;
	if (insn->count == 2 && dp_thumb_is_cbz(opcode))
		return DP_CONDITION_TAKEN;
	return (insn->count == 2 ? is_condition_16(opcode) : is_condition_32(opcode))
		       ? DP_CONDITION_FIRES
		       : DP_CONDITION_NONE;
}

/* it: the lowest bit set of the mask tells how many. */
static unsigned covers(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);
	unsigned count = 4;

	if (!is_thumb(insn) || insn->count != 2 || (opcode & 0xff00) != 0xbf00 ||
	    (opcode & 15) == 0)
		return 0;
	for (uint32_t mask = opcode; !(mask & 1); mask >>= 1)
		count--;
	return count;
}

const struct dp_decoder dp_decoder_arm = {
	.architecture = DP_ARM_NEWEST,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.condition = condition,
	.covers = covers,
};
