/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator of Thumb performs instructions that read or write the PC, and IT. The port's
 * emulator includes this file.  port/README.md 7; DDI 0406C A8.8 */
#ifndef DP_EMULATE_THUMB_H
#define DP_EMULATE_THUMB_H

#include "emulate.h"

#define DP_LDMIA_SP 0xe8bd0000u /* ldmia sp!, {} */

static inline bool dp_thumb_cbz(const struct dp_arm_insn *i)
{
	uint32_t offset = dp_arm_bits(i->word, 9, 1) << 6 | dp_arm_bits(i->word, 3, 5) << 1;

	if (dp_thumb_cbz_taken(i->word, i->frame))
		return dp_arm_jump(i, i->pc + offset);
	return true;
}

/* add, mov with PC: no change of instruction set. */
static inline bool dp_thumb_high(const struct dp_arm_insn *i)
{
	unsigned rd = dp_arm_bits(i->word, 7, 1) << 3 | dp_arm_bits(i->word, 0, 3);
	uint32_t value = dp_arm_get(i, dp_arm_bits(i->word, 3, 4));

	if (!dp_arm_bits(i->word, 9, 1))
		value += dp_arm_get(i, rd);
	if (rd == DP_ARM_PC)
		return dp_arm_jump(i, value & ~1u);
	i->frame->r[rd] = value;
	return true;
}

static inline bool dp_thumb_w_bcond(const struct dp_arm_insn *i)
{
	uint32_t w = i->word;

	return dp_arm_jump(i, i->pc + ((0u - dp_arm_bits(w, 26, 1)) << 20 |
				       dp_arm_bits(w, 11, 1) << 19 | dp_arm_bits(w, 13, 1) << 18 |
				       dp_arm_bits(w, 16, 6) << 12 | dp_arm_bits(w, 0, 11) << 1));
}

/* b.w, bl, blx: J bits are inverted by the sign; they are ones before Thumb-2, so it fits too. */
static inline bool dp_thumb_w_branch(const struct dp_arm_insn *i)
{
	uint32_t w = i->word, sign = 0u - dp_arm_bits(w, 26, 1), j = w ^ ~sign;
	uint32_t offset = sign << 24 | dp_arm_bits(j, 13, 1) << 23 | dp_arm_bits(j, 11, 1) << 22 |
			  dp_arm_bits(w, 16, 10) << 12 | dp_arm_bits(w, 0, 11) << 1;

	if (dp_arm_bits(w, 14, 1))
		dp_arm_link(i, i->next | 1);
	if (dp_arm_bits(w, 12, 1))
		return dp_arm_jump(i, i->pc + offset);
	return dp_arm_jump_exchange(i, (i->pc & ~3u) + (offset & ~3u));
}

static inline bool dp_thumb_literal(struct dp_arm_insn *i, uint32_t offset)
{
	uint32_t base = i->pc & ~3u;

	i->at = dp_arm_bits(i->word, 23, 1) ? base + offset : base - offset;
	return dp_arm_transfer(i);
}

static inline bool dp_thumb_w_literal(struct dp_arm_insn *i)
{
	i->width = (uint8_t)(1u << dp_arm_bits(i->word, 21, 2));
	i->sign = dp_arm_bits(i->word, 24, 1);
	return dp_thumb_literal(i, dp_arm_bits(i->word, 0, 12));
}

static inline bool dp_thumb_w_dual(struct dp_arm_insn *i)
{
	i->width = 8;
	return dp_thumb_literal(i, 4 * dp_arm_bits(i->word, 0, 8));
}

static inline bool dp_thumb_w_adr(const struct dp_arm_insn *i)
{
	uint32_t offset = dp_arm_bits(i->word, 26, 1) << 11 | dp_arm_bits(i->word, 12, 3) << 8 |
			  dp_arm_bits(i->word, 0, 8);

	/* Bit 23 is set for the subtracting form here, the other way round than in loads. */
	i->frame->r[dp_arm_bits(i->word, 8, 4)] =
		(i->pc & ~3u) + (dp_arm_bits(i->word, 23, 1) ? 0u - offset : offset);
	return true;
}

/* ldr.w pc: literal, 12 bits, 8 bits with or without writeback, register. */
static inline bool dp_thumb_w_ldr(struct dp_arm_insn *i)
{
	uint32_t w = i->word, base = dp_arm_get(i, dp_arm_bits(w, 16, 4)),
		 offset = dp_arm_bits(w, 0, 8);

	if (dp_arm_bits(w, 16, 4) == DP_ARM_PC)
		return dp_thumb_literal(i, dp_arm_bits(w, 0, 12));
	if (dp_arm_bits(w, 23, 1)) {
		i->at = base + dp_arm_bits(w, 0, 12);
	} else if (dp_arm_bits(w, 11, 1)) {
		i->after = dp_arm_bits(w, 9, 1) ? base + offset : base - offset;
		i->at = DP_ARM_WITH_RARE && dp_arm_bits(w, 10, 1) ? i->after : base;
		if (!DP_ARM_WITH_RARE || dp_arm_bits(w, 8, 1))
			i->back = (uint8_t)dp_arm_bits(w, 16, 4);
	} else {
		i->at = base + (dp_arm_get(i, dp_arm_bits(w, 0, 4)) << dp_arm_bits(w, 4, 2));
	}
	return dp_arm_transfer(i);
}

static inline bool dp_thumb_w_tbb(const struct dp_arm_insn *i)
{
	bool half = dp_arm_bits(i->word, 4, 1);
	uint32_t entry[2] __attribute__((aligned(8))) = {0, 0};
	uint32_t index = i->frame->r[dp_arm_bits(i->word, 0, 4)];

	return dp_thumb_access(i->frame, false,
			       dp_arm_get(i, dp_arm_bits(i->word, 16, 4)) + (index << half),
			       half ? 2 : 1, entry) &&
	       dp_arm_jump(i, i->pc + 2 * entry[0]);
}

/* Perform a Thumb instruction, but for those of CPS. class: enum dp_thumb_class.
 * Returns false when an access faulted: the frame is as dp_arm_begin left the frame. */
static inline bool dp_thumb_emulate(unsigned class, struct dp_arm_insn *i)
{
	uint32_t w = i->word;

	switch (class) {
	case DP_ARM_T_BCOND:
		return dp_arm_jump(i, i->pc + 2 * (uint32_t)dp_arm_sign_extend(w, 8));
	case DP_ARM_T_B:
		return dp_arm_jump(i, i->pc + 2 * (uint32_t)dp_arm_sign_extend(w, 11));
	case DP_ARM_T_BX:
		return dp_arm_branch_exchange(i, dp_arm_bits(w, 3, 4), dp_arm_bits(w, 7, 1),
					      i->next | 1);
	case DP_ARM_T_CBZ:
		return dp_thumb_cbz(i);
	case DP_ARM_T_LITERAL:
		i->rt = (uint8_t)dp_arm_bits(w, 8, 3);
		i->at = (i->pc & ~3u) + 4 * dp_arm_bits(w, 0, 8);
		return dp_arm_transfer(i);
	case DP_ARM_T_ADR:
		i->frame->r[dp_arm_bits(w, 8, 3)] = (i->pc & ~3u) + 4 * dp_arm_bits(w, 0, 8);
		return true;
	case DP_ARM_T_HIGH:
		return dp_thumb_high(i);
	case DP_ARM_T_POP:
		return dp_arm_block(i, DP_LDMIA_SP | 1u << DP_ARM_PC | (w & 0xff));
	case DP_ARM_T_IT:
		DP_THUMB_STATUS(i->frame) = dp_thumb_with_it(DP_THUMB_STATUS(i->frame), w & 0xff);
		return true;
	case DP_ARM_W_BCOND:
		return dp_thumb_w_bcond(i);
	case DP_ARM_W_BRANCH:
		return dp_thumb_w_branch(i);
	case DP_ARM_W_LITERAL:
		return dp_thumb_w_literal(i);
	case DP_ARM_W_ADR:
		return dp_thumb_w_adr(i);
	case DP_ARM_W_LDM:
		return dp_arm_block(i, w);
	case DP_ARM_W_LDR:
		return dp_thumb_w_ldr(i);
	case DP_ARM_W_TBB:
		return dp_thumb_w_tbb(i);
	case DP_ARM_W_DUAL:
		return dp_thumb_w_dual(i);
	default:
		return false;
	}
}

#endif
