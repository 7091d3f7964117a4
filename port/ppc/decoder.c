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

/* b, bc, and their absolute forms */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	const bool bc = opcode >> 26 == 16;

	*target = (opcode & 2 ? 0 : insn->address) + (bc ? dp_insn_signed(opcode & 0xfffc, 16)
							 : dp_insn_signed(opcode & 0x03fffffc, 26));
	*target = (uint32_t)*target;
	return (bc || opcode >> 26 == 18) && !(opcode & 1);
}

/* BO of bc, bclr and bcctr: 1z1zz is always. */
static enum dp_condition condition(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	if ((opcode >> 26 != 16 && opcode >> 26 != 19) || (opcode >> 21 & 20) == 20)
		return DP_CONDITION_NONE;
	return DP_CONDITION_TAKEN;
}

static unsigned field(uint32_t opcode, unsigned bit)
{
	return opcode >> bit & 31;
}

/* The origin of a register that an instruction writes. */
static bool writes(uint32_t opcode, unsigned reg, enum dp_origin *origin)
{
	const unsigned extended = opcode >> 1 & 0x3ff, primary = opcode >> 26;

	if (primary == 31 && extended == 444) { /* mr */
		*origin = DP_ORIGIN_POINTER;
		return field(opcode, 16) == reg;
	}
	*origin = primary == 32                      ? DP_ORIGIN_POINTER /* lwz */
		  : primary == 31 && extended == 266 ? DP_ORIGIN_SUM     /* add */
						     : DP_ORIGIN_UNKNOWN;
	return field(opcode, 21) == reg &&
	       (*origin != DP_ORIGIN_UNKNOWN || primary == 14 || primary == 15 ||
		(primary == 31 && extended == 23)); /* addi, addis, lwzx */
}

/* Of mtctr the nearest, and of its register. A register that nobody writes is an argument. */
static enum dp_origin origin(const struct dp_insn *before, unsigned count)
{
	enum dp_origin found = DP_ORIGIN_UNKNOWN;
	unsigned i = 0, reg;

	while (i < count && (number_of(&before[i]) & 0xfc1fffff) != 0x7c0903a6)
		i++;
	if (i == count)
		return DP_ORIGIN_UNKNOWN;
	for (reg = field(number_of(&before[i++]), 21); i < count; i++)
		if (writes(number_of(&before[i]), reg, &found))
			return found;
	return DP_ORIGIN_POINTER;
}

const struct dp_decoder dp_decoder_ppc = {
	.architecture = DP_PPC_NO_SPRG,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.condition = condition,
	.origin = origin,
};
