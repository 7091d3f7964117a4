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

/* bx pc: into A32 code, from a word's begin in Thumb code. */
static bool is_bx_pc(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	return is_thumb(insn) ? insn->count == 2 && opcode == 0x4778
			      : (opcode & 0x0fffffff) == 0x012fff1f && opcode >> 28 != 15;
}

/* b of any condition; b, b.w, cbz; bx pc. */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	uint64_t offset;
	bool is;

	if (is_bx_pc(insn)) {
		*target = insn->address + (is_thumb(insn) ? 4 : 8);
		return true;
	}
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

/* bl, and blx with an address. DDI 0406C A8.8.25 */
static bool call(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	const bool blx = is_thumb(insn) ? (opcode & 0xf800d001) == 0xf000c000
					: (opcode & 0xfe000000) == 0xfa000000;

	if (is_thumb(insn)) {
		*target = ((insn->address + 4) & (blx ? ~(uint64_t)3 : ~(uint64_t)0)) +
			  thumb_offset(opcode);
		return insn->count == 4 && (blx || (opcode & 0xf800d000) == 0xf000d000);
	}
	*target = insn->address + 8 + dp_insn_signed(opcode, 24) * 4;
	if (blx)
		*target += opcode >> 23 & 2;
	return blx || ((opcode & 0x0f000000) == 0x0b000000 && opcode >> 28 != 15);
}

/* Coprocessors 10 and 11, and Advanced SIMD. DDI 0406C A7 */
static bool is_float(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);
	const bool unit =
		(opcode & 0x0e000e00) == 0x0c000a00 || (opcode & 0x0f000e00) == 0x0e000a00;

	if (is_thumb(insn))
		return insn->count == 4 &&
		       ((unit && (opcode & 0xe0000000) == 0xe0000000) ||
			(opcode & 0xef000000) == 0xef000000 || (opcode & 0xff100000) == 0xf9000000);
	return unit || (opcode & 0xfe000000) == 0xf2000000 || (opcode & 0xff100000) == 0xf4000000;
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

enum {
	DP_ARM_NO_REGISTER = 16
};

/* bx rN, mov pc, rN: N. */
static unsigned register_of(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	if (is_thumb(insn))
		return insn->count == 2 &&
				       ((opcode & 0xff87) == 0x4700 || (opcode & 0xff87) == 0x4687)
			       ? opcode >> 3 & 15
			       : DP_ARM_NO_REGISTER;
	return (opcode & 0x0ffffff0) == 0x012fff10 || (opcode & 0x0ffffff0) == 0x01a0f000
		       ? opcode & 15
		       : DP_ARM_NO_REGISTER;
}

/* The registers that an instruction takes from the stack: pop, ldm sp!, ldr rN, [sp], #n. */
static uint32_t popped(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	if (is_thumb(insn) && insn->count == 2)
		return (opcode & 0xff00) == 0xbc00 ? opcode & 0xff : 0;
	if (is_thumb(insn) ? opcode >> 16 == 0xe8bd : (opcode & 0x0fff0000) == 0x08bd0000)
		return opcode & 0xffff;
	if (is_thumb(insn) ? (opcode & 0xffff0f00) == 0xf85d0b00
			   : (opcode & 0x0fff0000) == 0x049d0000)
		return 1u << (opcode >> 12 & 15);
	return 0;
}

/* The register that an instruction copies another one into: mov rN, rM. */
static unsigned copied(const struct dp_insn *insn, unsigned *from)
{
	const uint32_t opcode = number_of(insn);
	const bool is = is_thumb(insn) ? insn->count == 2 && opcode >> 8 == 0x46
				       : (opcode & 0x0fff0ff0) == 0x01a00000;

	*from = is_thumb(insn) ? opcode >> 3 & 15 : opcode & 15;
	if (!is)
		return DP_ARM_NO_REGISTER;
	return is_thumb(insn) ? (opcode & 7) | (opcode >> 4 & 8) : opcode >> 12 & 15;
}

/* add sp, #n */
static bool drops_stack(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	return is_thumb(insn) ? insn->count == 2 && opcode >> 7 == 0xb000 >> 7
			      : (opcode & 0x0ffff000) == 0x028dd000;
}

/* bx rN behind `pop {rN}` or `mov rN, lr`. Other instructions of an epilogue may stand between. */
static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned count)
{
	const unsigned reg = register_of(branch);

	for (unsigned i = 0; reg < 15 && i < count; i++) {
		const struct dp_insn *insn = &before[i];
		unsigned from;
		const uint32_t list = popped(insn);
		const unsigned copy = copied(insn, &from);

		if (list >> reg & 1 || (copy == reg && from == 14))
			return DP_ORIGIN_LINK;
		if (copy == reg || (!list && copy == DP_ARM_NO_REGISTER && !drops_stack(insn)))
			return DP_ORIGIN_UNKNOWN;
	}
	return DP_ORIGIN_UNKNOWN;
}

const struct dp_decoder dp_decoder_arm = {
	.architecture = DP_ARM_NEWEST,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.call = call,
	.is_float = is_float,
	.condition = condition,
	.covers = covers,
	.origin = origin,
};
