/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs instructions that read or write the PC, or read the interrupt mask: A32
 * here, and what touches CPSR. port/thumb has the rest of Thumb. port/README.md 7; DDI 0406C A8.8
 */
#include "thumb/emulate_thumb.h"

enum {
	PC = DP_ARM_PC
};

#define DP_PSR_C     0x20000000u
#define DP_PSR_V     0x10000000u
#define DP_PSR_FLAGS 0xf8000000u /* N Z C V Q */
#define DP_PSR_MASKS 0x000001c0u /* A I F */
#define DP_PSR_GE    0x000f0000u
#define DP_PSR_MRS   0xf8ff03dfu /* without execution state: J, IT, T */

/* CPS came with v6; without RARE only that of 16-bit Thumb. */
#define DP_HAS_CPS (DP_ARM_ARCHITECTURE >= 6 && (DP_ARM_WITH_THUMB || DP_ARM_WITH_RARE))
#if DP_HAS_CPS
/* CPS: `masks` has the bits as CPSR does. User mode may not.  DDI 0406C B9.3.2 */
static bool change_masks(const struct dp_arm_insn *i, bool set, uint32_t masks)
{
	struct dp_frame *f = i->frame;

	if ((f->cpsr & DP_PSR_MODE) != DP_MODE_USR)
		f->cpsr = set ? f->cpsr | masks : f->cpsr & ~masks;
	return true;
}
#endif

#if DP_ARM_WITH_RARE
static void write_flags(const struct dp_arm_insn *i, uint32_t value, unsigned fields)
{
	uint32_t mask = (fields & 2 ? DP_PSR_FLAGS : 0) |
			(fields & 1 && DP_ARM_ARCHITECTURE >= 6 ? DP_PSR_GE : 0);

	i->frame->cpsr = (i->frame->cpsr & ~mask) | (value & mask);
}
#endif

#if DP_ARM_WITH_A32

/* ALUWritePC of A32: interworks from v7 on.  rule 13 */
static bool jump_alu(const struct dp_arm_insn *i, uint32_t target)
{
#if __ARM_ARCH >= 7
	return dp_arm_jump_exchange(i, target);
#else
	return dp_arm_jump(i, target & ~3u);
#endif
}

static uint32_t rotate_right(uint32_t value, unsigned amount)
{
	return value >> (amount & 31) | value << (-amount & 31);
}

#if DP_ARM_WITH_RARE

/* Shift with carry out.  DDI 0406C A8.4.3, immediate shifts only. An amount of 0 means 32, but for
 * LSL and for RRX, which is ROR by 0. */
static uint32_t shift(uint32_t value, unsigned type, unsigned amount, bool *carry)
{
	uint32_t in = *carry;

	if (type == 0) {
		if (amount != 0)
			*carry = value >> (32 - amount) & 1;
		return value << amount;
	}
	*carry = value >> ((amount - 1) & 31) & 1;
	if (type == 3 && amount == 0) {
		*carry = value & 1;
		return value >> 1 | in << 31;
	}
	if (type == 3)
		return rotate_right(value, amount);
	if (type == 2 && value >> 31) /* ones come in */
		return amount ? ~(~value >> amount) : ~0u;
	return amount ? value >> amount : 0;
}

static uint32_t shifted_register(const struct dp_arm_insn *i, bool *carry)
{
	return shift(dp_arm_get(i, dp_arm_bits(i->word, 0, 4)), dp_arm_bits(i->word, 5, 2),
		     dp_arm_bits(i->word, 7, 5), carry);
}

/* Second operand of data processing. */
static uint32_t operand2(const struct dp_arm_insn *i, bool *carry)
{
	uint32_t value = dp_arm_bits(i->word, 0, 8);
	unsigned rotate = 2 * dp_arm_bits(i->word, 8, 4);

	if (!dp_arm_bits(i->word, 25, 1))
		return shifted_register(i, carry);
	value = rotate_right(value, rotate);
	if (rotate != 0)
		*carry = value >> 31;
	return value;
}

/* The sixteen operations, each a set of them by number. */
enum {
	AND,
	EOR,
	SUB,
	RSB,
	ADD,
	ADC,
	SBC,
	RSC,
	TST,
	TEQ,
	CMP,
	CMN,
	ORR,
	MOV,
	BIC,
	MVN
};
#define DP_OPS_SWAPPED (1u << RSB | 1u << RSC)
#define DP_OPS_INVERTED                                                                            \
	(1u << SUB | 1u << RSB | 1u << SBC | 1u << RSC | 1u << CMP | 1u << BIC | 1u << MVN)
#define DP_OPS_UNARY (1u << MOV | 1u << MVN)
#define DP_OPS_CARRY (1u << ADC | 1u << SBC | 1u << RSC)
#define DP_OPS_ONE   (1u << SUB | 1u << RSB | 1u << CMP)
#define DP_OPS_SUM   (DP_OPS_CARRY | DP_OPS_ONE | 1u << ADD | 1u << CMN)
#define DP_OPS_AND   (1u << AND | 1u << TST | 1u << BIC)
#define DP_OPS_EOR   (1u << EOR | 1u << TEQ)
#define DP_OPS_TEST  (1u << TST | 1u << TEQ | 1u << CMP | 1u << CMN)

static bool a_data(const struct dp_arm_insn *i)
{
	struct dp_frame *f = i->frame;
	unsigned op = 1u << dp_arm_bits(i->word, 21, 4);
	bool in = f->cpsr & DP_PSR_C, carry = in, overflow = f->cpsr & DP_PSR_V;
	uint32_t b = operand2(i, &carry),
		 a = op & DP_OPS_UNARY ? 0 : dp_arm_get(i, dp_arm_bits(i->word, 16, 4));
	uint32_t result, t;

	if (op & DP_OPS_SWAPPED) {
		t = a;
		a = b;
		b = t;
	}
	if (op & DP_OPS_INVERTED)
		b = ~b;
	if (op & DP_OPS_SUM) {
		in = op & DP_OPS_ONE || (op & DP_OPS_CARRY && in);
		result = a + b + in;
		carry = in ? result <= a : result < a;
		overflow = ((a ^ result) & (b ^ result)) >> 31;
	} else if (op & DP_OPS_AND) {
		result = a & b;
	} else {
		result = op & DP_OPS_EOR ? a ^ b : a | b;
	}
	if (dp_arm_bits(i->word, 20, 1))
		f->cpsr = (f->cpsr & 0x0fffffffu) | (result & 0x80000000u) |
			  (result == 0 ? 0x40000000u : 0) | (carry ? DP_PSR_C : 0) |
			  (overflow ? DP_PSR_V : 0);
	if (op & DP_OPS_TEST)
		return true;
	if (dp_arm_bits(i->word, 12, 4) == PC)
		return jump_alu(i, result);
	return dp_arm_set(i, dp_arm_bits(i->word, 12, 4), result);
}

static uint32_t offset_register(const struct dp_arm_insn *i)
{
	bool carry = i->frame->cpsr & DP_PSR_C;

	return shifted_register(i, &carry);
}

#else

/* A register shifted left. */
static uint32_t offset_register(const struct dp_arm_insn *i)
{
	return dp_arm_get(i, dp_arm_bits(i->word, 0, 4)) << dp_arm_bits(i->word, 7, 5);
}

/* add, sub, mov, no flags. */
static bool a_data(const struct dp_arm_insn *i)
{
	uint32_t w = i->word, b = offset_register(i), rd = dp_arm_bits(w, 12, 4);

	if (dp_arm_bits(w, 25, 1))
		b = rotate_right(dp_arm_bits(w, 0, 8), 2 * dp_arm_bits(w, 8, 4));
	if (dp_arm_bits(w, 22, 1))
		b = 0u - b;
	if (!dp_arm_bits(w, 24, 1))
		b += dp_arm_get(i, dp_arm_bits(w, 16, 4));
	return rd == PC ? jump_alu(i, b) : dp_arm_set(i, rd, b);
}

#endif

static bool a_transfer(struct dp_arm_insn *i, uint32_t offset)
{
	unsigned rn = dp_arm_bits(i->word, 16, 4);
	uint32_t base = dp_arm_get(i, rn);

	i->after = dp_arm_bits(i->word, 23, 1) ? base + offset : base - offset;
	i->at = dp_arm_bits(i->word, 24, 1) ? i->after : base;
	if (!dp_arm_bits(i->word, 24, 1) || dp_arm_bits(i->word, 21, 1))
		i->back = (uint8_t)rn;
	return dp_arm_transfer(i);
}

static bool a_load_store(struct dp_arm_insn *i)
{
#if DP_ARM_WITH_RARE
	i->store = !dp_arm_bits(i->word, 20, 1);
	i->width = dp_arm_bits(i->word, 22, 1) ? 1 : 4;
#endif
	return a_transfer(i, dp_arm_bits(i->word, 25, 1) ? offset_register(i)
							 : dp_arm_bits(i->word, 0, 12));
}

/* Halfword, signed and doubleword transfers with PC as base: no writeback. Literals of C are
 * loaded. */
static bool a_extra(struct dp_arm_insn *i)
{
	unsigned kind = dp_arm_bits(i->word, 5, 2);

	i->rt2 = i->rt + 1;
	if (dp_arm_bits(i->word, 20, 1)) {
		i->width = kind == 2 ? 1 : 2;
		i->sign = kind != 1;
	} else {
		i->width = DP_ARM_WITH_RARE && kind == 1 ? 2 : 8;
		i->store = kind != 2;
	}
	return a_transfer(i, !DP_ARM_WITH_RARE || dp_arm_bits(i->word, 22, 1)
				     ? dp_arm_bits(i->word, 8, 4) << 4 | dp_arm_bits(i->word, 0, 4)
				     : dp_arm_get(i, dp_arm_bits(i->word, 0, 4)));
}

#if DP_ARM_WITH_RARE
static bool a_msr(const struct dp_arm_insn *i)
{
	bool carry = false;

	write_flags(i,
		    dp_arm_bits(i->word, 25, 1) ? operand2(i, &carry)
						: dp_arm_get(i, dp_arm_bits(i->word, 0, 4)),
		    dp_arm_bits(i->word, 18, 2));
	return true;
}
#endif

static bool a_branch(const struct dp_arm_insn *i)
{
	if (dp_arm_bits(i->word, 24, 1))
		dp_arm_link(i, i->next);
	return dp_arm_jump(i, i->pc + 4 * (uint32_t)dp_arm_sign_extend(i->word, 24));
}

static bool a_blx(const struct dp_arm_insn *i)
{
	uint32_t target = i->pc + 4 * (uint32_t)dp_arm_sign_extend(i->word, 24) +
			  2 * dp_arm_bits(i->word, 24, 1);

	dp_arm_link(i, i->next);
	return dp_arm_jump_exchange(i, target | 1);
}

#endif

static bool dispatch(unsigned class, struct dp_arm_insn *i)
{
	uint32_t w = i->word;

	switch (class) {
#if DP_ARM_WITH_A32
	case DP_ARM_A_BRANCH:
		return a_branch(i);
	case DP_ARM_A_BLX:
		return a_blx(i);
	case DP_ARM_A_BX:
		return dp_arm_branch_exchange(i, dp_arm_bits(w, 0, 4), dp_arm_bits(w, 5, 1),
					      i->next);
	case DP_ARM_A_DATA:
		return a_data(i);
	case DP_ARM_A_LOAD_STORE:
		return a_load_store(i);
	case DP_ARM_A_EXTRA:
		return a_extra(i);
#if DP_ARM_WITH_RARE
	case DP_ARM_A_MSR:
		return a_msr(i);
#endif
#if DP_ARM_WITH_RARE && DP_HAS_CPS
	case DP_ARM_A_CPS:
		return change_masks(i, dp_arm_bits(w, 18, 1), w & DP_PSR_MASKS);
#endif
	case DP_ARM_A_BLOCK:
		return dp_arm_block(i, w);
	case DP_ARM_A_MRS:
		i->frame->r[dp_arm_bits(w, 12, 4)] = i->frame->cpsr & DP_PSR_MRS;
		return true;
#endif
#if DP_ARM_WITH_THUMB
#if DP_HAS_CPS
	case DP_ARM_T_CPS:
		return change_masks(i, dp_arm_bits(w, 4, 1), dp_arm_bits(w, 0, 3) << 6);
#endif
	case DP_ARM_W_MRS:
		i->frame->r[dp_arm_bits(w, 8, 4)] = i->frame->cpsr & DP_PSR_MRS;
		return true;
#if DP_ARM_WITH_RARE
	case DP_ARM_W_MSR:
		write_flags(i, dp_arm_get(i, dp_arm_bits(w, 16, 4)), dp_arm_bits(w, 10, 2));
		return true;
#endif
#if DP_ARM_WITH_RARE && DP_HAS_CPS
	case DP_ARM_W_CPS:
		return change_masks(i, dp_arm_bits(w, 9, 1), dp_arm_bits(w, 5, 3) << 6);
#endif
	default:
		return dp_thumb_emulate(class, i);
#else
	default:
		return false;
#endif
	}
}

bool dp_arm_emulate(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_arm_insn i;
	uint32_t cpsr = frame->cpsr;

	dp_arm_begin(&i, site, frame, dp_arm_is_thumb(site) ? 4 : 8);
	if (dispatch(site->port.detail, &i))
		return true;
	frame->r[PC] = i.address;
	frame->cpsr = cpsr;
	return false;
}
