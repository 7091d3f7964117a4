/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the step of a displaced ARM instruction in tables of bit patterns. The first
 * match wins, the last row rejects. */
#include "arm_decode.h"

#include "thumb/decode_nibble.h"
#include "dp_errors.h"

_Static_assert((int)DP_ARM_CLASSES <= (int)DP_ARM_FIRST_ACTION,
	       "treat has no room for another class");
_Static_assert(DP_ARM_NOP == 4 && DP_ARM_EMULATE == 5, "five actions have no detail");

#define ARCH_5         0
#define ARCH_6         1
#define ARCH_7         2
#define ARCH_5_ONLY    3
#define ONE_TRAP       (DP_ARM_FIRST_ACTION + DP_ARM_ONE_TRAP)
#define MEMORY         (DP_ARM_FIRST_ACTION + DP_ARM_MEMORY)
#define TWO_TRAP       (DP_ARM_FIRST_ACTION + DP_ARM_TWO_TRAP)
#define REWRITE        (DP_ARM_FIRST_ACTION + DP_ARM_REWRITE)
#define NOP            (DP_ARM_FIRST_ACTION + DP_ARM_NOP)
#define EMULATE(class) DP_ARM_##class
#define REFUSE(reason) (DP_ARM_FIRST_REFUSAL + DP_REFUSE_##reason)
#define CHECK          (DP_ARM_FIRST_REFUSAL + DP_REFUSE_NOTHING)
/* The tables of the common ones alone want more of registers than the manual does. */
#define WRONG_REGISTERS (DP_ARM_WITH_RARE ? REFUSE(UNPREDICTABLE) : REFUSE(UNSUPPORTED))
_Static_assert((int)DP_ARM_FIRST_REFUSAL + (int)DP_REFUSE_UNSUPPORTED < (int)DP_ARM_GROUP,
	       "treat has no room for another refusal");

/* A row: the action, the nibbles of the instruction to look at (bit 7: the highest), and a byte
 * for each of these nibbles.  decode_nibble.h, arm_decode.h */
#define HAS(nibble) (sizeof((uint8_t[]){NIBBLE_##nibble 0}) > 1)
#define PACK(a, b, c, d, e, f, g, h, arch, treat)                                                  \
	ARCH_##arch << 6 | (treat),                                                                \
		HAS(a) << 7 | HAS(b) << 6 | HAS(c) << 5 | HAS(d) << 4 | HAS(e) << 3 |              \
			HAS(f) << 2 | HAS(g) << 1 | HAS(h),                                        \
		NIBBLE_##a NIBBLE_##b NIBBLE_##c NIBBLE_##d NIBBLE_##e NIBBLE_##f NIBBLE_##g       \
			NIBBLE_##h
#define ROW(a, b, c, d, e, f, g, h, arch, treat, what) PACK(a, b, c, d, e, f, g, h, arch, treat)
#define GROUP(a, b, c, d, e, f, g, h)                  PACK(a, b, c, d, e, f, g, h, 5, DP_ARM_GROUP)
static const uint8_t a32[] = {
#if DP_ARM_WITH_RARE
#include "decode_a32.def"
#else
#include "common_a32.def"
#endif
};
#define ROW(a, b, c, d, e, f, g, h, arch, treat, what) PACK(a, b, c, d, e, f, g, h, arch, treat)
#define GROUP(a, b, c, d, e, f, g, h)                  PACK(a, b, c, d, e, f, g, h, 5, DP_ARM_GROUP)
static const uint8_t t32[] = {
#if DP_ARM_WITH_RARE
#include "thumb/decode_t32.def"
#else
#include "thumb/common_t32.def"
#endif
};
#define ROW16(a, b, c, d, arch, treat, what) PACK(a, b, c, d, _, _, _, _, arch, treat)
#define GROUP16(a, b, c, d)                  PACK(a, b, c, d, _, _, _, _, 5, DP_ARM_GROUP)
static const uint8_t t16[] = {
#include "thumb/decode_t16.def"
};
const uint8_t *const dp_arm_table[DP_ARM_TABLES] = {a32, t16, t32};

/* On which architectures a row exists, a digit for each ARCH_, from the right: bit 0 is ARMv5. */
#define EXISTS 0x1467u

static bool has(unsigned treat, unsigned architecture)
{
	return EXISTS >> (4 * (treat >> 6) + architecture - 5) & 1;
}

/* Is the register one the row allows? */
static bool allowed(enum dp_arm_reg constraint, unsigned reg)
{
	static const uint16_t registers[] = {
		[DP_ARM_NOPC] = 0x7fff, [DP_ARM_NOSPPC] = 0x5fff, [DP_ARM_ZERO] = 0x0001};

	return registers[constraint] >> reg & 1;
}

static struct dp_arm_plan plan(unsigned treat, enum dp_arm_table table, unsigned row)
{
	struct dp_arm_plan p = {DP_ARM_EMULATE, (uint8_t)treat, (uint8_t)table, (uint8_t)row};

	if (p.detail >= DP_ARM_FIRST_REFUSAL) {
		p.action = DP_ARM_REFUSE;
		p.detail -= DP_ARM_FIRST_REFUSAL;
	} else if (p.detail >= DP_ARM_FIRST_ACTION) {
		p.action = p.detail - DP_ARM_FIRST_ACTION;
		p.detail = 0;
	}
	return p;
}

/* The highest nibble is the first. Registers count where all the rest is as the row says. */
static struct dp_arm_plan look_up(uint32_t insn, enum dp_arm_table table, unsigned architecture)
{
	const uint8_t *next = dp_arm_table[table];
	bool group = true;

	for (unsigned row = 0;;) {
		unsigned treat = *next++, nibbles = *next++;
		bool matches = has(treat, architecture), registers = true;

		for (uint32_t rest = insn; nibbles != 0;
		     nibbles = nibbles << 1 & 0xff, rest <<= 4) {
			unsigned mask = *next >> 4, value = *next & 15;

			if (!(nibbles & 0x80))
				continue;
			next++;
			if (mask == 0)
				registers &= allowed(value, rest >> 28);
			else
				matches &= (rest >> 28 & mask) == value;
		}
		treat &= 63;
		if (treat == DP_ARM_GROUP) {
			group = matches;
			continue;
		}
		matches &= group;
		if (matches && !registers)
			return plan(WRONG_REGISTERS, table, row);
		if (matches && treat != CHECK)
			return plan(treat, table, row);
		row++;
	}
}

struct dp_arm_plan dp_arm_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture)
{
	unsigned top = insn >> 24;

	if (bytes == 2)
		return look_up(insn << 16, DP_ARM_TABLE_T16, architecture);
	if (!thumb || (architecture >= 7 && top >= 0xec && top <= 0xee))
		return look_up(insn, DP_ARM_TABLE_A32, architecture);
	return look_up(insn, DP_ARM_TABLE_T32, architecture);
}

int dp_arm_window(uint32_t insn, bool thumb)
{
	bool load = insn >> 20 & 1, exclusive;

	if (!thumb)
		exclusive = (insn & 0x0f800ff0) == 0x01800f90;
	else if (load && (insn & 0xfff00000) == 0xe8500000)
		exclusive = (insn & 0xf00) == 0xf00;
	else
		exclusive = (insn & 0xfff00000) == 0xe8400000 || (insn & 0xffe000c0) == 0xe8c00040;
	if (exclusive)
		return load ? 1 : -1;
	return insn == (thumb ? 0xf3bf8f2f : 0xf57ff01f) ? -1 : 0; /* clrex */
}
