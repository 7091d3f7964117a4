/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of PowerPC for the host: a CPU none of whose SPRGs is the agent's refuses least. */
#include "dp_decoder.h"

#include "ppc_decode.h"

enum {
	DP_PPC_NO_SPRG = 0xffff,
	DP_PPC_BYTES = 4
};

static uint32_t number_of(const struct dp_insn *insn)
{
	return dp_insn_number(insn, 0, DP_PPC_BYTES);
}

static unsigned length(const struct dp_insn *insn)
{
	(void)insn;
	return DP_PPC_BYTES;
}

static enum dp_refusal refusal(const struct dp_insn *insn, unsigned sprg)
{
	const struct dp_ppc_plan plan = dp_ppc_decode(number_of(insn), sprg);

	return plan.action == DP_PPC_REFUSE ? (enum dp_refusal)plan.detail : DP_REFUSE_NOTHING;
}

static int window(const struct dp_insn *insn)
{
	return dp_ppc_window(number_of(insn));
}

static bool in_slot(const struct dp_insn *insn, unsigned sprg)
{
	return dp_ppc_decode(number_of(insn), sprg).action <= DP_PPC_TWO_TRAP;
}

/* b */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);

	*target = insn->address + dp_insn_signed(opcode & 0x03fffffc, 26);
	return (opcode & 0xfc000003) == 0x48000000;
}

const struct dp_decoder dp_decoder_ppc = {
	.architecture = DP_PPC_NO_SPRG,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
};
