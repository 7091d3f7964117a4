/* SPDX-License-Identifier: BSD-2-Clause */
/* How to step a displaced ARM instruction: tables of mask and value, first match wins, the last
 * row rejects. */
#include "arm_decode.h"

#include "dp_errors.h"

enum {
	FIRST_ACTION = 28, /* in treat: the four actions without a detail */
	FIRST_REFUSAL = 32,
	ONLY_5 = 3, /* in bits 7:6 of treat */
	SP = 13,
	PC = 15
};
_Static_assert((int)DP_ARM_CLASSES <= (int)FIRST_ACTION, "treat has no room for another class");
_Static_assert(DP_ARM_NOP == 3 && DP_ARM_EMULATE == 4, "four actions have no detail");

#define ARCH_5         0
#define ARCH_6         1
#define ARCH_7         2
#define ARCH_5_ONLY    ONLY_5
#define ONE_TRAP       (FIRST_ACTION + DP_ARM_ONE_TRAP)
#define TWO_TRAP       (FIRST_ACTION + DP_ARM_TWO_TRAP)
#define REWRITE        (FIRST_ACTION + DP_ARM_REWRITE)
#define NOP            (FIRST_ACTION + DP_ARM_NOP)
#define EMULATE(class) DP_ARM_##class
#define REFUSE(reason) (FIRST_REFUSAL + DP_REFUSE_##reason)
#define CHECK          (FIRST_REFUSAL + DP_REFUSE_NOTHING)
#define REG_A          DP_ARM_ANY
#define REG_P          DP_ARM_NOPC
#define REG_S          DP_ARM_NOSPPC
#define REG_Z          DP_ARM_ZERO
#define R(n, d, s, m)  (REG_##n << 6 | REG_##d << 4 | REG_##s << 2 | REG_##m)

#define ROW(mask, value, regs, arch, treat, what) {(mask), (value)},
const struct dp_arm_match dp_arm_a32[] = {
#include "decode_a32.def"
};
#define ROW(mask, value, regs, arch, treat, what) {(mask), (value)},
const struct dp_arm_match dp_arm_t32[] = {
#include "decode_t32.def"
};
#define ROW(mask, value, regs, arch, treat, what) {(regs), ARCH_##arch << 6 | (treat)},
static const struct dp_arm_treat a32_treat[] = {
#include "decode_a32.def"
};
#define ROW(mask, value, regs, arch, treat, what) {(regs), ARCH_##arch << 6 | (treat)},
static const struct dp_arm_treat t32_treat[] = {
#include "decode_t32.def"
};
#define ROW16(mask, value, arch, treat, what) {(mask), (value)},
const struct dp_arm_match16 dp_arm_t16[] = {
#include "decode_t16.def"
};
#define ROW16(mask, value, arch, treat, what) ARCH_##arch << 6 | (treat),
static const uint8_t t16_treat[] = {
#include "decode_t16.def"
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
const uint8_t dp_arm_rows[DP_ARM_TABLES] = {COUNT(dp_arm_a32), COUNT(dp_arm_t16),
					    COUNT(dp_arm_t32)};
_Static_assert(COUNT(dp_arm_a32) <= 255 && COUNT(dp_arm_t32) <= 255, "a row number is one byte");

static bool has(unsigned treat, unsigned architecture)
{
	unsigned arch = treat >> 6;

	return arch == ONLY_5 ? architecture < 6 : architecture >= arch + 5;
}

/* Is the register one the row allows? */
static bool allowed(unsigned constraint, unsigned reg)
{
	switch (constraint & 3) {
	case DP_ARM_NOPC:
		return reg != PC;
	case DP_ARM_NOSPPC:
		return reg != PC && reg != SP;
	case DP_ARM_ZERO:
		return reg == 0;
	default:
		return true;
	}
}

static bool registers_allowed(uint32_t insn, unsigned regs)
{
	return allowed(regs >> 6, insn >> 16 & 15) && allowed(regs >> 4, insn >> 12 & 15) &&
	       allowed(regs >> 2, insn >> 8 & 15) && allowed(regs, insn & 15);
}

static struct dp_arm_plan plan(unsigned treat, enum dp_arm_table table, unsigned row)
{
	struct dp_arm_plan p = {DP_ARM_EMULATE, treat & 63, (uint8_t)table, (uint8_t)row};

	if (p.detail >= FIRST_REFUSAL) {
		p.action = DP_ARM_REFUSE;
		p.detail -= FIRST_REFUSAL;
	} else if (p.detail >= FIRST_ACTION) {
		p.action = p.detail - FIRST_ACTION;
		p.detail = 0;
	}
	return p;
}

struct dp_arm_plan dp_arm_row_plan(enum dp_arm_table table, unsigned row)
{
	if (table == DP_ARM_TABLE_T16)
		return plan(t16_treat[row], table, row);
	return plan((table == DP_ARM_TABLE_A32 ? a32_treat : t32_treat)[row].treat, table, row);
}

static struct dp_arm_plan decode16(uint32_t insn, unsigned architecture)
{
	unsigned i = 0;

	while ((insn & dp_arm_t16[i].mask) != dp_arm_t16[i].value ||
	       !has(t16_treat[i], architecture))
		i++;
	return plan(t16_treat[i], DP_ARM_TABLE_T16, i);
}

static struct dp_arm_plan decode32(uint32_t insn, enum dp_arm_table table, unsigned architecture)
{
	const struct dp_arm_match *match = table == DP_ARM_TABLE_A32 ? dp_arm_a32 : dp_arm_t32;
	const struct dp_arm_treat *treat = table == DP_ARM_TABLE_A32 ? a32_treat : t32_treat;

	for (unsigned i = 0;; i++) {
		if ((insn & match[i].mask) != match[i].value || !has(treat[i].treat, architecture))
			continue;
		if (!registers_allowed(insn, treat[i].regs))
			return plan(REFUSE(UNPREDICTABLE), table, i);
		if ((treat[i].treat & 63) != CHECK)
			return plan(treat[i].treat, table, i);
	}
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
