/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of MIPS32 for the host: release 5 refuses least. */
#include "dp_decoder.h"

#include "mips_decode.h"

#include <stddef.h>

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

/* beq to bgtz, bltz, bgez, bc1, and their likely forms. Those that link are calls. */
static bool is_branch(uint32_t opcode)
{
	return (opcode >> 26 & 0x2c) == 4 || (opcode & 0xfc1c0000) == 0x04000000 ||
	       (opcode & 0xffe00000) == 0x45000000;
}

/* j; branches */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);

	*target = is_branch(opcode) ? insn->address + 4 + dp_insn_signed(opcode, 16) * 4
				    : ((insn->address + 4) & ~(uint64_t)0x0fffffff) |
					      (opcode & 0x03ffffff) << 2;
	return is_branch(opcode) || opcode >> 26 == 2;
}

/* A register equals itself, and r0 is neither positive nor negative: b is beq r0, r0. */
static bool is_always(uint32_t opcode)
{
	const bool same = (opcode >> 21 & 31) == (opcode >> 16 & 31), zero = !(opcode >> 21 & 31);
	const unsigned branch = opcode >> 26 & 0x2f;

	if (opcode >> 26 == 1)
		return zero && (opcode >> 16 & 1);
	return (branch == 4 && same) || (branch == 6 && zero);
}

static enum dp_condition condition(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn);

	return is_branch(opcode) && !is_always(opcode) ? DP_CONDITION_TAKEN : DP_CONDITION_NONE;
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

/* Does the function save the return address in the word? sw ra, offset(sp) */
static bool saves_link(const struct dp_insn *before, unsigned count, uint32_t offset)
{
	for (unsigned i = 0; i < count; i++)
		if (number_of(&before[i]) == (0xafbf0000 | offset))
			return true;
	return false;
}

/* What an epilogue has between the load of an address and the jump: lw rN, offset(sp); addiu sp;
 * nop. */
static bool is_of_epilogue(uint32_t opcode)
{
	return opcode >> 21 == 0x8fa00000 >> 21 || opcode >> 16 == 0x27bd || opcode == 0;
}

/* jr rN behind `move rN, ra`, or behind the load of the saved return address. */
static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned count)
{
	const uint32_t reg = number_of(branch) >> 21 & 31;

	for (unsigned i = 0; i < count; i++) {
		const uint32_t opcode = number_of(&before[i]);

		if (opcode == (0x03e00021 | reg << 11) || opcode == (0x03e00025 | reg << 11))
			return DP_ORIGIN_LINK;
		if (opcode >> 16 == (0x8fa0 | reg)) /* lw rN, offset(sp) */
			return saves_link(before + i, count - i, opcode & 0xffff)
				       ? DP_ORIGIN_LINK
				       : DP_ORIGIN_POINTER;
		if (!is_of_epilogue(opcode))
			return DP_ORIGIN_UNKNOWN;
	}
	return DP_ORIGIN_UNKNOWN;
}

/* jal; bal. MD00086 */
static bool call(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	const bool jal = opcode >> 26 == 3;

	*target = insn->address + 4;
	*target = jal ? (*target & 0xf0000000u) | (uint64_t)(opcode & 0x03ffffff) << 2
		      : (uint32_t)(*target + dp_insn_signed(opcode, 16) * 4);
	return jal || opcode >> 16 == 0x0411;
}

/* COP1, COP1X, loads and stores of COP1, movf and movt. MD00086 */
static bool is_float(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn), major = opcode >> 26;

	return major == 0x11 || major == 0x13 || (major & 0x33) == 0x31 ||
	       (opcode & 0xfc00003f) == 1;
}

static const char *caveat(const struct dp_insn *insn)
{
	const struct dp_mips_plan plan = dp_mips_decode(number_of(insn), DP_MIPS_NEWEST);

	if (plan.action != DP_MIPS_EMULATE || plan.detail != DP_MIPS_MFC0_CAUSE)
		return NULL;
	return "reads Cause, where the trap of the probe stands in place of the last exception: "
	       "the "
	       "exception's code, its delay bit and its coprocessor read 0, as those of an "
	       "interrupt";
}

const struct dp_decoder dp_decoder_mips = {
	.architecture = DP_MIPS_NEWEST,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.call = call,
	.is_float = is_float,
	.condition = condition,
	.origin = origin,
	.caveat = caveat,
	.delay = delay,
};
