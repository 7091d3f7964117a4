/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of ARM for the host: ARMv7-A refuses least. port/thumb has that of Thumb. */
#include "arm_decode.h"
#include "dp_object.h"
#include "thumb/decoder_thumb.h"

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
	return is_thumb(insn) ? dp_thumb_number(insn) : dp_insn_number(insn, 0, insn->count);
}

static struct dp_arm_plan plan_of(const struct dp_insn *insn, unsigned architecture)
{
	return dp_arm_decode(number_of(insn), is_thumb(insn), insn->count, architecture);
}

static unsigned length(const struct dp_insn *insn)
{
	return is_thumb(insn) ? dp_thumb_length(insn) : 4;
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

	if (is_bx_pc(insn)) {
		*target = insn->address + (is_thumb(insn) ? 4 : 8);
		return true;
	}
	if (is_thumb(insn))
		return dp_thumb_jump(insn, target);
	*target = insn->address + 8 + dp_insn_signed(opcode, 24) * 4;
	return (opcode & 0x0f000000) == 0x0a000000 && opcode >> 28 != 15; /* 15: blx */
}

/* bl, and blx with an address. DDI 0406C A8.8.25 */
static bool call(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	const bool blx = is_thumb(insn) ? (opcode & 0xf800d001) == 0xf000c000
					: (opcode & 0xfe000000) == 0xfa000000;

	if (is_thumb(insn) && !blx)
		return dp_thumb_call(insn, target);
	if (is_thumb(insn)) {
		*target = ((insn->address + 4) & ~(uint64_t)3) + dp_thumb_offset(opcode);
		return insn->count == 4;
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
	const bool unit = dp_thumb_is_unit(opcode);

	if (is_thumb(insn))
		return dp_thumb_is_float(insn);
	return unit || (opcode & 0xfe000000) == 0xf2000000 || (opcode & 0xff100000) == 0xf4000000;
}

static enum dp_condition condition(const struct dp_insn *insn)
{
	if (is_thumb(insn))
		return dp_thumb_condition(insn);
	if (dp_arm_is_conditional_branch(number_of(insn)))
		return DP_CONDITION_TAKEN;
	return number_of(insn) >> 28 < 14 ? DP_CONDITION_FIRES : DP_CONDITION_NONE;
}

static unsigned covers(const struct dp_insn *insn)
{
	return is_thumb(insn) ? dp_thumb_covers(insn) : 0;
}

/* bx rN, mov pc, rN: N. */
static unsigned register_of(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	if (is_thumb(insn))
		return dp_thumb_register_of(insn);
	return (opcode & 0x0ffffff0) == 0x012fff10 || (opcode & 0x0ffffff0) == 0x01a0f000
		       ? opcode & 15
		       : DP_ARM_NO_REGISTER;
}

/* The registers that an instruction takes from the stack: pop, ldm sp!, ldr rN, [sp], #n. */
static uint32_t popped(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	if (is_thumb(insn))
		return dp_thumb_popped(insn);
	if ((opcode & 0x0fff0000) == 0x08bd0000)
		return opcode & 0xffff;
	return (opcode & 0x0fff0000) == 0x049d0000 ? 1u << (opcode >> 12 & 15) : 0;
}

/* The register that an instruction copies another one into: mov rN, rM. */
static unsigned copied(const struct dp_insn *insn, unsigned *from)
{
	const uint32_t opcode = number_of(insn);

	if (is_thumb(insn))
		return dp_thumb_copied(insn, from);
	*from = opcode & 15;
	return (opcode & 0x0fff0ff0) == 0x01a00000 ? opcode >> 12 & 15 : DP_ARM_NO_REGISTER;
}

/* add sp, #n */
static bool drops_stack(const struct dp_insn *insn)
{
	return is_thumb(insn) ? dp_thumb_drops_stack(insn)
			      : (number_of(insn) & 0x0ffff000) == 0x028dd000;
}

static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned count)
{
	static const struct dp_thumb_moves moves = {register_of, popped, copied, drops_stack};

	return dp_thumb_origin(&moves, branch, before, count);
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
