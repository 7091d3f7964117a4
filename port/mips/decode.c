/* SPDX-License-Identifier: BSD-2-Clause */
/* How to step a displaced MIPS32 instruction: a table of mask and value, first match wins, the last
 * row rejects. */
#include "mips_decode.h"

#include "dp_errors.h"

/* MASK(name, bits that must match) */
#define MASKS(MASK)                                                                                \
	MASK(NONE, 0x00000000)                                                                     \
	MASK(ALL, 0xffffffff)                                                                      \
	MASK(OPCODE, 0xfc000000)                                                                   \
	MASK(FUNCTION, 0xfc00003f)                                                                 \
	MASK(RS, 0xffe00000)                                                                       \
	MASK(RT, 0xfc1f0000)                                                                       \
	MASK(SHIFT, 0xffe0003f)                                                                    \
	MASK(THREE, 0xfc0007ff)                                                                    \
	MASK(TWO, 0xfc00ffff)                                                                      \
	MASK(TO_RD, 0xffff07ff)                                                                    \
	MASK(FROM_RS, 0xfc1fffff)                                                                  \
	MASK(RD_ZERO, 0xfffff83f)                                                                  \
	MASK(MOVCI, 0xfc0207ff)                                                                    \
	MASK(JR, 0xfc1ff83f)                                                                       \
	MASK(JALR, 0xfc1f003f)                                                                     \
	MASK(REGISTER, 0xffe0ffff)                                                                 \
	MASK(EITHER_WAY, 0xff60ffff)                                                               \
	MASK(ANY_REGISTER, 0xffe007f8)                                                             \
	MASK(RS_ONLY, 0xffe007ff)                                                                  \
	MASK(RS_SUB, 0xffe007ff)                                                                   \
	MASK(HARDWARE, 0xffe0063f)                                                                 \
	MASK(CODE, 0xfe00003f)                                                                     \
	MASK(VECTOR, 0xff000000)

#define NAME(name, bits) MASK_##name,
enum dp_mips_mask {
	MASKS(NAME)
};
#define BITS(name, bits) bits,
static const uint32_t masks[] = {MASKS(BITS)};

#define ONE_TRAP       (DP_MIPS_ONE_TRAP << 5)
#define SIMPLE         (DP_MIPS_ONE_TRAP << 5 | DP_MIPS_SIMPLE)
#define TWO_TRAP       (DP_MIPS_TWO_TRAP << 5)
#define NOP            (DP_MIPS_NOP << 5)
#define EMULATE(class) (DP_MIPS_EMULATE << 5 | DP_MIPS_##class)
#define JUMP(class)    (DP_MIPS_JUMP << 5 | DP_MIPS_##class)
#define REFUSE(reason) (DP_MIPS_REFUSE << 5 | DP_REFUSE_##reason)
#define ROW(mask, value, release, check, treat, what)                                              \
	{(value), MASK_##mask, (treat), (release), DP_MIPS_##check},

const struct dp_mips_row dp_mips_rows[] = {
#include "decode.def"
};
_Static_assert(sizeof(dp_mips_rows) / sizeof(dp_mips_rows[0]) <= 255, "a row number is one byte");
const uint8_t dp_mips_row_count = sizeof(dp_mips_rows) / sizeof(dp_mips_rows[0]);

enum {
	RA = 31
};

uint32_t dp_mips_row_mask(const struct dp_mips_row *row)
{
	return masks[row->mask];
}

static bool allowed(uint32_t insn, enum dp_mips_check check)
{
	unsigned rs = insn >> 21 & 31;

	switch (check) {
	case DP_MIPS_RS_NOT_RD:
		return rs != (insn >> 11 & 31);
	case DP_MIPS_RS_NOT_RA:
		return rs != RA;
	default:
		return true;
	}
}

struct dp_mips_plan dp_mips_decode(uint32_t insn, unsigned release)
{
	const struct dp_mips_row *row = dp_mips_rows;
	unsigned treat;

	while ((insn & masks[row->mask]) != row->value || row->arch > release)
		row++;
	treat = allowed(insn, row->check) ? row->treat : REFUSE(UNPREDICTABLE);
	return (struct dp_mips_plan){(uint8_t)(treat >> 5), treat & 31,
				     (uint8_t)(row - dp_mips_rows)};
}

/* jr jalr; REGIMM branches; j jal beq .. bgtz; beql .. bgtzl; bc1 bc2 and their relatives, those of
 * MSA too; jalx. */
bool dp_mips_has_delay_slot(uint32_t insn)
{
	unsigned opcode = insn >> 26, rs = insn >> 21 & 31, rt = insn >> 16 & 31;

	if (opcode == 0)
		return (insn & 0x3e) == 0x08;
	if (opcode == 1)
		return (rt & 0x0c) == 0 || rt == 0x1c;
	if (opcode == 0x11)
		return (rs >= 8 && rs <= 11) || rs == 15 || rs >= 24;
	if (opcode == 0x12)
		return rs == 8;
	return (opcode >= 2 && opcode <= 7) || (opcode >= 0x14 && opcode <= 0x17) || opcode == 0x1d;
}
