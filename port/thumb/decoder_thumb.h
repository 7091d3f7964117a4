/* SPDX-License-Identifier: BSD-2-Clause */
/* What decoders for the host know of Thumb instructions, for the ports that have Thumb code.
 * ../dp_decoder.h; DDI 0406C A8.8. The functions take a Thumb instruction. */
#ifndef DP_DECODER_THUMB_H
#define DP_DECODER_THUMB_H

#include "dp_decoder.h"
#include "thumb_decode.h"

enum {
	DP_ARM_NO_REGISTER = 16
};

/* The instruction as thumb_decode.h wants it. */
static inline uint32_t dp_thumb_number(const struct dp_insn *insn)
{
	if (insn->count == 4)
		return dp_insn_number(insn, 0, 2) << 16 | dp_insn_number(insn, 2, 2);
	return dp_insn_number(insn, 0, insn->count);
}

static inline unsigned dp_thumb_length(const struct dp_insn *insn)
{
	return insn->count < 2 ? 0 : dp_thumb_bytes(dp_insn_number(insn, 0, 2));
}

/* imm25 of T4's B: S:I1:I2:imm10:imm11:0 with I = NOT(J EOR S).  DDI 0406C A8.8.18 */
static inline uint64_t dp_thumb_offset(uint32_t opcode)
{
	const uint32_t s = opcode >> 26 & 1, j1 = opcode >> 13 & 1, j2 = opcode >> 11 & 1;
	const uint32_t i1 = !(j1 ^ s), i2 = !(j2 ^ s);

	return dp_insn_signed(s << 24 | i1 << 23 | i2 << 22 | (opcode >> 16 & 0x3ff) << 12 |
				      (opcode & 0x7ff) << 1,
			      25);
}

/* imm21 of T3's B: S:J2:J1:imm6:imm11:0 */
static inline uint64_t dp_thumb_condition_offset(uint32_t opcode)
{
	return dp_insn_signed((opcode >> 26 & 1) << 20 | (opcode >> 11 & 1) << 19 |
				      (opcode >> 13 & 1) << 18 | (opcode >> 16 & 0x3f) << 12 |
				      (opcode & 0x7ff) << 1,
			      21);
}

/* b<c>; svc and udf have the last two conditions. */
static inline bool dp_thumb_is_condition_16(uint32_t opcode)
{
	return (opcode & 0xf000) == 0xd000 && (opcode & 0x0e00) != 0x0e00;
}

static inline bool dp_thumb_is_condition_32(uint32_t opcode)
{
	return (opcode & 0xf800d000) == 0xf0008000 && (opcode & 0x03800000) != 0x03800000;
}

static inline bool dp_thumb_jump_16(uint32_t opcode, uint64_t *offset)
{
	if (dp_thumb_is_cbz(opcode)) {
		*offset = (opcode >> 9 & 1) << 6 | (opcode >> 3 & 31) << 1;
		return true;
	}
	*offset = dp_thumb_is_condition_16(opcode) ? dp_insn_signed(opcode, 8) * 2
						   : dp_insn_signed(opcode, 11) * 2;
	return dp_thumb_is_condition_16(opcode) || (opcode & 0xf800) == 0xe000;
}

/* b of any condition; b, b.w, cbz. */
static inline bool dp_thumb_jump(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = dp_thumb_number(insn);
	uint64_t offset;
	bool is;

	if (insn->count == 2) {
		is = dp_thumb_jump_16(opcode, &offset);
	} else {
		offset = dp_thumb_is_condition_32(opcode) ? dp_thumb_condition_offset(opcode)
							  : dp_thumb_offset(opcode);
		is = dp_thumb_is_condition_32(opcode) || (opcode & 0xf800d000) == 0xf0009000;
	}
	*target = insn->address + 4 + offset;
	return is;
}

static inline enum dp_condition dp_thumb_condition(const struct dp_insn *insn)
{
	const uint32_t opcode = dp_thumb_number(insn);

	return (insn->count == 2 ? dp_thumb_is_cbz(opcode) || dp_thumb_is_condition_16(opcode)
				 : dp_thumb_is_condition_32(opcode))
		       ? DP_CONDITION_TAKEN
		       : DP_CONDITION_NONE;
}

/* bl */
static inline bool dp_thumb_call(const struct dp_insn *insn, uint64_t *target)
{
	const uint32_t opcode = dp_thumb_number(insn);

	*target = insn->address + 4 + dp_thumb_offset(opcode);
	return insn->count == 4 && (opcode & 0xf800d000) == 0xf000d000;
}

/* Of coprocessors 10 and 11, whatever the highest four bits. DDI 0406C A7 */
static inline bool dp_thumb_is_unit(uint32_t opcode)
{
	return (opcode & 0x0e000e00) == 0x0c000a00 || (opcode & 0x0f000e00) == 0x0e000a00;
}

/* These, and Advanced SIMD. */
static inline bool dp_thumb_is_float(const struct dp_insn *insn)
{
	const uint32_t opcode = dp_thumb_number(insn);

	return insn->count == 4 &&
	       ((dp_thumb_is_unit(opcode) && (opcode & 0xe0000000) == 0xe0000000) ||
		(opcode & 0xef000000) == 0xef000000 || (opcode & 0xff100000) == 0xf9000000);
}

/* it: the lowest bit set of the mask tells how many. */
static inline unsigned dp_thumb_covers(const struct dp_insn *insn)
{
	const uint32_t opcode = dp_thumb_number(insn);
	unsigned count = 4;

	if (insn->count != 2 || (opcode & 0xff00) != 0xbf00 || (opcode & 15) == 0)
		return 0;
	for (uint32_t mask = opcode; !(mask & 1); mask >>= 1)
		count--;
	return count;
}

/* bx rN, mov pc, rN: N. */
static inline unsigned dp_thumb_register_of(const struct dp_insn *insn)
{
	const uint32_t opcode = dp_thumb_number(insn);

	return insn->count == 2 && ((opcode & 0xff87) == 0x4700 || (opcode & 0xff87) == 0x4687)
		       ? opcode >> 3 & 15
		       : DP_ARM_NO_REGISTER;
}

/* The registers that an instruction takes from the stack: pop, ldr rN, [sp], #n. */
static inline uint32_t dp_thumb_popped(const struct dp_insn *insn)
{
	const uint32_t opcode = dp_thumb_number(insn);

	if (insn->count == 2)
		return (opcode & 0xff00) == 0xbc00 ? opcode & 0xff : 0;
	if (opcode >> 16 == 0xe8bd)
		return opcode & 0xffff;
	return (opcode & 0xffff0f00) == 0xf85d0b00 ? 1u << (opcode >> 12 & 15) : 0;
}

/* The register that an instruction copies another one into: mov rN, rM. */
static inline unsigned dp_thumb_copied(const struct dp_insn *insn, unsigned *from)
{
	const uint32_t opcode = dp_thumb_number(insn);

	*from = opcode >> 3 & 15;
	if (insn->count != 2 || opcode >> 8 != 0x46)
		return DP_ARM_NO_REGISTER;
	return (opcode & 7) | (opcode >> 4 & 8);
}

/* add sp, #n */
static inline bool dp_thumb_drops_stack(const struct dp_insn *insn)
{
	return insn->count == 2 && dp_thumb_number(insn) >> 7 == 0xb000 >> 7;
}

/* What decides about the origin of a branch to a register: the instructions before. */
struct dp_thumb_moves {
	unsigned (*register_of)(const struct dp_insn *insn);
	uint32_t (*popped)(const struct dp_insn *insn);
	unsigned (*copied)(const struct dp_insn *insn, unsigned *from);
	bool (*drops_stack)(const struct dp_insn *insn);
};

/* bx rN behind `pop {rN}` or `mov rN, lr`. Other instructions of an epilogue may stand between. */
static inline enum dp_origin dp_thumb_origin(const struct dp_thumb_moves *moves,
					     const struct dp_insn *branch,
					     const struct dp_insn *before, unsigned count)
{
	const unsigned reg = moves->register_of(branch);

	for (unsigned i = 0; reg < 15 && i < count; i++) {
		const struct dp_insn *insn = &before[i];
		unsigned from;
		const uint32_t list = moves->popped(insn);
		const unsigned copy = moves->copied(insn, &from);

		if (list >> reg & 1 || (copy == reg && from == 14))
			return DP_ORIGIN_LINK;
		if (copy == reg ||
		    (!list && copy == DP_ARM_NO_REGISTER && !moves->drops_stack(insn)))
			return DP_ORIGIN_UNKNOWN;
	}
	return DP_ORIGIN_UNKNOWN;
}

#endif
