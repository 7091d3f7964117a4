/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of IA32 for the host. */
#include "dp_decoder.h"

#include <stddef.h>

#include "ia32_decode.h"

enum {
	DP_IA32_NEAR = 12 /* instructions that a compiler may put between address and jump */
};

static struct dp_ia32_insn plan_of(const struct dp_insn *insn)
{
	return dp_ia32_decode(insn->bytes, insn->count);
}

static unsigned length(const struct dp_insn *insn)
{
	return insn->count == 0 ? 0 : plan_of(insn).bytes;
}

static enum dp_refusal refusal(const struct dp_insn *insn, unsigned architecture)
{
	const struct dp_ia32_insn plan = plan_of(insn);

	(void)architecture;
	return plan.action == DP_IA32_REFUSE && !plan.cut ? (enum dp_refusal)plan.detail
							  : DP_REFUSE_NOTHING;
}

/* A locked access is one instruction. */
static int window(const struct dp_insn *insn)
{
	(void)insn;
	return 0;
}

static bool in_slot(const struct dp_insn *insn, unsigned architecture)
{
	(void)architecture;
	return plan_of(insn).action <= DP_IA32_MEMORY;
}

static bool goes(const struct dp_insn *insn, bool calls, uint64_t *target)
{
	const struct dp_ia32_insn plan = plan_of(insn);

	if (plan.action != DP_IA32_EMULATE ||
	    (calls ? plan.detail != DP_IA32_CALL
		   : plan.detail < DP_IA32_JMP || plan.detail > DP_IA32_LOOP))
		return false;
	*target = dp_ia32_branch(insn->bytes, &plan, (uint32_t)insn->address);
	return true;
}

static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	return goes(insn, false, target);
}

static bool call(const struct dp_insn *insn, uint64_t *target)
{
	return goes(insn, true, target);
}

static enum dp_condition condition(const struct dp_insn *insn)
{
	const struct dp_ia32_insn plan = plan_of(insn);

	return plan.action == DP_IA32_EMULATE &&
			       (plan.detail == DP_IA32_JCC || plan.detail == DP_IA32_LOOP)
		       ? DP_CONDITION_TAKEN
		       : DP_CONDITION_NONE;
}

/* The rows of FP and SIMD units: their text says what they are. */
static bool is_float(const struct dp_insn *insn)
{
	const struct dp_ia32_insn plan = plan_of(insn);
	const uint8_t opcode = insn->bytes[plan.opcode];

	if (plan.action != DP_IA32_MEMORY)
		return false;
	switch (dp_ia32_rows[plan.row].where >> 4) {
	case DP_IA32_MAP_1:
		return (opcode & 0xf8) == 0xd8;
	case DP_IA32_MAP_0F:
		return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2f) ||
		       (opcode >= 0x50 && opcode <= 0x7f) || opcode == 0xc2 ||
		       (opcode >= 0xc4 && opcode <= 0xc6) || opcode >= 0xd0;
	default: /* crc32, movbe and bits are the last ones */
		return opcode < 0xf0;
	}
}

/* The origin of the register that an instruction of a function writes: mov, add, lea. */
static bool writes(const struct dp_insn *insn, unsigned reg, enum dp_origin *origin)
{
	const struct dp_ia32_insn plan = plan_of(insn);
	const uint8_t opcode = insn->bytes[plan.opcode];

	*origin = opcode == 0x8b   ? DP_ORIGIN_POINTER
		  : opcode == 0x03 ? DP_ORIGIN_SUM
				   : DP_ORIGIN_UNKNOWN;
	return plan.modrm != 0 && (insn->bytes[plan.modrm] >> 3 & 7) == reg &&
	       (*origin != DP_ORIGIN_UNKNOWN || opcode == 0x8d);
}

/* A jump by a table has an index of four bytes in its operand, or the register was loaded so. */
static bool has_index(const struct dp_insn *insn)
{
	const unsigned at = plan_of(insn).modrm;

	return (insn->bytes[at] & 7) == 4 && insn->bytes[at] < 0xc0 &&
	       insn->bytes[at + 1] >> 6 == 2;
}

static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned all)
{
	const unsigned count = all < DP_IA32_NEAR ? all : DP_IA32_NEAR;
	const uint8_t modrm = branch->bytes[plan_of(branch).modrm];
	enum dp_origin found;

	if (modrm < 0xc0)
		return has_index(branch) ? DP_ORIGIN_SUM : DP_ORIGIN_POINTER;
	for (unsigned i = 0; i < count; i++)
		if (writes(&before[i], modrm & 7, &found))
			return found == DP_ORIGIN_POINTER && has_index(&before[i]) ? DP_ORIGIN_SUM
										   : found;
	return DP_ORIGIN_POINTER;
}

/* An interrupt may come between sti and the next instruction, which sti alone prevents. */
static const char *caveat(const struct dp_insn *insn)
{
	const struct dp_ia32_insn plan = plan_of(insn);

	return plan.action == DP_IA32_EMULATE && plan.detail == DP_IA32_STI
		       ? "lets an interrupt come before the next instruction"
		       : NULL;
}

const struct dp_decoder dp_decoder_ia32 = {
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.condition = condition,
	.origin = origin,
	.caveat = caveat,
	.call = call,
	.is_float = is_float,
};
