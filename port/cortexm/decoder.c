/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of the M profile for the host: ARMv8-M mainline refuses least. */
#include "cortexm_decode.h"
#include "thumb/decoder_thumb.h"

static struct dp_arm_plan plan_of(const struct dp_insn *insn, unsigned architecture)
{
	return dp_cortexm_decode(dp_thumb_number(insn), insn->count, architecture);
}

static enum dp_refusal refusal(const struct dp_insn *insn, unsigned architecture)
{
	const struct dp_arm_plan plan = plan_of(insn, architecture);

	return plan.action == DP_ARM_REFUSE ? (enum dp_refusal)plan.detail : DP_REFUSE_NOTHING;
}

static int window(const struct dp_insn *insn)
{
	return dp_cortexm_window(dp_thumb_number(insn) << (insn->count == 2 ? 16 : 0));
}

static bool in_slot(const struct dp_insn *insn, unsigned architecture)
{
	return plan_of(insn, architecture).action <= DP_ARM_REWRITE;
}

static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned count)
{
	static const struct dp_thumb_moves moves = {dp_thumb_register_of, dp_thumb_popped,
						    dp_thumb_copied, dp_thumb_drops_stack};

	return dp_thumb_origin(&moves, branch, before, count);
}

const struct dp_decoder dp_decoder_cortexm = {
	.architecture = DP_CORTEXM_V7,
	.length = dp_thumb_length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = dp_thumb_jump,
	.call = dp_thumb_call,
	.is_float = dp_thumb_is_float,
	.condition = dp_thumb_condition,
	.covers = dp_thumb_covers,
	.origin = origin,
};
