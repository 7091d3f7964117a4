/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of MIPS32 for the host: release 5 refuses least. */
#include "dp_decoder.h"

#include "mips_decode.h"

enum {
	DP_MIPS_NEWEST = 5,
	DP_MIPS_BYTES = 4
};

static uint32_t number_of(const struct dp_insn *insn)
{
	return dp_insn_number(insn, 0, DP_MIPS_BYTES);
}

static unsigned length(const struct dp_insn *insn)
{
	(void)insn;
	return DP_MIPS_BYTES;
}

static enum dp_refusal refusal(const struct dp_insn *insn, unsigned release)
{
	const struct dp_mips_plan plan = dp_mips_decode(number_of(insn), release);

	return plan.action == DP_MIPS_REFUSE ? (enum dp_refusal)plan.detail : DP_REFUSE_NOTHING;
}

static int window(const struct dp_insn *insn)
{
	return dp_mips_window(number_of(insn));
}

static bool in_slot(const struct dp_insn *insn, unsigned release)
{
	return dp_mips_decode(number_of(insn), release).action <= DP_MIPS_TWO_TRAP;
}

/* j */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);

	*target = ((insn->address + 4) & ~(uint64_t)0x0fffffff) | (opcode & 0x03ffffff) << 2;
	return opcode >> 26 == 2;
}

static enum dp_delay delay(const struct dp_insn *insn, unsigned release)
{
	const unsigned action = dp_mips_decode(number_of(insn), release).action;

	if (action == DP_MIPS_JUMP)
		return DP_DELAY_STEPPED;
	if (dp_mips_has_delay_slot(number_of(insn)))
		return DP_DELAY_OTHER;
	return action < DP_MIPS_JUMP ? DP_DELAY_FITS : DP_DELAY_FITS_NOT;
}

const struct dp_decoder dp_decoder_mips = {
	.architecture = DP_MIPS_NEWEST,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.delay = delay,
};
