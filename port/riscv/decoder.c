/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of RISC-V for the host: a CPU with D refuses least. */
#include "dp_decoder.h"

#include "riscv_decode.h"

enum {
	DP_RISCV_NEAR = 12 /* instructions that a compiler may put between address and jump */
};

static uint32_t number_of(const struct dp_insn *insn)
{
	return dp_insn_number(insn, 0, insn->count == 2 ? 2 : 4);
}

static struct dp_riscv_plan plan_of(const struct dp_insn *insn, unsigned cpu)
{
	return dp_riscv_decode(number_of(insn), cpu | (insn->word_bits == 64 ? DP_RISCV_IS_64 : 0));
}

static unsigned length(const struct dp_insn *insn)
{
	return insn->count < 2 ? 0 : dp_riscv_bytes(dp_insn_number(insn, 0, 2));
}

static enum dp_refusal refusal(const struct dp_insn *insn, unsigned cpu)
{
	const struct dp_riscv_plan plan = plan_of(insn, cpu);

	if (length(insn) == 0)
		return DP_REFUSE_UNDEFINED;
	return plan.action == DP_RISCV_REFUSE ? (enum dp_refusal)plan.detail : DP_REFUSE_NOTHING;
}

static int window(const struct dp_insn *insn)
{
	return insn->count == 2 ? 0 : dp_riscv_window(number_of(insn));
}

static bool in_slot(const struct dp_insn *insn, unsigned cpu)
{
	return plan_of(insn, cpu).action <= DP_RISCV_TWO_TRAP;
}

/* The class of an instruction that is emulated, else DP_RISCV_CLASSES. */
static unsigned class_of(const struct dp_insn *insn)
{
	const struct dp_riscv_plan plan = plan_of(insn, 0);

	return plan.action == DP_RISCV_EMULATE ? plan.detail : DP_RISCV_CLASSES;
}

static uint64_t target_of(const struct dp_insn *insn, unsigned class)
{
	const uint64_t target =
		insn->address + (uint64_t)(int64_t)dp_riscv_distance(number_of(insn), class);

	return insn->word_bits == 32 ? (uint32_t)target : target;
}

/* jal x0, branches, c.j c.beqz c.bnez */
static bool jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = number_of(insn);
	const unsigned class = class_of(insn);

	if (class == DP_RISCV_JAL ? (opcode >> 7 & 31) != 0
				  : class != DP_RISCV_BRANCH && class != DP_RISCV_C_J &&
					    class != DP_RISCV_C_BRANCH)
		return false;
	*target = target_of(insn, class);
	return true;
}

/* jal and c.jal that link */
static bool call(const struct dp_insn *insn, uint64_t *target)
{
	const unsigned class = class_of(insn);

	if (class != DP_RISCV_C_JAL && (class != DP_RISCV_JAL || (number_of(insn) >> 7 & 31) == 0))
		return false;
	*target = target_of(insn, class);
	return true;
}

/* Loads and stores, c.fld to c.fswsp among them; multiply-add and other arithmetic; vectors. */
static bool is_float(const struct dp_insn *insn)
{
	const uint32_t opcode = number_of(insn), major = opcode & 0x7f, row = opcode >> 13;

	if (insn->count == 2)
		return !(opcode & 1) &&
		       (row == 1 || row == 5 || (insn->word_bits == 32 && (row == 3 || row == 7)));
	return major == 0x07 || major == 0x27 ||
	       (major >= 0x43 && major <= 0x57 && (major & 3) == 3);
}

static enum dp_condition condition(const struct dp_insn *insn)
{
	const unsigned class = class_of(insn);

	return class == DP_RISCV_BRANCH || class == DP_RISCV_C_BRANCH ? DP_CONDITION_TAKEN
								      : DP_CONDITION_NONE;
}

static unsigned field(uint32_t opcode, unsigned bit)
{
	return opcode >> bit & 31;
}

/* jalr x0, c.jr: the register */
static unsigned register_of(const struct dp_insn *insn)
{
	return insn->count == 2 ? field(number_of(insn), 7) : field(number_of(insn), 15);
}

/* The origin of the register that an instruction of a function writes. */
static bool writes_16(uint32_t opcode, unsigned word_bits, unsigned reg, enum dp_origin *origin)
{
	const unsigned group = (opcode & 3) << 3 | opcode >> 13;

	*origin = DP_ORIGIN_UNKNOWN;
	switch (group) {
	case 002: /* c.lw, c.ld */
	case 003:
		*origin = DP_ORIGIN_POINTER;
		return 8 + (opcode >> 2 & 7) == reg;
	case 022: /* c.lwsp, c.ldsp */
	case 023:
		*origin = DP_ORIGIN_POINTER;
		return field(opcode, 7) == reg;
	case 024: /* c.mv, c.add */
		*origin = opcode & 0x1000 ? DP_ORIGIN_SUM : DP_ORIGIN_POINTER;
		return (opcode & 0x7c) != 0 && field(opcode, 7) == reg;
	case 011: /* c.addiw; c.jal of 32 bits */
		return word_bits == 64 && field(opcode, 7) == reg;
	case 010: /* c.addi c.li c.lui c.slli */
	case 012:
	case 013:
	case 020:
		return field(opcode, 7) == reg;
	default:
		return false;
	}
}

static bool writes(const struct dp_insn *insn, unsigned reg, enum dp_origin *origin)
{
	const uint32_t opcode = number_of(insn);

	if (insn->count == 2)
		return writes_16(opcode, insn->word_bits, reg, origin);
	/* lw, ld; auipc, of a tail call by auipc and jalr; add */
	*origin = (opcode & 0x7f) == 0x03 || (opcode & 0x7f) == 0x17 ? DP_ORIGIN_POINTER
		  : (opcode & 0x7f) == 0x33                          ? DP_ORIGIN_SUM
								     : DP_ORIGIN_UNKNOWN;
	return field(opcode, 7) == reg &&
	       (*origin != DP_ORIGIN_UNKNOWN || (opcode & 0x7f) == 0x13 || (opcode & 0x7f) == 0x37);
}

/* Of the jump's register the nearest write. A register that nobody writes is an argument. */
static enum dp_origin origin(const struct dp_insn *branch, const struct dp_insn *before,
			     unsigned all)
{
	const unsigned count = all < DP_RISCV_NEAR ? all : DP_RISCV_NEAR;
	const unsigned reg = register_of(branch);
	enum dp_origin found;

	if (reg == 5) /* t0: the return address of __riscv_save_N, in the rows of cpu.def */
		return DP_ORIGIN_LINK;
	for (unsigned i = 0; i < count; i++)
		if (writes(&before[i], reg, &found))
			return found;
	return DP_ORIGIN_POINTER;
}

const struct dp_decoder dp_decoder_riscv = {
	.architecture = DP_RISCV_HAS_D,
	.length = length,
	.refusal = refusal,
	.window = window,
	.in_slot = in_slot,
	.jump = jump,
	.condition = condition,
	.origin = origin,
	.call = call,
	.is_float = is_float,
};
