/* SPDX-License-Identifier: BSD-2-Clause */
/* How to step a displaced ARM instruction: tables of mask and value, first match wins, the last
 * row rejects. */
#include "arm_decode.h"

#include "dp_errors.h"

#define ONE_TRAP        (DP_ARM_ONE_TRAP << 5)
#define TWO_TRAP        (DP_ARM_TWO_TRAP << 5)
#define REWRITE         (DP_ARM_REWRITE << 5)
#define NOP             (DP_ARM_NOP << 5)
#define EMULATE(class)  (DP_ARM_EMULATE << 5 | DP_ARM_##class)
#define REFUSE(reason)  (DP_ARM_REFUSE << 5 | DP_REFUSE_##reason)
#define REG_A           DP_ARM_ANY
#define REG_P           DP_ARM_NOPC
#define REG_S           DP_ARM_NOSPPC
#define REG_E           DP_ARM_EVEN
#define R(n, d, s, m)   (REG_##n << 12 | REG_##d << 8 | REG_##s << 4 | REG_##m)
#define ROW(mask, value, regs, arch, treat, what) {(mask), (value), (regs), (treat), (arch)},
#define ROW16(mask, value, arch, treat, what)     {(mask), (value), (treat), (arch)},

_Static_assert(DP_ARM_CLASSES <= 32, "treat has 5 bits for the class");

const struct dp_arm_row dp_arm_a32[] = {
#include "decode_a32.def"
};
#define ROW(mask, value, regs, arch, treat, what) {(mask), (value), (regs), (treat), (arch)},
const struct dp_arm_row dp_arm_t32[] = {
#include "decode_t32.def"
};
const struct dp_arm_row16 dp_arm_t16[] = {
#include "decode_t16.def"
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
const uint8_t dp_arm_rows[DP_ARM_TABLES] = {COUNT(dp_arm_a32), COUNT(dp_arm_t16),
					    COUNT(dp_arm_t32)};
_Static_assert(COUNT(dp_arm_a32) <= 255 && COUNT(dp_arm_t32) <= 255, "a row number is one byte");

enum { ONLY_V5 = 0x80, SP = 13, LR = 14, PC = 15 };

static bool has(unsigned arch, unsigned architecture)
{
	return arch & ONLY_V5 ? architecture < 6 : architecture >= arch;
}

/* Is the register one the row allows? */
static bool allowed(enum dp_arm_reg constraint, unsigned reg)
{
	switch (constraint) {
	case DP_ARM_NOPC:
		return reg != PC;
	case DP_ARM_NOSPPC:
		return reg != PC && reg != SP;
	case DP_ARM_EVEN:
		return (reg & 1) == 0 && reg != LR;
	default:
		return true;
	}
}

static bool registers_allowed(uint32_t insn, unsigned regs)
{
	return allowed(regs >> 12, insn >> 16 & 15) && allowed(regs >> 8 & 15, insn >> 12 & 15) &&
	       allowed(regs >> 4 & 15, insn >> 8 & 15) && allowed(regs & 15, insn & 15);
}

static struct dp_arm_plan plan(unsigned treat, enum dp_arm_table table, unsigned row)
{
	return (struct dp_arm_plan){(uint8_t)(treat >> 5), treat & 31, (uint8_t)table,
				    (uint8_t)row};
}

static struct dp_arm_plan decode16(uint32_t insn, unsigned architecture)
{
	unsigned i = 0;

	while ((insn & dp_arm_t16[i].mask) != dp_arm_t16[i].value ||
	       !has(dp_arm_t16[i].arch, architecture))
		i++;
	return plan(dp_arm_t16[i].treat, DP_ARM_TABLE_T16, i);
}

static struct dp_arm_plan decode32(uint32_t insn, enum dp_arm_table table, unsigned architecture)
{
	const struct dp_arm_row *rows = table == DP_ARM_TABLE_A32 ? dp_arm_a32 : dp_arm_t32;
	unsigned i = 0;

	while ((insn & rows[i].mask) != rows[i].value || !has(rows[i].arch, architecture))
		i++;
	return plan(registers_allowed(insn, rows[i].regs) ? rows[i].treat : REFUSE(UNPREDICTABLE),
		    table, i);
}

struct dp_arm_plan dp_arm_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture)
{
	unsigned top = insn >> 24;

	if (!thumb)
		return decode32(insn, DP_ARM_TABLE_A32, architecture);
	if (bytes == 2)
		return decode16(insn, architecture);
	if (architecture >= 7 && top >= 0xec && top <= 0xee)
		return decode32(insn, DP_ARM_TABLE_A32, architecture);
	return decode32(insn, DP_ARM_TABLE_T32, architecture);
}
