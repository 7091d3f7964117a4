/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the step of a displaced MIPS32 instruction in a table of mask and value. The
 * first match wins, the last row rejects. */
#include "mips_decode.h"

#include "dp_errors.h"

/* The masks that the rows need: a row keeps the number of its mask. */
#define DP_MASKS(MASK, of)                                                                         \
	MASK(0x00000000, of)                                                                       \
	MASK(0xffffffff, of)                                                                       \
	MASK(0xfc000000, of)                                                                       \
	MASK(0xfc00003f, of)                                                                       \
	MASK(0xffe00000, of)                                                                       \
	MASK(0xfc1f0000, of)                                                                       \
	MASK(0xffe0003f, of)                                                                       \
	MASK(0xfc0007ff, of)                                                                       \
	MASK(0xfc00ffff, of)                                                                       \
	MASK(0xffff07ff, of)                                                                       \
	MASK(0xfc1fffff, of)                                                                       \
	MASK(0xfffff83f, of)                                                                       \
	MASK(0xfc0207ff, of)                                                                       \
	MASK(0xfc1ff83f, of)                                                                       \
	MASK(0xfc1f003f, of)                                                                       \
	MASK(0xffe0ffff, of)                                                                       \
	MASK(0xff60ffff, of)                                                                       \
	MASK(0xffe007f8, of)                                                                       \
	MASK(0xffe007ff, of)                                                                       \
	MASK(0xffe0063f, of)                                                                       \
	MASK(0xfe00003f, of)                                                                       \
	MASK(0xff000000, of)

#define DP_NAME(bits, of) MASK_##bits,
enum dp_mips_mask {
	DP_MASKS(DP_NAME, )
};
#define DP_BITS(bits, of) bits,
static const uint32_t masks[] = {DP_MASKS(DP_BITS, )};
/* A row whose mask is not in DP_MASKS has 255: tests/port/test_mips_decode.c finds it. */
#define DP_NUMBER(bits, of) (of) == (bits) ? MASK_##bits:
#define DP_MASK_NUMBER(of)  (uint8_t)(DP_MASKS(DP_NUMBER, of) 255)

/* A field of an instruction: a number, or a number whose DP_FREE bits may have any value. */
#define DP_FREE(bits, value) ((bits) << 8 | (value))
#define DP_FREE_OF(field)    ((field) >> 8)
#define DP_VALUE_OF(field)   ((field)&0xff)
enum field {
	RS = DP_FREE(0x1f, 0),
	RT = DP_FREE(0x1f, 0),
	RD = DP_FREE(0x1f, 0),
	SA = DP_FREE(0x1f, 0),
	HINT = DP_FREE(0x1f, 0),
	FUNCTION = DP_FREE(0x3f, 0),
	CO = DP_FREE(0x0f, 0x10),     /* 1xxxx */
	MF_MT = DP_FREE(0x04, 0),     /* 00x00: mfc0, mtc0 */
	BZ_BNZ = DP_FREE(0x07, 0x18), /* 11xxx: bz.b to bnz.d */
	CC_0_TF = DP_FREE(0x1d, 0),   /* cc, 0, tf */
	SA_0 = DP_FREE(0x07, 0),      /* 00, sel */
	SEL = DP_FREE(0x07, 0),       /* 000, sel */
};
/* Fields with a name in the opcode map. */
enum {
	SPECIAL = 0x00,
	REGIMM = 0x01,
	COP0 = 0x10,
	COP1 = 0x11,
	SPECIAL2 = 0x1c,
	SPECIAL3 = 0x1f,
	MF = 0x00,
	MT = 0x04,
};

#define DP_ONE_TRAP       (DP_MIPS_ONE_TRAP << 5)
#define DP_SIMPLE         (DP_MIPS_ONE_TRAP << 5 | DP_MIPS_SIMPLE)
#define DP_MEMORY         (DP_MIPS_MEMORY << 5)
#define DP_TWO_TRAP       (DP_MIPS_TWO_TRAP << 5)
#define DP_NOP            (DP_MIPS_NOP << 5)
#define DP_EMULATE(class) (DP_MIPS_EMULATE << 5 | DP_MIPS_##class)
#define DP_JUMP(class)    (DP_MIPS_JUMP << 5 | DP_MIPS_##class)
#define DP_REFUSE(reason) (DP_MIPS_REFUSE << 5 | DP_REFUSE_##reason)
#define DP_MASK_OF_ROW(op, rs, rt, rd, sa, function)                                               \
	~((uint32_t)DP_FREE_OF(op) << 26 | DP_FREE_OF(rs) << 21 | DP_FREE_OF(rt) << 16 |           \
	  DP_FREE_OF(rd) << 11 | DP_FREE_OF(sa) << 6 | DP_FREE_OF(function))
#define DP_VALUE_OF_ROW(op, rs, rt, rd, sa, function)                                              \
	((uint32_t)DP_VALUE_OF(op) << 26 | DP_VALUE_OF(rs) << 21 | DP_VALUE_OF(rt) << 16 |         \
	 DP_VALUE_OF(rd) << 11 | DP_VALUE_OF(sa) << 6 | DP_VALUE_OF(function))
#define DP_ROW_I(op, rs, rt, ...) DP_ROW(op, rs, rt, RD, SA, FUNCTION, __VA_ARGS__)
#define DP_ROW_J(op, ...)         DP_ROW_I(op, RS, RT, __VA_ARGS__)
#define DP_ROW_ANY(...)           DP_ROW_J(DP_FREE(0x3f, 0), __VA_ARGS__)

#define DP_ROW(op, rs, rt, rd, sa, function, release, check, treat, what)                          \
	{DP_VALUE_OF_ROW(op, rs, rt, rd, sa, function),                                            \
	 DP_MASK_NUMBER(DP_MASK_OF_ROW(op, rs, rt, rd, sa, function)), (treat), (release),         \
	 DP_MIPS_##check},
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
	treat = allowed(insn, row->check) ? row->treat : DP_REFUSE(UNPREDICTABLE);
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
