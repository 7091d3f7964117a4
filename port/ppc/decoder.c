/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of PowerPC for the host: a CPU none of whose SPRGs is the agent's refuses least. */
#include "dp_decoder.h"

#include "ppc_decode.h"

enum {
	DP_PPC_NO_SPRG = 0xffff,
	DP_PPC_BYTES = 4,
	DP_PPC_NEAR = 12 /* instructions that a compiler may put between address and branch */
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

/* bl, bla, bcl, bcla. */
static bool call(const struct dp_insn *insn, uint64_t *target)
{
	jump(insn, target);
	return (number_of(insn) >> 26 == 16 || number_of(insn) >> 26 == 18) &&
	       (number_of(insn) & 1);
}

/* Loads and stores of vectors: AltiVec (lvebx to stvxl, lvsl, lvsr), and SPE (evlddx to evstwwo).
 * No code uses a vector unit without them. */
static bool is_vector(uint32_t opcode)
{
	const uint32_t major = opcode >> 26, row = opcode >> 6 & 31, column = opcode >> 1 & 31;

	if (major == 31) /* also `lvx` and `stvx`, whose last use is a hint */
		return column == 7 ? row <= 7 || row == 11 || row == 15 : column == 6 && row <= 1;
	return major == 4 && (opcode & 0x7c0) == 0x300;
}

/* Loads and stores, also indexed (lfsx to stfdux, and stfiwx), and arithmetic. */
static bool is_float(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn), major = opcode >> 26, row = opcode >> 6 & 31;

	return (major >= 48 && major <= 55) || major == 59 || major == 63 ||
	       (major == 31 && (opcode >> 1 & 31) == 23 &&
		((row >= 16 && row <= 23) || row == 30)) ||
	       is_vector(opcode);
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

/* mflr */
static bool reads_link(uint32_t opcode, unsigned *reg)
{
	*reg = field(opcode, 21);
	return (opcode & 0xfc1fffff) == 0x7c0802a6;
}

/* Does the load read the word in which the function has saved the link register? Behind the end of
 * the frame the word is the second one: lwz rN, 4(r1). */
static bool loads_link(uint32_t load, const struct dp_insn *before, unsigned count)
{
	const unsigned offset = load & 0xffff, base = field(load, 16);
	unsigned reg;
	bool saved = false;

	if (load >> 26 != 32)
		return false;
	for (unsigned i = 0; i < count; i++) {
		const uint32_t opcode = number_of(&before[i]);

		if (opcode >> 26 == 36 && field(opcode, 16) == 1) /* stw rN, offset(r1) */
			saved = saved || (opcode & 0xffff) == offset;
		if (reads_link(opcode, &reg) && (offset == 4 || (base == 1 && saved)))
			return true;
	}
	return false;
}

/* Of mtctr the nearest, and of its register. A register that nobody writes is an argument. */
static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned all)
{
	const unsigned count = all < DP_PPC_NEAR ? all : DP_PPC_NEAR;
	enum dp_origin found = DP_ORIGIN_UNKNOWN;
	unsigned i = 0, reg, read;

	(void)branch; /* its register is CTR */
	while (i < count && (number_of(&before[i]) & 0xfc1fffff) != 0x7c0903a6)
		i++;
	if (i == count)
		return DP_ORIGIN_UNKNOWN;
	for (reg = field(number_of(&before[i++]), 21); i < count; i++) {
		const uint32_t opcode = number_of(&before[i]);

		if (reads_link(opcode, &read) && read == reg)
			return DP_ORIGIN_LINK;
		if (writes(opcode, reg, &found))
			return loads_link(opcode, before + i + 1, all - i - 1) ? DP_ORIGIN_LINK
									       : found;
	}
	return DP_ORIGIN_POINTER;
}

const struct dp_decoder dp_decoder_ppc = {
	.architecture = DP_PPC_NO_SPRG,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.call = call,
	.is_float = is_float,
	.condition = condition,
	.origin = origin,
};
